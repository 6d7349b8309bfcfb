// Package mo is the leader election of Mo, Audrito, Dasgupta and Beal (IFAC 2020): a candidacy travels no more hops
// than its propagation radius, and the leader sets that radius from the depth of the tree that already follows it.
// What no leader renews therefore runs out of hops, although nobody knows the size of the network. Equation numbers
// are the paper's.
package mo

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/plain"
)

// Bid is what a node believes of its leader: state and message in one. All counts are hops.
type Bid struct {
	_      struct{}  `cbor:",toarray"`
	From   caucus.ID // who sends it: receivers know their neighbours by no other name
	Lead   caucus.ID // the leader (σ in the paper)
	Parent caucus.ID // the neighbour that the bid was taken from (c); a leader's own ID
	Dist   uint32    // to the leader (d)
	Reach  uint32    // propagation radius that the leader has set (R)
	Depth  uint32    // of the tree that hangs below this node (D), measured from the leader
}

// Boot starts with a bid that reaches nobody yet: with R = 0 none passes (2), so every node leads itself in round 1.
func (e *Election) Boot(l *caucus.Local) (Bid, Bid) {
	b := Bid{From: l.ID, Lead: l.ID, Parent: l.ID}
	return b, b
}

// Round follows the smallest ID among the bids that still have reach, by the shortest way, or leads where none is
// smaller than its own.
func (e *Election) Round(l *caucus.Local, s *Bid, in caucus.Inbox[Bid]) Bid {
	depth, best := s.Dist, (*Bid)(nil)
	for k := range in.Msgs {
		m := &in.Msgs[k]
		if m.Parent == l.ID {
			depth = max(depth, m.Depth) // (11) D := max(d, D_j of the neighbours j with c_j = me)
		}
		if e.offers(l, m) && (best == nil || e.better(m, best)) {
			best = m // (3) k: the least σ over V; (5)(6) the first of those
		}
	}
	reach := uint32(min(e.k*uint64(depth)+1, e.limit))
	// (4) I lead: σ, c := me, d := 0, R := K·D + 1
	*s = Bid{From: l.ID, Lead: l.ID, Parent: l.ID, Reach: reach, Depth: depth}
	if best != nil {
		s.Lead, s.Parent, s.Dist, s.Reach = best.Lead, best.From, best.Dist+1, e.reach(best) // (7) σ, c, d, R
	}
	return *s
}

// offers tells whether a bid is one to follow: (2) V, of neighbours with d_j < R_j, (3) for a σ below my own.
func (e *Election) offers(l *caucus.Local, m *Bid) bool {
	return m.Dist < e.reach(m)+e.slack && m.Lead != caucus.None && m.Lead < l.ID
}

// Heed leaves the depth of a child, and of a bid to follow what there is to choose by and to take over.
func (e *Election) Heed(l *caucus.Local, m *Bid) {
	var read Bid
	offers, child := e.offers(l, m), m.Parent == l.ID
	if offers {
		read = Bid{From: m.From, Lead: m.Lead, Dist: m.Dist, Reach: e.reach(m)}
	}
	if child {
		read.Parent = m.Parent
	}
	if child || offers && e.tieDepth {
		read.Depth = m.Depth
	}
	*m = read
}

// Keep leaves the distance, as the least depth there is.
func (e *Election) Keep(_ *caucus.Local, s *Bid) { *s = Bid{Dist: s.Dist} }

// News is a bid for the leader that the node follows, from fewer hops away. Rounds may follow each other at any time
// (caucus.Prompt): nothing counts them, and one more is one more activation, which the checker's daemons choose as
// freely.
func (e *Election) News(s, m *Bid) bool { return m.Lead == s.Lead && m.Dist < s.Dist }

// reach is R of a bid, within max-reach.
func (e *Election) reach(m *Bid) uint32 { return uint32(min(uint64(m.Reach), e.limit)) }

// better orders bids by leader, distance (5), the tie-break and sender (6). The paper's text breaks ties by the
// largest R, its equation by the largest D.
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

// Election is the algorithm. It implements caucus.Rounds[Bid, Bid].
type Election struct {
	plain.FrankRounds
	k, limit uint64 // K; the greatest reach
	slack    uint32 // 1: mabf-cmp le
	tieDepth bool
}
