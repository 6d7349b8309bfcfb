// Package mo is the leader election of Mo, Audrito, Dasgupta and Beal (IFAC 2020): a
// candidacy travels no more hops than its propagation radius, and the leader sets that
// radius from the depth of the tree that already follows it. What no leader renews
// therefore runs out of hops, although nobody knows the size of the network.
//
// Assumes distinct IDs, the smallest best; strengths and edge lengths play no part. Ends
// never: one leader per connected network is a fixpoint that is reached again from any
// state.
//
// Cost: O(degree) time and one message of at most 45 bytes per node and round.
package mo

import (
	"fmt"
	"math"

	"caucus.example/caucus"
)

// Bid is what a node believes of its leader: state and message in one. All counts are
// hops.
type Bid struct {
	_      struct{}  `cbor:",toarray"`
	From   caucus.ID // who sends it: receivers know their neighbours by no other name
	Lead   caucus.ID // the leader (σ in the paper)
	Parent caucus.ID // the neighbour that the bid was taken from (c); a leader's own ID
	Dist   uint32    // to the leader (d)
	Reach  uint32    // propagation radius that the leader has set (R)
	Depth  uint32    // of the tree that hangs below this node (D), measured from the leader
}

// Limit is the greatest reach without max-reach: larger ones count as this one.
const Limit = math.MaxInt32

// Config holds the options; see Spec for what each means.
type Config struct {
	K        int  // reach for each hop of depth, 1 to 1000
	LessEq   bool // mabf-cmp le: also a bid at the very end of its reach is taken and passed on
	TieDepth bool // tie D: of equally near bids that with the largest depth, not with the largest reach
	MaxReach int  // 0: none
}

// Election is the algorithm. It implements caucus.Rounds[Bid, Bid].
type Election struct {
	k, limit uint64
	slack    uint32 // 1: le
	tieDepth bool
}

// New checks the options.
func New(c Config) (*Election, error) {
	switch {
	case c.K < 1 || c.K > 1000:
		return nil, &caucus.FieldError{Field: "k", Found: fmt.Sprint(c.K), Allowed: "an integer >= 1 and <= 1000"}
	case c.MaxReach < 0 || c.MaxReach > Limit:
		return nil, &caucus.FieldError{Field: "max-reach", Found: fmt.Sprint(c.MaxReach), Allowed: fmt.Sprintf("an integer >= 0 and <= %d", Limit)}
	}
	e := &Election{k: uint64(c.K), limit: Limit, tieDepth: c.TieDepth}
	if c.MaxReach > 0 {
		e.limit = uint64(c.MaxReach)
	}
	if c.LessEq {
		e.slack = 1
	}
	return e, nil
}

// Boot starts with a bid that reaches nobody yet: every node leads itself in round 1.
func (e *Election) Boot(l *caucus.Local) (Bid, Bid) {
	b := Bid{From: l.ID, Lead: l.ID, Parent: l.ID}
	return b, b
}

// Round follows the smallest ID among the bids that still have reach, by the shortest way, or
// leads where none is smaller than its own.
func (e *Election) Round(l *caucus.Local, s *Bid, in caucus.Inbox[Bid]) Bid {
	depth, best := s.Dist, (*Bid)(nil)
	for k := range in.Msgs {
		m := &in.Msgs[k]
		if m.Parent == l.ID {
			depth = max(depth, m.Depth)
		}
		if m.Lead < l.ID && m.Lead != caucus.None && m.Dist < e.reach(m)+e.slack && (best == nil || e.better(m, best)) {
			best = m
		}
	}
	*s = Bid{From: l.ID, Lead: l.ID, Parent: l.ID, Reach: uint32(min(e.k*uint64(depth)+1, e.limit)), Depth: depth}
	if best != nil {
		s.Lead, s.Parent, s.Dist, s.Reach = best.Lead, best.From, best.Dist+1, e.reach(best)
	}
	return *s
}

func (e *Election) reach(m *Bid) uint32 { return uint32(min(uint64(m.Reach), e.limit)) }

// better orders bids by leader, distance, the tie-break and sender.
func (e *Election) better(a, b *Bid) bool {
	switch {
	case a.Lead != b.Lead:
		return a.Lead < b.Lead
	case a.Dist != b.Dist:
		return a.Dist < b.Dist
	case e.tieDepth && a.Depth != b.Depth:
		return a.Depth > b.Depth
	case !e.tieDepth && e.reach(a) != e.reach(b):
		return a.Reach > b.Reach
	}
	return a.From < b.From
}

// Outcome reads the leader off the bid. Its hops are no distance in the run's metric.
func (e *Election) Outcome(l *caucus.Local, s *Bid) caucus.Outcome {
	o := caucus.Outcome{Role: caucus.Follower, Leader: s.Lead, Distance: -1}
	switch s.Lead {
	case l.ID:
		o.Role = caucus.Leader
	case caucus.None: // only before the first round after a corruption
		o.Role = caucus.Undecided
	}
	return o
}

// Domain is every bid with the world's IDs and counts below its bound; a reach starts from 1,
// since with 0 nobody hears the bid.
func (e *Election) Domain(w *caucus.World) (caucus.Values[Bid], caucus.Values[Bid]) {
	ids, hops := len(w.IDs), w.Counter
	radix := []int{ids, ids, ids, hops, hops, hops}
	v := caucus.Values[Bid]{Len: caucus.Size(radix...), At: func(k uint64) Bid {
		var buf [6]int
		d := caucus.Digits(k, buf[:], radix...)
		return Bid{From: w.IDs[d[0]], Lead: w.IDs[d[1]], Parent: w.IDs[d[2]], Dist: uint32(d[3]), Reach: uint32(d[4] + 1), Depth: uint32(d[5])}
	}}
	return v, v
}

// Backs names the leader that a message supports, whichever instance of it.
func (e *Election) Backs(m *Bid) (caucus.ID, uint64) { return m.Lead, 0 }
