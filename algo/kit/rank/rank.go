// Package rank is the order of the IoT family: every node has a ranking value, the smallest
// wins, and the smaller ID breaks ties. The value is minus the strength, so that whatever a
// strength is made of (battery, processor, a random number) may rank.
package rank

import (
	"fmt"
	"math"
	"strconv"

	"caucus.example/caucus"
)

// Pair is a candidate: the least Pair is the best.
type Pair struct {
	_    struct{} `cbor:",toarray"`
	Rank float64
	ID   caucus.ID // None: no candidate, worse than any
}

// String names the candidate, as people read it: the ID, and the strength if it has one.
func (p Pair) String() string {
	if p.Rank == 0 {
		return strconv.FormatUint(uint64(p.ID), 10)
	}
	return fmt.Sprintf("%d of strength %g", p.ID, -p.Rank)
}

// Of is the candidacy of the node itself.
func Of(l *caucus.Local) Pair { return Pair{Rank: -l.Strength, ID: l.ID} }

// Less tells whether p is better than q. A rank that is no number, which only a corrupt message has, is
// worse than all.
func (p Pair) Less(q Pair) bool {
	switch {
	case !p.Valid() || !q.Valid():
		return p.Valid() && !q.Valid()
	case p.Rank != q.Rank:
		return p.Rank < q.Rank
	}
	return p.ID < q.ID
}

// Valid tells whether p is a candidate at all.
func (p Pair) Valid() bool { return p.ID != caucus.None && !math.IsNaN(p.Rank) }

// Outcome is that of a node which takes p for the best of all.
func Outcome(l *caucus.Local, p Pair, final bool) caucus.Outcome {
	o := caucus.Following(l, p.ID)
	o.Final = final
	return o
}

// PickPair picks a candidate of the world, or none.
func PickPair(p *caucus.Pick) Pair {
	id := p.AnyID()
	return Pair{Rank: -p.Strength(), ID: id}
}

// FollowBest gives the outcomes in which every node follows the node of its connected component that has the least
// pair of rank and ID, without distances.
func FollowBest(n *caucus.Network) []caucus.Outcome {
	best := make([]Pair, n.Len())
	for i := range best {
		best[i] = Pair{Rank: -n.Strengths[i], ID: n.IDs[i]}
	}
	best = caucus.LeastOf(n, best, Pair.Less)
	out := make([]caucus.Outcome, n.Len())
	for i := range out {
		out[i] = Outcome(&caucus.Local{ID: n.IDs[i]}, best[i], false)
	}
	return out
}
