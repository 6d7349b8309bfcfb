package check

import (
	"errors"
	"slices"
	"sync"
	"unsafe"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/columns"
)

// numbered is an algorithm of the round shape whose states and messages are numbers: those of the values that it has
// met while one network was checked. It is a caucus.Rounds itself, so that the simulator can run it; what it does for
// one node it does for one at a time.
type numbered struct {
	algo          columns.Rounds
	states, says  *lexicon
	state, export unsafe.Pointer   // where algo has them
	slots         []int            // 0, 1, 2, …
	heard         []unsafe.Pointer // where algo has the messages in them
	relative      columns.RelativeRounds
	related       bool // relative is there
	selective     columns.SelectiveRounds
	selects       bool     // selective is there
	crashes       bool     // nodes may crash
	alike         bool     // states and messages have the same fields
	same          []uint32 // by state: the message with its fields + 1, of an algorithm where they are alike
	letterings    *letterings
}

func inNumbers(algo columns.Rounds, known *letterings) (*numbered, error) {
	a := &numbered{algo: algo.New(), letterings: known}
	state, message := algo.Types()
	_, errS := plainLayoutOf(state)
	_, errM := plainLayoutOf(message)
	if err := errors.Join(errS, errM); err != nil {
		return nil, err
	}
	a.states, _ = newLexicon(state)
	a.says, _ = newLexicon(message)
	a.state, a.export = address(a.algo.State()), address(a.algo.Export())
	a.relative, a.related = a.algo.Relative()
	a.selective, a.selects = a.algo.Selective()
	a.alike = slices.Equal(a.states.layout.parts, a.says.layout.parts)
	return a, nil
}

func (a *numbered) Boot(l *caucus.Local) (state, export uint32) {
	a.algo.Boot(l)
	return a.states.number(a.state), a.says.number(a.export)
}

func (a *numbered) Round(l *caucus.Local, s *uint32, in caucus.Inbox[uint32]) uint32 {
	for len(a.slots) < len(in.Msgs) {
		a.slots, a.heard = append(a.slots, len(a.slots)), a.heard[:0]
		a.algo.Message(len(a.slots) - 1)
		for slot := range a.slots { // the others may have moved
			a.heard = append(a.heard, address(a.algo.Message(slot)))
		}
	}
	for k, m := range in.Msgs {
		a.says.get(m, a.heard[k])
	}
	a.states.get(*s, a.state)
	a.algo.Round(l, a.slots[:len(in.Msgs)], in.Dist, in.Missed)
	*s = a.states.number(a.state)
	if a.alike && !a.states.layout.deep && a.states.identical(a.state, a.export) {
		return a.said(*s)
	}
	return a.says.number(a.export)
}

func (a *numbered) Outcome(l *caucus.Local, s *uint32) caucus.Outcome {
	a.states.get(*s, a.state)
	return a.algo.Outcome(l)
}

func (a *numbered) Domain(w *caucus.World) (states, messages caucus.Values[uint32]) {
	s, m := a.algo.Domain(w)
	states = caucus.Values[uint32]{Len: s.Len, At: func(k uint64) uint32 {
		s.At(k, 0)
		return a.states.number(a.state)
	}}
	return states, caucus.Values[uint32]{Len: m.Len, At: func(k uint64) uint32 {
		m.At(k, 0)
		return a.says.number(a.export)
	}}
}

// origin and rebase are caucus.Relative, of an algorithm that is related.
func (a *numbered) origin(s uint32) uint64 { return a.relative.Origin(a.states.at(s)) }

func (a *numbered) rebase(s, m uint32, origin uint64) (state, message uint32) {
	a.states.get(s, a.state)
	a.says.get(m, a.export)
	a.relative.Rebase(a.state, a.export, origin)
	return a.states.number(a.state), a.says.number(a.export)
}

// kept is a state as its node reads it.
func (a *numbered) kept(l *caucus.Local, s uint32) uint32 {
	return selected(a.states, a.state, a.selective.Keep, l, s)
}

// heeded is a message as a node reads it that has received it.
func (a *numbered) heeded(l *caucus.Local, m uint32) uint32 {
	return selected(a.says, a.export, a.selective.Heed, l, m)
}

// selected is a value without what a node does not read, which clear takes out of it where the algorithm has it; all of
// it if clear is nil.
func selected(values *lexicon, at unsafe.Pointer, clear func(*caucus.Local, unsafe.Pointer), l *caucus.Local,
	v uint32) uint32 {
	if clear == nil {
		return v
	}
	values.get(v, at)
	clear(l, at)
	return values.number(at)
}

// said is the message with the fields of a state, of an algorithm where they are alike.
func (a *numbered) said(s uint32) uint32 {
	for int(s) >= len(a.same) {
		a.same = append(a.same, 0)
	}
	if a.same[s] == 0 {
		a.same[s] = a.says.number(a.states.at(s)) + 1
	}
	return a.same[s] - 1
}

// letterings are the plausible letters of all nodes that have been asked for. They depend on no more of a network than
// the node itself, its edges and the values that it may name: what is much work is done once for all networks.
type letterings struct {
	most int // letters of a node
	stop func() bool
	mu   sync.Mutex
	of   map[string]*lettering
}

// lettering is that of one node: pairs in the order in which they are met, by the numbers of an algorithm of its own.
type lettering struct {
	once  sync.Once
	algo  *numbered
	pairs [][2]uint32 // of a state and a message
	err   error
}

// reading numbers what a node reads, of its own states or of a neighbour's messages: those that differ in nothing that
// it reads have one number.
type reading struct {
	pool          // as it reads them
	met  []uint32 // by number: the first value that was read so, as it was,
	last []uint32 // and the last
}

func (r *reading) number(as, was uint32) uint32 {
	k := r.pool.number(as)
	if int(k) == len(r.met) {
		r.met, r.last = append(r.met, was), append(r.last, was)
	}
	r.last[k] = was
	return k
}

// pool numbers the values that one node has met, in that order; the values are numbers of the algorithm.
type pool struct {
	values []uint32
	places []uint32 // by value: its number + 1; 0 is none
}

func (p *pool) number(v uint32) uint32 {
	for int(v) >= len(p.places) {
		p.places = append(p.places, 0)
	}
	if p.places[v] == 0 {
		p.values = append(p.values, v)
		p.places[v] = uint32(len(p.values))
	}
	return p.places[v] - 1
}
