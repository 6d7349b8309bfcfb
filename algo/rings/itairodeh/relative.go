package itairodeh

import (
	"math"

	"caucus.example/caucus/algo/kit/ring"
)

// Origin is how many rounds are behind every node that takes part and every lot. Only the differences of rounds matter.
func (Algorithm) Origin(s *State, m *Msg) uint64 {
	switch {
	case s != nil && s.Round > 0:
		return uint64(s.Round - 1)
	case m != nil && m.Kind == ring.Elect && m.Round > 0:
		return uint64(m.Round - 1)
	}
	return math.MaxUint64
}

// Rebase numbers the rounds from a later one on.
func (Algorithm) Rebase(s *State, m *Msg, origin uint64) {
	if s != nil && s.Round > 0 {
		s.Round -= uint32(origin)
	}
	if m != nil && m.Kind == ring.Elect && m.Round > 0 {
		m.Round -= uint32(origin)
	}
}
