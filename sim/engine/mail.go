package engine

import (
	"math"

	"caucus.example/caucus/fault"
	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/sim"
)

// defaultExpiry is for how many rounds the last message of a stopped node lingers.
const defaultExpiry = 3

// life is for how many rounds a message is read after it was sent, of a node that runs no more or is not heard.
func (f *faults) life() float64 {
	if f.expiry == 0 {
		return defaultExpiry
	}
	return f.expiry
}

// mail is what is at the ends of links, while a fault model lets messages be lost or late; the messages themselves
// are in cells of the columns. Without boxes a receiver reads what the sender says.
type mail struct {
	boxes []box // by slot of the receiver, which is the number of the cell, too; nil while not needed
	// by slot, with the two-way rule: when what the node has sent over that edge came last; nil while all comes
	carried []float64
	// by node of a network that moves, while links are out of order: what it has of each it hears; else nil
	held  [][]held
	spare []held
	cells columns.Slots // of those
}

// box is the receiver's end of a link.
type box struct {
	letter
	late   []letter // still on their way, in the order of sending
	came   int32    // letters that have come since somebody counted
	missed uint8    // messages that are known not to have come
}

// letter is when a message was sent and arrives; negative for none.
type letter struct{ sent, comes float64 }

// held is what a node has of a neighbour.
type held struct {
	from  int32
	cell  int32
	heard float64 // when the last message that it was to get was sent; negative: none was
	box   box
}

var noLetter = letter{-1, -1}

// lastMessage is the source of what can be read of the sender at position q, the cell of a box unless that is nil, and
// for how many periods it has been there.
func (e *RoundRun) lastMessage(b *box, cell, q int, now float64) (source int32, lay float64, ok bool) {
	f := &e.faults
	life := f.life()
	if f.expiry == 0 && e.status[q] == running && !e.cfg.TwoWay {
		life = math.Inf(1)
	}
	if b != nil && !f.mute {
		e.receive(b, cell, now)
		return ^int32(cell), now - b.comes, b.comes >= 0 && now-b.comes < life
	}
	// In a synchronous run the sender may be writing its time just now, but then
	// its last message is fresh.
	if e.status[q] == running && (f.expiry == 0 || e.cfg.Timing == sim.Synchronous) {
		return int32(q), 0, true
	}
	if f.sent == nil || f.sent[q] < 0 || now-f.sent[q] >= life {
		return 0, 0, false
	}
	return int32(q), now - f.sent[q], true
}

// arrives tells whether a letter is the one that stays: the last to come, and of two that come together the last sent.
func (b *box) arrives(l letter) bool {
	b.came++
	if l.comes > b.comes || l.comes == b.comes && l.sent >= b.sent {
		b.letter = l
		return true
	}
	return false
}

// receive takes the letters that have come by now.
func (e *RoundRun) receive(b *box, cell int, now float64) {
	e.sift(b, cell, func(k int, l letter) bool {
		if l.comes > now {
			return true
		}
		if b.arrives(l) {
			e.tape.TakeLate(cell, k)
		}
		return false
	})
}

// overtake drops letters that a later one, which comes at the given time, overtakes.
func (e *RoundRun) overtake(b *box, cell int, comes float64) {
	e.sift(b, cell, func(_ int, l letter) bool { return l.comes < comes })
}

// sift keeps those that are still on their way, as told.
func (e *RoundRun) sift(b *box, cell int, stays func(k int, l letter) bool) {
	if len(b.late) == 0 {
		return
	}
	kept := 0
	for k, l := range b.late {
		if !stays(k, l) {
			continue
		}
		if kept < k {
			b.late[kept] = l
			e.tape.MoveLate(cell, k, kept)
		}
		kept++
	}
	b.late = b.late[:kept]
	e.tape.TrimLate(cell, kept)
}

// send puts what the node at position p says, or has made, on its links.
func (e *RoundRun) send(p int, made bool, at float64) {
	f := &e.faults
	if e.air != nil {
		e.air.net.Spoke(p, e.air.now)
	}
	if f.sent == nil {
		return
	}
	f.sent[p] = at
	if e.boxes == nil {
		return
	}
	for s, end := e.rows.Span(p); s < end; s++ {
		q := e.rows.End(p, s)
		if e.cut(p, q) {
			continue
		}
		cell := int(f.back[s])
		b, comes := &e.boxes[cell], at
		if len(f.links) == 0 {
			e.receive(b, cell, at)
			b.letter = letter{at, at}
			b.came++
			e.tape.Mail(cell, p, made)
		} else {
			comes = e.carry(b, cell, p, q, made, letter{at, at})
		}
		if e.carried != nil && comes >= 0 {
			e.carried[s] = comes
		}
		if e.aligned != nil {
			e.aligned.way[s] = comes - at
		}
	}
}

// hears tells whether the neighbour at a slot has heard the node lately, as the two-way rule asks.
func (e *RoundRun) hears(s int, now float64) bool {
	return e.carried == nil || e.carried[s] >= 0 && now-e.carried[s] < e.faults.life()
}

// carry lets the active link faults decide when and how often a letter comes; it gives the time, negative for never.
func (e *RoundRun) carry(b *box, cell, p, q int, made bool, l letter) float64 {
	fate := e.fate(p, q, l.sent)
	if fate.Lost {
		return -1
	}
	l.comes += fate.Late
	if fate.InOrder {
		e.overtake(b, cell, l.comes)
	}
	e.deliver(b, cell, p, made, l)
	first := l.comes
	if fate.Again > 0 {
		l.comes += fate.Again
		e.deliver(b, cell, p, made, l)
	}
	return first
}

// fate is that of a message which the node at position p sends to that at position q.
func (e *RoundRun) fate(p, q int, sent float64) (fate fault.Fate) {
	for k := range e.faults.links {
		a := &e.faults.links[k]
		if e.air != nil && !e.concerns(&e.cfg.Faults[a.fault], sent) || !a.Have(p, q) {
			continue
		}
		a.Meet(&fate, e.faults.fate.At(uint64(a.fault)).At(uint64(e.node(p))).At(uint64(e.node(q))).At(
			math.Float64bits(sent)))
	}
	return fate
}

func (e *RoundRun) deliver(b *box, cell, p int, made bool, l letter) {
	e.receive(b, cell, l.sent)
	switch {
	case l.comes > l.sent:
		b.late = append(b.late, l)
		e.tape.MailLate(cell, p, made)
	case b.arrives(l):
		e.tape.Mail(cell, p, made)
	}
}

// postAll is the second half of a synchronous round with faults: what was computed
// in it is sent at its end.
func (e *RoundRun) postAll(a, b int) {
	for p := a; p < b; p++ {
		if e.status[p] == running {
			e.send(p, true, float64(e.periods+1))
		}
	}
}

// openBoxes begins to keep a message for each end of every edge.
func (e *RoundRun) openBoxes() {
	if e.air != nil {
		e.openHeld()
		return
	}
	if e.boxes != nil {
		return
	}
	e.boxes = make([]box, e.rows.Slots())
	e.tape.Open(e.rows.Slots())
	e.faults.open, e.faults.back = true, e.backSlots()
	if e.cfg.TwoWay {
		e.carried = make([]float64, e.rows.Slots())
	}
	for s, q := range e.rows.All {
		e.recall(s, int(q))
	}
}

// closeBoxes ends what openBoxes began, once no fault of links is on and every box has what its sender has last said,
// since when that was said. Then receivers may as well read what senders say, and rest.
func (e *RoundRun) closeBoxes() {
	f := &e.faults
	if !e.rest.on || !f.open || f.mute || len(f.links) > 0 || e.cfg.TwoWay {
		return
	}
	for s, q := range e.rows.All {
		if b := &e.boxes[s]; len(b.late) > 0 || b.missed > 0 || b.sent != f.sent[q] || b.comes != f.sent[q] {
			return
		}
	}
	e.unsure, e.rest.flows = true, false // and the next round is whole: in the last, other things may have been read
	if f.mute = e.traffic != nil; !f.mute {
		f.open, e.boxes = false, nil
	}
}

// forget empties an end of an edge.
func (e *RoundRun) forget(s int) {
	e.boxes[s] = box{letter: noLetter}
	e.tape.Clear(s)
}

// recall puts what the node at position q has last sent at an end of an edge.
func (e *RoundRun) recall(s, q int) {
	sent := e.faults.sent[q]
	e.boxes[s].letter = letter{sent, sent}
	e.tape.Mail(s, q, false)
	if e.carried != nil {
		e.carried[e.faults.back[s]] = sent
	}
}

// hear puts what the node at position q says at an end of an edge, and nothing else.
func (e *RoundRun) hear(s, q int, now float64) {
	e.tape.Clear(s)
	e.boxes[s] = box{letter: letter{now, now}}
	e.tape.Mail(s, q, false)
}

// standStill makes what has come no older for a step that others take.
func (e *RoundRun) standStill() {
	for s := range e.boxes {
		if b := &e.boxes[s]; b.comes >= 0 {
			b.comes++
		}
	}
}

// overwritten says that a node was given other values, which its neighbours have at once.
func (e *RoundRun) overwritten(p int, now float64) {
	f := &e.faults
	if e.air != nil && e.status[p] == waiting { // it has not been heard so far
		e.air.net.Spoke(p, e.air.now)
	}
	e.status[p] = running
	if f.sent == nil {
		return
	}
	f.sent[p] = now
	if e.boxes == nil {
		return
	}
	for s, end := e.rows.Span(p); s < end; s++ {
		if cell := int(f.back[s]); !e.cut(p, e.rows.End(p, s)) {
			e.boxes[cell].letter = letter{now, now}
			e.tape.Mail(cell, p, false)
		}
	}
}

// backSlots gives for every slot the one of the same edge at its other end. Rows are in
// the caller's order, so a walk in that order meets the entries of every row in turn.
func (e *RoundRun) backSlots() []int32 {
	back := make([]int32, e.rows.Slots())
	next := make([]int, e.n)
	for p := range next {
		next[p], _ = e.rows.Span(p)
	}
	for node := range e.n {
		p := e.index(node)
		for s, end := e.rows.Span(p); s < end; s++ {
			q := e.rows.End(p, s)
			back[s] = int32(next[q])
			next[q]++
		}
	}
	return back
}
