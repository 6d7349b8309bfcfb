// Package decay runs block T alone: every candidacy has so many rounds to live, its owner renews it
// in every round, and each hop costs one. Nodes support the best that is alive.
//
// Assumes distinct IDs. Ends never: the result is a fixpoint that is reached again after any
// fault. Cost: O(degree) time and one message of at most 22 bytes per node and round.
package decay

import (
	"fmt"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/block"
)

// Claim is a candidacy and the rounds it has left: state and message in one.
type Claim struct {
	_        struct{} `cbor:",toarray"`
	Strength float64
	Lead     caucus.ID
	Left     uint16 // the owner's own has lifetime; 0 is dead
}

// Decay is the algorithm. It implements caucus.Rounds[Claim, Claim].
type Decay struct{ lifetime uint16 }

// New checks the lifetime in rounds, 1 to 65535.
func New(lifetime int) (*Decay, error) {
	if lifetime < 1 || lifetime > 65535 {
		return nil, &caucus.FieldError{Field: "lifetime", Found: fmt.Sprint(lifetime), Allowed: "an integer >= 1 and <= 65535"}
	}
	return &Decay{uint16(lifetime)}, nil
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

// Outcome reads the leader off the supported candidacy.
func (d *Decay) Outcome(l *caucus.Local, s *Claim) caucus.Outcome {
	switch s.Lead {
	case caucus.None:
		return caucus.Outcome{Distance: -1}
	case l.ID:
		return caucus.Outcome{Role: caucus.Leader, Leader: s.Lead, Distance: -1}
	}
	return caucus.Outcome{Role: caucus.Follower, Leader: s.Lead, Distance: -1}
}

// Domain is every candidacy with the world's IDs and strengths and up to Counter rounds left, within the lifetime.
func (d *Decay) Domain(w *caucus.World) (caucus.Values[Claim], caucus.Values[Claim]) {
	radix := []int{len(w.IDs), len(w.Strengths), min(w.Counter, int(d.lifetime))}
	v := caucus.Values[Claim]{Len: caucus.Size(radix...), At: func(k uint64) Claim {
		var buf [3]int
		i := caucus.Digits(k, buf[:], radix...)
		return Claim{Strength: w.Strengths[i[1]], Lead: w.IDs[i[0]], Left: d.lifetime - uint16(i[2])}
	}}
	return v, v
}

// Backs names the leader that a message supports, whichever instance of it.
func (d *Decay) Backs(m *Claim) (caucus.ID, uint64) { return m.Lead, 0 }
