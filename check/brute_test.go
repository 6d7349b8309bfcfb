package check

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/algo/aggregate/decay"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
)

// brute decides by other means what the search decides, for the tests: configurations as arrays in a Go map, the
// algorithm called for every single step, sets by plain iteration to a fixpoint, cycles by who can reach whom.
type brute[S, M comparable] struct {
	algo caucus.Rounds[S, M]
	net  *caucus.Network
	want []caucus.Outcome
	judg caucus.Judge
	d    Daemon

	all   []world3[S, M]
	ids   map[world3[S, M]]int
	steps [][]move // by configuration: every choice of the daemon, nodes that do not change included
	right []bool
	legit []bool
}

type world3[S, M comparable] [3]held[S, M]

type held[S, M comparable] struct {
	s S
	m M
}

type move struct {
	to   int
	acts uint16
}

func newBrute[S, M comparable](algo caucus.Rounds[S, M], net *caucus.Network, d Daemon, w *caucus.World) *brute[S, M] {
	b := &brute[S, M]{algo: algo, net: net, d: d, ids: map[world3[S, M]]int{}}
	if o, ok := algo.(caucus.Oracle); ok {
		b.want = o.Expect(net)
	}
	b.judg, _ = algo.(caucus.Judge)
	states, messages := algo.Domain(w)
	var fill func(c world3[S, M], i int)
	fill = func(c world3[S, M], i int) {
		if i == net.Len() {
			b.id(c)
			return
		}
		for s := range states.Len {
			for m := range messages.Len {
				c[i] = held[S, M]{states.At(s), messages.At(m)}
				fill(c, i+1)
			}
		}
	}
	fill(world3[S, M]{}, 0)
	for k := 0; k < len(b.all); k++ {
		b.expand(k)
	}
	b.closeLegit()
	return b
}

func (b *brute[S, M]) id(c world3[S, M]) int {
	k, ok := b.ids[c]
	if !ok {
		k = len(b.all)
		b.ids[c] = k
		b.all = append(b.all, c)
	}
	return k
}

func (b *brute[S, M]) local(i int) *caucus.Local {
	return &caucus.Local{ID: b.net.IDs[i], Strength: b.net.Strengths[i], Degree: b.net.Off[i+1] - b.net.Off[i]}
}

func (b *brute[S, M]) expand(k int) {
	c, n := b.all[k], b.net.Len()
	next := c
	outcomes := make([]caucus.Outcome, n)
	for i := range n {
		var in caucus.Inbox[M]
		for e := b.net.Off[i]; e < b.net.Off[i+1]; e++ {
			in.Msgs, in.Dist = append(in.Msgs, c[b.net.Nbr[e]].m), append(in.Dist, b.net.Dist[e])
		}
		s := c[i].s
		outcomes[i] = b.algo.Outcome(b.local(i), &s)
		next[i].m = b.algo.Round(b.local(i), &s, in)
		next[i].s = s
	}
	ok := true
	if b.want != nil {
		for i := range outcomes {
			ok = ok && asWanted(outcomes[i], b.want[i])
		}
	} else {
		ok = b.judg.Right(b.net, outcomes)
	}
	b.right = append(b.right, ok)
	var list []move
	for set := uint16(1); set < 1<<n; set++ {
		to := c
		for i := range n {
			if set&(1<<i) != 0 {
				to[i] = next[i]
			}
		}
		allowed := true
		switch b.d {
		case Synchronous:
			allowed = set == 1<<n-1
		case Central, Paced:
			allowed = bits.OnesCount16(set) == 1
		case LocallyCentral:
			for i := range n {
				for _, j := range b.net.Nbr[b.net.Off[i]:b.net.Off[i+1]] {
					allowed = allowed && set&(1<<i|1<<j) != 1<<i|1<<j
				}
			}
		}
		if allowed {
			list = append(list, move{b.id(to), set})
		}
	}
	b.steps = append(b.steps, list)
}

// closeLegit removes what can come to a wrong result until nothing changes.
func (b *brute[S, M]) closeLegit() {
	b.legit = slices.Clone(b.right)
	for changed := true; changed; {
		changed = false
		for k, list := range b.steps {
			for _, m := range list {
				if b.legit[k] && !b.legit[m.to] {
					b.legit[k], changed = false, true
				}
			}
		}
	}
}

// longest is the most proper steps until legitimate; -1 if there is a cycle or a dead end outside.
func (b *brute[S, M]) longest() int {
	length := make([]int, len(b.all))
	for round := 0; ; round++ {
		changed := false
		for k, list := range b.steps {
			if b.legit[k] {
				continue
			}
			dead := true
			for _, m := range list {
				if m.to != k {
					dead = false
					if length[k] < length[m.to]+1 {
						length[k], changed = length[m.to]+1, true
					}
				}
			}
			if dead {
				return -1
			}
		}
		if !changed {
			return slices.Max(length)
		}
		if round > 200 { // longer than any path of these tests: a cycle
			return -1
		}
	}
}

// rounds is the number of rounds after which every execution is legitimate, by following all of them round by
// round; -1 if they are still not after more rounds than there could be without repetition.
func (b *brute[S, M]) rounds() int {
	n := b.net.Len()
	full := uint16(1<<n - 1)
	var at []int
	for k := range b.all {
		if !b.legit[k] {
			at = append(at, k)
		}
	}
	type place struct {
		k     int
		acted uint16
	}
	seen := make([]bool, len(b.all)<<n) // by configuration and who has acted in this round
	for round := 0; ; round++ {
		if len(at) == 0 {
			return round
		}
		if round > 60 {
			return -1
		}
		clear(seen)
		var queue []place
		for _, k := range at {
			queue = append(queue, place{k, 0})
		}
		var after []int
		for ; len(queue) > 0; queue = queue[1:] {
			p := queue[0]
			for _, m := range b.steps[p.k] {
				q := place{m.to, p.acted | m.acts}
				mark := &seen[q.k<<n|int(q.acted)]
				if b.legit[q.k] || *mark {
					continue
				}
				*mark = true
				if q.acted == full {
					after = append(after, q.k)
				} else {
					queue = append(queue, q)
				}
			}
		}
		at = after
	}
}

// paced is the number of rounds after which every execution is legitimate in which the nodes act one by one and once in
// each round; -1 as in rounds. It is of a brute under the central daemon.
func (b *brute[S, M]) paced() int {
	type place struct {
		k     int
		acted uint16
	}
	legit := slices.Clone(b.right) // closed under the paced daemon: no wrong result by any order of whole rounds
	at := map[place]bool{}
	full := uint16(1<<b.net.Len() - 1)
	next := func(p place, visit func(q place)) {
		for _, m := range b.steps[p.k] {
			if p.acted&m.acts == 0 {
				visit(place{m.to, (p.acted | m.acts) % full})
			}
		}
	}
	bad := make([]bool, len(b.all)<<b.net.Len()) // by configuration and who has acted in this round
	mark := func(p place) *bool { return &bad[p.k<<b.net.Len()|int(p.acted)] }
	for changed := true; changed; {
		changed = false
		for k := range b.all {
			for acted := range full {
				p := place{k, acted}
				is := !legit[k]
				next(p, func(q place) { is = is || *mark(q) })
				if is && !*mark(p) {
					*mark(p), changed = true, true
				}
			}
		}
	}
	for k := range b.all {
		if p := (place{k, 0}); *mark(p) {
			at[p] = true
		}
	}
	for round := 0; len(at) > 0; round++ {
		if round > 60 {
			return -1
		}
		for range b.net.Len() {
			after := map[place]bool{}
			for p := range at {
				next(p, func(q place) {
					if *mark(q) {
						after[q] = true
					}
				})
			}
			at = after
		}
		if len(at) == 0 {
			return round + 1
		}
	}
	return 0
}

// The search agrees with brute force on the size of the legitimate set, on convergence, steps and rounds, for right and
// broken algorithms under every daemon; here without merging states, so that configurations can be counted.
func TestBruteForce(t *testing.T) {
	t.Parallel()
	two, three := parse(t, "2-3"), parse(t, "2-3 3-4")
	for _, c := range broken {
		for _, net := range []*caucus.Network{two, three} {
			if net == three && (c.name == "right" || c.name == "stale own value" || c.name == "wrong comparison" ||
				c.name == "forgotten filter") {
				continue // too many for brute force; the next test has them in the form of Bounded Election
			}
			agree(t, c.name, c.algo, net, map[*caucus.Network]int{two: 1}[net])
		}
	}
}

func TestBruteForceBounded(t *testing.T) {
	t.Parallel()
	e, err := bounded.New(bounded.Config{Radius: 1})
	if err != nil {
		t.Fatal(err)
	}
	zero, err := bounded.New(bounded.Config{Radius: 1, DistFirst: true})
	if err != nil {
		t.Fatal(err)
	}
	agree(t, "bounded", e, parse(t, "2-3 strengths=1,2"), 1)
	agree(t, "bounded, zero length", zero, parse(t, "2-3:0 strengths=2,1"), 1)
	d, err := decay.New(decay.Config{Lifetime: 2})
	if err != nil {
		t.Fatal(err)
	}
	agree(t, "decay", d, parse(t, "2-3"), 1)
	agree(t, "decay", d, parse(t, "2-3 3-4"), 0)
}

func agree[S, M comparable](t *testing.T, name string, algo caucus.Rounds[S, M], net *caucus.Network, ghosts int) {
	t.Helper()
	w := world(net, ghosts, 2)
	for _, d := range Daemons {
		if d == Phased {
			continue // of the simulator: TestSimulatorAgrees
		}
		b := newBrute(algo, net, d, w)
		y, err := systemOf(algo, net)
		if err != nil {
			t.Fatal(err)
		}
		m, after, err := y.complete(w, 1<<22, func() bool { return false })
		if err != nil || after != 0 {
			t.Fatalf("%s: after %d, %v", name, after, err)
		}
		x, ok := explore(m, d, 1<<22, func() bool { return false })
		if !ok || x.result.fair == nil && !x.countRounds() {
			t.Fatal("stopped")
		}
		r := x.result
		var steps, rounds int
		if d == Paced {
			steps = b.paced()
			rounds = steps
		} else {
			steps, rounds = b.longest(), b.rounds()
		}
		where := fmt.Sprintf("%s, %s, %s", name, Describe(net), d)
		if (r.unfair == nil) != (steps >= 0) || r.unfair == nil && r.steps != steps {
			t.Errorf("%s: steps %d, unfair cycle %v; by brute force %d", where, r.steps, r.unfair != nil, steps)
		}
		if (r.fair == nil) != (rounds >= 0) || r.fair == nil && r.rounds != rounds {
			t.Errorf("%s: rounds %d, fair cycle %v; by brute force %d", where, r.rounds, r.fair != nil, rounds)
		}
		if (r.legitimate > 0) != slices.Contains(b.legit, true) {
			t.Errorf("%s: %d legitimate configurations, by brute force %v", where, r.legitimate,
				slices.Contains(b.legit, true))
		}
	}
}

// The worst synchronous case is what the simulator shows, over all configurations of two nodes injected into it.
func TestSimulatorAgrees(t *testing.T) {
	e, err := bounded.New(bounded.Config{Radius: 2})
	if err != nil {
		t.Fatal(err)
	}
	g, _, err := network.Build(2, []network.Edge{{A: 0, B: 1, W: 1}})
	if err != nil {
		t.Fatal(err)
	}
	net := parse(t, "2-3:1 strengths=1,2")
	w := &caucus.World{IDs: []caucus.ID{1, 2, 3}, Strengths: []float64{1, 2, 3}, Dists: []float64{0, 1, 2}, Counter: 1}
	states, messages := e.Domain(w)
	want, worst := e.Expect(net), 0
	for k := range messages.Len * messages.Len {
		r, err := engine.NewRounds(e, &bounded.Spec,
			sim.Config{Graph: g, IDs: net.IDs, Lengths: g.Weight, Strengths: net.Strengths, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		// The state is not read with the heartbeat off: any wrong one will do.
		r.Inject(0, states.At(0), messages.At(k%messages.Len))
		r.Inject(1, states.At(0), messages.At(k/messages.Len))
		for round := range 12 {
			for i, o := range r.Outcomes() {
				if !asWanted(o, want[i]) {
					worst = max(worst, round+1)
				}
			}
			r.Step()
		}
		r.Close()
	}
	rep, err := Rounds(t.Context(), e, Config{Networks: []*caucus.Network{net}, Daemons: []Daemon{Synchronous},
		Ghosts: 1})
	if err != nil {
		t.Fatal(err)
	}
	if got := rep.Rows[0].Rounds.N; got != worst || got < 3 {
		t.Errorf("%d rounds at worst, the simulator shows %d", got, worst)
	}
}

// What the checker found about the heartbeat: with nodes that all act once in every round, but in an order that
// changes in step with the beat, a node two hops from the leader may never follow it if news a round old is too old
// for it: whenever it acts, its neighbour has just acted twice in a row. Here the schedule runs without the
// checker, from a start that is clean but for a distance: 4 3 2 first, then 2 4 3 and 3 2 4 in turn. A heartbeat of
// 2 leaves no time for older news; one of 3 does, and with an order that stays, as in the simulator, either follows
// in a few rounds.
func TestPacedHeartbeatStarves(t *testing.T) {
	net := parse(t, "2-3 3-4")
	for _, c := range []struct {
		heartbeat int
		orders    [][]int // of node indices
		last      caucus.ID
	}{
		{2, [][]int{{0, 2, 1}, {1, 0, 2}}, 4},
		{3, [][]int{{0, 2, 1}, {1, 0, 2}}, 2},
		{2, [][]int{{1, 0, 2}}, 2},
		{2, [][]int{{0, 2, 1}}, 2},
	} {
		e, err := bounded.New(bounded.Config{Radius: 2, Clamp: true, Heartbeat: c.heartbeat, Nonce: true})
		if err != nil {
			t.Fatal(err)
		}
		var s, m [3]bounded.Candidacy
		local := func(i int) *caucus.Local { return &caucus.Local{ID: net.IDs[i], Strength: 1} }
		for i := range s {
			s[i], m[i] = e.Boot(local(i))
		}
		m[0].Dist = 1
		follows := map[caucus.ID]bool{}
		for round := range 200 {
			order := c.orders[(round+len(c.orders)-1)%len(c.orders)]
			if round == 0 {
				order = []int{2, 1, 0}
			}
			for _, i := range order {
				var in caucus.Inbox[bounded.Candidacy]
				for k := net.Off[i]; k < net.Off[i+1]; k++ {
					in.Msgs, in.Dist = append(in.Msgs, m[net.Nbr[k]]), append(in.Dist, net.Dist[k])
				}
				m[i] = e.Round(local(i), &s[i], in)
			}
			if round >= 100 {
				follows[s[2].Lead] = true
			}
		}
		if len(follows) != 1 || !follows[c.last] {
			t.Errorf("heartbeat %d, orders %v: node 4 follows %v, want %d", c.heartbeat, c.orders, follows, c.last)
		}
	}
}
