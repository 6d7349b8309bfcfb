package prasle

import (
	"math"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/rank"
)

// The hardened variant is this project's. In the published ones the rank of a node that has died, of one that has got
// worse and of one that never was stay for ever. Here
//
//   - the age of a claim is what it has been through since its leader uttered it: one for each hop and for each message
//     that did not come. The leader utters a new one in every round, its heartbeat, and a claim older than
//     patience·(K+2) counts for nobody. A claim without a leader gets one older whenever it is passed on, so it dies
//     whatever else happens, and the algorithm is self-stabilising for that reason alone;
//   - a node begins a new epoch, in which nothing said before counts and everybody stands again, when it hears a better
//     rank claimed in its name than it has, and when the leader that it follows is lost. News of an epoch takes a
//     round for each hop, so the old claims need not grow old one by one. The last epoch, which only a corrupt
//     message brings, has no successor: from then on age alone has to do.

const (
	// MaxHops is the greatest K of the variants that tell in every round.
	MaxHops = 4000
	// unknownK is K for nodes that know nothing of their network.
	unknownK = 16
)

// Limit is the greatest age at which a claim counts.
func (e *Election) Limit(known caucus.Known) int {
	k := e.k
	if k == 0 {
		k = min(known.Diameter, MaxHops)
	}
	if k <= 0 {
		k = unknownK
	}
	return e.patience * (k + 2)
}

// hardened follows the best claim of the latest epoch that is young enough.
func (e *Election) hardened(l *caucus.Local, s *Claim, in caucus.Inbox[Claim]) Claim {
	epoch := s.Epoch
	for k := range in.Msgs {
		epoch = max(epoch, in.Msgs[k].Epoch)
	}
	best := Claim{Leader: rank.Of(l), Epoch: epoch}
	own, limit, denied := best.Leader, e.Limit(l.Known), false
	for k := range in.Msgs {
		m := in.Msgs[k]
		if m.Age = older(m.Age, 1); in.Missed != nil {
			m.Age = older(m.Age, uint16(in.Missed[k]))
		}
		switch {
		case m.Epoch != epoch:
		case m.Leader.ID == l.ID:
			denied = denied || m.Leader.Less(own)
		case int(m.Age) <= limit && m.better(&best):
			best = m
		}
	}
	// A node that followed a better one than it now finds, in this same epoch, has lost it.
	lost := s.Epoch == epoch && s.Leader.Less(best.Leader)
	if (denied || lost) && epoch < math.MaxUint32 {
		best = Claim{Leader: own, Epoch: epoch + 1}
	}
	*s = best
	return best
}

// better orders claims of one epoch: by candidate, then the younger.
func (c *Claim) better(d *Claim) bool {
	return c.Leader.Less(d.Leader) || c.Leader == d.Leader && c.Age < d.Age
}

// older adds without leaving the range.
func older(age, by uint16) uint16 { return uint16(min(uint32(age)+uint32(by), math.MaxUint16)) }
