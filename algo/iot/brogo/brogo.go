// Package brogo is BROGO (Bounceur et al., 2017): a root floods the network, the flood leaves a tree
// of first senders, the least candidate comes up the tree and the root tells it down.
//
// The root is a node whose ID all know (root), or, in the revised version and by default, the initiator of least ID,
// found by waiting as in wbs: its start is the flood. Where two floods meet, the one of the smaller root goes on and
// whoever took part in the other starts again with it. A node knows its children without asking: from every
// neighbour but its parent it hears either the flood or the best below.
//
// Assumes a connected network, reliable links and distinct IDs; for the revised version also a common start
// and bounds on diameter and delay. Every node terminates and knows the leader. One-shot: a node that dies on
// the way, the root above all, stops it. Not self-stabilising.
//
// Messages with one root: 2m - n + 1 for the flood, n - 1 up, n - 1 down, 2m + n - 1 in all. Ideal time at most 3D + 1 from the flood on.
package brogo

import (
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/iot/wbs"
	"caucus.example/caucus/algo/kit/rank"
)

// Kinds of messages.
const (
	Flood uint8 = iota
	Up
	Down
)

// Msg is the flood of a root, the best candidate on its way up, or the leader on its way down.
type Msg struct {
	_    struct{} `cbor:",toarray"`
	Kind uint8
	Root caucus.ID
	Best rank.Pair
}

// Port is what a node knows of a neighbour.
type Port uint8

// Ports.
const (
	Silent Port = iota
	Other       // takes part, and has another parent or is mine
	Child
)

// State is what a node remembers.
type State struct {
	Root   caucus.ID // None until the flood comes
	Parent int32     // 1 + port; 0 at the root
	Ports  []Port
	Best   rank.Pair // of the tree below
	Final  bool
}

// Spec describes the algorithm.
var Spec = caucus.Spec{
	Name:      "brogo",
	Title:     "BROGO",
	Family:    "iot",
	Shape:     caucus.ShapeEvents,
	Source:    "Bounceur et al., 2017, with values combined on the way up",
	Elects:    "the node of least rank (largest strength), smaller ID on equal rank",
	Guarantee: "terminates with one leader that every node knows (proved, reliable links and live nodes); the root is a single point of failure; not self-stabilising",
	Cost:      "2m + n - 1 messages; ideal time at most 3D + 1 from the flood on, which starts at once with a known root, else after (D+1)·δ·(least ID)",
	Needs:     caucus.Needs{Connected: true, DistinctIDs: true, Diameter: true, Delay: true, Together: true},
	Params: []caucus.Param{
		{Name: "root", Kind: caucus.KindInt, Default: "0", Max: 1 << 53,
			Doc: "ID of the root, which must be an initiator; 0 for the initiator of least ID, found by waiting (the revised version)"},
	},
	Kinds: []string{"flood", "up", "down"},
}

// Algorithm implements caucus.Events[State, Msg].
type Algorithm struct{ Root caucus.ID }

// FromArgs makes the algorithm from resolved parameters.
func FromArgs(a caucus.Args) (Algorithm, error) {
	return Algorithm{Root: caucus.ID(a.Number("root"))}, nil
}

// Boot gives a sleeping node.
func (Algorithm) Boot(*caucus.Local) State { return State{} }

// Wake starts the flood of a root that is known, or the wait for one that is not.
func (a Algorithm) Wake(l *caucus.Local, s *State, initiator bool, out *caucus.Outbox[Msg]) {
	switch {
	case initiator && a.Root == caucus.None:
		out.After(wbs.Wait(l, 0), 0)
	case initiator && a.Root == l.ID:
		a.join(l, s, l.ID, 0, out)
	}
}

// Timer ends the wait.
func (a Algorithm) Timer(l *caucus.Local, s *State, _ int, out *caucus.Outbox[Msg]) {
	if s.Root == caucus.None {
		a.join(l, s, l.ID, 0, out)
	}
}

// join takes part in the flood of a root, afresh.
func (a Algorithm) join(l *caucus.Local, s *State, root caucus.ID, parent int32, out *caucus.Outbox[Msg]) {
	*s = State{Root: root, Parent: parent, Ports: make([]Port, l.Degree), Best: rank.Of(l)}
	out.SendAll(l.Degree, int(parent)-1, Msg{Kind: Flood, Root: root})
	s.report(out)
}

// Receive takes in the flood, what comes up and what comes down.
func (a Algorithm) Receive(l *caucus.Local, s *State, port int, m Msg, out *caucus.Outbox[Msg]) {
	switch {
	case m.Root == caucus.None:
	case m.Kind == Flood && (s.Root == caucus.None || m.Root < s.Root):
		a.join(l, s, m.Root, int32(port)+1, out)
	case m.Root != s.Root || port >= len(s.Ports) || s.Final:
	case m.Kind == Down:
		if port == int(s.Parent)-1 {
			s.Best = m.Best
			s.finish(out)
		}
	case s.Ports[port] == Silent && port != int(s.Parent)-1:
		s.Ports = slices.Clone(s.Ports)
		s.Ports[port] = Other
		if m.Kind == Up {
			s.Ports[port] = Child
			if m.Best.Less(s.Best) {
				s.Best = m.Best
			}
		}
		s.report(out)
	}
}

// report tells the parent the best below once all other neighbours have been heard; the root then knows the best of all.
func (s *State) report(out *caucus.Outbox[Msg]) {
	for p, is := range s.Ports {
		if is == Silent && p != int(s.Parent)-1 {
			return
		}
	}
	if s.Parent == 0 {
		s.finish(out)
	} else {
		out.Send(int(s.Parent)-1, Msg{Kind: Up, Root: s.Root, Best: s.Best})
	}
}

// finish tells the children who leads.
func (s *State) finish(out *caucus.Outbox[Msg]) {
	s.Final = true
	for p, is := range s.Ports {
		if is == Child {
			out.Send(p, Msg{Kind: Down, Root: s.Root, Best: s.Best})
		}
	}
}

// Outcome is open until the root has spoken.
func (Algorithm) Outcome(l *caucus.Local, s *State) caucus.Outcome {
	if !s.Final {
		return caucus.Outcome{Distance: -1}
	}
	o := rank.Outcome(l, s.Best, true)
	o.Parent = int(s.Parent)
	if o.Role == caucus.Leader {
		o.Parent = 0
	}
	return o
}

// Kind tells the messages apart.
func (Algorithm) Kind(m *Msg) int { return int(min(m.Kind, Down)) }

// Domain is every message of the world's IDs, and every state of a node of up to two ports.
func (Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[Msg]) {
	pairs := rank.Domain(w)
	ids := append([]caucus.ID{caucus.None}, w.IDs...)
	n, roots := int(pairs.Len), len(ids)
	states := caucus.Values[State]{Len: caucus.Size(roots, 3, 3, 3, n, 2), At: func(k uint64) State {
		var buf [6]int
		d := caucus.Digits(k, buf[:], roots, 3, 3, 3, n, 2)
		return State{Root: ids[d[0]], Parent: int32(d[1]), Ports: []Port{Port(d[2]), Port(d[3])}, Best: pairs.At(uint64(d[4])), Final: d[5] == 1}
	}}
	msgs := caucus.Values[Msg]{Len: caucus.Size(3, roots, n), At: func(k uint64) Msg {
		var buf [3]int
		d := caucus.Digits(k, buf[:], 3, roots, n)
		return Msg{Kind: uint8(d[0]), Root: ids[d[1]], Best: pairs.At(uint64(d[2]))}
	}}
	return states, msgs
}
