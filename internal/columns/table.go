package columns

import (
	"math"
	"reflect"
	"slices"
	"unsafe"

	"caucus.example/caucus"
)

// Table is the columns of one algorithm at many nodes. It implements Nodes.
type Table[S, M any] struct {
	algo     caucus.Rounds[S, M]
	relative caucus.Relative[S, M] // the algorithm, if it is one whose counters grow
	wide     bool                  // it reads messages where they lie

	state []S // frank: the same memory as says
	says  []M
	made  []M               // the same memory as says, unless the two are apart
	next  []S               // what nodes come to in a round: the same memory as state; frank: as made
	frank bool              // states and messages are one; see caucus.Frank
	inbox []caucus.Inbox[M] // by worker
	room  [][]M             // by worker: for the messages of the inbox
	was   []pair[S, M]      // by worker: what a node was before its round

	cells []M
	late  [][]M
}

type pair[S, M any] struct {
	state S
	says  M
}

// OfNodes forgets the types of an algorithm.
func OfNodes[S, M any](algo caucus.Rounds[S, M]) Nodes {
	wide, ok := algo.(caucus.Wide)
	t := &Table[S, M]{algo: algo, relative: relativeOf(algo)}
	t.wide = ok && wide.Wide() && t.relative == nil // or counters would have to be brought up to date where they lie
	return t
}

// relativeOf is the algorithm if it has counters that grow.
func relativeOf[S, M any](algo caucus.Rounds[S, M]) caucus.Relative[S, M] {
	by, ok := algo.(caucus.Relative[S, M])
	if !ok {
		return nil
	}
	var none, one pair[S, M]
	if by.Rebase(&one.state, &one.says, 1); alike(&none, &one) {
		return nil
	}
	return by
}

// alike tells whether two values have the same bits, and so are the same to whoever reads them.
func alike[T any](a, b *T) bool {
	size := int(unsafe.Sizeof(*a))
	return unsafe.String((*byte)(unsafe.Pointer(a)), size) == unsafe.String((*byte)(unsafe.Pointer(b)), size)
}

func (t *Table[S, M]) New(n, workers, most int, apart bool) Nodes {
	c := &Table[S, M]{algo: t.algo, relative: t.relative, wide: t.wide, frank: isFrank(t.algo), says: make([]M, n),
		inbox: make([]caucus.Inbox[M], workers), room: make([][]M, workers), was: make([]pair[S, M], workers)}
	for w := range c.room {
		c.room[w] = make([]M, most)
	}
	c.made = c.says
	if apart {
		c.made = make([]M, n)
	}
	if !c.frank {
		c.state = make([]S, n)
	}
	c.meet()
	return c
}

// isFrank tells whether states and messages are of one type, and what nodes say is what they hold.
func isFrank[S, M any](algo caucus.Rounds[S, M]) bool {
	_, one := any((*M)(nil)).(*S)
	by, ok := algo.(caucus.Frank)
	return one && ok && by.Frank()
}

// meet lays states where messages are, if they are one.
func (t *Table[S, M]) meet() {
	if t.next = t.state; t.frank {
		t.state, t.next = any(t.says).([]S), any(t.made).([]S)
	}
}

// Part gives states memory of their own.
func (t *Table[S, M]) Part() {
	if t.frank {
		t.state, t.frank = slices.Clone(t.state), false
		t.meet()
	}
}

func (t *Table[S, M]) Boot(l *caucus.Local, p int) { t.state[p], t.says[p] = t.algo.Boot(l) }

func (t *Table[S, M]) Outcome(l *caucus.Local, p int) caucus.Outcome {
	return t.algo.Outcome(l, &t.state[p])
}

func (t *Table[S, M]) Coming(l *caucus.Local, p int) (leader caucus.ID, role caucus.Role) {
	o := t.algo.Outcome(l, &t.next[p])
	return o.Leader, o.Role
}

// Gather and Round are the loop whose speed is that of the simulator. The inbox is filled well before it is handed
// over: a processor that copies what it has just stored, in larger pieces, waits.
func (t *Table[S, M]) Gather(worker int, sources []int32, dist []float64, missed []uint8) {
	in := &t.inbox[worker]
	in.Dist, in.Missed = dist, missed
	if t.wide && (t.cells == nil || len(sources) > 0 && slices.Min(sources) >= 0) {
		in.Msgs, in.From = t.says, sources
		return
	}
	if len(sources) > len(t.room[worker]) {
		t.room[worker] = slices.Grow(t.room[worker], len(sources))[:len(sources)]
	}
	says, msgs := t.says, t.room[worker][:len(sources)]
	in.Msgs, in.From = msgs, nil
	for k, q := range sources {
		if q >= 0 {
			msgs[k] = says[q]
		} else {
			msgs[k] = t.cells[^q]
		}
	}
}

func (t *Table[S, M]) Round(l *caucus.Local, worker, p int, same Same) bool {
	if same == Unasked {
		t.run(l, worker, p)
		return false
	}
	was := &t.was[worker]
	was.state = t.state[p]
	if !t.frank {
		was.says = t.says[p]
	}
	t.run(l, worker, p)
	switch {
	case t.relative == nil:
	case same == Grown:
		t.relative.Rebase(&was.state, &was.says, math.MaxUint64) // one more in each counter
	default:
		t.rebase(worker, &t.next[p], &t.made[p], 1)
	}
	return alike(&was.state, &t.next[p]) && (t.frank || alike(&was.says, &t.made[p]))
}

func (t *Table[S, M]) run(l *caucus.Local, worker, p int) {
	if t.frank {
		t.next[p] = t.state[p]
	}
	t.made[p] = t.algo.Round(l, &t.next[p], t.inbox[worker])
}

// rebase takes a number from the counters of what a node holds and says.
func (t *Table[S, M]) rebase(worker int, s *S, m *M, by uint64) {
	if t.frank {
		m = &t.was[worker].says // or it would be taken twice
	}
	t.relative.Rebase(s, m, by)
}

func (t *Table[S, M]) Again(worker, p int) {
	if t.Stay(p); t.relative != nil {
		t.rebase(worker, &t.next[p], &t.made[p], math.MaxUint64)
	}
}

func (t *Table[S, M]) Turn() {
	t.says, t.made = t.made, t.says
	t.meet()
}

func (t *Table[S, M]) Keep() { copy(t.made, t.says) }

func (t *Table[S, M]) Stay(p int) { t.made[p] = t.says[p] }

func (t *Table[S, M]) Take(p int) { t.says[p] = t.made[p] }

func (t *Table[S, M]) Quiet() { t.says, t.made, t.next, t.cells, t.late = nil, nil, nil, nil, nil }

func (t *Table[S, M]) Save(worker, p int) { t.was[worker] = pair[S, M]{t.state[p], t.says[p]} }

func (t *Table[S, M]) Restore(worker, p int) {
	t.state[p], t.says[p] = t.was[worker].state, t.was[worker].says
}

func (t *Table[S, M]) Timeless() bool {
	return timeless(t.algo) && numbers(reflect.TypeFor[S]()) && numbers(reflect.TypeFor[M]())
}

func timeless(algo any) bool {
	by, ok := algo.(caucus.Timeless)
	return ok && by.Timeless()
}

// numbers tells whether all that a value of a type is lies in its own bits.
func numbers(t reflect.Type) bool {
	switch k := t.Kind(); k {
	case reflect.Struct:
		for i := range t.NumField() {
			if !numbers(t.Field(i).Type) {
				return false
			}
		}
		return true
	case reflect.Array:
		return numbers(t.Elem())
	default:
		return k >= reflect.Bool && k <= reflect.Complex128
	}
}

func (t *Table[S, M]) Prompt() bool {
	_, ok := t.algo.(caucus.Prompt[S, M])
	return ok
}

func (t *Table[S, M]) News(p int, source int32) bool {
	prompt, ok := t.algo.(caucus.Prompt[S, M])
	return ok && prompt.News(&t.state[p], t.said(source))
}

func (t *Table[S, M]) said(source int32) *M {
	if source < 0 {
		return &t.cells[^source]
	}
	return &t.says[source]
}

func (t *Table[S, M]) Backs(source int32) (leader caucus.ID, nonce uint64, ok bool) {
	backer, ok := t.algo.(caucus.Backer[M])
	if !ok {
		return caucus.None, 0, false
	}
	leader, nonce = backer.Backs(t.said(source))
	return leader, nonce, true
}

func (t *Table[S, M]) Drifts() bool { return t.relative != nil }

func (t *Table[S, M]) Shift(worker, p int, by uint64) { t.rebase(worker, &t.state[p], &t.says[p], by) }

func (t *Table[S, M]) Align(worker, message int, by uint64) {
	t.relative.Rebase(&t.was[worker].state, &t.inbox[worker].Msgs[message], by)
}

func (t *Table[S, M]) AlignEarly(worker, p int, sources []int32) {
	for k, q := range sources {
		if int(q) < p {
			t.Align(worker, k, math.MaxUint64)
		}
	}
}

// At gives what a node holds and says.
func (t *Table[S, M]) At(p int) (*S, *M) { return &t.state[p], &t.says[p] }

func (t *Table[S, M]) State(p int) any { return &t.state[p] }

func (t *Table[S, M]) Says(p int) any { return &t.says[p] }

func (t *Table[S, M]) Made(p int) any { return &t.made[p] }

func (t *Table[S, M]) Ahead(p, by int) any {
	if t.relative == nil {
		return &t.says[p]
	}
	scratch := &t.was[0]
	scratch.says = t.says[p]
	t.relative.Rebase(&scratch.state, &scratch.says, -uint64(by))
	return &scratch.says
}

func (t *Table[S, M]) Relative(p, first int) (state, says any) {
	return t.less(pair[S, M]{t.state[p], t.says[p]}, first)
}

func (t *Table[S, M]) RelativeCell(c, first int) any {
	_, m := t.less(pair[S, M]{t.state[first], t.cells[c]}, first)
	return m
}

// less takes the counters of the first node from a copy.
func (t *Table[S, M]) less(own pair[S, M], first int) (state, says any) {
	if by, ok := t.algo.(caucus.Relative[S, M]); ok {
		by.Rebase(&own.state, &own.says, by.Origin(&t.state[first]))
	}
	return &own.state, &own.says
}

func (t *Table[S, M]) MessageSize() int { return int(unsafe.Sizeof(*new(M))) }

func (t *Table[S, M]) Domain(w *caucus.World) (states, messages uint64, put func(p int, state, message uint64)) {
	s, m := t.algo.Domain(w)
	return s.Len, m.Len, func(p int, state, message uint64) {
		own := pair[S, M]{}
		if state < s.Len {
			own.state = s.At(state)
		}
		if message < m.Len {
			own.says = m.At(message)
		}
		t.state[p], t.says[p] = own.state, own.says
	}
}

// maxFakeTries bounds the search; the world of a fake leader is tiny.
const maxFakeTries = 1 << 16

// Fake finds a state that names the fake as its leader, and a message that supports it.
func (t *Table[S, M]) Fake(l *caucus.Local, w *caucus.World) func(p int) {
	states, messages := t.algo.Domain(w)
	var out pair[S, M]
	for k := range min(states.Len, maxFakeTries) {
		out.state = states.At(k)
		if t.algo.Outcome(l, &out.state).Leader == w.IDs[0] {
			break
		}
	}
	backer, _ := t.algo.(caucus.Backer[M])
	for k := range min(messages.Len, maxFakeTries) {
		out.says = messages.At(k)
		if backer == nil {
			break
		}
		if leader, _ := backer.Backs(&out.says); leader == w.IDs[0] {
			break
		}
	}
	return func(p int) { t.state[p], t.says[p] = out.state, out.says }
}

func (t *Table[S, M]) Open(cells int) {
	if more := cells - len(t.cells); more > 0 {
		t.cells = append(t.cells, make([]M, more)...)
		t.late = append(t.late, make([][]M, more)...)
	}
}

func (t *Table[S, M]) Cell(c int) any { return &t.cells[c] }

func (t *Table[S, M]) Mail(c, p int, made bool) { t.cells[c] = *t.word(p, made) }

func (t *Table[S, M]) word(p int, made bool) *M {
	if made {
		return &t.made[p]
	}
	return &t.says[p]
}

func (t *Table[S, M]) Clear(c int) { t.cells[c], t.late[c] = *new(M), t.late[c][:0] }

func (t *Table[S, M]) MailLate(c, p int, made bool) { t.late[c] = append(t.late[c], *t.word(p, made)) }

func (t *Table[S, M]) TakeLate(c, k int) { t.cells[c] = t.late[c][k] }

func (t *Table[S, M]) MoveLate(c, from, to int) { t.late[c][to] = t.late[c][from] }

func (t *Table[S, M]) TrimLate(c, n int) { t.late[c] = t.late[c][:n] }
