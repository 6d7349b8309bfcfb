package sim

import (
	"math"
	"slices"

	"caucus.example/caucus/fault"
)

// defaultExpiry is for how many rounds the last message of a stopped node lingers.
const defaultExpiry = 3

// lastMessage is what can be read of the sender at position q, from a box unless that is nil, and for how
// many periods it has been there; nil for nothing.
func (t *tape[S, M]) lastMessage(b *box[M], q int, now float64) (m *M, lay float64) {
	e, f := t.run, &t.run.faults
	life := f.expiry
	if life == 0 {
		life = defaultExpiry
		if e.status[q] == running && !e.cfg.TwoWay {
			life = math.Inf(1)
		}
	}
	if b != nil && !f.mute {
		b.receive(now)
		if b.comes < 0 || now-b.comes >= life {
			return nil, 0
		}
		return &b.msg, now - b.comes
	}
	// In a synchronous run the sender may be writing its time just now, but then
	// its last message is fresh.
	if e.status[q] == running && (f.expiry == 0 || e.cfg.Timing == Synchronous) {
		return &t.export[q], 0
	}
	if f.sent == nil || f.sent[q] < 0 || now-f.sent[q] >= life {
		return nil, 0
	}
	return &t.export[q], now - f.sent[q]
}

// receive takes the letters that have come by now. The last to come stays; of two
// that come together the last sent.
func (b *box[M]) receive(now float64) {
	if len(b.late) == 0 {
		return
	}
	rest := b.late[:0]
	for _, l := range b.late {
		if l.comes > now {
			rest = append(rest, l)
			continue
		}
		b.came++
		if l.comes > b.comes || l.comes == b.comes && l.sent >= b.sent {
			b.letter = l
		}
	}
	b.late = rest
}

// overtake drops letters that a later one, which comes at the given time, overtakes.
func (b *box[M]) overtake(comes float64) {
	b.late = slices.DeleteFunc(b.late, func(l letter[M]) bool { return l.comes >= comes })
}

// sendFrom puts the message of the node at position p on its links.
func (t *tape[S, M]) sendFrom(p int, m *M, at float64) {
	e, f := t.run, &t.run.faults
	if e.air != nil {
		e.air.net.Spoke(p, e.air.now)
	}
	if f.sent == nil {
		return
	}
	f.sent[p] = at
	if t.boxes == nil {
		return
	}
	for s := e.off[p]; s < e.off[p+1]; s++ {
		q := int(e.nbr[s])
		if e.cut(p, q) {
			continue
		}
		b := &t.boxes[f.back[s]]
		comes := at
		if len(f.links) == 0 {
			b.receive(at)
			b.letter = letter[M]{*m, at, at}
			b.came++
		} else {
			comes = t.carry(b, p, q, letter[M]{*m, at, at})
		}
		if t.carried != nil && comes >= 0 {
			t.carried[s] = comes
		}
	}
}

// hears tells whether the neighbour at a slot has heard the node lately, as the two-way rule asks.
func (t *tape[S, M]) hears(s int, now float64) bool {
	life := t.run.faults.expiry
	if life == 0 {
		life = defaultExpiry
	}
	return t.carried == nil || t.carried[s] >= 0 && now-t.carried[s] < life
}

// carry lets the active link faults decide when and how often a letter comes; it gives the time, negative for never.
func (t *tape[S, M]) carry(b *box[M], p, q int, l letter[M]) float64 {
	e := t.run
	var fate fault.Fate
	for k := range e.faults.links {
		a := &e.faults.links[k]
		if e.air != nil && !e.concerns(&e.cfg.Faults[a.fault], l.sent) || !a.Have(p, q) {
			continue
		}
		a.Meet(&fate, e.faults.fate.At(uint64(a.fault)).At(uint64(e.node(p))).At(uint64(e.node(q))).At(
			math.Float64bits(l.sent)))
	}
	if fate.Lost {
		return -1
	}
	l.comes += fate.Late
	if fate.InOrder {
		b.overtake(l.comes)
	}
	b.deliver(l)
	first := l.comes
	if fate.Again > 0 {
		l.comes += fate.Again
		b.deliver(l)
	}
	return first
}

func (b *box[M]) deliver(l letter[M]) {
	b.late = append(b.late, l)
	b.receive(l.sent)
}

// postAll is the second half of a synchronous round with faults: what was computed
// in it is sent at its end.
func (t *tape[S, M]) postAll(a, b int) {
	for p := a; p < b; p++ {
		if t.run.status[p] == running {
			t.sendFrom(p, &t.fresh[p], float64(t.run.periods+1))
		}
	}
}

// openBoxes begins to keep a message for each end of every edge.
func (t *tape[S, M]) openBoxes() {
	e := t.run
	if e.air != nil {
		t.openHeld()
		return
	}
	if t.boxes != nil {
		return
	}
	t.boxes = make([]box[M], len(e.nbr))
	e.faults.open, e.faults.back = true, e.backSlots()
	if e.cfg.TwoWay {
		t.carried = make([]float64, len(e.nbr))
	}
	for s, q := range e.nbr {
		t.recall(s, int(q))
	}
}

// backSlots gives for every slot the one of the same edge at its other end. Rows are in
// the caller's order, so a walk in that order meets the entries of every row in turn.
func (e *RoundRun) backSlots() []int32 {
	back := make([]int32, len(e.nbr))
	next := make([]int, e.n)
	copy(next, e.off)
	for node := range e.n {
		p := e.index(node)
		for s := e.off[p]; s < e.off[p+1]; s++ {
			q := e.nbr[s]
			back[s] = int32(next[q])
			next[q]++
		}
	}
	return back
}
