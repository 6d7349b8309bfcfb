package study

import (
	"context"
	"fmt"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/results"
	"caucus.example/caucus/sim"
)

// subject is an algorithm under test whose state is its message.
type subject[S comparable] struct {
	algo    string
	params  map[string]string
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
	engine sim.Stepper
	gone   int // node that has left, -1 for none
	target int // node that all will follow
	states []S

	out     moElection
	settled []int // by node: rounds after which it follows the target for good
	since   int   // rounds at the last change of a state
	rounds  int
}

// maxMoRounds is many times what any variant needs on 500 nodes.
const maxMoRounds = 20_000

// elections runs the three experiments.
func elections[S comparable](ctx context.Context, w *moNetwork, m Mo, s *subject[S], out *recorder) error {
	clean, err := s.start(w, w.best, -1)
	if err != nil {
		return err
	}
	defer clean.engine.Close()
	if err := clean.finish(ctx, "clean start"); err != nil {
		return err
	}
	clean.out.bound = clean.bound(0)
	clean.out.record(out, "clean start")

	fake, err := s.deceived(ctx, w, m.FakeAt, 0)
	if err != nil {
		return err
	}
	fake.out.record(out, "fake leader")
	if k := s.variant.k; k != 1 && k <= 3 {
		for _, last := range moInsists {
			fake, err := s.deceived(ctx, w, m.FakeAt, last)
			if err != nil {
				return err
			}
			out.add(moInsisting(m.FakeAt+last)+": rounds", float64(fake.out.rounds))
		}
	}

	lost, err := s.start(w, w.node[fakeID+2], w.best)
	if err != nil {
		return err
	}
	defer lost.engine.Close()
	lost.inherit(clean.states)
	if err := lost.finish(ctx, "lost leader"); err != nil {
		return err
	}
	lost.out.record(out, "lost leader")
	return nil
}

// moInsists are rounds for which a fake leader may be planted anew: the paper does not say that once is all. They are
// tried where it has a number, for K = 2 and 3 and the waves.
var moInsists = []int{2, 4, 6}

// moInsisting names the experiment in which a fake leader is planted in every round until t.
func moInsisting(t int) string { return fmt.Sprintf("fake leader until t = %d", t) }

// deceived is an election in which nodes are fooled after so many rounds, and after each of some more.
func (s *subject[S]) deceived(ctx context.Context, w *moNetwork, at, more int) (*election[S], error) {
	e, err := s.start(w, w.best, -1)
	if err != nil {
		return nil, err
	}
	defer e.engine.Close()
	for range at {
		e.step()
	}
	gone := e.fool(w.fooled)
	for range more {
		e.step()
		gone = e.fool(w.fooled)
	}
	if err := e.finish(ctx, "fake leader"); err != nil {
		return nil, err
	}
	e.out.bound = e.bound(e.out.lemmas.begin + gone)
	return e, nil
}

// moElection is one election, until it came to rest.
type moElection struct {
	rounds int // until all agreed for good
	// After 0, 1, … rounds: the nodes that lead, and those that follow the one that will be elected. Both keep their
	// last value for ever.
	leaders, agree []int
	bound          bound // Theorem 1
	lemmas         lemma
}

// Metrics of an election, behind its name.
const (
	moFollow    = "followers of the node that wins"
	moLead      = "nodes that lead"
	moChecked   = "nodes checked by Theorem 1"
	moExceeded  = "nodes later than Theorem 1"
	moSlack     = "least slack of a node"
	moEstimates = "estimates checked"
	moBelow     = "estimates below min(d, t)"
	moFakeLast  = "rounds of the fake ID"
	moFakeLife  = "rounds of the fake ID by the lemma"
)

// record adds the rows of an election; what is not checked has none.
func (e *moElection) record(out *recorder, name string) {
	add := func(metric string, value int) { out.add(name+": "+metric, float64(value)) }
	add("rounds", e.rounds)
	if e.bound.checked > 0 {
		add(moChecked, e.bound.checked)
		add(moExceeded, e.bound.exceeded)
		add(moSlack, e.bound.slack)
		add("slack of the graph", e.bound.last)
	}
	if e.lemmas.checked > 0 {
		add(moEstimates, e.lemmas.checked)
		add(moBelow, e.lemmas.below)
	}
	if e.lemmas.fakeLife > 0 {
		add(moFakeLast, e.lemmas.fakeLast)
		add(moFakeLife, e.lemmas.fakeLife)
	}
	for k, list := range [][]int{e.agree, e.leaders} {
		for t, n := range list {
			out.X = float64(t)
			add([]string{moFollow, moLead}[k], n)
		}
	}
	out.X = results.None
}

// start prepares an election that the target will win. A node that is gone leaves before the first round.
func (s *subject[S]) start(w *moNetwork, target, gone int) (*election[S], error) {
	cfg := sim.Config{Graph: w.graph, IDs: w.ids, Workers: 1}
	if gone >= 0 {
		cfg.Faults = []sim.Fault{{Kind: sim.Leave, Nodes: []int{gone}}}
	}
	entry, args, err := named(s.algo, s.params)
	if err != nil {
		return nil, err
	}
	engine, err := entry.Start(args, cfg)
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
		e.put(i, s)
	}
	e.out.leaders, e.out.agree = nil, nil
	e.look()
}

// fool makes nodes believe in a leader that does not exist and leaves the rest of their state as it is. It gives the
// rounds after which, by the lemma of the paper, nobody believes it any more.
func (e *election[S]) fool(nodes []int) (gone int) {
	for _, i := range nodes {
		s := e.state(i)
		*e.lead(&s) = fakeID
		e.put(i, s)
	}
	e.since = e.rounds
	if e.span == nil {
		return 0
	}
	least, most := uint32(1<<31), uint32(0)
	for i := range e.states { // others have heard of it where it was planted before
		if s := e.state(i); *e.lead(&s) == fakeID {
			dist, reach := e.span(&s)
			least, most = min(least, dist), max(most, reach)
		}
	}
	if e.variant.lessEq {
		most++
	}
	gone = 1 + int(max(most, least)-least)
	e.out.lemmas = lemma{begin: e.rounds, fakeLife: gone}
	return gone
}

func (e *election[S]) state(i int) S { return *e.engine.Holds(i).(*S) }

func (e *election[S]) put(i int, s S) {
	e.engine.Alter(i, func(has, says any) { *has.(*S), *says.(*S) = s, s })
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
		s := e.state(i)
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
			e.out.lemmas.look(e.net, i, lead, int(dist), e.rounds)
		}
	}
	e.out.leaders, e.out.agree = append(e.out.leaders, leaders), append(e.out.agree, agree)
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
			return fmt.Errorf("%s: at rest, but node %d follows %d and not %d", what, i+1, *e.lead(&e.states[i]),
				e.net.ids[e.target])
		}
		if e.reachable(i) {
			e.out.rounds = max(e.out.rounds, at)
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
	for _, list := range []*[]int{&e.out.leaders, &e.out.agree} {
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
