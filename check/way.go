package check

import (
	"slices"

	"caucus.example/caucus"
)

// visit is a configuration on a path and what has led there: who acted, or a fault.
type visit struct {
	at    *stage
	key   uint64
	acts  uint16 // processes of the stage
	fault *strike
}

// step is a visit within one stage.
type step struct {
	key  uint64
	acts uint16
}

// trace makes the shortest counterexample out of a component of a stage in which the daemon can stay.
func (c *course) trace(s *stage, y *cycle, fair bool) *Trace {
	if y.dead {
		path := []visit{{at: s, key: y.keys[0]}}
		if !s.m.every { // any dead end will do
			path = c.way(s, s.x.deadEnd)
		}
		return c.perform(path, len(path)-1)
	}
	round := s.x.lasso(y, fair)
	path := []visit{{at: s, key: round[0].key}}
	if !s.m.every {
		path = c.way(s, func(key uint64) bool {
			return slices.ContainsFunc(round, func(v step) bool { return v.key == key })
		})
	}
	round = startAt(round, path[len(path)-1].key)
	for _, v := range round[1:] {
		path = append(path, visit{at: s, key: v.key, acts: v.acts})
	}
	return c.perform(path, len(path)-len(round))
}

// startAt turns a round trip so that it starts at one of its configurations.
func startAt(round []step, key uint64) []step {
	k := slices.IndexFunc(round, func(v step) bool { return v.key == key })
	turned := append([]step{{key: key}}, round[k+1:]...)
	return append(turned, round[1:k+1]...)
}

// deadEnd reports whether nothing changes any more at a configuration with a wrong result.
func (x *explorer) deadEnd(key uint64) bool {
	set, _ := x.enabled(key)
	return set == 0 && *x.marks.at(uint64(x.id(key)))&bad != 0
}

// way is the shortest execution from an initial configuration to one of a stage that is a goal, faults being steps. Not
// for complete machines, of which all configurations are initial.
func (c *course) way(to *stage, goal func(key uint64) bool) []visit {
	type place struct {
		at  *stage
		key uint64
	}
	came := map[place]visit{} // how a place was reached, and from where
	from := map[place]place{}
	var queue []place
	var found *place
	reach := func(p, before place, v visit) {
		if _, seen := came[p]; seen || found != nil {
			return
		}
		came[p], from[p] = v, before
		queue = append(queue, p)
		if p.at == to && goal(p.key) {
			found = &p
		}
	}
	whole := c.stages[0]
	for k := range whole.x.starts() {
		p := place{whole, whole.x.startKey(k)}
		reach(p, p, visit{at: whole, key: p.key})
	}
	for ; found == nil; queue = queue[1:] {
		p := queue[0]
		x := p.at.x
		set := x.movers(p.key)
		for _, e := range x.successors(x.id(p.key), nil) {
			key := x.key(e.to)
			reach(place{p.at, key}, p, visit{at: p.at, key: key, acts: e.acts & set})
		}
		if !c.r.cfg.Faults.Any() {
			continue
		}
		// Every stage has been made, so that there is no error any more.
		_ = c.faults(p.at, p.key, func(t *stage, key uint64, what strike) {
			key = t.m.normal(key, make([]uint32, t.m.n))
			if to.had.Crash >= t.had.Crash && to.had.Corrupt >= t.had.Corrupt && to.had.Loss >= t.had.Loss {
				reach(place{t, key}, p, visit{at: t, key: key, fault: &what})
			}
		})
	}
	var path []visit
	for p := *found; ; p = from[p] {
		path = append(path, came[p])
		if from[p] == p {
			slices.Reverse(path)
			return path
		}
	}
}

// lasso walks round the component from one of its configurations back to it: the shortest way on
// which, with fair, every node acts.
func (x *explorer) lasso(c *cycle, fair bool) []step {
	in := make(map[uint64]bool, len(c.keys))
	for _, k := range c.keys {
		in[k] = true
	}
	var best []step
	tries := max(1, min(len(c.keys), 1<<16/len(c.keys)))
	for _, start := range c.keys[:tries] {
		if w := x.roundTrip(start, in, fair, len(best)); w != nil && (best == nil || len(w) < len(best)) {
			best = w
		}
	}
	return best
}

// movers are the nodes that count as acting where the trace is shown: those that change something, and whoever a
// daemon that goes by rounds has picked.
func (x *explorer) movers(key uint64) uint16 {
	if x.inRounds() {
		return x.full
	}
	set, _ := x.enabled(key)
	return set
}

// roundTrip is a breadth-first search for the way back; nil if it is no shorter than limit (0: any).
func (x *explorer) roundTrip(start uint64, in map[uint64]bool, fair bool, limit int) []step {
	type place struct {
		key   uint64
		acted uint16
	}
	type from struct {
		place
		acts  uint16
		depth int
	}
	idle := func(key uint64) uint16 {
		set, _ := x.enabled(key)
		return x.full &^ set
	}
	need := x.full
	if !fair {
		need = 0
	}
	first := place{start, idle(start) & need}
	came := map[place]from{first: {}}
	for queue := []place{first}; len(queue) > 0; queue = queue[1:] {
		p := queue[0]
		depth := came[p].depth + 1
		if limit > 0 && depth+1 >= limit {
			return nil
		}
		for _, e := range x.successors(x.id(p.key), nil) {
			key := x.key(e.to)
			if !in[key] {
				continue
			}
			set := x.movers(p.key)
			q := place{key, (p.acted | e.acts | idle(key)) & need}
			if key == start && q.acted == need {
				path := []step{{key, e.acts & set}}
				for ; p != first; p = came[p].place {
					path = append(path, step{p.key, came[p].acts})
				}
				path = append(path, step{key: start})
				slices.Reverse(path)
				return path
			}
			if _, seen := came[q]; !seen {
				came[q] = from{p, e.acts & set, depth}
				queue = append(queue, q)
			}
		}
	}
	return nil
}

// perform carries a path out with the values themselves: the search does not tell apart states that no future
// does, and people want to see what is there.
func (c *course) perform(path []visit, loop int) *Trace {
	scenes := c.opening(path[0].at, path[0].key)
	loop += len(scenes) - 1
	lap := path[loop-len(scenes)+1:]
	for _, v := range path[1:] {
		scenes = append(scenes, c.after(scenes[len(scenes)-1], v))
	}
	for range maxLaps { // what differs by what no future tells apart is gone after some more
		if len(lap) < 2 || same(c.algo(), scenes[loop], scenes[len(scenes)-1]) {
			break
		}
		loop = len(scenes) - 1
		for _, v := range lap[1:] {
			scenes = append(scenes, c.after(scenes[len(scenes)-1], v))
		}
	}
	last := path[len(path)-1].at
	var wanted []caucus.Outcome
	if last.y.want != nil {
		wanted = make([]caucus.Outcome, c.net.Len())
		for k, i := range last.nodes {
			wanted[i] = last.y.want[k]
		}
	}
	t := write(c.algo(), c.net, wanted, scenes, loop)
	t.Replay = script(c.algo(), c.net, c.booted(), scenes, loop)
	return t
}

// booted is what the nodes start with by themselves.
func (c *course) booted() still {
	var s still
	for _, p := range c.stages[0].y.nodes {
		s.states, s.says = append(s.states, p.states.values[p.boot[0]]), append(s.says, p.messages.values[p.boot[1]])
	}
	return s
}

const maxLaps = 4

// still is a configuration of the whole network with its values, and what has led there.
type still struct {
	at       *stage
	states   []uint32 // by node of the whole network; what has crashed is as it was
	says     []uint32
	heard    []uint32 // in the message model, by direction of an edge of the whole network
	missed   []uint8  // likewise: messages that have not come since
	gone     uint16
	outcomes []caucus.Outcome
	acts     uint16
	delivers []int // directions of edges
	fault    *strike
}

func (s still) clone() still {
	s.states, s.says, s.heard, s.missed, s.outcomes = slices.Clone(s.states), slices.Clone(s.says), slices.Clone(s.heard), slices.Clone(s.missed), slices.Clone(s.outcomes)
	s.acts, s.delivers, s.fault = 0, nil, nil
	return s
}

// opening shows the first configuration; if nodes have crashed by then, before that one after the other.
func (c *course) opening(at *stage, key uint64) []still {
	n := c.net.Len()
	first := still{at: at, states: make([]uint32, n), says: make([]uint32, n), outcomes: make([]caucus.Outcome, n)}
	letters := make([]uint32, at.m.n)
	at.m.letters(key, letters)
	for k, i := range at.nodes {
		p := at.m.holds(k, letters[k])
		first.states[i], first.says[i] = at.y.nodes[k].states.values[p.state], at.y.nodes[k].messages.values[p.message]
	}
	if at.m.n > at.m.nodes {
		first.heard, first.missed = make([]uint32, len(c.net.Nbr)), make([]uint8, len(c.net.Nbr))
		for k, l := range letters[at.m.nodes:] {
			heard, missed := at.y.heard(l)
			first.heard[k], first.missed[k] = at.y.nodes[at.y.net.Nbr[k]].messages.values[heard], missed
		}
	}
	whole := c.stages[0]
	var crashed []int
	for i := range n {
		if at.gone&(1<<i) != 0 {
			first.states[i], first.says[i] = whole.y.leading(i)
			crashed = append(crashed, i)
		}
	}
	c.judge(&first)
	scenes := []still{first}
	for _, i := range crashed {
		next := scenes[len(scenes)-1].clone()
		next.gone |= 1 << i
		next.fault = &strike{"crash", i, -1}
		c.judge(&next)
		scenes = append(scenes, next)
	}
	return scenes
}

// leading gives a state in which node i leads, and the message that says the same if there is one.
func (y *system) leading(i int) (state, message uint32) {
	p := &y.nodes[i]
	for s := range p.states.values {
		if y.outcome(i, uint32(s)).Role != caucus.Leader {
			continue
		}
		says := y.algo.states.texts(p.states.values[s])
		for m := range p.messages.values {
			if y.alike() && slices.Equal(says, y.algo.says.texts(p.messages.values[m])) {
				return p.states.values[s], p.messages.values[m]
			}
		}
		return p.states.values[s], p.messages.values[p.boot[1]]
	}
	return p.states.values[p.boot[0]], p.messages.values[p.boot[1]]
}

// after carries out one step or fault.
func (c *course) after(now still, v visit) still {
	next := now.clone()
	next.at = v.at
	if v.fault != nil {
		c.hit(&next, v)
		c.judge(&next)
		return next
	}
	r := v.at
	for k, i := range r.nodes {
		if v.acts&(1<<k) == 0 {
			continue
		}
		next.acts |= 1 << i
		msgs := make([]uint32, len(r.y.nodes[k].nbr))
		for at, j := range r.y.nodes[k].nbr {
			m, missed := now.says[r.nodes[j]], uint8(0)
			if now.heard != nil {
				d := direction(c.net, r.nodes[j], i)
				m, missed = now.heard[d], now.missed[d]
			}
			msgs[at] = r.y.nodes[j].messages.number(m)*(r.y.losses+1) + uint32(missed)
		}
		s, m := r.y.round(k, r.y.nodes[k].states.number(now.states[i]), msgs)
		next.states[i], next.says[i] = r.y.nodes[k].states.values[s], r.y.nodes[k].messages.values[m]
	}
	for link := range r.m.n - r.m.nodes {
		if v.acts&(1<<(r.m.nodes+link)) != 0 {
			j := r.nodes[r.y.net.Nbr[link]]
			d := direction(c.net, j, r.nodes[receiver(r.y.net, link)])
			next.heard[d], next.missed[d] = now.says[j], 0
			next.delivers = append(next.delivers, d)
		}
	}
	c.judge(&next)
	return next
}

// hit carries out a fault.
func (c *course) hit(next *still, v visit) {
	next.fault = v.fault
	switch i := v.fault.node; v.fault.kind {
	case "crash":
		next.gone |= 1 << i
	case "lose":
		next.missed[direction(c.net, v.fault.of, i)]++
	default:
		k, m := slices.Index(v.at.nodes, i), v.at.m
		letters := make([]uint32, m.n)
		m.letters(v.key, letters)
		p := m.holds(k, letters[k])
		next.states[i], next.says[i] = v.at.y.nodes[k].states.values[p.state], v.at.y.nodes[k].messages.values[p.message]
	}
}

// direction is the place in Nbr at which node i has its neighbour j.
func direction(net *caucus.Network, j, i int) int {
	at, _ := slices.BinarySearch(net.Nbr[net.Off[i]:net.Off[i+1]], int32(j))
	return net.Off[i] + at
}

// judge fills in the outcomes of a still.
func (c *course) judge(s *still) {
	y := c.stages[0].y
	for i := range s.states {
		s.outcomes[i] = y.outcome(i, y.nodes[i].states.number(s.states[i]))
	}
}

// same compares what nodes hold, but for a shift of the counters.
func same(algo *numbered, a, b still) bool {
	if algo.related {
		a, b = shifted(algo, a), shifted(algo, b)
	}
	for i := range a.states {
		if (a.gone|b.gone)&(1<<i) == 0 && (a.states[i] != b.states[i] || a.says[i] != b.says[i]) {
			return false
		}
	}
	return a.gone == b.gone && slices.Equal(a.heard, b.heard) && slices.Equal(a.missed, b.missed)
}

func shifted(algo *numbered, s still) still {
	first := 0
	for s.gone&(1<<first) != 0 {
		first++
	}
	s = s.clone()
	origin := algo.origin(s.states[first])
	for i := range s.states {
		if s.gone&(1<<i) == 0 {
			s.states[i], s.says[i] = algo.rebase(s.states[i], s.says[i], origin)
		}
	}
	return s
}
