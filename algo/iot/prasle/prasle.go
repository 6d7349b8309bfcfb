// Package prasle is PraSLE, the practical leader election for the Internet of Things (Conard, Ebnenasir, Michigan
// Technological University, CS-TR-21-01, 2021): neighbours tell each other the least rank heard so far, in rounds of
// a length T that is chosen so that messages arrive within it, and K rounds, at least the diameter, bring it
// everywhere. The reliable variant (see Reliable) tells only what is news; the unreliable one, here, tells it in
// every round for ever. Neither ever forgets; the hardened one, our default, does: see hardened.go. The rank is minus
// the strength.
package prasle

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/plain"
	"caucus.example/caucus/algo/kit/rank"
)

// Claim is what a node believes: state and message in one.
type Claim struct {
	_      struct{} `cbor:",toarray"`
	Leader rank.Pair
	Epoch  uint32 // 0 for ever in the unreliable variant, as is Age
	Age    uint16 // hops and missed messages since the leader uttered it; stops at its greatest value
}

// Election is both variants that tell in every round. It implements caucus.Rounds[Claim, Claim].
type Election struct {
	plain.FrankRounds
	unreliable  bool
	k, patience int
}

// Boot starts with the node's own claim.
func (e *Election) Boot(l *caucus.Local) (Claim, Claim) {
	c := Claim{Leader: rank.Of(l)}
	return c, c
}

// Round tells the best claim, in the manner of the variant.
func (e *Election) Round(l *caucus.Local, s *Claim, in caucus.Inbox[Claim]) Claim {
	if e.unreliable {
		return e.flood(l, s, in)
	}
	return e.hardened(l, s, in)
}

// flood is a round of the unreliable variant: (min, leader) := the least of what it was, the own (rank, id), which may
// have got better, and what the neighbours told; then it is told to all of them, in every round.
func (e *Election) flood(l *caucus.Local, s *Claim, in caucus.Inbox[Claim]) Claim {
	if own := rank.Of(l); own.Less(s.Leader) {
		s.Leader = own
	}
	for k := range in.Msgs {
		if in.Msgs[k].Leader.Less(s.Leader) {
			s.Leader = in.Msgs[k].Leader
		}
	}
	s.Epoch, s.Age = 0, 0
	return *s
}
