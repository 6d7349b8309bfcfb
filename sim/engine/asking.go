package engine

import (
	prio "container/heap"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/pacing"
	"caucus.example/caucus/sim"
)

// asking is what agents do while messages get lost: news of the leader that does not come when it is due is asked for
// at those neighbours that brought it last, and each that hears that answers at once with what it says now.
type asking struct {
	due     []float64 // by node: when it asks; 0: never
	asked   []uint8   // by node: times, in this silence
	brought []float64 // by slot: when news came over it last
}

// again is whom a node has said to support, and when it says so once more.
type again struct {
	leader caucus.ID
	left   int     // times
	at     float64 // 0: not any more
}

// Slots of moments at which a node asks, or repeats what it has said.
const asks, repeats = -2, -3

func (e *RoundRun) startAsking() asking {
	return asking{make([]float64, e.n), make([]uint8, e.n), make([]float64, e.rows.Slots())}
}

// expectNews is for news that has come to the node at position p.
func (e *RoundRun) expectNews(p, slot int, now float64) {
	if e.boxes == nil { // nothing gets lost
		return
	}
	k := &e.aligned.asking
	k.brought[slot], k.asked[p] = now, 0
	e.askAt(p, now+1+1.0/pacing.AskAfter)
}

func (e *RoundRun) askAt(p int, at float64) {
	e.aligned.asking.due[p] = at
	prio.Push(&e.aligned.agenda, moment{at: at, p: int32(p), slot: asks})
}

// ask has the node at position p ask.
func (e *RoundRun) ask(p int, now float64) {
	const recent = 4 + pacing.AskMost/pacing.AskThen
	k := &e.aligned.asking
	leader := e.leader(p)
	if e.status[p] != running || leader == e.id(e.node(p)) || leader == caucus.None || k.asked[p] >= pacing.AskMost {
		return
	}
	for s, end := e.rows.Span(p); s < end; s++ {
		q := e.rows.End(p, s)
		source, heard := e.heard(p, s, now)
		if heard && k.brought[s] > 0 && now-k.brought[s] < recent && e.loss(q, p) > 0 &&
			(e.id(e.node(q)) == leader || e.backs(source, q).id == leader) && !e.news(p, s, now) {
			e.outOfTurn(p, s, now, true)
		}
	}
	k.asked[p]++
	e.askAt(p, now+pacing.AskAgain(int(k.asked[p])))
}

// reply answers the question that has come to an end of an edge of the node at position p.
func (e *RoundRun) reply(p, s int, now float64) { e.outOfTurn(p, s, now, false) }

// outOfTurn has the node at position p tell over one of its slots what it says now, and ask for the same if told.
func (e *RoundRun) outOfTurn(p, s int, now float64, asks bool) {
	q, cell := e.rows.End(p, s), int(e.faults.back[s])
	if e.cut(p, q) {
		return
	}
	e.hands[0].messages++
	comes := e.carry(&e.boxes[cell], cell, p, q, true, letter{now, now})
	if comes < 0 {
		return
	}
	if e.carried != nil {
		e.carried[s] = comes
	}
	prio.Push(&e.aligned.agenda, moment{at: comes, p: int32(q), slot: int32(cell), asks: asks})
}

// tellAgain says when what the node at position p says now is said again.
func (e *RoundRun) tellAgain(p int, now float64) {
	if e.boxes == nil {
		return
	}
	is := again{leader: e.leader(p), left: e.aligned.again[p].left - 1}
	if is.leader != e.aligned.again[p].leader {
		is.left = pacing.Again
	}
	if is.left = max(0, is.left); is.left > 0 && e.lossy(p) {
		is.at = now + 1.0/pacing.AskAfter
		prio.Push(&e.aligned.agenda, moment{at: is.at, p: int32(p), slot: repeats})
	}
	e.aligned.again[p] = is
}

// lossy tells whether a link to the node at position p loses something.
func (e *RoundRun) lossy(p int) bool {
	for s, end := e.rows.Span(p); s < end; s++ {
		if e.loss(e.rows.End(p, s), p) > 0 {
			return true
		}
	}
	return false
}

// repeat has the node at position p say again what it says.
func (e *RoundRun) repeat(p int, now float64) {
	if e.status[p] != running {
		return
	}
	for s, end := e.rows.Span(p); s < end; s++ {
		e.outOfTurn(p, s, now, false)
	}
	e.tellAgain(p, now)
}

// follows tells whether rounds follow the news that comes to the node at position p from that at position q.
func (e *RoundRun) follows(p, q int) bool {
	lost := e.loss(q, p)
	return pacing.Follows(lost, (1-lost)*(1-e.loss(p, q)))
}

// loss is that of a link in one direction.
func (e *RoundRun) loss(from, to int) (most float64) {
	for k := range e.faults.links {
		l := &e.faults.links[k]
		if e.cfg.Faults[l.fault].Kind == sim.Loss && l.Have(from, to) {
			most = max(most, l.Rate)
		}
	}
	return most
}
