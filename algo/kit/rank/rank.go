// Package rank is the order of the IoT family: every node has a ranking value, the smallest
// wins, and the smaller ID breaks ties. The value is minus the strength, so that whatever a
// strength is made of (battery, processor, a random number) may rank.
package rank

import (
	"math"

	"caucus.example/caucus"
)

// Pair is a candidate: the least Pair is the best.
type Pair struct {
	_    struct{} `cbor:",toarray"`
	Rank float64
	ID   caucus.ID // None: no candidate, worse than any
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
	o := caucus.Outcome{Role: caucus.Follower, Leader: p.ID, Final: final, Distance: -1}
	switch p.ID {
	case caucus.None:
		o.Role = caucus.Undecided
	case l.ID:
		o.Role = caucus.Leader
	}
	return o
}

// Domain lists every candidate of the world, and none.
func Domain(w *caucus.World) caucus.Values[Pair] {
	ids, ranks := append([]caucus.ID{caucus.None}, w.IDs...), len(w.Strengths)
	return caucus.Values[Pair]{Len: caucus.Size(len(ids), ranks), At: func(k uint64) Pair {
		var buf [2]int
		d := caucus.Digits(k, buf[:], len(ids), ranks)
		return Pair{Rank: -w.Strengths[d[1]], ID: ids[d[0]]}
	}}
}
