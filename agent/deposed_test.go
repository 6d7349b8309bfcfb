package agent

import (
	"context"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/check"
	"caucus.example/caucus/internal/pacing"
)

// frank is Bounded Election with what drivers withhold by the word of the leader itself (pacing.Word), so its messages
// say whose they are.
type frank struct{ *bounded.Election }

type signed struct {
	From caucus.ID
	bounded.Candidacy
}

func (f frank) Boot(l *caucus.Local) (bounded.Candidacy, signed) {
	s, m := f.Election.Boot(l)
	return s, signed{l.ID, m}
}

func (f frank) Round(l *caucus.Local, s *bounded.Candidacy, in caucus.Inbox[signed]) signed {
	var believed caucus.Inbox[bounded.Candidacy]
	for k, m := range in.Msgs {
		over := false
		for _, other := range in.Msgs {
			word := pacing.Word{Who: other.From, Backs: other.Lead, Counts: true}
			over = over || word.Ends(m.Lead, 0)
		}
		if !over {
			believed.Msgs, believed.Dist = append(believed.Msgs, m.Candidacy), append(believed.Dist, in.Dist[k])
		}
	}
	local := *l
	local.Degree = len(believed.Msgs)
	return signed{l.ID, f.Election.Round(&local, s, believed)}
}

func (f frank) Domain(w *caucus.World) (caucus.Values[bounded.Candidacy], caucus.Values[signed]) {
	states, messages := f.Election.Domain(w)
	return states, caucus.Every(w, func(p *caucus.Pick) signed {
		return signed{p.IDs[p.Below(len(p.IDs))], caucus.PickOf(p, messages)}
	})
}

// To believe a leader that says that it follows another leaves the election self-stabilising: from every state of all
// networks of two nodes with a ghost and of three, whoever a corrupt message says that it is from.
func TestDeposedStabilises(t *testing.T) {
	t.Parallel()
	for _, radius := range []float64{1, 2} {
		c := bounded.Default(radius)
		c.Heartbeat, c.Nonce = 0, false
		election, err := bounded.New(c)
		if err != nil {
			t.Fatal(err)
		}
		for n, strengths := range map[int][]float64{2: {1, 2}, 3: {1}} {
			report, err := check.Rounds(context.Background(), frank{election}, check.Config{
				Networks: check.Networks(check.Connected, n,
					check.Assignments{Strengths: strengths, Lengths: []float64{1}}),
				Ghosts:    3 - n,
				Daemons:   []check.Daemon{check.Synchronous, check.Phased},
				MaxStates: 1 << 20,
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range report.Rows {
				t.Logf("radius %g, %d nodes, %v: %+v of %d", radius, n, row.Daemon, row.Fair, row.Networks)
				if row.Fair.Holds != row.Networks || row.Undecided > 0 {
					t.Errorf("radius %g, %d nodes, %v: %d of %d networks", radius, n, row.Daemon, row.Fair.Holds,
						row.Networks+row.Undecided)
				}
			}
		}
	}
}
