package study

import (
	"context"
	"fmt"

	"caucus.example/caucus"
	"caucus.example/caucus/sim"
)

// subject is an algorithm under test whose state is its message.
type subject[S comparable] struct {
	algo    caucus.Rounds[S, S]
	spec    *caucus.Spec
	variant moVariant
	lead    func(*S) *caucus.ID
	rest    func(S) S // the state without what changes for ever
	calm    int       // rounds without a change of that after which none comes any more
	span    func(*S) (dist, reach uint32)
}

// election is one election under way.
type election[S comparable] struct {
	*subject[S]
	net    *moNetwork
	engine *sim.Rounds[S, S]
	gone   int // node that has left, -1 for none
	target int // node that all will follow
	states []S

	out     MoElection
	settled []int // by node: rounds after which it follows the target for good
	since   int   // rounds at the last change of a state
	rounds  int
}

// maxMoRounds is many times what any variant needs on 500 nodes.
const maxMoRounds = 20_000

// elections runs the three experiments.
func elections[S comparable](ctx context.Context, w *moNetwork, m Mo, s *subject[S]) (MoRun, error) {
	var out MoRun
	clean, err := s.start(w, w.best, -1)
	if err != nil {
		return out, err
	}
	defer clean.engine.Close()
	if err := clean.finish(ctx, "clean start"); err != nil {
		return out, err
	}
	clean.out.Bound = clean.bound(0)
	out.Clean = clean.out

	fake, err := s.start(w, w.best, -1)
	if err != nil {
		return out, err
	}
	defer fake.engine.Close()
	for range m.FakeAt {
		fake.step()
	}
	gone := fake.fool(w.fooled)
	if err := fake.finish(ctx, "fake leader"); err != nil {
		return out, err
	}
	fake.out.Bound = fake.bound(m.FakeAt + gone)
	out.Fake = fake.out

	lost, err := s.start(w, w.node[fakeID+2], w.best)
	if err != nil {
		return out, err
	}
	defer lost.engine.Close()
	lost.inherit(clean.states)
	if err := lost.finish(ctx, "lost leader"); err != nil {
		return out, err
	}
	out.Lost = lost.out
	return out, nil
}

// start prepares an election that the target will win. A node that is gone leaves before the first round.
func (s *subject[S]) start(w *moNetwork, target, gone int) (*election[S], error) {
	cfg := sim.Config{Graph: w.graph, IDs: w.ids, Workers: 1}
	if gone >= 0 {
		cfg.Faults = []sim.Fault{{Kind: sim.Leave, Nodes: []int{gone}}}
	}
	engine, err := sim.NewRounds(s.algo, s.spec, cfg)
	if err != nil {
		return nil, err
	}
	e := &election[S]{subject: s, net: w, engine: engine, gone: gone, target: target,
		states: make([]S, len(w.ids)), settled: make([]int, len(w.ids))}
	e.look()
	return e, nil
}

// inherit starts from given states instead of clean ones.
func (e *election[S]) inherit(states []S) {
	for i, s := range states {
		e.engine.Inject(i, s, s)
	}
	e.out.Leaders, e.out.Agree = nil, nil
	e.look()
}

// fool makes nodes believe in a leader that does not exist and leaves the rest of their state as it is. It gives the
// rounds after which, by the lemma of the paper, nobody believes it any more.
func (e *election[S]) fool(nodes []int) (gone int) {
	least, most := uint32(1<<31), uint32(0)
	for _, i := range nodes {
		s := e.engine.State(i)
		*e.lead(&s) = fakeID
		e.engine.Inject(i, s, s)
		if e.span != nil {
			dist, reach := e.span(&s)
			least, most = min(least, dist), max(most, reach)
		}
	}
	e.since = e.rounds
	if e.span == nil {
		return 0
	}
	if e.variant.lessEq {
		most++
	}
	gone = 1 + int(max(most, least)-least)
	e.out.Lemmas = Lemma{begin: e.rounds, FakeLife: gone}
	return gone
}

func (e *election[S]) step() {
	e.engine.Step()
	e.rounds++
	e.look()
}

// look notes the state after a round.
func (e *election[S]) look() {
	leaders, agree := 0, 0
	for i := range e.states {
		if i == e.gone {
			continue
		}
		s := e.engine.State(i)
		if e.rest(s) != e.rest(e.states[i]) {
			e.since = e.rounds
		}
		e.states[i] = s
		lead := *e.lead(&s)
		if lead == e.net.ids[i] {
			leaders++
		}
		if lead == e.net.ids[e.target] {
			agree++
		} else {
			e.settled[i] = e.rounds + 1
		}
		if e.span != nil && e.gone < 0 {
			dist, _ := e.span(&s)
			e.out.Lemmas.look(e.net, i, lead, int(dist), e.rounds)
		}
	}
	e.out.Leaders, e.out.Agree = append(e.out.Leaders, leaders), append(e.out.Agree, agree)
}

// finish runs to rest and checks that the right node was elected.
func (e *election[S]) finish(ctx context.Context, what string) error {
	for e.rounds-e.since < e.calm {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if e.rounds == maxMoRounds {
			return fmt.Errorf("%s: not at rest after %d rounds", what, maxMoRounds)
		}
		e.step()
	}
	for i, at := range e.settled {
		if at > e.rounds && e.reachable(i) {
			return fmt.Errorf("%s: at rest, but node %d follows %d and not %d", what, i+1, *e.lead(&e.states[i]), e.net.ids[e.target])
		}
		if e.reachable(i) {
			e.out.Rounds = max(e.out.Rounds, at)
		}
	}
	e.trim()
	return nil
}

// reachable tells whether node i can hear of the target at all: the loss of a node may cut the network.
func (e *election[S]) reachable(i int) bool {
	if e.gone < 0 {
		return true
	}
	return i != e.gone && e.net.reachableWithout(e.gone, e.target)[i]
}

// trim drops what only repeats the last value.
func (e *election[S]) trim() {
	for _, list := range []*[]int{&e.out.Leaders, &e.out.Agree} {
		l := *list
		for len(l) > 1 && l[len(l)-1] == l[len(l)-2] {
			l = l[:len(l)-1]
		}
		*list = l
	}
}

// reachableWithout marks the nodes that a path joins to from when one node is gone.
func (w *moNetwork) reachableWithout(gone, from int) []bool {
	if w.whole != nil {
		return w.whole
	}
	seen := make([]bool, len(w.ids))
	seen[from] = true
	queue := []int32{int32(from)}
	for head := 0; head < len(queue); head++ {
		for _, j := range w.graph.Neighbours(int(queue[head])) {
			if !seen[j] && int(j) != gone {
				seen[j] = true
				queue = append(queue, j)
			}
		}
	}
	w.whole = seen
	return seen
}
