package agent

import (
	"context"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/check"
)

// hasty is Bounded Election with the early rounds of agents: whoever is to act tries one first, which takes the place
// of its round if it changes whom the node supports.
type hasty struct{ *bounded.Election }

func (h hasty) Round(l *caucus.Local, s *bounded.Candidacy, in caucus.Inbox[bounded.Candidacy]) bounded.Candidacy {
	early, before := *l, *s
	early.Early = true
	says := h.Election.Round(&early, s, in)
	if s.Lead != before.Lead || s.Nonce != before.Nonce {
		return says
	}
	*s = before
	return h.Election.Round(l, s, in)
}

// Early rounds leave the election self-stabilising: with them as without, from every state of all networks of two nodes
// with a ghost, under the daemons in which every node acts once a round in an order that stays.
func TestEarlyRoundsStabilise(t *testing.T) {
	for _, radius := range []float64{1, 2} {
		c := bounded.Default(radius)
		c.Nonce = false
		election, err := bounded.New(c)
		if err != nil {
			t.Fatal(err)
		}
		report, err := check.Rounds(context.Background(), hasty{election}, check.Config{
			Networks: check.Networks(check.Connected, 2,
				check.Assignments{Strengths: []float64{1, 2}, Lengths: []float64{1}}),
			Ghosts:  1,
			Daemons: []check.Daemon{check.Synchronous, check.Phased},
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range report.Rows {
			t.Logf("radius %g, %v: %+v of %d", radius, row.Daemon, row.Fair, row.Networks)
			if row.Fair.Holds != row.Networks {
				t.Errorf("radius %g, %v: %d of %d networks", radius, row.Daemon, row.Fair.Holds, row.Networks)
			}
		}
	}
}
