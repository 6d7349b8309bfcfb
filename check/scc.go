package check

// edge is a step of the daemon.
type edge struct {
	to   uint32
	acts uint16 // nodes that act, by bit
	gain uint16 // what the step adds to the length of a path
}

// A mark is what is known of a configuration: 0 nothing; below done its index on the stack of Tarjan's
// algorithm; else done, whether a wrong result can still come, and the length of the longest path from it.
const (
	done    = 1 << 31
	bad     = 1 << 30
	endless = bad - 1 // length without bound
)

// search finds the strongly connected components of a graph that it never stores (Tarjan 1972, with
// a stack of its own and the low links in place of the indices, after Pearce 2016): 4 bytes a vertex, and 20 for
// those on the path of the search. Components come out before those that lead to them,
// so that everything that depends on what can be reached is known at once.
type search struct {
	marks  *table[uint32]
	expand func(v uint32) (to []uint32, gain uint32) // the same in every call, and how much longer a step makes a path
	ahead  func(to []uint32)                         // what can be read of these is soon asked for; may be nil
	base   func(v uint32) uint32                     // bad or 0
	// component is called for every component that is bad, with its members, as long as their marks still tell them
	// from all others: see inside.
	component func(members []uint32)
	stop      func() bool

	busy   bool // a component of several vertices is not bad: things go on changing there
	next   uint32
	stack  []uint32
	frames []frame
	rootAt uint32
}

type frame struct {
	v, pos, index, acc uint32 // acc: bad and the length so far
}

// inside reports whether a vertex belongs to the component that is being reported.
func (s *search) inside(v uint32) bool {
	m := s.mark(v)
	return m < done && m >= s.rootAt
}

func (s *search) mark(v uint32) uint32 { return s.marks.get(uint64(v)) }

func longer(acc, length uint32) uint32 {
	if length > endless {
		length = endless
	}
	return acc&bad | max(acc&endless, length)
}

// from explores all that can be reached from v; false when stopped.
func (s *search) from(v uint32) bool {
	if s.mark(v) != 0 {
		return true
	}
	for ok := s.enter(v); ok && len(s.frames) > 0; {
		f := &s.frames[len(s.frames)-1]
		to, gain := s.expand(f.v)
		low, acc, child := s.mark(f.v), f.acc, false
		if f.pos == 0 && s.ahead != nil {
			s.ahead(to)
		}
		pos := int(f.pos)
		for ; pos < len(to); pos++ {
			m := s.mark(to[pos])
			if m >= done {
				acc = longer(acc|m&bad, m&endless+gain)
				continue
			}
			if child = m == 0; child {
				break
			}
			if low = min(low, m); to[pos] == f.v {
				acc |= endless
			}
		}
		f.pos, f.acc = uint32(pos), acc
		*s.marks.at(uint64(f.v)) = low
		if child {
			ok = s.enter(to[pos])
			continue
		}
		s.leave(low)
	}
	return len(s.frames) == 0
}

const stopEvery = 1 << 14

func (s *search) enter(v uint32) bool {
	if s.next++; s.next%stopEvery == 0 && s.stop != nil && s.stop() {
		return false
	}
	*s.marks.at(uint64(v)) = s.next
	s.stack = append(s.stack, v)
	s.frames = append(s.frames, frame{v: v, index: s.next, acc: s.base(v)})
	return true
}

// leave closes the last frame: the vertex is the root of a component or its parent is in the same.
func (s *search) leave(low uint32) {
	f := s.frames[len(s.frames)-1]
	s.frames = s.frames[:len(s.frames)-1]
	if low != f.index {
		parent := &s.frames[len(s.frames)-1]
		parent.acc = longer(parent.acc|f.acc&bad, f.acc&endless)
		return
	}
	at := len(s.stack) - 1
	for s.stack[at] != f.v {
		at--
	}
	members := s.stack[at:]
	final := uint32(done)
	if f.acc&bad != 0 {
		s.rootAt = low
		if s.component != nil {
			s.component(members)
		}
		final |= f.acc
		if len(members) > 1 {
			final |= endless
		}
	} else if len(members) > 1 || f.acc&endless == endless {
		s.busy = true
	}
	for _, v := range members {
		*s.marks.at(uint64(v)) = final
	}
	s.stack = s.stack[:at]
}
