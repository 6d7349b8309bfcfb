package engine

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/network"
	"caucus.example/caucus/network/mobility"
	"caucus.example/caucus/sim"
)

// minMovingLength is what an edge of a moving network measures at least: two nodes may be at
// the same place, and no algorithm that adds lengths up survives zeros.
const minMovingLength = 1e-6

// takeOff makes the network of a run that has one that moves.
func (e *RoundRun) takeOff() error {
	if e.cfg.Moving == nil {
		return nil
	}
	net, err := e.cfg.Moving.New()
	if err != nil {
		return err
	}
	if net.Len() != e.n {
		return caucus.Wrong("nodes", strconv.Itoa(e.n), fmt.Sprintf("%d, as many as move", net.Len()))
	}
	e.air = &air{net: net, begin: e.cfg.Moving.Begin, period: e.cfg.Period.Seconds(),
		hops: e.cfg.Moving.Hops, away: make([]bool, e.n)}
	e.ran, e.lives = make([]uint32, e.n), make([]uint32, e.n)
	nonces := make([]uint64, e.n)
	for p := range nonces {
		nonces[p] = e.nonce(p)
	}
	e.air.nonces = nonces
	e.air.lender, _ = net.(mobility.Lender)
	e.advance(0)
	for p := range e.n {
		if !net.Present(p) {
			e.air.away[p], e.status[p] = true, absent
		}
	}
	return nil
}

// advance moves the network to a time of the run.
func (e *RoundRun) advance(now float64) {
	e.air.now = e.air.begin + float64(now*e.air.period)
	e.air.net.Advance(e.air.now)
}

// sweepMoving runs one synchronous round: all read, then all speak. Workers share the reading unless somebody joins or
// leaves, which those who read later notice, or links are out of order.
func (e *RoundRun) sweepMoving(now float64) {
	e.air.tick = int64(e.periods)
	e.advance(now)
	if e.cfg.Workers > 1 && e.held == nil && mobility.Underlying(e.air.net) == e.air.net && !e.comings() {
		e.crew.run(e.flyJob)
	} else {
		e.flyAll(&e.hands[0], 0, e.n)
	}
	e.advance(now + 1)
	e.postAll(0, e.n)
}

// comings tells whether a node is to join or leave now.
func (e *RoundRun) comings() bool {
	for p, away := range e.air.away {
		if e.air.net.Present(p) == away || e.status[p] == waiting {
			return true
		}
	}
	return false
}

func (e *RoundRun) flyAll(h *hand, a, b int) {
	for p := a; p < b; p++ {
		e.fly(h, p, float64(e.periods))
	}
}

// fly is visit on a network that moves.
func (e *RoundRun) fly(h *hand, p int, now float64) {
	if e.cfg.Timing != sim.Synchronous {
		e.advance(now)
		e.air.tick++
	}
	e.appear(p, now)
	switch e.status[p] {
	case waiting:
		e.boot(h, p, now)
		e.turnedUp(p, e.air.tick)
	case crashed, absent:
		e.stay(p)
		return
	}
	f := &h.flown
	f.p, f.now, f.tick = p, now, e.air.tick
	e.catch(h, f)
	e.flyOn(h, f)
	if e.cfg.Timing != sim.Synchronous {
		e.send(p, true, now)
	}
}

// flyOn runs the round of a node, unless that is spared.
func (e *RoundRun) flyOn(h *hand, f *flown) {
	round := e.begin(f.p)
	if e.air.on && e.stands(f.p, f.from, f.dist) {
		e.tape.Again(h.number, f.p)
	} else {
		e.tape.Gather(h.number, f.from, f.dist, f.missed)
		e.fill(&h.local, f.p, round, f.now)
		h.local.Degree = len(f.from)
		e.run(h, f)
	}
	h.messages += int64(f.links)
	if e.cfg.SizeOf != nil {
		h.bytes += int64(f.links) * int64(e.air.size(e, f.p))
	}
}

// run runs a node on what its worker has gathered.
func (e *RoundRun) run(h *hand, f *flown) {
	s, same, p := &e.air.standing, columns.Unasked, f.p
	if !s.on {
		e.tape.Round(&h.local, h.number, p, same)
		return
	}
	h.ran++
	if e.keep(p, f.from, f.dist) {
		same = columns.Grown
	}
	if s.ran[p] = f.tick; !e.tape.Round(&h.local, h.number, p, same) {
		s.turn(p, f.tick)
		if !e.looksAs(h, p) {
			e.rest.changed.add(p)
		}
	}
	if s.sizes != nil {
		s.sizes[p] = int32(e.cfg.SizeOf(e.tape.Made(p)))
	}
}

// size is that of what the node at position p has made.
func (s *standing) size(e *RoundRun, p int) int32 {
	if s.sizes != nil {
		return s.sizes[p]
	}
	return int32(e.cfg.SizeOf(e.tape.Made(p)))
}

// appear lets the node at position p join or leave as the network says.
func (e *RoundRun) appear(p int, now float64) {
	here := e.air.net.Present(p)
	if here != e.air.away[p] {
		return
	}
	e.air.away[p] = !here
	e.turnedUp(p, e.air.tick)
	switch {
	case here && e.status[p] == absent:
		e.rise(p, now)
	case !here && e.status[p] != crashed:
		e.status[p] = absent
	}
}

// catch finds what a node can read of whom it hears, and counts these.
func (e *RoundRun) catch(h *hand, f *flown) {
	if e.air.lender != nil && e.faults.sent == nil {
		e.borrow(f)
		return
	}
	h.from, h.dist = e.air.net.Neighbours(f.p, e.air.now, h.from[:0], h.dist[:0])
	e.air.measure(h.dist)
	if e.faults.sent != nil {
		e.hearOut(h, f)
		return
	}
	f.caught, f.links = caught{h.from, h.dist, nil}, len(h.from)
}

// hearOut is catch where something may be out of order, of whom the node hears.
func (e *RoundRun) hearOut(h *hand, f *flown) {
	p, now := f.p, f.now
	row := append(h.row[:0], h.from...)
	h.row, h.from, h.missed = row, h.from[:0], h.missed[:0]
	if e.held != nil {
		e.takeIn(p, row)
	}
	for k, q := range row {
		if e.status[q] == absent || e.cut(p, int(q)) {
			continue
		}
		var b *box
		cell := 0
		if e.held != nil {
			b, cell = &e.held[p][k].box, int(e.held[p][k].cell)
		}
		if from, lay, ok := e.lastMessage(b, cell, int(q), now); ok {
			h.dist[len(h.from)] = h.dist[k]
			h.from, h.missed = append(h.from, from), append(h.missed, caucus.Missed(lay))
		}
		if e.traffic != nil {
			e.traffic.receive(p, &b.came)
		}
	}
	if e.traffic != nil {
		e.traffic.send(p, len(row))
	}
	f.caught, f.links = caught{h.from, h.dist[:len(h.from)], h.missed}, len(row)
}

// borrow is catch where nothing is out of order, on a network that has the rows at hand.
func (e *RoundRun) borrow(f *flown) {
	var first bool
	if f.from, f.dist, first = e.air.lender.Lend(f.p, e.air.now); first {
		e.air.measure(f.dist)
	}
	f.missed, f.links = nil, len(f.from)
}

// measure makes lengths of edges of distances.
func (a *air) measure(dist []float64) {
	if a.hops {
		for k := range dist {
			dist[k] = 1
		}
		return
	}
	for k, d := range dist {
		if d < minMovingLength {
			dist[k] = minMovingLength
		}
	}
}

// openHeld begins to keep for each node what it has of those that it hears.
func (e *RoundRun) openHeld() {
	a, f, h := e.air, &e.faults, &e.hands[0]
	if e.held != nil {
		return
	}
	e.held = make([][]held, e.n)
	for p := range e.n {
		h.row, h.dist = mobility.Underlying(a.net).Neighbours(p, a.now, h.row[:0], h.dist[:0])
		for _, q := range h.row {
			has := e.hold(q)
			has.heard, has.box.letter = f.sent[q], letter{f.sent[q], f.sent[q]}
			e.tape.Mail(int(has.cell), int(q), false)
			e.held[p] = append(e.held[p], has)
		}
	}
}

// hold is a cell for what comes of the node at position q, of which nothing has come.
func (e *RoundRun) hold(q int32) held {
	cell := e.cells.Take()
	e.tape.Open(int(cell) + 1)
	return held{q, cell, -1, box{letter: noLetter}}
}

// concerns reports whether a fault of links was on when a message was sent. On a network that moves
// messages meet their fate when they are taken in.
func (e *RoundRun) concerns(f *sim.Fault, sent float64) bool {
	if e.cfg.Timing == sim.Synchronous {
		sent-- // sent at the end of the round that began then
	}
	return f.At <= sent && (f.Until == 0 || sent < f.Until)
}

// takeIn brings what the node at position p holds up to date with the row of those it hears: who is out
// of reach is forgotten, and what was sent meanwhile meets its fate on the link. As a node
// sends about once between two rounds of another, it is enough to look at its last message.
func (e *RoundRun) takeIn(p int, row []int32) {
	old, list, next := e.held[p], e.spare[:0], 0
	for _, q := range row {
		k := find(old, q, next)
		if k < 0 || e.cut(p, int(q)) {
			list = append(list, e.hold(q))
		} else {
			list = append(list, old[k])
			old[k].from, next = -1, k+1
		}
		e.takeLast(p, &list[len(list)-1])
	}
	for k := range old {
		if old[k].from >= 0 {
			e.tape.Clear(int(old[k].cell))
			e.cells.Release(old[k].cell)
		}
	}
	e.held[p], e.spare = list, old
}

// find is the place of what a node holds of another, -1 if it holds nothing: mostly the next, as the row of before had
// much the same order.
func find(list []held, from int32, next int) int {
	for k := range list {
		if k += next; k >= len(list) {
			k -= len(list)
		}
		if list[k].from == from {
			return k
		}
	}
	return -1
}

// takeLast lets the last message of one that the node at position p hears meet its fate, unless it has.
func (e *RoundRun) takeLast(p int, h *held) {
	if sent := e.faults.sent[h.from]; sent > h.heard && !e.cut(p, int(h.from)) {
		h.heard = sent
		e.carry(&h.box, int(h.cell), int(h.from), p, false, letter{sent, sent})
	}
}

// eachHeld calls for all that nodes have of others.
func (e *RoundRun) eachHeld(do func(p int, h *held)) {
	for p, list := range e.held {
		for k := range list {
			do(p, &list[k])
		}
	}
}

// overhear gives those who hear the nodes of a fault (nil: all) what these have been made to say.
func (e *RoundRun) overhear(of []bool, now float64) {
	e.eachHeld(func(p int, h *held) {
		if q := int(h.from); (of == nil || of[q]) && e.status[q] == running && !e.cut(p, q) {
			h.heard, h.box.letter = now, letter{now, now}
			e.tape.Mail(int(h.cell), q, false)
		}
	})
}

// unhear empties what a node has of another.
func (e *RoundRun) unhear(h *held) {
	h.heard, h.box = -1, box{letter: noLetter}
	e.tape.Clear(int(h.cell))
}

// hearAgain gives a node what another has last said, which was cut off.
func (e *RoundRun) hearAgain(h *held) {
	h.heard = e.faults.sent[h.from]
	h.box.letter = letter{h.heard, h.heard}
	e.tape.Mail(int(h.cell), int(h.from), false)
}

// stay is a round of a node that does not run: what is sent to it comes all the same.
func (e *RoundRun) stay(p int) {
	e.tape.Stay(p)
	if e.held == nil {
		return
	}
	h := &e.hands[0]
	h.row, h.dist = e.air.net.Neighbours(p, e.air.now, h.row[:0], h.dist[:0])
	e.takeIn(p, h.row)
	for k := range e.held[p] {
		e.held[p][k].box.came = 0
	}
}

// lengths gives the least and the greatest edge length of the moment; ones if there is no edge.
func (a *air) lengths() (least, most float64) {
	var row []int32
	var dist []float64
	net := mobility.Underlying(a.net)
	for p := range net.Len() {
		row, dist = net.Neighbours(p, a.now, row[:0], dist)
	}
	if len(dist) == 0 {
		return 1, 1
	}
	return max(slices.Min(dist), minMovingLength), max(slices.Max(dist), minMovingLength)
}

// surroundings is the network after the periods done. That of one that moves has an edge between any two of which
// one hears the other.
func (e *RoundRun) surroundings() *network.Graph {
	if e.air == nil {
		return e.cfg.Graph
	}
	var edges []network.Edge
	var row []int32
	net := mobility.Underlying(e.air.net)
	for p := range e.n {
		row, _ = net.Neighbours(p, e.air.now, row[:0], nil)
		for _, q := range row {
			edges = append(edges, network.Edge{A: int32(p), B: q, W: math.NaN()})
		}
	}
	g, _, err := network.Build(e.n, edges)
	if err != nil {
		panic("sim: " + err.Error()) // the indices are a Net's own
	}
	g.Names = e.cfg.Graph.Names
	if located, ok := net.(mobility.Located); ok {
		g.X, g.Y = make([]float64, e.n), make([]float64, e.n)
		for p := range e.n {
			g.X[p], g.Y[p] = located.Position(p)
		}
	}
	return g
}
