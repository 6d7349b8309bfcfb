package bully

import "math"

// Origin is the term that a node has heard of, or that a message is of. Only the differences of terms matter.
func (Algorithm) Origin(s *State, m *Msg) uint64 {
	switch {
	case s != nil && s.Phase != Asleep:
		return uint64(s.Term)
	case m != nil && m.termed():
		return uint64(m.Term)
	}
	return math.MaxUint64
}

// Rebase counts terms from a later one on.
func (Algorithm) Rebase(s *State, m *Msg, origin uint64) {
	if s != nil && s.Phase != Asleep {
		s.Term -= uint32(origin)
	}
	if m != nil && m.termed() {
		m.Term -= uint32(origin)
	}
}

// termed tells whether the term of a message is read.
func (m *Msg) termed() bool { return m.Kind == Ask || m.Kind >= Coordinator }
