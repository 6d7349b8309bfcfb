package sim

import (
	"unsafe"

	"caucus.example/caucus"
	"caucus.example/caucus/fault"
)

// RoundAlgorithm is an algorithm of the round shape whose types are forgotten.
type RoundAlgorithm struct{ tape func(*RoundRun) columned }

// OfRounds forgets the types of an algorithm.
func OfRounds[S, M any](algo caucus.Rounds[S, M]) RoundAlgorithm {
	return RoundAlgorithm{func(run *RoundRun) columned {
		return &tape[S, M]{algo: algo, run: run, relative: relativeOf(algo)}
	}}
}

// columned is what a run does with the states and messages of its nodes, which stay in columns of their own types.
// Nodes are named by position, ends of edges by slot.
type columned interface {
	place(most int) // makes the columns; no node has more neighbours
	boot(l *caucus.Local, p int)
	sweep(h *hand, a, b int)
	visit(h *hand, p int, now float64)
	outcome(l *caucus.Local, p int) caucus.Outcome
	turn()                      // what was computed in a synchronous round is what is said from now on
	keep()                      // all say in the synchronous round to come what they have said
	send(p int, at float64)     // puts what a node says on its links
	postAll(a, b int)           // sends what was computed in a synchronous round
	timeless() bool             // see rest, as all up to here
	drifts() bool               // whether counters grow for ever
	sweepDue(h *hand, a, b int) // runs those that are due
	take(a, b int)              // what those who were due have computed in a synchronous round is what they say
	shift(by uint64)            // adds to the counters of running nodes
	sizeOf(p, ahead int) int32  // of what a node says, with so much more in its counters
	draw(fault int) overwriting // the values of one corrupt or fake-leader fault
	messageSize() int64

	prompt() bool                    // whether news is told at once
	news(p, s int, now float64) bool // what is at this end of an edge brings some
	attempt(h *hand, p int, now float64) bool

	openBoxes()
	forget(s int)    // what has come to this end of an edge
	recall(s, q int) // what the node q has last sent is at this end
	standStill()     // what has come is no older for a step that others take
	openHeld()       // openBoxes on a network that moves

	values(p int) (state, says any) // pointers to what a node holds and says
	// pointers to what has come to this end of an edge, and how many did not since
	heard(s int) (says any, missed *uint8)
	hear(s, q int, now float64) // what the node q says comes to this end of an edge
	// values but for a number that all counters have more, by those of the first node
	alike(p, first int) (state, says any)
}

// overwriting gives the node at a position other values.
type overwriting func(p int, now float64)

// tape is the columns of a run, and the loops over them.
type tape[S, M any] struct {
	algo   caucus.Rounds[S, M]
	run    *RoundRun
	state  []S
	export []M   // last messages
	fresh  []M   // synchronous: the messages of this round; else the same memory as export
	msgs   [][]M // by worker: an inbox

	relative caucus.Relative[S, M] // the algorithm, if it is one whose counters grow
	was      []pair[S, M]          // by worker: what a node was before its round

	boxes []box[M] // by slot of the receiver; nil while not needed
	// by slot, with the two-way rule: when what the node has sent over that edge came last; nil while all comes
	carried []float64
	// by node of a network that moves, while links are out of order: what it has of each it hears; else nil
	held  [][]held[M]
	spare []held[M]
}

func (t *tape[S, M]) place(most int) {
	t.msgs = make([][]M, t.run.cfg.Workers)
	t.was = make([]pair[S, M], t.run.cfg.Workers)
	for w := range t.msgs {
		t.msgs[w] = make([]M, most)
	}
	t.state, t.export = make([]S, t.run.n), make([]M, t.run.n)
	t.fresh = t.export
	if t.run.cfg.Timing == Synchronous {
		t.fresh = make([]M, t.run.n)
	}
}

func (t *tape[S, M]) boot(l *caucus.Local, p int) { t.state[p], t.export[p] = t.algo.Boot(l) }

func (t *tape[S, M]) turn() { t.export, t.fresh = t.fresh, t.export }

func (t *tape[S, M]) keep() { copy(t.fresh, t.export) }

func (t *tape[S, M]) send(p int, at float64) { t.sendFrom(p, &t.export[p], at) }

func (t *tape[S, M]) messageSize() int64 { return int64(unsafe.Sizeof(*new(M))) }

func (t *tape[S, M]) outcome(l *caucus.Local, p int) caucus.Outcome {
	return t.algo.Outcome(l, &t.state[p])
}

func (t *tape[S, M]) forget(s int) { t.boxes[s] = noLetter[M]() }

func (t *tape[S, M]) recall(s, q int) {
	sent := t.run.faults.sent[q]
	t.boxes[s].letter = letter[M]{t.export[q], sent, sent}
	if t.carried != nil {
		t.carried[t.run.faults.back[s]] = sent
	}
}

func (t *tape[S, M]) standStill() {
	for s := range t.boxes {
		if b := &t.boxes[s]; b.comes >= 0 {
			b.comes++
		}
	}
}

// sweep runs the nodes at positions a to b-1 at their times in this period.
func (t *tape[S, M]) sweep(h *hand, a, b int) {
	e := t.run
	if e.calm {
		t.sweepCalm(h, a, b)
		return
	}
	for p := a; p < b; p++ {
		t.visit(h, p, e.activation(p))
	}
}

// sweepCalm is sweep while nothing is out of order. The speed of the simulator is
// the speed of this loop.
func (t *tape[S, M]) sweepCalm(h *hand, a, b int) {
	e := t.run
	l, off, from, to := &h.local, e.off, t.export, t.fresh
	for p := a; p < b; p++ {
		in := t.inbox(h, p, from)
		e.fill(l, p, e.begin(p), e.activation(p))
		if e.rest.on {
			t.remember(h, p)
		}
		to[p] = t.algo.Round(l, &t.state[p], in)
		if e.rest.on {
			t.compare(h, p)
		}
		if e.cfg.SizeOf != nil {
			h.bytes += int64(len(in.Msgs)) * int64(e.cfg.SizeOf(&to[p]))
		}
	}
	h.messages += int64(off[b] - off[a])
}

// inbox is what the node at position p reads while nothing is out of order.
func (t *tape[S, M]) inbox(h *hand, p int, from []M) caucus.Inbox[M] {
	e := t.run
	row := e.nbr[e.off[p]:e.off[p+1]]
	in := caucus.Inbox[M]{Msgs: t.msgs[h.number][:len(row)], Dist: e.distances(h, p)}
	for k, q := range row {
		in.Msgs[k] = from[q]
	}
	return in
}

// visit runs the node at position p at the given time, whatever its status.
func (t *tape[S, M]) visit(h *hand, p int, now float64) {
	e := t.run
	if e.air != nil {
		t.fly(h, p, now)
		return
	}
	switch e.status[p] {
	case waiting:
		e.boot(h, p, now)
		if e.rest.on {
			e.stir(p)
		}
	case crashed, absent:
		t.fresh[p] = t.export[p]
		t.miss(p)
		return
	}
	in, links := t.gather(h, p, now)
	e.fill(&h.local, p, e.begin(p), now)
	h.local.Degree = len(in.Msgs)
	if e.rest.on {
		t.remember(h, p)
	}
	t.fresh[p] = t.algo.Round(&h.local, &t.state[p], in)
	if e.rest.on {
		t.compare(h, p)
	}
	h.messages += int64(links)
	if e.cfg.SizeOf != nil {
		h.bytes += int64(links) * int64(e.cfg.SizeOf(&t.fresh[p]))
	}
	if e.cfg.Timing != Synchronous {
		t.sendFrom(p, &t.fresh[p], now)
	}
}

// gather collects the messages that the node at position p can read, and counts
// its links.
func (t *tape[S, M]) gather(h *hand, p int, now float64) (in caucus.Inbox[M], links int) {
	e, msgs, k := t.run, t.msgs[h.number], 0
	for s := e.off[p]; s < e.off[p+1]; s++ {
		q := int(e.nbr[s])
		if e.status[q] == absent || e.cut(p, q) {
			continue
		}
		links++
		var b *box[M]
		if t.boxes != nil {
			b = &t.boxes[s]
		}
		if m, lay := t.lastMessage(b, q, now); fault.TwoWay(m != nil, t.hears(s, now)) {
			msgs[k], h.dist[k], h.missed[k] = *m, e.distance(p, s), caucus.Missed(lay)
			if b != nil {
				h.missed[k] += b.missed
			}
			if e.rest.partial {
				t.align(h, p, q, &msgs[k])
			}
			k++
		}
		if e.traffic != nil && !e.rest.partial {
			e.traffic.receive(p, &b.came)
		}
	}
	if e.traffic != nil && !e.rest.partial {
		e.traffic.send(p, links)
	}
	return caucus.Inbox[M]{Msgs: msgs[:k], Dist: h.dist[:k], Missed: h.missed[:k]}, links
}

// box is what the receiver's end of an edge holds, while a fault model lets messages be
// lost or late. Without boxes a receiver reads the sender's column.
type box[M any] struct {
	letter[M]
	late   []letter[M] // still on their way, in the order of sending
	came   int32       // letters that have come since somebody counted
	missed uint8       // messages that are known not to have come, see Hear
}

// letter is a message with the times at which it was sent and arrives; negative for none.
type letter[M any] struct {
	msg         M
	sent, comes float64
}

// held is what a node has of a neighbour.
type held[M any] struct {
	from  int32
	heard float64 // when the last message that it was to get was sent; negative: none was
	box   box[M]
}

type pair[S, M any] struct {
	state  S
	export M
}

func noLetter[M any]() box[M] {
	var b box[M]
	b.sent, b.comes = -1, -1
	return b
}

// relativeOf is the algorithm if it has counters that grow.
func relativeOf[S, M any](algo caucus.Rounds[S, M]) caucus.Relative[S, M] {
	by, ok := algo.(caucus.Relative[S, M])
	if !ok {
		return nil
	}
	var none, one pair[S, M]
	if by.Rebase(&one.state, &one.export, 1); alike(&none, &one) {
		return nil
	}
	return by
}

// alike tells whether two values have the same bits, and so are the same to whoever reads them.
func alike[T any](a, b *T) bool {
	size := int(unsafe.Sizeof(*a))
	return unsafe.String((*byte)(unsafe.Pointer(a)), size) == unsafe.String((*byte)(unsafe.Pointer(b)), size)
}
