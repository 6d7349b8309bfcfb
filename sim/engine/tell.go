package engine

import (
	"slices"

	"caucus.example/caucus"
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
		t.outcomes, t.live = make([]caucus.Outcome, e.n), make([]bool, e.n)
	}
	t.nodes = t.nodes[:0]
	for p := 0; p < e.n; p++ {
		if !e.rest.lost && e.rest.on {
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
	return true
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
