// Package decay runs block T of aggregate computing alone: every candidacy has so many rounds to live, its owner
// renews it in every round, and each hop costs one. Nodes support the best that is alive.
package decay

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/block"
	"caucus.example/caucus/algo/kit/plain"
)

// Claim is a candidacy and the rounds it has left: state and message in one.
type Claim struct {
	_        struct{} `cbor:",toarray"`
	Strength float64
	Lead     caucus.ID
	Left     uint16 // the owner's own has lifetime; 0 is dead
}

// Decay is the algorithm. It implements caucus.Rounds[Claim, Claim].
type Decay struct {
	plain.FrankRounds
	lifetime uint16
}

func (d *Decay) own(l *caucus.Local) Claim {
	return Claim{Strength: l.Strength, Lead: l.ID, Left: d.lifetime}
}

// Boot starts with the node's own candidacy.
func (d *Decay) Boot(l *caucus.Local) (Claim, Claim) { return d.own(l), d.own(l) }

// Round supports the best living candidacy.
func (d *Decay) Round(l *caucus.Local, s *Claim, in caucus.Inbox[Claim]) Claim {
	best := d.own(l)
	for k := range in.Msgs {
		m := in.Msgs[k]
		if m.Lead == l.ID || m.Lead == caucus.None || m.Left == 0 {
			continue
		}
		m.Left = block.Decay(m.Left, d.lifetime, 0, func(left uint16) uint16 { return left - 1 })
		if m.Left > 0 && m.beats(&best) {
			best = m
		}
	}
	*s = best
	return best
}

// beats orders by strength, ID and life left.
func (a *Claim) beats(b *Claim) bool {
	switch {
	case a.Strength != b.Strength:
		return a.Strength > b.Strength
	case a.Lead != b.Lead:
		return a.Lead < b.Lead
	}
	return a.Left > b.Left
}
