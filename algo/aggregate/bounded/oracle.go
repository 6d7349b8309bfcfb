package bounded

import (
	"math"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/block"
)

// Expect is the fixpoint by peeling. A hop limit has none of its own: which path of equal length a
// candidacy came by decides how far it goes on.
func (e *Election) Expect(n *caucus.Network) []caucus.Outcome {
	if e.hopLimit != math.MaxInt {
		return nil
	}
	p := block.Peel{Together: e.distFirst, Length: e.Length, Within: func(d float64) bool { return d <= e.radius }}
	return p.Regions(n)
}

// Bound is (levels of strength) × (radius/shortest edge + 1 + nodes): a candidacy without support is out of reach
// after the first part, and then the class fills its regions, which takes fewer rounds than there are nodes. The
// heartbeat only makes it quicker where it keeps time, which is no theorem.
func (e *Election) Bound(n *caucus.Network, w *caucus.World) int {
	if e.stale != 0 || e.hopLimit != math.MaxInt || math.IsInf(e.radius, 1) {
		return 0
	}
	shortest := math.Inf(1)
	for _, d := range n.Dist {
		shortest = min(shortest, e.Length(d))
	}
	switch {
	case shortest == 0:
		return 0
	case len(n.Dist) == 0:
		return 1
	}
	return len(w.Strengths) * (int(e.radius/shortest) + 1 + n.Len())
}

// Origin is the heartbeat: beats are compared with each other only, modulo 2^16.
func (e *Election) Origin(s *Candidacy) uint64 { return uint64(s.Seq) }

// Rebase shifts the heartbeats.
func (e *Election) Rebase(s, m *Candidacy, origin uint64) {
	s.Seq -= uint16(origin)
	m.Seq -= uint16(origin)
}
