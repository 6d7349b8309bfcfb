// Package asfar is As Far as it can on a ring (Chang, Roberts, CACM 1979; Santoro, Design and
// Analysis of Distributed Algorithms, section 3.3.2): every ID travels until it meets a smaller
// one; the ID that comes home has won. There are three ways to set out: to the right, on a
// one-way ring; by a port of the node's choice; and by a port drawn at random (ProbAsFar).
//
// Assumes a ring, reliable links and distinct IDs, and on a one-way ring consistent left/right
// labels; any non-empty set of initiators. A node that is woken by a smaller ID does not send its own.
// Elects the least ID; every node terminates and knows it. Not self-stabilising.
//
// Messages with all nodes initiating, the final lap included: one-way at worst n(n+1)/2 + n (IDs
// increasing in the direction of travel), at best 3n-1, on average n·H_n + n; ideal time 2n. Two-way
// it is the same if all choose one direction. At random and in lock step, on average
// about (√2/2)·n·H_n + O(n), since IDs that meet stop each other early.
package asfar

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/ring"
)

// Kinds of messages.
const (
	Elect  = ring.Elect
	Notify = ring.Notify
)

// Msg is a travelling ID, or the winner's announcement.
type Msg = ring.Msg

// State is what a node remembers.
type State struct {
	Min caucus.ID // least ID seen; None while asleep
	// Met holds the least ID that has come in at each port at this very moment; only if the way is Random.
	Met [2]caucus.ID
	ring.End
}

// Way is how an ID sets out.
type Way uint8

// Ways.
const (
	ToTheRight  Way = iota
	ByFirstPort     // whichever the node happens to call its first
	Random          // by a port drawn at random; of two IDs that meet at a node the smaller is handled first
)

// Spec describes the algorithm on a one-way ring.
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

// Bidirectional describes it on a ring of two directions without labels.
var Bidirectional = unlabelled("as-far-bi", "As Far, two directions",
	"n(n+1)/2 + n messages at worst; less where the first ports do not all point the same way round")

// Probabilistic describes it with random directions.
var Probabilistic = unlabelled("prob-as-far", "ProbAsFar",
	"n(n+1)/2 + n messages at worst, about 0.707·n·H_n + O(n) on average in lock step")

func unlabelled(name, title, cost string) caucus.Spec {
	s := Spec
	s.Name, s.Title, s.Cost, s.Needs.Labels = name, title, cost, false
	return s
}

// Algorithm implements caucus.Events[State, Msg]. The zero value goes to the right.
type Algorithm struct{ Way Way }

// FromArgs makes the algorithm for a one-way ring; it has no parameters.
func FromArgs(caucus.Args) (Algorithm, error) { return Algorithm{}, nil }

// BidirectionalFromArgs makes it for a ring without labels; it has no parameters.
func BidirectionalFromArgs(caucus.Args) (Algorithm, error) { return Algorithm{ByFirstPort}, nil }

// ProbabilisticFromArgs makes it with random directions; it has no parameters.
func ProbabilisticFromArgs(caucus.Args) (Algorithm, error) { return Algorithm{Random}, nil }

// Boot gives a sleeping node.
func (Algorithm) Boot(*caucus.Local) State { return State{} }

// Wake sends the node's own ID on its way if it starts on its own; else it depends on the
// message whether it has a chance.
func (a Algorithm) Wake(l *caucus.Local, s *State, initiator bool, out *caucus.Outbox[Msg]) {
	if initiator {
		a.start(l, s, out)
	}
}

func (a Algorithm) start(l *caucus.Local, s *State, out *caucus.Outbox[Msg]) {
	s.Min = l.ID
	first := 0
	switch a.Way {
	case ToTheRight:
		first = ring.Port(l, caucus.Right)
	case Random:
		first = l.Rand.IntN(2)
	}
	out.Send(first, Msg{Kind: Elect, ID: l.ID})
}

// Receive passes on what is smaller than anything seen, and stops the rest.
func (a Algorithm) Receive(l *caucus.Local, s *State, port int, m Msg, out *caucus.Outbox[Msg]) {
	switch {
	case s.Over():
	case m.Kind == Notify:
		if s.Hear(l, m.ID) {
			s.Min = m.ID
			out.Send(ring.Other(port), m)
		}
	case a.Way == Random:
		if s.Met == [2]caucus.ID{} {
			out.After(0, 0)
		}
		if met := &s.Met[port&1]; *met == caucus.None || m.ID < *met {
			*met = m.ID
		}
	default:
		a.handle(l, s, port, m.ID, out)
	}
}

// Timer handles what has met at the node, the smaller first.
func (a Algorithm) Timer(l *caucus.Local, s *State, _ int, out *caucus.Outbox[Msg]) {
	met := s.Met
	s.Met = [2]caucus.ID{}
	first := 0
	if met[1] < met[0] {
		first = 1
	}
	for _, p := range [2]int{first, ring.Other(first)} {
		if met[p] != caucus.None {
			a.handle(l, s, p, met[p], out)
		}
	}
}

func (a Algorithm) handle(l *caucus.Local, s *State, port int, id caucus.ID, out *caucus.Outbox[Msg]) {
	switch {
	case s.Over():
	case s.Min == caucus.None && id > l.ID:
		a.start(l, s, out)
	case id == l.ID && s.Min == l.ID:
		s.Hear(l, id)
		out.Send(ring.Other(port), Msg{Kind: Notify, ID: id})
	case id < s.Min || s.Min == caucus.None:
		s.Min, s.Role = id, caucus.Defeated
		out.Send(ring.Other(port), Msg{Kind: Elect, ID: id})
	}
}

// Outcome names the leader once it is known.
func (Algorithm) Outcome(_ *caucus.Local, s *State) caucus.Outcome { return s.End.Outcome() }

// Elected is the part of Outcome that may change at every event.
func (Algorithm) Elected(_ *caucus.Local, s *State) (caucus.ID, caucus.Role) { return s.Leader, s.Role }

// Kind tells the two messages apart.
func (Algorithm) Kind(m *Msg) int { return ring.KindOf(m.Kind, 2) }

// Domain is every state and message over the world's IDs.
func (Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[Msg]) {
	ids := ring.IDs(w)
	radix := []int{len(ids), len(ids), len(ids), ring.Roles, len(ids)}
	states := caucus.Values[State]{Len: caucus.Size(radix...), At: func(k uint64) State {
		var buf [5]int
		d := caucus.Digits(k, buf[:], radix...)
		return State{Min: ids[d[0]], Met: [2]caucus.ID{ids[d[1]], ids[d[2]]}, End: ring.End{Role: caucus.Role(d[3]), Leader: ids[d[4]]}}
	}}
	return states, ring.Messages(w, 2)
}
