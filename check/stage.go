package check

import (
	"cmp"
	"fmt"
	"math/bits"
	"runtime"
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/story"
)

// What faults add to a check. After some of them the network is smaller or the budget is; the daemon goes on from the
// configurations that they leave. So each stage, a network and the faults that an execution has had, is explored as
// any network is, only from other initial configurations, and "after the last fault it comes right" is convergence on
// every stage. An execution walks from stage to stage and never back.

// course is one network under one daemon, with all stages that faults lead to.
type course struct {
	r      *run
	net    *caucus.Network
	from   From
	hits   From // what corrupted nodes hold
	daemon Daemon
	stages []*stage // by number of faults; the first is the whole network without any
	left   map[uint16]*remains
	count  int // configurations
	memory *store
}

// remains is what is left of the network: the algorithm on it.
type remains struct {
	y     *system
	m     *machine
	gone  uint16                 // nodes of the whole network that have crashed, by bit
	nodes []int                  // their index in the whole network
	hits  [][]uint32             // letters that a corruption gives to each node
	into  map[*remains][]*keyMap // letters of this network to those of a smaller one, by process there
}

// stage is where an execution is after some faults.
type stage struct {
	*remains
	had    Faults   // the crashes are in gone
	starts []uint64 // where it begins
	seen   *keyMap  // these keys; nil: it begins where its machine does
	x      *explorer
}

// start adds an initial configuration.
func (s *stage) start(key uint64) {
	if _, ok := s.seen.get(key); !ok {
		s.seen.put(key, 0)
		s.starts = append(s.starts, key)
	}
}

// strike is one fault, at nodes or a link of the whole network.
type strike struct {
	kind     string // crash, corrupt or lose
	node, of int    // of: the sender, of a message
}

func (r *run) course(y *system, m *machine, from From, d Daemon) *course {
	whole := &remains{y: y, m: m, into: map[*remains][]*keyMap{}}
	for i := range y.net.Len() {
		whole.nodes = append(whole.nodes, i)
	}
	return &course{
		r: r, net: y.net, from: from, daemon: d,
		stages: []*stage{{remains: whole}}, left: map[uint16]*remains{0: whole},
	}
}

// littleGarbage is too little to be collected for its own sake, as a thousand small networks leave a bit of it each.
const littleGarbage = 32 << 20

// run decides every stage and sums up.
func (c *course) run() (found, error) {
	if spent := &c.r.spent; spent.Load() > max(c.r.cfg.MaxMemory/8, littleGarbage) {
		spent.Store(0)
		runtime.GC() // or what is collected later comes on top of what is in use
	}
	c.memory = &store{heap: c.r.cfg.memory, rounds: c.r.cfg.memory / 2}
	if !c.r.cfg.Faults.Any() { // else the order in which configurations are found is that of the next stage
		c.memory.chart = c.r.cfg.memory / 2
	}
	if c.r.cfg.Spill != "" {
		c.memory.dir, c.memory.rounds = c.r.cfg.Spill, 0
	}
	defer func() {
		c.r.spent.Add(c.r.cfg.memory - c.memory.heap)
		c.memory.close()
	}()
	if err := c.explore(); err != nil {
		return found{}, err
	}
	f, err := c.found()
	return f, cmp.Or(c.memory.err, err)
}

// explore decides every stage.
func (c *course) explore() error {
	for k := 0; k < len(c.stages); k++ { // it grows meanwhile
		s := c.stages[k]
		if err := c.exploreStage(s); err != nil {
			return err
		}
		if c.r.cfg.Faults.Any() {
			if err := c.spread(s); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *course) exploreStage(s *stage) error {
	m := *s.m
	if s.seen != nil {
		m.list = s.starts
	}
	limit := c.r.cfg.MaxStates - c.count
	hands := &c.r.crew
	if c.r.cfg.Faults.Any() {
		hands = new(crew) // the order again
	}
	x, ok := exploreWith(&m, c.daemon, uint64(max(0, limit)), hands, c.memory,
		func() bool { return c.r.stop() || s.y.failed() != nil })
	s.x = x
	switch err := s.y.err; {
	case c.r.ended():
		return c.r.ctx.Err()
	case c.memory.err != nil:
		return c.memory.err
	case err != nil:
		s.y.err = nil
		return err
	case !ok:
		return errTooLarge{"more configurations than the limit"}
	}
	c.count += int(x.result.configurations)
	c.r.explored.Add(int64(x.steps % stopEvery))
	if x.result.fair == nil && !x.countRounds() {
		x.result.rounds = -2
	}
	return nil
}

// spread collects what one more fault makes of the configurations of a stage.
func (c *course) spread(s *stage) error {
	if s.m.every {
		return c.spreadComplete(s)
	}
	if c.r.cfg.Faults.Corrupt > s.had.Corrupt {
		if err := c.aim(s.remains); err != nil {
			return err
		}
		perhaps := uint64(0)
		for _, list := range s.hits {
			perhaps += uint64(len(list)) * s.x.ids.count.Load()
		}
		if perhaps > uint64(c.r.cfg.MaxStates) {
			return errTooLarge{fmt.Sprintf("%d ways to corrupt a node", perhaps)}
		}
	}
	spare := make([]uint32, s.m.n)
	for id := range uint32(s.x.ids.count.Load()) {
		key := s.x.key(id)
		if id%stopEvery == 0 && c.r.ended() {
			return c.r.ctx.Err()
		}
		err := c.faults(s, key, func(t *stage, key uint64, _ strike) {
			t.start(t.m.normal(key, spare[:t.m.n]))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// spreadComplete is spread where every combination of letters is initial. What is left when a node that leads crashes
// is every combination of the others, and a corruption leaves nothing new.
func (c *course) spreadComplete(s *stage) error {
	if s.had.Crash == c.r.cfg.Faults.Crash || len(s.nodes) == 1 {
		return nil
	}
	for k, i := range s.nodes {
		if !slices.ContainsFunc(upTo(len(s.y.nodes[k].states.values)), func(state uint32) bool {
			return s.y.outcome(k, state).Role == caucus.Leader
		}) {
			continue
		}
		if _, err := c.stage(s.gone|1<<i, Faults{Crash: s.had.Crash + 1}); err != nil {
			return err
		}
	}
	return nil
}

// stage finds the stage of the given nodes gone and faults had, a new one if nothing has led there.
func (c *course) stage(gone uint16, had Faults) (*stage, error) {
	for _, s := range c.stages {
		if s.gone == gone && s.had == had {
			return s, nil
		}
	}
	rest, ok := c.left[gone]
	if !ok {
		var err error
		if rest, err = c.without(gone); err != nil {
			return nil, err
		}
		c.left[gone] = rest
	}
	s := &stage{remains: rest, had: had}
	if !rest.m.every {
		s.seen = newKeyMap()
	}
	c.stages = append(c.stages, s)
	return s, nil
}

// without makes the algorithm on the network less some nodes.
func (c *course) without(gone uint16) (*remains, error) {
	rest := &remains{gone: gone, into: map[*remains][]*keyMap{}}
	var net *caucus.Network
	net, rest.nodes = less(c.net, gone)
	var err error
	if rest.y, err = newSystem(c.algo(), net); err != nil {
		return nil, err
	}
	if c.stages[0].m.every {
		w := world(c.net, c.r.cfg.Ghosts, c.from.Counter)
		rest.m, _, err = rest.y.complete(w, uint64(c.r.cfg.MaxStates), c.r.ended)
		return rest, err
	}
	rest.m, err = c.r.grow(rest.y, nil)
	return rest, err
}

// aim lists what a corrupted node may hold.
func (c *course) aim(rest *remains) error {
	if rest.hits != nil {
		return nil
	}
	w := world(c.net, c.r.cfg.Ghosts, c.hits.Counter)
	lists, err := rest.y.struck(w, c.hits.Reduced, c.r.cfg.MaxStates)
	if err != nil {
		return err
	}
	g := rest.m.growth.(*growth)
	for i, list := range lists {
		if len(list) >= 1<<(g.nodes[i].bits-1) {
			return errTooLarge{fmt.Sprintf("%d values of a corrupted node", len(list))}
		}
		var letters []uint32
		for _, p := range list {
			letters = append(letters, g.letter(i, p))
		}
		rest.hits = append(rest.hits, distinct(letters))
	}
	return nil
}

// struck lists states with messages of corrupted nodes.
func (y *system) struck(w *caucus.World, reduced Reduction, most int) ([][]pair, error) {
	switch reduced {
	case Candid:
		return y.candid(w, most)
	case Plausible:
		return y.plausible(w, maxPlausible, func(_, count int) bool { return count > most })
	}
	vs, vm := y.algo.Domain(w)
	if vm.Len > 0 && vs.Len > uint64(most)/vm.Len {
		return nil, errTooLarge{fmt.Sprintf("%d states and %d messages in the domain", vs.Len, vm.Len)}
	}
	states, messages, err := y.domain(w, most)
	if err != nil {
		return nil, err
	}
	out := make([][]pair, len(states))
	for i := range states {
		for _, s := range states[i] {
			for _, m := range messages[i] {
				out[i] = append(out[i], pair{s, m})
			}
		}
	}
	return out, nil
}

// faults visits what one more fault makes of a configuration.
func (c *course) faults(s *stage, key uint64, visit func(t *stage, key uint64, what strike)) error {
	most, m := c.r.cfg.Faults, s.m
	if s.m.every {
		return nil // see spreadComplete
	}
	letters := make([]uint32, m.n)
	m.letters(key, letters)
	if s.had.Crash < most.Crash && len(s.nodes) > 1 {
		had := s.had
		had.Crash++
		for k, i := range s.nodes {
			if s.y.outcome(k, m.holds(k, letters[k]).state).Role != caucus.Leader {
				continue
			}
			t, err := c.stage(s.gone|1<<i, had)
			if err != nil {
				return err
			}
			then, err := c.carry(s.remains, t.remains, letters)
			if err != nil {
				return err
			}
			visit(t, then, strike{story.Crash, i, -1})
		}
	}
	if s.had.Corrupt < most.Corrupt {
		had := s.had
		had.Corrupt++
		t, err := c.stage(s.gone, had)
		if err != nil {
			return err
		}
		for k, i := range s.nodes {
			for _, l := range s.hits[k] {
				if l != letters[k] {
					visit(t, key+(uint64(l)-uint64(letters[k]))*m.stride[k], strike{story.Corrupt, i, -1})
				}
			}
		}
	}
	if s.had.Loss < most.Loss && m.n > m.nodes {
		had := s.had
		had.Loss++
		t, err := c.stage(s.gone, had)
		if err != nil {
			return err
		}
		for k := m.nodes; k < m.n; k++ { // one more message has not come since the one that was heard last
			link := k - m.nodes
			to, from := receiver(s.y.net, link), s.y.net.Nbr[link]
			if lossy := c.r.cfg.Lossy; lossy == nil || over(lossy, s.nodes[from], s.nodes[to]) {
				visit(t, key+m.stride[k], strike{story.Lost, s.nodes[to], s.nodes[from]})
			}
		}
	}
	return nil
}

// carry gives the key, on a smaller network, of what its nodes hold and have heard on a larger.
func (c *course) carry(from, to *remains, letters []uint32) (uint64, error) {
	maps, ok := from.into[to]
	if !ok {
		for range to.m.n {
			maps = append(maps, newKeyMap())
		}
		from.into[to] = maps
	}
	key := uint64(0)
	for k := range to.m.n {
		at := from.process(to, k)
		l, ok := maps[k].get(uint64(letters[at]))
		if !ok {
			l = to.translate(from, k, at, letters[at])
			maps[k].put(uint64(letters[at]), l)
		}
		key += uint64(l) * to.m.stride[k]
	}
	err := to.y.err
	to.y.err = nil
	return key, err
}

// process finds process k of a smaller network: a node, or a direction of an edge.
func (r *remains) process(to *remains, k int) int {
	node := func(k int) int { return slices.Index(r.nodes, to.nodes[k]) }
	if k < to.m.nodes {
		return node(k)
	}
	link := k - to.m.nodes
	i, j := node(receiver(to.y.net, link)), node(int(to.y.net.Nbr[link]))
	for at := r.y.net.Off[i]; ; at++ {
		if int(r.y.net.Nbr[at]) == j {
			return r.m.nodes + at
		}
	}
}

// translate numbers a letter of process at of a larger network as one of process k.
func (r *remains) translate(from *remains, k, at int, letter uint32) uint32 {
	if k < r.m.nodes {
		p := from.m.holds(at, letter)
		return r.m.growth.(*growth).letter(k, r.pairOf(from, k, at, p))
	}
	v, missed := from.y.delivered(at-from.m.nodes, letter)
	to, place := entry(r.y.net, k-r.m.nodes)
	number := r.y.heeded(to, place, v)*(r.y.losses+1) + uint32(missed)
	if uint64(number) >= r.m.size[k] {
		r.y.err = errTooLarge{fmt.Sprintf("%d messages of one node", number)}
		return 0
	}
	return number
}

// pairOf numbers the values of a pair of node at of a larger network as those of node k.
func (r *remains) pairOf(from *remains, k, at int, p pair) pair {
	return pair{
		r.y.nodes[k].states.number(from.y.nodes[at].states.values[p.state]),
		r.y.nodes[k].messages.number(from.y.nodes[at].messages.values[p.message]),
	}
}

// found sums the stages up. What is counted in steps and rounds begins with the last fault, if there are faults.
func (c *course) found() (found, error) {
	f := found{from: c.from, want: c.stages[0].y.want, hits: c.hits}
	f.silent = true
	for k, s := range c.stages {
		r := &s.x.result
		f.configurations += r.configurations
		f.legitimate += r.legitimate
		f.hopeless = f.hopeless || r.legitimate == 0
		f.silent = f.silent && r.silent
		f.crashes = max(f.crashes, bits.OnesCount16(s.gone))
		if r.unfair != nil {
			f.unfair = r.unfair
			t, err := c.trace(s, r.unfair, false)
			if err != nil {
				return f, err
			}
			f.free = shorter(t, f.free)
		}
		if r.fair != nil {
			f.exploration.fair = r.fair
			t, err := c.trace(s, r.fair, true)
			if err != nil {
				return f, err
			}
			f.fair = shorter(t, f.fair)
		}
		if k == 0 && len(c.stages) > 1 {
			continue
		}
		f.steps, f.rounds = worse(f.steps, r.steps), worse(f.rounds, r.rounds)
	}
	return f, nil
}

// shorter gives the story on fewer nodes, or with fewer moments; the second if they are alike, or there is no first.
func shorter(a, b *story.Story) *story.Story {
	if b == nil || len(a.IDs) < len(b.IDs) || len(a.IDs) == len(b.IDs) && a.Length() < b.Length() {
		return a
	}
	return b
}

// worse is the greater of two lengths, of which -1 is endless and -2 unknown.
func worse(a, b int) int {
	switch {
	case a == -1 || b == -1:
		return -1
	case a < 0 || b < 0:
		return -2
	}
	return max(a, b)
}

// less is a network without some nodes, and which nodes are left.
func less(net *caucus.Network, gone uint16) (*caucus.Network, []int) {
	left, number := &caucus.Network{Off: []int{0}, Known: net.Known}, make([]int, net.Len())
	var nodes []int
	for i := range net.Len() {
		if number[i] = -1; gone&(1<<i) == 0 {
			number[i] = len(nodes)
			nodes = append(nodes, i)
		}
	}
	for _, i := range nodes {
		left.IDs, left.Strengths = append(left.IDs, net.IDs[i]), append(left.Strengths, net.Strengths[i])
		if net.Initiators != nil {
			left.Initiators = append(left.Initiators, net.Initiators[i])
		}
		for k := net.Off[i]; k < net.Off[i+1]; k++ {
			j := number[net.Nbr[k]]
			if j < 0 {
				continue
			}
			left.Nbr, left.Dist = append(left.Nbr, int32(j)), append(left.Dist, net.Dist[k])
			if net.Labels != nil {
				left.Labels = append(left.Labels, net.Labels[k])
			}
		}
		left.Off = append(left.Off, len(left.Nbr))
	}
	return left, nodes
}

func (c *course) algo() *numbered { return c.stages[0].y.algo }
