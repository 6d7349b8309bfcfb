package agent

import (
	"context"
	"os"
	"slices"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/check"
)

// keeper is Bounded Election with the advantage of who leads, given at once, as it is for agents after some rounds.
type keeper struct {
	*bounded.Election
	stays  bool
	margin float64
}

func (k keeper) Round(l *caucus.Local, s *bounded.Candidacy, in caucus.Inbox[bounded.Candidacy]) bounded.Candidacy {
	if k.Outcome(l, s).Role == caucus.Leader {
		local := *l
		local.Strength = incumbent(l.Strength, k.stays, k.margin)
		l = &local
	}
	return k.Election.Round(l, s, in)
}

// Domain has the strengths of those who lead as well.
func (k keeper) Domain(w *caucus.World) (states, messages caucus.Values[bounded.Candidacy]) {
	all := *w
	for _, x := range w.Strengths {
		all.Strengths = append(slices.Clip(all.Strengths), incumbent(x, k.stays, k.margin))
	}
	return k.Election.Domain(&all)
}

// Expect has no single answer: who leads depends on who led.
func (k keeper) Expect(*caucus.Network) []caucus.Outcome { return nil }

// The advantage of who leads, which feeds what is elected back into the election, leaves it self-stabilising: from
// every state of all networks of up to three nodes, under every daemon, all nodes come to name a node that leads. With
// three nodes that takes a quarter of an hour of processor time, and is done with CAUCUS_FULL=1 only.
func TestIncumbentsStabilise(t *testing.T) {
	full := os.Getenv("CAUCUS_FULL") != ""
	keepers, ghosts := []keeper{{stays: true}, {margin: 0.5}, {margin: 1}, {margin: 1.5}}, 1
	if !full {
		keepers, ghosts = []keeper{{stays: true}, {margin: 1}}, 0
	}
	for _, k := range keepers {
		for _, radius := range []float64{1, 2} {
			c := bounded.Default(radius)
			c.Heartbeat, c.Nonce = 0, false
			election, err := bounded.New(c)
			if err != nil {
				t.Fatal(err)
			}
			k.Election = election
			for n := 2; n <= 3; n++ {
				if n == 3 && !full {
					continue
				}
				report, err := check.Rounds(context.Background(), k, check.Config{
					Networks: check.Networks(check.Connected, n,
						check.Assignments{Strengths: []float64{1, 2}, Lengths: []float64{1}}),
					Ghosts: ghosts,
				})
				if err != nil {
					t.Fatal(err)
				}
				for _, row := range report.Rows {
					if row.Fair.Holds != row.Networks {
						t.Errorf("stays %v, margin %g, radius %g, %d nodes, %v: %d of %d networks",
							k.stays, k.margin, radius, n, row.Daemon, row.Fair.Holds, row.Networks)
					}
				}
			}
		}
	}
}
