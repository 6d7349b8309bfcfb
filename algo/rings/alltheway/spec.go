package alltheway

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/ring"
)

// Spec describes the algorithm on a one-way ring. The order of messages does not matter.
var Spec = ring.Spec(caucus.Spec{
	Name: "all-the-way", Title: "All the Way",
	Source:  "Santoro, section 3.3.1",
	Cost:    "n² messages, ideal time n",
	Needs:   caucus.Needs{Labels: true},
	Carries: []caucus.Content{{IDs: 1, Counters: 1}},
})

// Bidirectional describes it on a ring of two directions without labels: every node sends its ID by a port of its
// choice.
var Bidirectional = bidirectional(Spec)

func bidirectional(s caucus.Spec) caucus.Spec {
	s.Name, s.Title, s.Needs.Labels = "all-the-way-bi", "All the Way, two directions", false
	return s
}

// FromArgs makes the algorithm for a one-way ring, BidirectionalFromArgs for one without labels; no parameters.
var (
	FromArgs              = caucus.Fill(Algorithm{})
	BidirectionalFromArgs = caucus.Fill(Algorithm{Unlabelled: true})
)

// Outcome names the leader once every ID is seen.
func (a Algorithm) Outcome(l *caucus.Local, s *State) caucus.Outcome {
	leader, role := a.Elected(l, s)
	return caucus.Outcome{Leader: leader, Role: role, Final: leader != caucus.None, Distance: -1}
}

// Elected is the part of Outcome that may change at every event. A node that has seen a smaller ID knows before the end
// that it does not lead.
func (Algorithm) Elected(l *caucus.Local, s *State) (caucus.ID, caucus.Role) {
	switch {
	case s.Leader == l.ID:
		return s.Leader, caucus.Leader
	case s.Leader != caucus.None:
		return s.Leader, caucus.Follower
	case s.Min < l.ID && s.Min != caucus.None:
		return caucus.None, caucus.Defeated
	}
	return caucus.None, caucus.Undecided
}

// Domain is every state and message over the world's IDs.
func (Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[Msg]) {
	return caucus.Every(w, func(p *caucus.Pick) State {
			return State{Min: p.AnyID(), Seen: uint32(p.Below(p.Counter + 1)), Size: uint32(p.Below(p.Counter + 1)),
				Leader: p.AnyID()}
		}), caucus.Every(w, func(p *caucus.Pick) Msg {
			return Msg{ID: p.AnyID(), Hops: uint32(p.Below(p.Counter + 1))}
		})
}

// Expect is the least ID for all.
func (Algorithm) Expect(n *caucus.Network) []caucus.Outcome { return n.FollowLeastID() }

// Messages is n².
func (Algorithm) Messages(n *caucus.Network, _ int) int { return n.Len() * n.Len() }
