package engine

import (
	prio "container/heap"
	"math"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/pacing"
	"caucus.example/caucus/sim"
)

func (m moments) Len() int { return len(m) }
func (m moments) Less(i, j int) bool {
	a, b := &m[i], &m[j]
	switch {
	case a.at != b.at:
		return a.at < b.at
	case a.p != b.p:
		return a.p < b.p
	}
	return a.slot < b.slot
}
func (m moments) Swap(i, j int) { m[i], m[j] = m[j], m[i] }
func (m *moments) Push(x any)   { *m = append(*m, x.(moment)) }
func (m *moments) Pop() any {
	last := (*m)[len(*m)-1]
	*m = (*m)[:len(*m)-1]
	return last
}

func (e *RoundRun) startAligned() {
	a := &aligned{due: make([]float64, e.n), last: make([]float64, e.n), hurried: make([]uint8, e.n)}
	for p := range e.n {
		a.last[p] = -1
		a.put(p, e.phase(p))
	}
	if e.ran == nil {
		e.ran = make([]uint32, e.n)
	}
	if e.faults.back == nil {
		e.faults.back = e.backSlots()
	}
	e.aligned = a
}

// put says when the next round of a node is due.
func (a *aligned) put(p int, at float64) {
	a.due[p] = at
	prio.Push(&a.agenda, moment{at: at, p: int32(p), slot: -1})
}

// stepAligned runs what is due in one period in order of time; false if it was told to stop amid that.
func (e *RoundRun) stepAligned(now float64) bool {
	const between = 1 << 14 // moments between two looks at whether to stop
	a := e.aligned
	for k := 1; len(a.agenda) > 0 && a.agenda[0].at < now+1; k++ {
		if k%between == 0 && e.halt != nil && e.halt() {
			return false
		}
		m := prio.Pop(&a.agenda).(moment)
		e.applyFaults(m.at)
		switch p := int(m.p); {
		case m.slot >= 0:
			e.look(m)
		case m.at == a.due[p]:
			e.roundAt(p, m.at)
			a.put(p, m.at+1)
		}
	}
	e.applyFaults(math.Nextafter(now+1, 0))
	return true
}

// roundAt runs a round of the node at position p, and has its neighbours look at what it says.
func (e *RoundRun) roundAt(p int, now float64) {
	a, ran := e.aligned, e.ran[p]
	before := e.leader(p)
	e.visit(&e.hands[0], p, now)
	if e.ran[p] == ran { // it does not run
		return
	}
	a.last[p], a.hurried[p] = now, 0
	e.announce(p, now, e.leader(p) != before)
}

func (e *RoundRun) leader(p int) caucus.ID { return e.outcome(&e.hands[0].local, p).Leader }

// announce has the neighbours look at what the node at position p says, when it has come.
func (e *RoundRun) announce(p int, at float64, another bool) {
	if !e.tape.Prompt() {
		return
	}
	for _, l := range e.faults.links {
		if f := &e.cfg.Faults[l.fault]; f.Kind == sim.Latency {
			at += f.Value + f.Spread
		}
	}
	for s := e.off[p]; s < e.off[p+1]; s++ {
		prio.Push(&e.aligned.agenda, moment{at: at, p: e.nbr[s], slot: e.faults.back[s], another: another})
	}
}

// look follows what has come to the end of an edge.
func (e *RoundRun) look(m moment) {
	a, p := e.aligned, int(m.p)
	if e.status[p] != running || a.last[p] < 0 {
		return
	}
	if !e.lossy(int(e.nbr[m.slot]), p) && e.news(p, int(m.slot), m.at) {
		if m.at-a.last[p] >= 1.0/pacing.Apart {
			e.roundAt(p, m.at)
		}
		a.put(p, a.last[p]+(1+1.0/pacing.Grace))
	}
	if !m.another || !e.attempt(&e.hands[0], p, m.at) {
		return
	}
	a.last[p] = m.at
	next := m.at + 1
	if e.outcome(&e.hands[0].local, p).Role != caucus.Leader {
		next = m.at + (1 + 1.0/pacing.Grace)
	}
	a.put(p, next)
	if a.hurried[p] < pacing.Changes {
		a.hurried[p]++
		e.announce(p, m.at+float64(e.off[p+1]-e.off[p])/pacing.TellPart, true)
	}
}

// lossy tells whether the link from one node to another loses too much to be followed.
func (e *RoundRun) lossy(from, to int) bool {
	for k := range e.faults.links {
		l := &e.faults.links[k]
		if e.cfg.Faults[l.fault].Kind == sim.Loss && l.Rate > pacing.Loss && l.Have(from, to) {
			return true
		}
	}
	return false
}

// news tells whether what is at an end of an edge brings news to the node at position p.
func (e *RoundRun) news(p, s int, now float64) bool {
	q := int(e.nbr[s])
	if e.status[q] == absent || e.cut(p, q) {
		return false
	}
	var b *box
	if e.boxes != nil {
		b = &e.boxes[s]
	}
	source, _, ok := e.lastMessage(b, s, q, now)
	return ok && e.hears(s, now) && e.tape.News(p, source)
}

// attempt is an early round, which is taken back unless it changes whom the node supports.
func (e *RoundRun) attempt(h *hand, p int, now float64) bool {
	l, before := &h.local, e.leader(p)
	e.tape.Save(h.number, p)
	n, links := e.gather(h, p, now)
	e.fill(l, p, e.begin(p), now)
	l.Degree, l.Early = n, true
	e.round(h, p, h.dist[:n], h.missed[:n])
	l.Early = false
	if e.leader(p) == before {
		e.tape.Restore(h.number, p)
		e.ran[p]--
		if e.traffic != nil {
			e.traffic.unsend(p, links)
		}
		return false
	}
	e.spoken(h, p, links, now)
	return true
}
