package check

import (
	"slices"

	"caucus.example/caucus/story"
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
func (c *course) trace(s *stage, y *cycle, fair bool) (*story.Story, error) {
	if y.dead {
		path := []visit{{at: s, key: y.keys[0]}}
		if !s.m.every { // any dead end will do
			path = c.way(s, s.x.deadEnd)
		}
		return c.tell(path, len(path)-1)
	}
	round := s.x.lasso(y, fair)
	path := []visit{{at: s, key: round[0].key}}
	if !s.m.every {
		path = c.way(s, func(id uint32) bool {
			key := s.x.key(id)
			return slices.ContainsFunc(round, func(v step) bool { return v.key == key })
		})
	}
	round = startAt(round, path[len(path)-1].key)
	for _, v := range round[1:] {
		path = append(path, visit{at: s, key: v.key, acts: v.acts})
	}
	return c.tell(path, len(path)-len(round))
}

// startAt turns a round trip so that it starts at one of its configurations.
func startAt(round []step, key uint64) []step {
	k := slices.IndexFunc(round, func(v step) bool { return v.key == key })
	turned := append([]step{{key: key}}, round[k+1:]...)
	return append(turned, round[1:k+1]...)
}

// deadEnd reports whether nothing changes any more at a configuration with a wrong result.
func (x *explorer) deadEnd(id uint32) bool {
	return x.mark(id)&bad != 0 && len(x.successors(id, nil)) == 0
}

// spot is a configuration of a stage, by the numbers of both.
type spot struct{ stage, id uint32 }

// way is the shortest execution from an initial configuration to one of a stage that is a goal, faults being steps. Not
// for complete machines, of which all configurations are initial.
func (c *course) way(to *stage, goal func(id uint32) bool) []visit {
	before := make([][]spot, len(c.stages)) // from where a spot was reached, its stage counted from 1; 0: it was not
	for k, s := range c.stages {
		before[k] = make([]spot, s.x.ids.count.Load())
	}
	var queue []spot
	var last spot
	found := false
	reach := func(p, from spot) {
		if at := &before[p.stage][p.id]; at.stage == 0 && !found {
			*at = spot{from.stage + 1, from.id}
			queue = append(queue, p)
			if found = c.stages[p.stage] == to && goal(p.id); found {
				last = p
			}
		}
	}
	whole := c.stages[0].x
	for k := range whole.starts() {
		p := spot{0, whole.start(k)}
		reach(p, p)
	}
	for ; !found; queue = queue[1:] {
		c.leave(queue[0], to, func(p spot, _ visit) { reach(p, queue[0]) })
	}
	var path []visit
	for p := last; ; {
		from := before[p.stage][p.id]
		if from.stage--; from == p {
			path = append(path, visit{at: c.stages[0], key: whole.key(p.id)})
			slices.Reverse(path)
			return path
		}
		path = append(path, c.led(from, p, to))
		p = from
	}
}

// led tells the first step from one spot to another.
func (c *course) led(from, then spot, to *stage) (v visit) {
	c.leave(from, to, func(p spot, by visit) {
		if p == then && v.at == nil {
			v = by
			v.key = v.at.x.key(p.id)
		}
	})
	return v
}

// leave visits where the steps from a spot lead, faults on the way to a stage among them, and what they are but for the
// key.
func (c *course) leave(p spot, to *stage, reach func(then spot, v visit)) {
	s := c.stages[p.stage]
	x := s.x
	x.edges = x.successors(p.id, x.edges[:0])
	set := x.movers()
	for _, e := range x.edges {
		reach(spot{p.stage, e.to}, visit{at: s, acts: e.acts & set})
	}
	if !c.r.cfg.Faults.Any() {
		return
	}
	// Every stage has been made, so that there is no error any more.
	_ = c.faults(s, x.key(p.id), func(t *stage, key uint64, what strike) {
		if to.had.Crash >= t.had.Crash && to.had.Corrupt >= t.had.Corrupt && to.had.Loss >= t.had.Loss {
			reach(spot{uint32(slices.Index(c.stages, t)), t.x.id(key)}, visit{at: t, fault: &what})
		}
	})
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

// movers are the nodes that count as acting where the trace is shown: those that change something where successors was
// last asked, and whoever a daemon that goes by rounds has picked.
func (x *walker) movers() uint16 {
	if x.daemon.inRounds() {
		return x.full
	}
	return x.set
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
		next := x.successors(x.id(p.key), nil)
		set := x.movers()
		for _, e := range next {
			key := x.key(e.to)
			if !in[key] {
				continue
			}
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
