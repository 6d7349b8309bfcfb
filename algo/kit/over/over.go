// Package over runs a service above an election in one message and one state: the election below, the service above,
// each written as if the other were not there, and the sum an algorithm of rounds like any other.
//
// All that it wants of the election is whom a node follows. From that the layer keeps a tree in every region, with its
// own count of hops: a leader stands at 0, and whoever follows it hangs below the neighbour in the same region that
// stands highest, the smaller ID on equal height. A candidacy that goes from node to node takes its place along, so
// that the tree is there in the round in which the election rests; from any other state it is as many rounds later as
// the region is deep. That is what the election's own parents or distances would give, and it serves those that have
// none, as PraSLE.
package over

import (
	"math"

	"caucus.example/caucus"
)

// Place is where a node stands in its region.
type Place struct {
	_      struct{}  `cbor:",toarray"`
	Node   caucus.ID // the node itself
	Lead   caucus.ID // whose region it is; None for a node that follows nobody
	Parent caucus.ID // None at the leader, and for a node that has no place in the tree yet
	Hops   uint16    // to the leader
}

// Leads tells whether the place is that of the leader.
func (p *Place) Leads() bool { return p.Lead != caucus.None && p.Lead == p.Node }

// Placed tells whether the node hangs in the tree of its region, or leads it.
func (p *Place) Placed() bool { return p.Parent != caucus.None || p.Leads() }

// Kin is what a node's relatives in the region have said last.
type Kin[M any] struct {
	Parent *M            // nil without a parent
	Near   []Relative[M] // neighbours in the same region that have a place in its tree; none for a node without a place
}

// Relative is a neighbour in the same region.
type Relative[M any] struct {
	At     Place
	Dist   float64 // length of the link to it
	Missed uint8   // messages of it that have failed to come, see caucus.Inbox
	Said   *M
}

// Nearer tells whether the relative stands a hop nearer to the leader than the node.
func (r *Relative[M]) Nearer(at *Place) bool { return int(r.At.Hops)+1 == int(at.Hops) }

// Farther tells whether it stands a hop farther away: no count comes back to where it began.
func (r *Relative[M]) Farther(at *Place) bool { return int(r.At.Hops) == int(at.Hops)+1 }

// Child tells whether it hangs below the node in the tree.
func (r *Relative[M]) Child(at *Place) bool { return r.Farther(at) && r.At.Parent == at.Node }

// Service is an algorithm above an election. As with caucus.Rounds, an implementation is pure, all that changes is in
// S, and any value of states and messages is accepted.
type Service[S, M any] interface {
	Boot(l *caucus.Local) (S, M)
	// Round gives the message for parent and children. They are those of this round: a service that keeps nothing in S
	// forgets whatever was wrong in them.
	Round(l *caucus.Local, at Place, s *S, kin Kin[M]) M
	Domain(w *caucus.World) (caucus.Values[S], caucus.Values[M])
}

// State is what a node remembers.
type State[S, T any] struct {
	Below S
	At    Place
	Above T
}

// Service gives place and state of the service, for who knows no types of the election.
func (s *State[S, T]) Service() (Place, *T) { return s.At, &s.Above }

// Msg is what a node says.
type Msg[M, N any] struct {
	_     struct{} `cbor:",toarray"`
	Below M
	At    Place
	Above N
}

// Rounds is the sum. It implements caucus.Rounds[State[S, T], Msg[M, N]].
type Rounds[S, M, T, N any] struct {
	below caucus.Rounds[S, M]
	above Service[T, N]
}

// New puts a service above an election.
func New[S, M, T, N any](below caucus.Rounds[S, M], above Service[T, N]) caucus.Rounds[State[S, T], Msg[M, N]] {
	sum := Rounds[S, M, T, N]{below, above}
	if prompt, ok := below.(caucus.Prompt[S, M]); ok {
		return &early[S, M, T, N]{sum, prompt}
	}
	return &sum
}

// Boot starts both. Nobody has a place before the first round.
func (r *Rounds[S, M, T, N]) Boot(l *caucus.Local) (State[S, T], Msg[M, N]) {
	var s State[S, T]
	var m Msg[M, N]
	s.Below, m.Below = r.below.Boot(l)
	s.Above, m.Above = r.above.Boot(l)
	s.At = Place{Node: l.ID}
	if r.below.Outcome(l, &s.Below).Role == caucus.Leader {
		s.At.Lead = l.ID
	}
	m.At = s.At
	return s, m
}

// Round runs the election, finds the node's place in its region, and runs the service there.
func (r *Rounds[S, M, T, N]) Round(l *caucus.Local, s *State[S, T], in caucus.Inbox[Msg[M, N]]) Msg[M, N] {
	said := make([]M, len(in.Msgs))
	for k := range said {
		said[k] = in.Msgs[k].Below
	}
	m := Msg[M, N]{Below: r.below.Round(l, &s.Below, caucus.Inbox[M]{Msgs: said, Dist: in.Dist, Missed: in.Missed})}
	at, parent := placeOf(l.ID, r.below.Outcome(l, &s.Below).Leader, in.Msgs)
	s.At, m.At = at, at
	m.Above = r.above.Round(l, at, &s.Above, kinOf(&at, parent, in))
	return m
}

// placeOf finds the place of a node that follows lead, and the parent's message, nil for none.
func placeOf[M, N any](me, lead caucus.ID, in []Msg[M, N]) (at Place, parent *Msg[M, N]) {
	at = Place{Node: me, Lead: lead}
	if lead == caucus.None || lead == me {
		return at, nil
	}
	for k := range in {
		m := &in[k]
		if m.At.Lead != lead || !m.At.Placed() || m.At.Hops == math.MaxUint16 || m.At.Node == me {
			continue
		}
		if parent == nil || m.At.Hops < parent.At.Hops || m.At.Hops == parent.At.Hops && m.At.Node < parent.At.Node {
			parent = m
		}
	}
	if parent != nil {
		at.Parent, at.Hops = parent.At.Node, parent.At.Hops+1
	}
	return at, parent
}

// kinOf lists the relatives.
func kinOf[M, N any](at *Place, parent *Msg[M, N], in caucus.Inbox[Msg[M, N]]) (kin Kin[N]) {
	if parent != nil {
		kin.Parent = &parent.Above
	}
	if !at.Placed() {
		return kin
	}
	kin.Near = make([]Relative[N], 0, len(in.Msgs))
	for k := range in.Msgs {
		m := &in.Msgs[k]
		if m.At.Lead != at.Lead || !m.At.Placed() {
			continue
		}
		r := Relative[N]{At: m.At, Dist: in.Dist[k], Said: &m.Above}
		if in.Missed != nil {
			r.Missed = in.Missed[k]
		}
		kin.Near = append(kin.Near, r)
	}
	return kin
}

// Outcome is the election's.
func (r *Rounds[S, M, T, N]) Outcome(l *caucus.Local, s *State[S, T]) caucus.Outcome {
	return r.below.Outcome(l, &s.Below)
}

// Election is what lies below, which answers for the sum wherever no type of a message is named: see caucus.Oracle and
// its like.
func (r *Rounds[S, M, T, N]) Election() any { return r.below }

// Domain is every value of election, place and service together.
func (r *Rounds[S, M, T, N]) Domain(w *caucus.World) (caucus.Values[State[S, T]], caucus.Values[Msg[M, N]]) {
	states, messages := r.below.Domain(w)
	services, words := r.above.Domain(w)
	place := func(p *caucus.Pick) Place {
		return Place{Node: p.ID(), Lead: p.ID(), Parent: p.AnyID(), Hops: uint16(p.Below(p.Counter))}
	}
	s := caucus.Every(w, func(p *caucus.Pick) State[S, T] { // a place is found anew in every round
		return State[S, T]{Below: caucus.PickOf(p, states), Above: caucus.PickOf(p, services)}
	})
	m := caucus.Every(w, func(p *caucus.Pick) Msg[M, N] {
		return Msg[M, N]{Below: caucus.PickOf(p, messages), At: place(p), Above: caucus.PickOf(p, words)}
	})
	return s, m
}

// Backs is whom the election's message supports; of one that does not tell, whose region the sender is in.
func (r *Rounds[S, M, T, N]) Backs(m *Msg[M, N]) (caucus.ID, uint64) {
	if b, ok := r.below.(caucus.Backer[M]); ok {
		return b.Backs(&m.Below)
	}
	return m.At.Lead, 0
}

// Timeless: if both are.
func (r *Rounds[S, M, T, N]) Timeless() bool { return timeless(r.below) && timeless(r.above) }

func timeless(algo any) bool {
	t, ok := algo.(caucus.Timeless)
	return ok && t.Timeless()
}

// Origin is the election's: a service counts nothing for ever. 0 where it has none.
func (r *Rounds[S, M, T, N]) Origin(s *State[S, T]) uint64 {
	if by, ok := r.below.(caucus.Relative[S, M]); ok {
		return by.Origin(&s.Below)
	}
	return 0
}

// Rebase shifts the counters of the election.
func (r *Rounds[S, M, T, N]) Rebase(s *State[S, T], m *Msg[M, N], origin uint64) {
	if by, ok := r.below.(caucus.Relative[S, M]); ok {
		by.Rebase(&s.Below, &m.Below, origin)
	}
}

// early is the sum with an election that is caucus.Prompt.
type early[S, M, T, N any] struct {
	Rounds[S, M, T, N]
	prompt caucus.Prompt[S, M]
}

// News is that of the election.
func (e *early[S, M, T, N]) News(s *State[S, T], m *Msg[M, N]) bool {
	return e.prompt.News(&s.Below, &m.Below)
}
