package columns

import (
	"reflect"
	"unsafe"

	"caucus.example/caucus"
)

// Rounds is an algorithm of the round shape at one node, with the messages that it has of others in slots.
type Rounds interface {
	// New gives the same algorithm with a state and slots of its own.
	New() Rounds
	// Algorithm is the algorithm itself, for optional interfaces that name no type. Of a service above an election it
	// is the election, which has the result.
	Algorithm() any
	// Types are those of a state and a message.
	Types() (state, message reflect.Type)

	// The calls of the algorithm. Boot and Round leave what the node says in Export.

	Boot(l *caucus.Local)
	Round(l *caucus.Local, slots []int, dist []float64, missed []uint8)
	Outcome(l *caucus.Local) caucus.Outcome
	// Backs tells whom the message in a slot supports, or the export for Own; false if messages do not tell.
	Backs(slot int) (leader caucus.ID, nonce uint64, ok bool)

	// News tells whether the message in a slot brings news; false unless the algorithm is caucus.Prompt.
	News(slot int) bool
	// Prompt tells whether it is.
	Prompt() bool

	// State and Export point to what the node holds and says, Message to what is in a slot. A new slot holds the zero
	// message.

	State() any
	Export() any
	Message(slot int) any
	// Domain puts its values into State and Export; places do not matter.
	Domain(w *caucus.World) (states, messages Values)
	// Relative is false unless the algorithm is caucus.Relative.
	Relative() (RelativeRounds, bool)
	// Selective is false unless the algorithm is caucus.Selective.
	Selective() (SelectiveRounds, bool)
}

// Own is the slot of the export.
const Own = -1

// RelativeRounds is caucus.Relative with the addresses of a state and a message.
type RelativeRounds struct {
	Origin func(state unsafe.Pointer) uint64
	Rebase func(state, message unsafe.Pointer, origin uint64)
}

// SelectiveRounds is caucus.Selective with the addresses of a message and a state.
type SelectiveRounds struct {
	Heed func(l *caucus.Local, message unsafe.Pointer)
	Keep func(l *caucus.Local, state unsafe.Pointer)
}

type rounds[S, M any] struct {
	algo   caucus.Rounds[S, M]
	state  S
	export M
	slots  []M
	inbox  []M
}

// OfRounds forgets the types of an algorithm.
func OfRounds[S, M any](algo caucus.Rounds[S, M]) Rounds { return &rounds[S, M]{algo: algo} }

func (r *rounds[S, M]) New() Rounds { return &rounds[S, M]{algo: r.algo} }

func (r *rounds[S, M]) Algorithm() any {
	if sum, ok := r.algo.(interface{ Election() any }); ok {
		return sum.Election()
	}
	return r.algo
}

func (r *rounds[S, M]) Types() (state, message reflect.Type) {
	return reflect.TypeFor[S](), reflect.TypeFor[M]()
}

func (r *rounds[S, M]) Boot(l *caucus.Local) { r.state, r.export = r.algo.Boot(l) }

func (r *rounds[S, M]) Round(l *caucus.Local, slots []int, dist []float64, missed []uint8) {
	in := r.slots[:min(len(slots), len(r.slots))]
	for k, slot := range slots {
		if slot != k { // else they lie as the inbox has them
			in = r.gathered(slots)
			break
		}
	}
	r.export = r.algo.Round(l, &r.state, caucus.Inbox[M]{Msgs: in, Dist: dist, Missed: missed})
}

func (r *rounds[S, M]) gathered(slots []int) []M {
	r.inbox = r.inbox[:0]
	for _, slot := range slots {
		r.inbox = append(r.inbox, r.slots[slot])
	}
	return r.inbox
}

func (r *rounds[S, M]) Outcome(l *caucus.Local) caucus.Outcome { return r.algo.Outcome(l, &r.state) }

func (r *rounds[S, M]) Backs(slot int) (leader caucus.ID, nonce uint64, ok bool) {
	backer, ok := r.algo.(caucus.Backer[M])
	if !ok {
		return caucus.None, 0, false
	}
	m := &r.export
	if slot != Own {
		m = &r.slots[slot]
	}
	leader, nonce = backer.Backs(m)
	return leader, nonce, true
}

func (r *rounds[S, M]) News(slot int) bool {
	prompt, ok := r.algo.(caucus.Prompt[S, M])
	return ok && prompt.News(&r.state, &r.slots[slot])
}

func (r *rounds[S, M]) Prompt() bool {
	_, ok := r.algo.(caucus.Prompt[S, M])
	return ok
}

func (r *rounds[S, M]) State() any { return &r.state }

func (r *rounds[S, M]) Export() any { return &r.export }

func (r *rounds[S, M]) Message(slot int) any {
	for slot >= len(r.slots) {
		r.slots = append(r.slots, *new(M))
	}
	return &r.slots[slot]
}

func (r *rounds[S, M]) Domain(w *caucus.World) (states, messages Values) {
	s, m := r.algo.Domain(w)
	states = Values{s.Len, func(k uint64, _ int) { r.state = s.At(k) }}
	return states, Values{m.Len, func(k uint64, _ int) { r.export = m.At(k) }}
}

func (r *rounds[S, M]) Relative() (RelativeRounds, bool) {
	by, ok := r.algo.(caucus.Relative[S, M])
	if !ok {
		return RelativeRounds{}, false
	}
	return RelativeRounds{
		Origin: func(s unsafe.Pointer) uint64 { return by.Origin((*S)(s)) },
		Rebase: func(s, m unsafe.Pointer, origin uint64) { by.Rebase((*S)(s), (*M)(m), origin) },
	}, true
}

func (r *rounds[S, M]) Selective() (SelectiveRounds, bool) {
	by, ok := r.algo.(caucus.Selective[S, M])
	if !ok {
		return SelectiveRounds{}, false
	}
	return SelectiveRounds{
		Heed: func(l *caucus.Local, m unsafe.Pointer) { by.Heed(l, (*M)(m)) },
		Keep: func(l *caucus.Local, s unsafe.Pointer) { by.Keep(l, (*S)(s)) },
	}, true
}
