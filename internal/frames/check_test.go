package frames

import (
	"strings"
	"testing"
)

// A page checks what is small, and says what it has found: of all orders, of all states, or one execution that is
// wrong.
func TestCheck(t *testing.T) {
	for scenario, want := range map[string]string{
		"algo: as-far\ntopology: ring:4\nids: random\n":     "right in every order of arrival",
		"algo: prasle\ntopology: line:3\nfaithful: paper\n": "from any state some execution",
		"algo: prasle\ntopology: line:3\n":                  "right from any state",
	} {
		found, err := (&Request{Scenario: scenario}).Check(t.Context())
		if err != nil {
			t.Errorf("%s: %v", scenario, err)
			continue
		}
		wrong := strings.HasPrefix(want, "from")
		if !strings.HasPrefix(found.Says, want) || wrong != (len(found.Tales) > 0) {
			t.Errorf("%s: %s, %d tales", scenario, found.Says, len(found.Tales))
		}
		t.Log(found.Says)
	}
	_, err := (&Request{Scenario: "algo: as-far\ntopology: ring:6\nids: random\n"}).Check(t.Context())
	if err == nil || !strings.Contains(err.Error(), "at most 5") {
		t.Errorf("six nodes: %v", err)
	}
}
