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

// damped is Bounded Election with the damping of agents around it, which remembers the leaders by ID.
type damped struct {
	election *bounded.Election
	rule     dampingRule
	keeps    bool // a wrong variant: a leader is held for as long as it is there
}

type dampedState struct {
	Inner bounded.Candidacy
	Seen  [2]seenLeader // of all IDs but the node's own, in their order
}

// id is that of a place in Seen.
func (s *dampedState) id(l *caucus.Local, place int) caucus.ID {
	if id := caucus.ID(place + 1); id < l.ID {
		return id
	}
	return caucus.ID(place + 2)
}

func (d damped) Boot(l *caucus.Local) (dampedState, bounded.Candidacy) {
	s, m := d.election.Boot(l)
	out := dampedState{Inner: s}
	for i := range out.Seen {
		out.Seen[i].Absent = d.rule.calm + 1
	}
	return out, m
}

func (d damped) Round(l *caucus.Local, s *dampedState, in caucus.Inbox[bounded.Candidacy]) bounded.Candidacy {
	var leaders [4]caucus.ID // of as many neighbours at most
	followed := leaders[:0]
	for _, m := range in.Msgs {
		followed = append(followed, m.Lead)
	}
	for i := range s.Seen {
		was, id := s.Seen[i], s.id(l, i)
		backed := id != l.ID && slices.Contains(followed, id)
		s.Seen[i] = d.rule.next(was, backed)
		if d.keeps && was.Held > 0 && backed {
			s.Seen[i].Held = was.Held
		}
	}
	held := func(id caucus.ID) bool {
		for i := range s.Seen {
			if s.id(l, i) == id {
				return s.Seen[i].Held > 0
			}
		}
		return false
	}
	var heard [4]bounded.Candidacy
	var far [4]float64
	believed := caucus.Inbox[bounded.Candidacy]{Msgs: heard[:0], Dist: far[:0]}
	for k, m := range in.Msgs {
		if m.Lead == l.ID || !doubted(m.Lead, followed, held) {
			believed.Msgs, believed.Dist = append(believed.Msgs, m), append(believed.Dist, in.Dist[k])
		}
	}
	local := *l
	local.Degree = len(believed.Msgs)
	return d.election.Round(&local, &s.Inner, believed)
}

func (d damped) Outcome(l *caucus.Local, s *dampedState) caucus.Outcome {
	return d.election.Outcome(l, &s.Inner)
}

func (d damped) Expect(n *caucus.Network) []caucus.Outcome { return d.election.Expect(n) }

// Domain has whatever can be remembered of each leader, whether a run comes to it or not.
func (d damped) Domain(w *caucus.World) (caucus.Values[dampedState], caucus.Values[bounded.Candidacy]) {
	inner, messages := d.election.Domain(w)
	states := caucus.Every(w, func(p *caucus.Pick) (s dampedState) {
		s.Inner = caucus.PickOf(p, inner)
		for i := range s.Seen {
			s.Seen[i].Absent = d.rule.calm + 1
			if i < len(w.IDs)-1 {
				s.Seen[i] = d.anything(p)
			}
		}
		return s
	})
	return states, messages
}

func (d damped) anything(p *caucus.Pick) (x seenLeader) {
	r := &d.rule
	x.Absent = uint8(p.Below(int(r.calm) + 2))
	x.Present = x.Absent == 0
	x.Since, x.Held = uint8(p.Below(int(r.calm)+2)), uint8(p.Below(int(r.most)+1))
	longest := uint8(1)
	for r.hold(longest) < r.most {
		longest++
	}
	x.Returns = uint8(p.Below(int(r.free+longest) + 1))
	return x
}

// holds explores it on networks, and gives on how many the right leader is reached, and how many there are. What three
// nodes can hold and remember is too much for all of them at a time: one holds anything, the others what they come to
// from a clean start.
func (d damped) holds(t *testing.T, list []*caucus.Network, daemons ...check.Daemon) (holds, networks int) {
	t.Helper()
	report, err := check.Rounds(context.Background(), d,
		check.Config{Networks: list, Daemons: daemons, MaxStates: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range report.Rows {
		t.Logf("%v, wrong variant %v: %d of %d networks, from %v", row.Daemon, d.keeps, row.Fair.Holds,
			row.Networks+row.Undecided, row.Froms)
		holds += row.Fair.Holds
		networks += row.Networks + row.Undecided
	}
	return holds, networks
}

// Damping leaves the election self-stabilising: whatever two nodes hold and remember, or one of three, the leader that
// the election is to have is reached, and stays. Rounds are fewer than those of agents, in the same order of size. A
// layer that held a leader for as long as it is there would not do. With CAUCUS_FULL=1 at both radii, and with nodes
// that act one after the other as well.
func TestDampingStabilises(t *testing.T) {
	t.Parallel()
	daemons, radii := []check.Daemon{check.Synchronous}, []float64{2}
	if os.Getenv("CAUCUS_FULL") != "" {
		daemons, radii = append(daemons, check.Phased), append(radii, 1)
	}
	rule := dampingRule{free: 0, calm: 1, first: 1, most: 2}
	two := check.Networks(check.Connected, 2, check.Assignments{Strengths: []float64{1, 2}, Lengths: []float64{1}})
	three := check.Networks(check.Connected, 3, check.Assignments{Strengths: []float64{1}, Lengths: []float64{1}})
	for _, radius := range radii {
		c := bounded.Default(radius)
		c.Heartbeat, c.Nonce = 0, false
		election, err := bounded.New(c)
		if err != nil {
			t.Fatal(err)
		}
		for _, list := range [][]*caucus.Network{two, three} {
			d := damped{election: election, rule: rule}
			if holds, networks := d.holds(t, list, daemons...); holds != networks {
				t.Errorf("radius %g, %s: %d of %d", radius, check.Describe(list[0]), holds, networks)
			}
		}
		if holds, networks := (damped{election, rule, true}).holds(t, three[1:2], daemons...); holds == networks {
			t.Errorf("radius %g: the wrong variant holds", radius)
		}
	}
}
