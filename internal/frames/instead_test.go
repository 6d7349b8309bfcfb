package frames

import (
	"strings"
	"testing"

	"caucus.example/caucus/registry"
)

// Every algorithm of the list can be picked in place of any other that a page shows: only a network that it cannot have
// stands in the way, not what had been set for the other.
func TestAnotherAlgorithm(t *testing.T) {
	for _, first := range registry.All {
		q := Request{Scenario: "algo: " + first.Spec.Name + "\ntopology: ring:4\n"}
		p, err := q.Prepare()
		if err != nil {
			continue // it is for other networks
		}
		q.Scenario = p.YAML() // with all that it was resolved to, as from the command line
		for _, e := range registry.All {
			q.Algo = e.Spec.Name
			if _, err := q.Prepare(); err != nil && !strings.Contains(err.Error(), "assumes") {
				t.Errorf("%s in place of %s: %v", q.Algo, first.Spec.Name, err)
			}
		}
	}
}
