package engine

import (
	prio "container/heap"
	"math"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/pacing"
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
	a := &aligned{due: make([]float64, e.n), last: make([]float64, e.n), hurried: make([]uint8, e.n),
		way: make([]float64, e.rows.Slots()), backed: make([]instance, e.rows.Slots()), asking: e.startAsking(),
		again: make([]again, e.n)}
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
		case m.slot == asks:
			if m.at == a.asking.due[p] {
				e.ask(p, m.at)
			}
		case m.slot == repeats:
			if m.at == a.again[p].at {
				e.repeat(p, m.at)
			}
		case m.at == a.due[p]:
			e.tick(p, m.at)
		}
	}
	e.applyFaults(math.Nextafter(now+1, 0))
	return true
}

// tick runs the round that is due at the node at position p. After one that has taken up another leader the next
// waits for that leader's beat.
func (e *RoundRun) tick(p int, now float64) {
	before, next := e.leader(p), now+1
	e.roundAt(p, now)
	if e.leader(p) != before && e.outcome(&e.hands[0].local, p).Role != caucus.Leader {
		next += 1.0 / pacing.Grace
	}
	e.aligned.put(p, next)
}

// roundAt runs a round of the node at position p, and has its neighbours look at what it says.
func (e *RoundRun) roundAt(p int, now float64) {
	a, ran := e.aligned, e.ran[p]
	e.visit(&e.hands[0], p, now)
	if e.ran[p] == ran { // it does not run
		return
	}
	a.last[p], a.hurried[p] = now, 0
	e.announce(p, now)
	e.tellAgain(p, now)
}

func (e *RoundRun) leader(p int) caucus.ID { return e.outcome(&e.hands[0].local, p).Leader }

// announce has the neighbours look at what the node at position p says, when it has come.
func (e *RoundRun) announce(p int, at float64) {
	if !e.tape.Prompt() {
		return
	}
	for s, end := e.rows.Span(p); s < end; s++ {
		way := 0.0
		if e.boxes != nil {
			way = e.aligned.way[s]
		}
		if way >= 0 {
			prio.Push(&e.aligned.agenda, moment{at: at + way, p: int32(e.rows.End(p, s)), slot: e.faults.back[s]})
		}
	}
}

// look follows what has come to the end of an edge.
func (e *RoundRun) look(m moment) {
	a, p := e.aligned, int(m.p)
	if e.status[p] != running || a.last[p] < 0 {
		return
	}
	another := e.another(p, int(m.slot), m.at)
	if m.asks {
		e.reply(p, int(m.slot), m.at)
	}
	if e.news(p, int(m.slot), m.at) {
		e.expectNews(p, int(m.slot), m.at)
		if e.follows(p, e.rows.End(p, int(m.slot))) {
			if m.at-a.last[p] >= 1.0/pacing.Apart {
				e.roundAt(p, m.at)
				a.put(p, m.at+(1+1.0/pacing.Grace))
			} else {
				a.put(p, a.last[p]+1.0/pacing.Apart)
			}
		}
	}
	if !another || !e.attempt(&e.hands[0], p, m.at) {
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
		e.announce(p, m.at+float64(e.rows.Degree(p))/pacing.TellPart)
		e.tellAgain(p, m.at)
	}
}

// another tells whether the neighbour at an end of an edge supports another leader than in its message before.
func (e *RoundRun) another(p, s int, now float64) bool {
	source, ok := e.heard(p, s, now)
	if !ok {
		return false
	}
	is, was := e.backs(source, e.rows.End(p, s)), &e.aligned.backed[s]
	changed := is != *was
	*was = is
	return changed && e.hears(s, now)
}

// backs is whom a message of the node at position q supports.
func (e *RoundRun) backs(source int32, q int) instance {
	if leader, nonce, tells := e.tape.Backs(source); tells {
		return instance{leader, nonce}
	}
	return instance{e.leader(q), 0}
}

// news tells whether what is at an end of an edge brings news to the node at position p.
func (e *RoundRun) news(p, s int, now float64) bool {
	source, ok := e.heard(p, s, now)
	return ok && e.hears(s, now) && e.tape.News(p, source)
}

// believe keeps of what the node at position p has gathered what its leader's own word does not contradict.
func (e *RoundRun) believe(h *hand, p, n int, now float64) (kept int) {
	former, life, over := caucus.None, uint64(0), false // most messages support the same
	for k := range n {
		leader, nonce, tells := e.tape.Backs(h.from[k])
		if tells && (leader != former || nonce != life) {
			former, life, over = leader, nonce, e.deposed(p, leader, uint32(nonce), now)
		}
		if !tells || !over {
			h.from[kept], h.dist[kept], h.missed[kept] = h.from[k], h.dist[k], h.missed[k]
			kept++
		}
	}
	return kept
}

// deposed tells whether the word of a neighbour of the node at position p ends its own leadership.
func (e *RoundRun) deposed(p int, leader caucus.ID, nonce uint32, now float64) bool {
	for s, end := e.rows.Span(p); s < end; s++ {
		q := e.rows.End(p, s)
		if e.id(e.node(q)) != leader {
			continue
		}
		if source, ok := e.heard(p, int(s), now); ok {
			backs, _, _ := e.tape.Backs(source)
			hears := e.hears(int(s), now)
			word := pacing.Word{Who: leader, Nonce: uint32(e.nonce(q)), Backs: backs, Counts: hears,
				Deaf: !hears && e.deaf(q, now)}
			return word.Ends(leader, nonce)
		}
	}
	return false
}

// heard is the source of what the node at position p has of the neighbour at an end of an edge.
func (e *RoundRun) heard(p, s int, now float64) (source int32, ok bool) {
	q := e.rows.End(p, s)
	if e.status[q] == absent || e.cut(p, q) {
		return 0, false
	}
	var b *box
	if e.boxes != nil {
		b = &e.boxes[s]
	}
	source, _, ok = e.lastMessage(b, s, q, now)
	return source, ok
}

// deaf tells whether the node at position p hears nobody.
func (e *RoundRun) deaf(p int, now float64) bool {
	for s, end := e.rows.Span(p); s < end; s++ {
		if _, ok := e.heard(p, int(s), now); ok {
			return false
		}
	}
	return true
}

// attempt is an early round, which is taken back unless it changes whom the node supports.
func (e *RoundRun) attempt(h *hand, p int, now float64) bool {
	l, before := &h.local, e.leader(p)
	e.tape.Save(h.number, p)
	n, links := e.gather(h, p, now)
	e.fill(l, p, e.begin(p), now)
	l.Degree, l.Early = n, true
	e.round(h, p)
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
