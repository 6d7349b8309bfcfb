// Package block holds the building blocks of aggregate programs as pure functions over an
// inbox: G spreads a value from the nearest source, C collects values along a
// tree, T counts down. Algorithms compose them; what each neighbour's message holds is theirs, so
// a block reads it through a function.
//
// Every block forgets: what it gives depends on the messages of this round alone (T: on the own
// last value, which is bounded), so each is self-stabilising, and so is a composition without
// feedback, the inner block first.
package block

import (
	"math"

	"caucus.example/caucus"
)

// Field is one node's part of a gradient.
type Field[V any] struct {
	Dist  float64 // length of the path to the nearest source; +Inf when there is none
	Value V       // what that source spreads
}

// Gradient is block G for a node that is no source. It gives the least of its neighbours' fields, each
// one edge longer, and the index of that neighbour. Fields farther than limit, and those with a
// negative distance or none, do not count: without a source the copies of an old one feed each
// other and grow by at least the shortest edge a round, and limit is what ends them. Of
// equally near fields it takes the least value. Without any it gives +Inf, alone and -1.
//
// A source's field is (0, its value). Distances are right after as many rounds as the farthest node
// has hops; a distance that was too small rises by two crossings of the shortest edge in two rounds.
func Gradient[M, V any](in caucus.Inbox[M], limit float64, alone V, read func(m *M) Field[V],
	less func(a, b V) bool) (f Field[V], from int) {
	f, from = Field[V]{math.Inf(1), alone}, -1
	for k := range in.Msgs {
		n := read(&in.Msgs[k])
		d := n.Dist + in.Dist[k]
		if !(n.Dist >= 0 && d <= limit) || math.IsInf(d, 1) {
			continue
		}
		if d < f.Dist || d == f.Dist && less(n.Value, f.Value) {
			f, from = Field[V]{d, n.Value}, k
		}
	}
	return f, from
}

// Reach is the length of a path to a source, for a loop over neighbours that sees to more than Gradient does: the least
// of all that Along gives is the distance, without a branch, since which neighbour is nearer is as good as random.
type Reach uint64 // the bits of the float: those of floats >= 0 order as these do

// Nowhere is more than any path, and what the least is to be measured by before anybody is heard.
const Nowhere Reach = 0x7ff << 52 // +Inf

// Along is a path that is one edge longer than a neighbour's; at least Nowhere if that has none.
func Along(dist, edge float64) Reach {
	if dist >= 0 {
		return Reach(math.Float64bits(dist + edge))
	}
	return math.MaxUint64
}

// Within gives the length; +Inf when that is beyond the limit.
func (r Reach) Within(limit float64) float64 {
	if d := math.Float64frombits(uint64(r)); d <= limit {
		return d
	}
	return math.Inf(1)
}

// Strongest reports whether the node is stronger than every neighbour, or as strong and of
// smaller ID: a choice of sources that needs no more than one round and always leaves one in
// every connected network. read gives a neighbour's strength and ID.
func Strongest[M any](l *caucus.Local, in caucus.Inbox[M], read func(m *M) (strength float64, id caucus.ID)) bool {
	for k := range in.Msgs {
		s, id := read(&in.Msgs[k])
		if s > l.Strength || s == l.Strength && id < l.ID {
			return false
		}
	}
	return true
}

// Outcome is the result of a node that follows the named source at the given distance, of one that is that source, or
// of one that has none. One that has ceased to be a source and hears its own name come back leads on until that name
// has died out, as those who still follow it expect.
func Outcome(l *caucus.Local, lead caucus.ID, dist float64) caucus.Outcome {
	o := caucus.Following(l, lead)
	switch o.Role {
	case caucus.Leader:
		o.Distance = 0
	case caucus.Follower:
		o.Distance = dist
	}
	return o
}
