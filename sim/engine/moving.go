package engine

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"caucus.example/caucus"
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
	e.air = &air{net: net, begin: e.cfg.Moving.Begin, away: make([]bool, e.n)}
	e.ran, e.lives = make([]uint32, e.n), make([]uint32, e.n)
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
	e.air.now = e.air.begin + float64(now*e.cfg.Period.Seconds())
	e.air.net.Advance(e.air.now)
}

// sweepMoving runs one synchronous round: all read, then all speak.
func (e *RoundRun) sweepMoving(now float64) {
	for p := range e.n {
		e.visit(&e.hands[0], p, now)
	}
	e.advance(now + 1)
	e.postAll(0, e.n)
}

// fly is visit on a network that moves.
func (e *RoundRun) fly(h *hand, p int, now float64) {
	a := e.air
	e.advance(now)
	e.appear(p, now)
	switch e.status[p] {
	case waiting:
		e.boot(h, p, now)
	case crashed, absent:
		e.tape.Stay(p)
		return
	}
	a.row, h.dist = a.net.Neighbours(p, a.now, a.row[:0], h.dist[:0])
	n, missed := e.catch(h, p, now)
	e.fill(&h.local, p, e.begin(p), now)
	h.local.Degree = n
	e.round(h, p, h.dist[:n], missed)
	e.spoken(h, p, len(a.row), now)
}

// appear lets the node at position p join or leave as the network says.
func (e *RoundRun) appear(p int, now float64) {
	here := e.air.net.Present(p)
	if here != e.air.away[p] {
		return
	}
	e.air.away[p] = !here
	switch {
	case here && e.status[p] == absent:
		e.rise(p, now)
	case !here && e.status[p] != crashed:
		e.status[p] = absent
	}
}

// catch reads what the nodes in the row last said.
func (e *RoundRun) catch(h *hand, p int, now float64) (n int, missed []uint8) {
	row := e.air.row
	h.from, h.missed = slices.Grow(h.from[:0], len(row)), slices.Grow(h.missed[:0], len(row))
	for k, d := range h.dist {
		if d < minMovingLength {
			h.dist[k] = minMovingLength
		}
	}
	if e.cfg.Moving.Hops {
		for k := range h.dist {
			h.dist[k] = 1
		}
	}
	if e.faults.sent == nil {
		e.tape.Gather(h.number, row)
		return len(row), nil
	}
	if e.held != nil {
		e.takeIn(p)
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
	e.tape.Gather(h.number, h.from)
	if e.traffic != nil {
		e.traffic.send(p, len(row))
	}
	return len(h.from), h.missed
}

// openHeld begins to keep for each node what it has of those that it hears.
func (e *RoundRun) openHeld() {
	a, f := e.air, &e.faults
	if e.held != nil {
		return
	}
	e.held = make([][]held, e.n)
	for p := range e.n {
		a.row, e.hands[0].dist = mobility.Underlying(a.net).Neighbours(p, a.now, a.row[:0], e.hands[0].dist[:0])
		for _, q := range a.row {
			h := e.hold(q)
			h.heard, h.box.letter = f.sent[q], letter{f.sent[q], f.sent[q]}
			e.tape.Mail(int(h.cell), int(q), false)
			e.held[p] = append(e.held[p], h)
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
func (e *RoundRun) takeIn(p int) {
	old, list := e.held[p], e.spare[:0]
	for _, q := range e.air.row {
		k := slices.IndexFunc(old, func(h held) bool { return h.from == q })
		if k < 0 || e.cut(p, int(q)) {
			list = append(list, e.hold(q))
		} else {
			list = append(list, old[k])
			old[k].from = -1
		}
		if h := &list[len(list)-1]; e.faults.sent[q] > h.heard && !e.cut(p, int(q)) {
			h.heard = e.faults.sent[q]
			e.carry(&h.box, int(h.cell), int(q), p, false, letter{h.heard, h.heard})
		}
	}
	for k := range old {
		if old[k].from >= 0 {
			e.tape.Clear(int(old[k].cell))
			e.cells.Release(old[k].cell)
		}
	}
	e.held[p], e.spare = list, old
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
