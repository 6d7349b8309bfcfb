package engine

import (
	"math"
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/network/mobility"
	"caucus.example/caucus/story"
)

// tell shows Config.Watch every node whose outcome has changed since the last call, or that runs no longer, in the
// order of the nodes. It returns false to end the run.
func (e *RoundRun) tell() bool {
	if e.cfg.Watch == nil {
		return true
	}
	t := &e.told
	if t.live == nil {
		t.outcomes, t.live, t.rate = make([]caucus.Outcome, e.n), make([]bool, e.n), -1
	}
	t.nodes = t.nodes[:0]
	for p := 0; p < e.n; p++ {
		if !e.rest.lost && e.rest.knows {
			if p = e.rest.changed.next(p, e.n); p == e.n {
				break
			}
		}
		t.nodes = append(t.nodes, e.node(p))
	}
	slices.Sort(t.nodes)
	e.lookedAt()
	for _, i := range t.nodes {
		if !e.tellOf(i) {
			return false
		}
	}
	return e.tellAround()
}

// tellOf is tell of a node.
func (e *RoundRun) tellOf(i int) bool {
	t, p := &e.told, e.index(i)
	var o caucus.Outcome
	live := e.status[p] == running
	if live {
		o = e.outcome(&e.hands[0].local, p)
	}
	x := story.Step{Time: float64(e.periods), What: story.Act, Node: i, Outcome: o}
	switch {
	case t.live[i] && !live:
		x.What = story.Crash
	case t.live[i] == live && t.outcomes[i] == o:
		return true
	}
	t.live[i], t.outcomes[i] = live, o
	return e.cfg.Watch(&x)
}

// tellAround tells of the messages of a round and of the places of nodes, where they are not what was to be expected.
func (e *RoundRun) tellAround() bool {
	t := &e.told
	if !e.cfg.Around {
		return true
	}
	all, _ := e.sums()
	if e.periods > 0 && all-t.sent != t.rate {
		t.rate = all - t.sent
		x := story.Step{Time: float64(e.periods), What: story.Sent, Number: uint64(t.rate)}
		if !e.cfg.Watch(&x) {
			return false
		}
	}
	t.sent = all
	if e.air == nil {
		return true
	}
	net, ok := mobility.Underlying(e.air.net).(mobility.Located)
	if !ok {
		return true
	}
	first := t.places == nil
	if first {
		t.places = make([]story.Place, e.n)
	}
	for i := range e.n {
		x, y := net.Position(e.index(i))
		was := t.places[i]
		next := story.Place{X: was.X + was.DX, Y: was.Y + was.DY, DX: was.DX, DY: was.DY}
		if !first && near(x, next.X) && near(y, next.Y) {
			t.places[i] = next
			continue
		}
		if next = (story.Place{X: x, Y: y}); !first {
			next.DX, next.DY = x-was.X, y-was.Y
		}
		t.places[i] = next
		if !e.cfg.Watch(&story.Step{Time: float64(e.periods), What: story.Move, Node: i, Place: next}) {
			return false
		}
	}
	return true
}

// near tells whether two coordinates are the same but for what rounding does to a sum of steps.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*max(1, math.Abs(a)) }
