package check

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"caucus"
)

// EventRow is what holds for an algorithm of the event shape over all networks and all sets of initiators.
//
// A configuration is the state of every node, whether it is awake, the messages on every link and the timers that are set.
// A step wakes an initiator that still sleeps, delivers a message or lets a timer fire; timers may do so at any moment, so an algorithm that
// relies on delays fails here. An execution is right if it ends, with one leader, every node decided for
// good and none that names another; at no moment there are two leaders or does a final outcome change.
type EventRow struct {
	FIFO           bool // messages of a link and direction arrive in order
	Networks       int
	Executions     int // pairs of a network and a set of initiators
	Undecided      int
	Why            string
	Configurations int64
	Holds, Fails   int // executions
	Messages       Worst
	Seconds        float64
	Counterexample *EventTrace
}

// EventTrace is the shortest execution that goes wrong.
type EventTrace struct {
	Network    string
	Initiators []caucus.ID
	Wrong      string // what is wrong at the end
	Steps      []string
	Outcomes   []string // of the nodes at the end
}

// Events checks an algorithm of the event shape from clean starts. Daemons, Start, Ghosts and Counter of the configuration
// mean nothing here. With cfg.Reorder messages overtake each other unless spec needs FIFO.
func Events[S, M any](ctx context.Context, algo caucus.Events[S, M], spec *caucus.Spec, cfg Config) (*Report, error) {
	cfg.fill()
	row := &EventRow{FIFO: !cfg.Reorder || spec.Needs.FIFO, Networks: len(cfg.Networks)}
	var next, finished, explored atomic.Int64
	var lock sync.Mutex
	began := time.Now()
	err := inParallel(ctx, &cfg, func() error {
		for {
			k := int(next.Add(1)) - 1
			if k >= len(cfg.Networks) {
				return nil
			}
			for set := uint16(1); set < 1<<cfg.Networks[k].Len(); set++ {
				w, err := newPlay(algo, spec, cfg.Networks[k], set, row.FIFO)
				if err != nil {
					return err
				}
				began := time.Now()
				err = w.explore(ctx, cfg.MaxStates, &explored)
				var large errTooLarge
				if err != nil && !errors.As(err, &large) {
					next.Store(int64(len(cfg.Networks)))
					return err
				}
				lock.Lock()
				row.add(w, err, time.Since(began))
				lock.Unlock()
			}
			finished.Add(1)
		}
	}, func() Progress {
		return Progress{int(finished.Load()), len(cfg.Networks), explored.Load(), time.Since(began)}
	})
	return &Report{Networks: len(cfg.Networks), Events: row}, err
}

func (row *EventRow) add(w outcomeOfPlay, err error, took time.Duration) {
	row.Executions++
	row.Seconds += took.Seconds()
	if err != nil {
		row.Undecided++
		row.Why = err.Error()
		return
	}
	configurations, messages, name, wrong := w.outcome()
	row.Configurations += int64(configurations)
	if wrong == nil {
		row.Holds++
		row.Messages.add(messages, name)
		return
	}
	row.Fails++
	if c := row.Counterexample; c == nil || len(wrong.Outcomes) < len(c.Outcomes) ||
		len(wrong.Outcomes) == len(c.Outcomes) && len(wrong.Steps) < len(c.Steps) {
		row.Counterexample = wrong
	}
}

type outcomeOfPlay interface {
	outcome() (configurations, messages int, name string, wrong *EventTrace)
}

// play is one network with one set of initiators.
type play[S, M any] struct {
	algo  caucus.Events[S, M]
	net   *caucus.Network
	want  []caucus.Outcome
	start uint16
	fifo  bool

	states   *pool[S]
	messages *pool[M]
	lists    sequences // queues of messages and sets of timers
	from, to []int     // links: every direction of every edge, in the order of Nbr
	port     []int     // of the link at its receiver
	rows     rowSet
	parent   []uint32 // by configuration: where it was first reached from
	tell     func(to uint32, e happening)
	locals   []caucus.Local
	out      caucus.Outbox[M]
	err      error

	row, then []uint32
	worst     int
	wrong     *EventTrace
}

func newPlay[S, M any](algo caucus.Events[S, M], spec *caucus.Spec, net *caucus.Network, start uint16, fifo bool) (*play[S, M], error) {
	w := &play[S, M]{algo: algo, net: net, start: start, fifo: fifo}
	var errS, errM error
	w.states, errS = newPool[S]()
	w.messages, errM = newPool[M]()
	if err := errors.Join(errS, errM); err != nil {
		return nil, err
	}
	if o, ok := algo.(caucus.Oracle); ok {
		w.want = o.Expect(net)
	}
	w.lists.number = map[string]uint32{}
	w.lists.of(nil)
	for i := range net.Len() {
		a, b := net.Off[i], net.Off[i+1]
		l := caucus.Local{ID: net.IDs[i], Strength: net.Strengths[i], Degree: b - a}
		if net.Labels != nil {
			l.Labels = net.Labels[a:b]
		}
		if spec.Needs.Nodes {
			l.Known.Nodes = net.Len()
		}
		if spec.Needs.Diameter {
			l.Known.Diameter = max(1, net.Len()-1)
		}
		w.locals = append(w.locals, l)
		for k := a; k < b; k++ {
			j := int(net.Nbr[k])
			at, _ := slices.BinarySearch(net.Nbr[net.Off[j]:net.Off[j+1]], int32(i))
			w.from, w.to, w.port = append(w.from, i), append(w.to, j), append(w.port, at)
		}
	}
	w.rows.width = 2*net.Len() + len(w.to)
	return w, nil
}

// A configuration is a row of numbers: for every node its state (0 asleep, else number + 1) and its timers, then for every link
// its queue.

func (w *play[S, M]) explore(ctx context.Context, most int, explored *atomic.Int64) error {
	first := make([]uint32, w.rows.width)
	w.rows.number(first)
	w.parent = append(w.parent, 0)
	s := search{}
	s.expand = w.expand
	for id := uint32(0); int(id) < w.rows.count; id++ {
		edges := w.expand(id, s.edges[:0])
		s.edges = edges
		wrong := w.look(id, len(edges) == 0)
		switch {
		case w.err != nil:
			return w.err
		case wrong != "":
			w.wrong = w.trace(id, wrong)
			return nil
		case w.rows.count > most:
			return errTooLarge{"more configurations than the limit"}
		}
		if id%stopEvery == 0 {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			explored.Add(stopEvery)
		}
	}
	s.wrong = func(uint32) bool { return true }
	s.stop = func() bool { return ctx.Err() != nil }
	s.component = func(members []uint32) {
		if len(members) > 1 && w.wrong == nil {
			w.wrong = w.trace(members[len(members)-1], "it never ends: from here on the same can happen again and again")
		}
	}
	if !s.from(0) {
		return ctx.Err()
	}
	w.worst = int(s.marks[0] & endless)
	return nil
}

// expand lists the steps from a configuration; gain is how many messages a step sends.
func (w *play[S, M]) expand(id uint32, out []edge) []edge {
	w.row = append(w.row[:0], w.rows.at(id)...)
	n := w.net.Len()
	fresh := w.rows.count == len(w.parent) // the first time round, parents are noted
	note := func(sent int, e happening) {
		to := w.rows.number(w.then)
		if to == id && w.wrong == nil && w.tell == nil {
			w.wrong = w.trace(id, "it never ends: "+w.text(e)+", which changes nothing, can happen again and again")
		}
		if fresh && int(to) == len(w.parent) {
			w.parent = append(w.parent, id)
		}
		if w.tell != nil {
			w.tell(to, e)
		}
		out = append(out, edge{to: to, gain: uint16(sent)})
	}
	for i := range n {
		if w.row[2*i] == 0 && w.start&(1<<i) != 0 {
			w.begin()
			sent := w.wake(i, true)
			note(sent, happening{node: i, link: woken})
		}
		for k, t := range w.lists.values[w.row[2*i+1]] {
			w.begin()
			w.then[2*i+1] = w.lists.without(w.row[2*i+1], k)
			sent := w.handle(i, func(l *caucus.Local, s *S) { w.algo.Timer(l, s, int(t), &w.out) })
			note(sent, happening{node: i, link: alarm, value: t})
		}
	}
	for link := range w.to {
		queue := w.lists.values[w.row[2*n+link]]
		for k, m := range queue {
			if w.fifo && k > 0 || slices.Contains(queue[:k], m) {
				continue
			}
			i := w.to[link]
			w.begin()
			w.then[2*n+link] = w.lists.without(w.row[2*n+link], k)
			sent := 0
			if w.then[2*i] == 0 {
				sent = w.wake(i, false)
			}
			sent += w.handle(i, func(l *caucus.Local, s *S) { w.algo.Receive(l, s, w.port[link], w.messages.values[m], &w.out) })
			note(sent, happening{node: i, link: link, value: m})
		}
	}
	return out
}

// happening is a step: a message on a link, by number, or what has no link.
type happening struct {
	node, link int
	value      uint32
}

const (
	woken = -1
	alarm = -2
)

func (w *play[S, M]) text(e happening) string {
	switch e.link {
	case woken:
		return fmt.Sprintf("%d wakes as initiator", w.net.IDs[e.node])
	case alarm:
		return fmt.Sprintf("timer %d of %d fires", int(e.value), w.net.IDs[e.node])
	}
	return fmt.Sprintf("%d -> %d: %s", w.net.IDs[w.from[e.link]], w.net.IDs[e.node], strings.Join(texts(w.messages, e.value), "/"))
}

func (w *play[S, M]) begin() { w.then = append(w.then[:0], w.row...) }

func (w *play[S, M]) wake(i int, initiator bool) int {
	s := w.algo.Boot(w.local(i, 0))
	w.then[2*i] = w.states.number(s) + 1
	return w.handle(i, func(l *caucus.Local, s *S) { w.algo.Wake(l, s, initiator, &w.out) })
}

func (w *play[S, M]) local(i, version int) *caucus.Local {
	l := w.locals[i]
	l.Round, l.Now, l.Rand = shown[version].round, shown[version].now, shown[version].rand
	return &l
}

// handle runs a handler of node i on the configuration that is being made, twice, with another clock and other random
// numbers the second time, and puts on the links what it sends.
func (w *play[S, M]) handle(i int, call func(l *caucus.Local, s *S)) int {
	before := w.states.values[w.then[2*i]-1]
	var after [2]S
	var sends [2][]caucus.Send[M]
	for version := range 2 {
		l := w.local(i, version)
		after[version] = before
		w.out.Reset()
		call(l, &after[version])
		sends[version] = slices.Clone(w.out.Sends)
		if l.Rand != shown[version].rand {
			w.err = errVolatile
		}
	}
	if !w.states.equal(&after[0], &after[1]) || len(sends[0]) != len(sends[1]) {
		w.err = errVolatile
	}
	n, sent := w.net.Len(), 0
	for k, s := range sends[0] {
		if w.err == nil && (s.Port != sends[1][k].Port || !w.messages.equal(&s.Msg, &sends[1][k].Msg)) {
			w.err = errVolatile
		}
		if s.Port < 0 || s.Port >= w.locals[i].Degree {
			continue
		}
		link := 2*n + w.net.Off[i] + s.Port
		w.then[link] = w.lists.with(w.then[link], w.messages.number(s.Msg), w.fifo)
		sent++
	}
	for _, a := range w.out.Alarms {
		w.then[2*i+1] = w.lists.with(w.then[2*i+1], uint32(a.Timer), false)
	}
	w.then[2*i] = w.states.number(after[0]) + 1
	return sent
}

// look says what is wrong with a configuration, "" for nothing.
func (w *play[S, M]) look(id uint32, last bool) string {
	if w.wrong != nil {
		return w.wrong.Wrong
	}
	now := w.outcomes(id)
	if id > 0 {
		for i, o := range w.outcomes(w.parent[id]) {
			if o.Final && o != now[i] {
				return fmt.Sprintf("the outcome of %d was final and has changed", w.net.IDs[i])
			}
		}
	}
	leads := 0
	var leader caucus.ID
	for i, o := range now {
		if o.Role == caucus.Leader {
			leads++
			leader = w.net.IDs[i]
		}
	}
	switch {
	case leads > 1:
		return fmt.Sprintf("%d leaders at a time", leads)
	case !last:
		return ""
	case leads == 0:
		return "nothing is left to happen, and nobody leads"
	}
	for i, o := range now {
		switch {
		case o.Role == caucus.Undecided || !o.Final:
			return fmt.Sprintf("nothing is left to happen, and %d is not done", w.net.IDs[i])
		case o.Leader != leader && o.Leader != caucus.None:
			return fmt.Sprintf("%d names %d, but %d leads", w.net.IDs[i], o.Leader, leader)
		case w.want != nil && !asWanted(o, w.want[i]):
			return fmt.Sprintf("%d ends with %s, promised is %s", w.net.IDs[i], outcomeText(o), outcomeText(w.want[i]))
		}
	}
	return ""
}

func (w *play[S, M]) outcomes(id uint32) []caucus.Outcome {
	out := make([]caucus.Outcome, w.net.Len())
	for i := range out {
		l := w.local(i, 0)
		s := w.algo.Boot(l)
		if k := w.rows.at(id)[2*i]; k > 0 {
			s = w.states.values[k-1]
		}
		out[i] = w.algo.Outcome(l, &s)
	}
	return out
}

func (w *play[S, M]) trace(id uint32, wrong string) *EventTrace {
	t := &EventTrace{Network: Describe(w.net), Wrong: wrong}
	row, then := w.row, w.then // it may be called amid an expansion
	w.row, w.then = nil, nil
	defer func() { w.row, w.then = row, then }()
	for i, nodeID := range w.net.IDs {
		if w.start&(1<<i) != 0 {
			t.Initiators = append(t.Initiators, nodeID)
		}
	}
	for _, o := range w.outcomes(id) {
		t.Outcomes = append(t.Outcomes, outcomeText(o))
	}
	for ; id != 0; id = w.parent[id] {
		found := false
		w.tell = func(to uint32, e happening) {
			if to == id && !found {
				t.Steps, found = append(t.Steps, w.text(e)), true
			}
		}
		w.expand(w.parent[id], nil)
	}
	w.tell = nil
	slices.Reverse(t.Steps)
	return t
}

func (w *play[S, M]) outcome() (configurations, messages int, name string, wrong *EventTrace) {
	return w.rows.count, w.worst, fmt.Sprintf("%s, %s", Describe(w.net), plural(bits.OnesCount16(w.start), "initiator")), w.wrong
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Table writes the trace for people.
func (t *EventTrace) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "initiators %s\n", joined(t.Initiators))
	for k, s := range t.Steps {
		fmt.Fprintf(&b, "%3d  %s\n", k+1, s)
	}
	fmt.Fprintf(&b, "%s; outcomes: %s\n", t.Wrong, strings.Join(t.Outcomes, ", "))
	return b.String()
}

func joined(ids []caucus.ID) string {
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = fmt.Sprint(id)
	}
	return strings.Join(words, ",")
}

// sequences numbers lists of numbers; 0 is the empty one.
type sequences struct {
	values [][]uint32
	number map[string]uint32
	bytes  []byte
}

func (q *sequences) of(list []uint32) uint32 {
	q.bytes = q.bytes[:0]
	for _, v := range list {
		q.bytes = binary.LittleEndian.AppendUint32(q.bytes, v)
	}
	k, ok := q.number[string(q.bytes)]
	if !ok {
		k = uint32(len(q.values))
		q.number[string(q.bytes)] = k
		q.values = append(q.values, slices.Clone(list))
	}
	return k
}

func (q *sequences) without(list uint32, at int) uint32 {
	return q.of(slices.Delete(slices.Clone(q.values[list]), at, at+1))
}

// with appends, or keeps the list sorted where its order means nothing.
func (q *sequences) with(list, value uint32, ordered bool) uint32 {
	longer := append(slices.Clone(q.values[list]), value)
	if !ordered {
		slices.Sort(longer)
	}
	return q.of(longer)
}

// rowSet numbers rows of equal width in the order in which it meets them, in one slab.
type rowSet struct {
	width int
	slab  []uint32
	slots []uint32 // number + 1; 0 is free
	count int
}

func (r *rowSet) at(id uint32) []uint32 { return r.slab[int(id)*r.width : (int(id)+1)*r.width] }

func hashRow(row []uint32) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, v := range row {
		h = (h ^ uint64(v)) * 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	return h
}

func (r *rowSet) number(row []uint32) uint32 {
	if 4*(r.count+1) > 3*len(r.slots) {
		r.slots = make([]uint32, max(64, 2*len(r.slots)))
		for id := range uint32(r.count) {
			r.slots[r.free(r.at(id))] = id + 1
		}
	}
	at := r.free(row)
	if r.slots[at] == 0 {
		r.slab = append(r.slab, row...)
		r.count++
		r.slots[at] = uint32(r.count)
	}
	return r.slots[at] - 1
}

// free finds the slot of a row, or the one where it belongs.
func (r *rowSet) free(row []uint32) uint64 {
	mask := uint64(len(r.slots) - 1)
	at := hashRow(row) & mask
	for ; r.slots[at] != 0 && !slices.Equal(r.at(r.slots[at]-1), row); at = (at + 1) & mask {
	}
	return at
}
