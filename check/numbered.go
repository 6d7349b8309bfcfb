package check

import (
	"errors"
	"slices"
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
	state, export unsafe.Pointer // where algo has them
	slots         []int          // 0, 1, 2, …
	relative      columns.RelativeRounds
	related       bool // relative is there
	alike         bool // states and messages have the same fields
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
	a.alike = slices.Equal(a.states.layout.parts, a.says.layout.parts)
	return a, nil
}

func (a *numbered) Boot(l *caucus.Local) (state, export uint32) {
	a.algo.Boot(l)
	return a.states.number(a.state), a.says.number(a.export)
}

func (a *numbered) Round(l *caucus.Local, s *uint32, in caucus.Inbox[uint32]) uint32 {
	for len(a.slots) < len(in.Msgs) {
		a.slots = append(a.slots, len(a.slots))
	}
	for k, m := range in.Msgs {
		a.says.get(m, address(a.algo.Message(k)))
	}
	a.states.get(*s, a.state)
	a.algo.Round(l, a.slots[:len(in.Msgs)], in.Dist, in.Missed)
	*s = a.states.number(a.state)
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

// said is the message with the fields of a state, of an algorithm where they are alike.
func (a *numbered) said(s uint32) uint32 { return a.says.number(a.states.at(s)) }

// pool numbers the values that one node has met, in that order; the values are numbers of the algorithm.
type pool struct {
	values []uint32
	places keyMap
}

func newPool() *pool { return &pool{places: *newKeyMap()} }

func (p *pool) number(v uint32) uint32 {
	k, ok := p.places.get(uint64(v))
	if !ok {
		k = uint32(len(p.values))
		p.places.put(uint64(v), k)
		p.values = append(p.values, v)
	}
	return k
}
