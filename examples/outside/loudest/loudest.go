// Package loudest is an election of one's own: every node follows the strongest node that it hears of over at most
// Reach hops, where everybody passes on only whom it follows itself.
//
// It is self-stabilising. What supports a node that is not there grows by a hop a round, since whoever repeats it
// heard it a hop nearer; after Reach+1 rounds it is out of reach. What is left are candidacies of nodes that exist,
// and the strongest of them spread first.
package loudest

import (
	"cmp"
	"slices"

	"caucus.example/caucus"
)

// Claim is state and message in one: whom a node follows, and how far away that is.
type Claim struct {
	_        struct{} `cbor:",toarray"` // travels as an array
	Strength float64
	Leader   caucus.ID
	Hops     int
}

// better puts the stronger first, then the smaller ID, then the nearer.
func better(a, b Claim) int {
	return cmp.Or(cmp.Compare(b.Strength, a.Strength), cmp.Compare(a.Leader, b.Leader), cmp.Compare(a.Hops, b.Hops))
}

// Election is the algorithm. All that changes is in the claims.
type Election struct{ reach int }

// Boot lets a node follow itself until it hears of a better one.
func (e *Election) Boot(l *caucus.Local) (state, export Claim) {
	own := Claim{Strength: l.Strength, Leader: l.ID}
	return own, own
}

// Round follows the best of the own candidacy and of what neighbours follow within reach.
func (e *Election) Round(l *caucus.Local, s *Claim, in caucus.Inbox[Claim]) Claim {
	best := Claim{Strength: l.Strength, Leader: l.ID}
	for _, m := range in.Msgs {
		if m.Hops < 0 || m.Hops >= e.reach || m.Leader == l.ID { // corrupt, out of reach, or an echo of this node
			continue
		}
		if m.Hops++; better(m, best) < 0 {
			best = m
		}
	}
	*s = best
	return best
}

// Outcome reads the result off a claim.
func (e *Election) Outcome(l *caucus.Local, s *Claim) caucus.Outcome {
	o := caucus.Outcome{Role: caucus.Follower, Leader: s.Leader, Distance: float64(s.Hops)}
	if s.Leader == l.ID {
		o.Role = caucus.Leader
	}
	return o
}

// Domain is every claim that a corrupt node may hold or send.
func (e *Election) Domain(w *caucus.World) (states, messages caucus.Values[Claim]) {
	all := caucus.Every(w, func(p *caucus.Pick) Claim {
		return Claim{Strength: p.Strength(), Leader: p.ID(), Hops: p.Below(min(w.Counter, e.reach+1))}
	})
	return all, all
}

// Expect is the right result, with the whole network in view: in the order of their ranks, every node that nobody
// covers yet leads and covers what it reaches through nodes that nobody covers yet. With it caucus check gives
// verdicts.
func (e *Election) Expect(n *caucus.Network) []caucus.Outcome {
	order := make([]int, n.Len())
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(n.Strengths[b], n.Strengths[a]), cmp.Compare(n.IDs[a], n.IDs[b]))
	})
	out := make([]caucus.Outcome, n.Len())
	for _, leader := range order {
		if out[leader].Role != caucus.Undecided {
			continue
		}
		out[leader] = caucus.Outcome{Role: caucus.Leader, Leader: n.IDs[leader]}
		for wave, hops := []int{leader}, 1; hops <= e.reach && len(wave) > 0; hops++ {
			var next []int
			for _, i := range wave {
				for _, j := range n.Nbr[n.Off[i]:n.Off[i+1]] {
					if out[j].Role == caucus.Undecided {
						out[j] = caucus.Outcome{Role: caucus.Follower, Leader: n.IDs[leader], Distance: float64(hops)}
						next = append(next, int(j))
					}
				}
			}
			wave = next
		}
	}
	return out
}
