package cmd

import (
	"slices"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/registry"
)

// What an algorithm is said to be follows from what the page of verdicts says of it.
func TestClaimsFollowVerdicts(t *testing.T) {
	bounded, err := registry.Get("bounded")
	if err != nil {
		t.Fatal(err)
	}
	if got := refuted(bounded.Spec); !slices.Equal(got, []string{"central", "locally", "distributed"}) {
		t.Errorf("bounded is refuted under %v", got)
	}
	_, out, _ := caucusRun(t, "list", "bounded")
	for _, want := range []string{"stabilises proved, not central, locally, distributed\n",
		"violated on 31 of 32 networks under fair central",
		"not from all states, under fair synchronous, phased, paced",
		"without heartbeat: holds under fair synchronous, central, locally, distributed"} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), strings.Join(strings.Fields(want), " ")) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	for _, e := range registry.All {
		lines := checked(e.Spec)
		if (e.Spec.Stabilising != caucus.No) != (len(lines) > 0) {
			t.Errorf("%s (%s) was checked: %v", e.Spec.Name, e.Spec.Stabilising, lines)
		}
		for _, l := range lines {
			if strings.Contains(l, "published") || strings.Contains(l, "crash") {
				t.Errorf("%s: %s is another claim", e.Spec.Name, l)
			}
		}
	}
}
