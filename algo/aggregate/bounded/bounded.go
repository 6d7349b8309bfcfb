// Package bounded is Bounded Election (Pianini, Casadei, Viroli, "Self-stabilising priority-based multi-leader
// election and network partitioning", ACSOS 2022, Algorithm 1): every node supports the best candidacy that reaches
// it within a radius, so that the network falls into regions with one leader each. What hardens it for the field is
// not in the paper and stands apart: the heartbeat in heartbeat.go; clamp, hop limit, order and nonce in options.go.
package bounded

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/plain"
)

// Candidacy is a claim to leadership as one node supports it: state and export in one. Algorithm 1 knows the first
// three of its fields, the rest is for what hardens it.
type Candidacy struct {
	_     struct{}  `cbor:",toarray"`
	Val   float64   // -strength of the leader
	Dist  float64   // length of the path to the leader
	Lead  caucus.ID // the leader
	Nonce uint32    // which instance of Lead it is
	Seq   uint16    // heartbeat: the leader's counter, one more every round; compared modulo 2^16
	Age   uint8     // since Seq was seen to advance, in 1/16 rounds; stops at 255
	Hops  uint8     // hops of the path; stops at 255
}

// Round is Algorithm 1:
//
//	1  best := (-strength, 0, me)
//	2  for each neighbour that exports (val, dist, lead):
//	3      d := dist + length of the edge to it
//	4      unless lead = me or d > radius:
//	5          best := min(best, (val, d, lead))
//	6  export best, whose lead I follow
//
// The heartbeat listens to what the neighbours say of the candidacy that the node has held so far, keeps that from the
// loop, and has the last word.
func (e *Election) Round(l *caucus.Local, s *Candidacy, in caucus.Inbox[Candidacy]) Candidacy {
	me := e.candidacy(l)
	heart := e.listen(l, &me, s, &in)
	best := offer{-1, 0, &me}                                         // 1
	for k := heart.next(0); k < len(in.Msgs); k = heart.next(k + 1) { // 2
		m := &in.Msgs[k]
		d := m.Dist + e.Length(in.Dist[k]) // 3
		switch {
		case m.Lead == me.Lead && m.Nonce == me.Nonce: // 4
			heart.echo(m)
		case e.less(m, d, best) && e.within(m, d) && !heart.outdated(m): // 4, 5
			best = offer{k, d, m}
		}
	}
	heart.settle(l.Patience, best) // 6
	return *s
}

// Boot starts with the node's own candidacy.
func (e *Election) Boot(l *caucus.Local) (Candidacy, Candidacy) {
	c := e.candidacy(l)
	return c, c
}

// candidacy is the node's own.
func (e *Election) candidacy(l *caucus.Local) Candidacy {
	return Candidacy{Val: -l.Strength, Lead: l.ID, Nonce: e.nonceOf(l)}
}

// offer is a candidacy as it reaches the node: from a neighbour, or its own.
type offer struct {
	from int     // index of the message, -1 for the own
	dist float64 // length of the path, the last edge included
	*Candidacy
}

// within tells whether a candidacy may come this far. Written so that a NaN or a negative distance from outside is
// out of range.
func (e *Election) within(m *Candidacy, d float64) bool {
	return m.Dist >= 0 && d <= e.radius && int(m.Hops) < e.hopLimit && m.Lead != caucus.None
}

// less orders candidacies: by strength, then by id and distance, or by distance and id as in the paper.
func (e *Election) less(m *Candidacy, d float64, than offer) bool {
	return m.Val < than.Val || m.Val == than.Val && e.breaksTie(m, d, than)
}

// breaksTie compares candidacies of equal strength. The nonce counts as the end of the id.
func (e *Election) breaksTie(m *Candidacy, d float64, than offer) bool {
	switch {
	case e.distFirst && d != than.dist:
		return d < than.dist
	case m.Lead != than.Lead:
		return m.Lead < than.Lead
	case m.Nonce != than.Nonce:
		return m.Nonce < than.Nonce
	}
	return d < than.dist
}

// Election is the algorithm. It implements caucus.Rounds[Candidacy, Candidacy].
type Election struct {
	plain.FrankRounds
	radius    float64 // with <=: radius-cmp lt takes the float below
	floor     float64 // least length of an edge
	distFirst bool
	nonce     bool
	hopLimit  int
	stale     int   // age at which a candidacy is given up; 0: never
	fresh     uint8 // age below which a candidacy is taken up
	counts    bool  // beats, ages or hops matter; else they stay 0, so that a fixpoint is one
}
