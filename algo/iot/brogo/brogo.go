// Package brogo is BROGO (Bounceur et al., 2017): (1) a root floods the network, the flood leaves a tree of first
// senders; (2) the least candidate comes up the tree; (3) the root tells it down. The root is a node whose ID all
// know or, in the revised version and by default, the initiator of least ID, found by waiting as in wbs: its start is
// the flood. Where two floods meet, the one of the smaller root goes on and whoever took part in the other starts
// again with it.
package brogo

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/plain"
	"caucus.example/caucus/algo/kit/rank"
	"caucus.example/caucus/algo/kit/wait"
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
	Next   int32     // the first port that has to be heard still; none before it has
	Best   rank.Pair // of the tree below
	Final  bool
}

// Algorithm implements caucus.Events[State, Msg].
type Algorithm struct {
	plain.Events[State, Msg]
	Root caucus.ID `param:"root"` // None: found by waiting
}

// Wake starts the flood of a root that is known, or the wait for one that is not.
func (a Algorithm) Wake(l *caucus.Local, s *State, initiator bool, out *caucus.Outbox[Msg]) {
	switch {
	case initiator && a.Root == caucus.None:
		out.After(wait.ByID(l, 0), 0)
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

// Receive takes in the phases of BROGO.
//
// A node knows its children without asking: from every neighbour but its parent it hears either the flood or the best
// below.
func (a Algorithm) Receive(l *caucus.Local, s *State, port int, m Msg, out *caucus.Outbox[Msg]) {
	// 1  the root floods; who hears it first has its sender as parent
	// 2  leaves send their value up; an inner node waits for all children and sends the best of theirs and its own
	// 3  the root picks the best and sends it down
	switch {
	case m.Root == caucus.None:
	case m.Kind == Flood && (s.Root == caucus.None || m.Root < s.Root): // 1
		a.join(l, s, m.Root, int32(port)+1, out)
	case m.Root != s.Root || port >= len(s.Ports) || s.Final:
	case m.Kind == Down: // 3
		if port == int(s.Parent)-1 {
			s.Best = m.Best
			s.finish(out)
		}
	case s.Ports[port] == Silent && port != int(s.Parent)-1: // 2
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

// report tells the parent the best below once all other neighbours have been heard; the root then knows the best of
// all.
func (s *State) report(out *caucus.Outbox[Msg]) {
	for ; int(s.Next) < len(s.Ports); s.Next++ { // all are read once, and not at every message
		if s.Ports[s.Next] == Silent && s.Next != s.Parent-1 {
			return
		}
	}
	if s.Parent == 0 {
		s.finish(out) // 3
	} else { // 2
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
