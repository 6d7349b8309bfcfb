package prasle

import (
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/plain"
	"caucus.example/caucus/algo/kit/rank"
)

// Reliable is the variant for reliable links. It implements caucus.Events[Node, rank.Pair].
type Reliable struct {
	plain.Events[Node, rank.Pair]
	k              int     // listening rounds; 0: as many as the nodes' knowledge of the network asks for
	t              float64 // length of a round in bounds on the delay
	neighbourKnows bool
	asks           bool // artefact: those not heard after T are asked
	// artefact: rounds that the first listening round lasts beyond its own, and rounds after the last
	first, overtime int
}

// MaxK is the greatest K.
const MaxK = 100_000

// Node is the state of a node.
type Node struct {
	Min, Next rank.Pair // (min, leader) and (tmin, tleader) in the paper
	Round     int32     // rounds that are left; none before it wakes
	// what each neighbour was the last to tell; nil without neighbour-knows and in the paper's rounds
	Said  []rank.Pair
	Final bool
}

// Timers.
const (
	endOfRound = iota
	ask
)

// query, no candidate, asks for the receiver's.
var query rank.Pair

// Wake is the first pass, which does not listen: the rank goes out at once, to all.
func (r *Reliable) Wake(l *caucus.Local, s *Node, _ bool, out *caucus.Outbox[rank.Pair]) {
	s.Next = rank.Of(l)
	s.Min = s.Next
	s.Round = int32(r.rounds(l.Known) + r.overtime)
	if r.neighbourKnows || r.asks {
		s.Said = make([]rank.Pair, l.Degree)
	}
	out.SendAll(l.Degree, -1, s.Min)
	if r.asks {
		out.After(r.length(l), ask)
	}
	out.After(r.length(l)*time.Duration(1+r.first), endOfRound)
}

// rounds is how often a node listens: the hops, one more share of a round for what each hop
// takes, and as much for the flood that woke the others.
func (r *Reliable) rounds(known caucus.Known) int {
	if r.k > 0 {
		return r.k
	}
	d := max(1, known.Diameter)
	return min(MaxK, d+int(min(MaxK, 2*float64(d)/r.t))+1)
}

func (r *Reliable) length(l *caucus.Local) time.Duration {
	delay := max(l.Known.Delay, time.Millisecond) // none only in an unsafe run
	return time.Duration(r.t*float64(delay)) + delay/64
}

// Receive listens, and answers a query.
func (r *Reliable) Receive(_ *caucus.Local, s *Node, port int, m rank.Pair, out *caucus.Outbox[rank.Pair]) {
	if s.Final {
		return
	}
	if r.asks && m == query {
		out.Send(port, s.Min)
		return
	}
	if port < len(s.Said) {
		s.Said[port] = m
	}
	if m.Less(s.Next) { // 1
		s.Next = m
	}
}

// Timer ends a round, or asks those who have said nothing. A round of the paper's listing, of which Receive is the
// part that listens for T.
func (r *Reliable) Timer(l *caucus.Local, s *Node, timer int, out *caucus.Outbox[rank.Pair]) {
	// 1  for T seconds: on (m, l) from a neighbour: (tmin, tleader) := the least of both
	// 2  round := round - 1
	// 3  if (tmin, tleader) < (min, leader): (min, leader) := (tmin, tleader), and send it to every neighbour,
	// 4      with neighbour-knows: except to those who were the last to tell the new leader
	// 5  else if round <= 0: return leader
	if timer == ask {
		for p, said := range s.Said {
			if said == query {
				out.Send(p, query)
			}
		}
		return
	}
	s.Round = max(0, s.Round-1) // 2
	switch {
	case s.Next.Less(s.Min): // 3
		s.Min = s.Next
		for p := range l.Degree {
			if !r.neighbourKnows || p >= len(s.Said) || s.Said[p].ID != s.Min.ID { // 4
				out.Send(p, s.Min)
			}
		}
	case s.Round == 0: // 5
		s.Final = true
		return
	}
	out.After(r.length(l), endOfRound)
}
