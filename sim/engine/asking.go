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

// asks is the slot of a moment at which a node asks.
const asks = -2

func (e *RoundRun) startAsking() asking {
	return asking{make([]float64, e.n), make([]uint8, e.n), make([]float64, len(e.nbr))}
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
	for s := int(e.off[p]); s < int(e.off[p+1]); s++ {
		q := int(e.nbr[s])
		if k.brought[s] > 0 && now-k.brought[s] < recent && e.status[q] == running && !e.cut(p, q) &&
			e.loss(q, p) > 0 && e.leader(q) == leader && !e.news(p, s, now) {
			e.exchange(p, s, now)
		}
	}
	k.asked[p]++
	e.askAt(p, now+pacing.AskAgain(int(k.asked[p])))
}

// exchange is a question of the node at position p over one of its slots, and the answer.
func (e *RoundRun) exchange(p, s int, now float64) {
	q := int(e.nbr[s])
	e.hands[0].messages++
	question := e.fate(p, q, now)
	if question.Lost {
		return
	}
	there := now + question.Late
	if e.carried != nil {
		e.carried[s] = there
	}
	e.hands[0].messages++
	comes := e.carry(&e.boxes[s], s, q, p, true, letter{there, there})
	if comes < 0 {
		return
	}
	if e.carried != nil {
		e.carried[e.faults.back[s]] = comes
	}
	prio.Push(&e.aligned.agenda, moment{at: comes, p: int32(p), slot: int32(s)})
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
