// Package asfar is As Far as it can on a one-way ring (Chang, Roberts, CACM 1979;
// Santoro, Design and Analysis of Distributed Algorithms, section 3.3.2): every
// ID travels to the right until it meets a smaller one; the ID that comes home has won.
//
// Assumes a ring with consistent left/right labels, reliable links and distinct IDs;
// any non-empty set of initiators. Elects the least ID; every node terminates and
// knows it. Not self-stabilising.
//
// Messages, the final lap included: worst n(n+1)/2 + n (IDs increasing in the
// direction of travel), best 3n-1, average n·H_n + n. Ideal time 2n.
package asfar

import "caucus"

// Kinds of messages.
const (
	Elect uint8 = iota
	Notify
)

// Msg is a travelling ID, or the winner's announcement.
type Msg struct {
	_    struct{} `cbor:",toarray"`
	Kind uint8
	ID   caucus.ID
}

// State is what a node remembers.
type State struct {
	Min   caucus.ID // least ID seen; None while asleep
	Role  caucus.Role
	Final bool
}

// Spec describes the algorithm.
var Spec = caucus.Spec{
	Name:      "as-far",
	Title:     "As Far (as it can)",
	Family:    "classic",
	Shape:     caucus.ShapeEvents,
	Source:    "Chang, Roberts, CACM 1979; Santoro, section 3.3.2",
	Elects:    "the node of least ID",
	Guarantee: "terminates with one leader that every node knows (proved); not self-stabilising",
	Cost:      "n(n+1)/2 + n messages at worst, n·H_n + n on average, ideal time 2n",
	Needs: caucus.Needs{
		Topology: caucus.Ring, Labels: true, Connected: true, DistinctIDs: true,
	},
	Kinds:   []string{"elect", "notify"},
	Carries: []caucus.Content{{IDs: 1}, {IDs: 1}},
}

// Algorithm implements caucus.Events[State, Msg].
type Algorithm struct{}

// FromArgs makes the algorithm; it has no parameters.
func FromArgs(caucus.Args) (Algorithm, error) { return Algorithm{}, nil }

// Boot gives a sleeping node.
func (Algorithm) Boot(*caucus.Local) State { return State{} }

// Wake sends the node's own ID on its way.
func (Algorithm) Wake(l *caucus.Local, s *State, _ bool, out *caucus.Outbox[Msg]) {
	s.Min = l.ID
	right(l, out, Msg{Kind: Elect, ID: l.ID})
}

// Receive passes on what is smaller than anything seen, and stops the rest.
func (Algorithm) Receive(l *caucus.Local, s *State, _ int, m Msg, out *caucus.Outbox[Msg]) {
	switch {
	case s.Final:
	case m.Kind == Notify:
		s.Min, s.Final = m.ID, true
		if s.Role != caucus.Leader {
			s.Role = caucus.Follower
			right(l, out, m)
		}
	case m.ID == l.ID && s.Min == l.ID:
		s.Role = caucus.Leader
		right(l, out, Msg{Kind: Notify, ID: l.ID})
	case m.ID < s.Min:
		s.Min, s.Role = m.ID, caucus.Defeated
		right(l, out, m)
	}
}

// Timer is never set.
func (Algorithm) Timer(*caucus.Local, *State, int, *caucus.Outbox[Msg]) {}

func right(l *caucus.Local, out *caucus.Outbox[Msg], m Msg) {
	for p, label := range l.Labels {
		if label == caucus.Right {
			out.Send(p, m)
			return
		}
	}
}

// Elected names the leader once it is known.
func (Algorithm) Elected(_ *caucus.Local, s *State) (caucus.ID, caucus.Role) {
	if s.Final || s.Role == caucus.Leader {
		return s.Min, s.Role
	}
	return caucus.None, s.Role
}

// Outcome adds that a notified node has finished.
func (a Algorithm) Outcome(l *caucus.Local, s *State) caucus.Outcome {
	leader, role := a.Elected(l, s)
	return caucus.Outcome{Role: role, Leader: leader, Final: s.Final, Distance: -1}
}

// Kind tells the two messages apart.
func (Algorithm) Kind(m *Msg) int { return int(min(m.Kind, Notify)) }

// Domain is every state and message over the world's IDs.
func (Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[Msg]) {
	ids := append([]caucus.ID{caucus.None}, w.IDs...)
	states := caucus.Values[State]{Len: caucus.Size(len(ids), 4, 2), At: func(k uint64) State {
		var buf [3]int
		d := caucus.Digits(k, buf[:], len(ids), 4, 2)
		return State{Min: ids[d[0]], Role: caucus.Role(d[1]), Final: d[2] == 1}
	}}
	msgs := caucus.Values[Msg]{Len: caucus.Size(len(ids), 2), At: func(k uint64) Msg {
		var buf [2]int
		d := caucus.Digits(k, buf[:], len(ids), 2)
		return Msg{Kind: uint8(d[1]), ID: ids[d[0]]}
	}}
	return states, msgs
}
