package check

import (
	"errors"
	"fmt"
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/sim/engine"
	"caucus.example/caucus/story"
)

// maxLaps is how often a loop is gone round at most until all is as it was, by the values themselves.
const maxLaps = 5

// tell has a path carried out in the simulator, with the values themselves: the search does not tell apart states that
// no future does, and people want to see what is there. From loop on the path leads back to where it was there, unless
// that is its end.
func (c *course) tell(path []visit, loop int) (*story.Story, error) {
	s := &story.Story{Network: Describe(c.net), Rounds: true, Messages: path[0].at.m.n > path[0].at.m.nodes, Loop: -1}
	first := c.opening(s, path[0])
	moment := first
	lap := path[loop:]
	if len(lap) > 1 {
		s.Loop = first + loop
	}
	on := func(visits []visit) {
		for _, v := range visits {
			moment++
			c.add(s, v, float64(moment))
		}
	}
	on(path[1:])
	told, err := engine.ReplayRounds(c.r.many, simConfig(c.net), s)
	// What differs by what no future tells apart is gone after some more laps, and at an end when all have acted.
	again := lap[1:]
	if s.Loop < 0 {
		again = c.round(lap[0])
	}
	for range maxLaps - 1 {
		if err == nil || told == nil {
			break
		}
		if s.Loop >= 0 {
			s.Loop = moment
		}
		on(again)
		told, err = engine.ReplayRounds(c.r.many, simConfig(c.net), s)
	}
	if err != nil {
		return nil, errors.Join(errAstray, err)
	}
	if err := c.compare(told, path, first); err != nil {
		return nil, err
	}
	// right where it goes on, if what is wrong is only that a wrong result can still come
	judgeRounds(c.r.algo, c.net, told)
	return told, nil
}

// round is one in which nothing changes that the search tells apart.
func (c *course) round(v visit) (acts []visit) {
	if c.daemon == Synchronous {
		return []visit{{at: v.at, key: v.key, acts: v.at.x.full}}
	}
	for k := range v.at.m.n {
		acts = append(acts, visit{at: v.at, key: v.key, acts: 1 << k})
	}
	return acts
}

// compare finds out whether nodes answer in the simulator what they answer in the search.
func (c *course) compare(told *story.Story, path []visit, first int) error {
	moments := told.Moments()
	for step, v := range path {
		if v.at.x.daemon.inRounds() {
			return nil // keys are amid rounds
		}
		letters := make([]uint32, v.at.m.n)
		v.at.m.letters(v.key, letters)
		for k, i := range v.at.nodes {
			o := v.at.y.outcome(k, v.at.m.holds(k, letters[k]).state)
			if is := moments[first+step].Now[i].Outcome; !v.at.answers(k, is, o) {
				return fmt.Errorf("%w: %d has %s after step %d and not %s: %s on %s", errAstray, c.net.IDs[i],
					story.OutcomeText(is),
					first+step, story.OutcomeText(o), told.Script(), told.Network)
			}
		}
	}
	return nil
}

// answers tells whether the outcome of node k is what the search has of it. Where that knows what is right, and no step
// depends on anything else of a state, it tells right from wrong and no more: see labels.
func (r *remains) answers(k int, is, found caucus.Outcome) bool {
	if (r.m.every || r.y.algo.selects && !r.y.algo.crashes) && r.y.want != nil {
		return asWanted(is, r.y.want[k]) == asWanted(found, r.y.want[k])
	}
	return is.Role == found.Role && story.OutcomeText(is) == story.OutcomeText(found)
}

// opening tells what nodes hold, say and have heard at the first configuration; if nodes have crashed by then, that
// they do, one after the other. It gives how many have.
func (c *course) opening(s *story.Story, v visit) int {
	whole, at, n := c.stages[0], v.at, c.net.Len()
	holds, says := make([]uint32, n), make([]uint32, n)
	letters := make([]uint32, at.m.n)
	at.m.letters(v.key, letters)
	for k, i := range at.nodes {
		holds[i], says[i] = at.values(k, letters[k])
	}
	var crashed []int
	for i := range n {
		if at.gone&(1<<i) != 0 {
			holds[i], says[i] = whole.y.leading(i)
			crashed = append(crashed, i)
		}
		if p := &whole.y.nodes[i]; holds[i] != p.states.values[p.boot[0]] || says[i] != p.messages.values[p.boot[1]] {
			s.Steps = append(s.Steps, c.algo().holding(story.Begin, i, holds[i], says[i]))
		}
	}
	for k, l := range letters[at.m.nodes:] {
		j := at.y.net.Nbr[k]
		to, place := entry(at.y.net, k)
		if heard, _ := at.y.heard(l); at.y.heeded(to, place, says[at.nodes[j]]) != heard {
			m, _ := at.y.delivered(k, l)
			s.Steps = append(s.Steps, c.algo().hearing(at.nodes[to], at.nodes[j], m))
		}
	}
	for k, i := range crashed {
		s.Steps = append(s.Steps, story.Step{Time: float64(k + 1), What: story.Crash, Node: i})
	}
	return len(crashed)
}

// holding is a step in which a node gets a state and something to say.
func (a *numbered) holding(what string, i int, state, says uint32) story.Step {
	return story.Step{What: what, Node: i, After: story.ValueOf(a.states.value(state)),
		Says: story.ValueOf(a.says.value(says))}
}

// hearing is what a node has last heard of another when everything begins.
func (a *numbered) hearing(i, from int, says uint32) story.Step {
	return story.Step{What: story.Hear, Node: i, From: from, Message: story.ValueOf(a.says.value(says))}
}

// values are what a letter of node k stands for.
func (r *remains) values(k int, letter uint32) (state, says uint32) {
	p := r.m.holds(k, letter)
	return r.y.nodes[k].states.values[p.state], r.y.nodes[k].messages.values[p.message]
}

// add tells what has led to a visit.
func (c *course) add(s *story.Story, v visit, time float64) {
	r := v.at
	if f := v.fault; f != nil {
		x := story.Step{What: f.kind, Node: f.node, From: max(0, f.of)}
		if f.kind == story.Corrupt {
			k := slices.Index(r.nodes, f.node)
			letters := make([]uint32, r.m.n)
			r.m.letters(v.key, letters)
			state, says := r.values(k, letters[k])
			x = c.algo().holding(f.kind, f.node, state, says)
		}
		x.Time = time
		s.Steps = append(s.Steps, x)
		return
	}
	for k, i := range r.nodes {
		if v.acts&(1<<k) != 0 {
			s.Steps = append(s.Steps, story.Step{Time: time, What: story.Act, Node: i})
		}
	}
	for link := range r.m.n - r.m.nodes {
		if v.acts&(1<<(r.m.nodes+link)) != 0 {
			s.Steps = append(s.Steps, story.Step{Time: time, What: story.Message,
				Node: r.nodes[receiver(r.y.net, link)], From: r.nodes[r.y.net.Nbr[link]]})
		}
	}
}

// leading gives a state in which node i leads, and the message that says the same if there is one.
func (y *system) leading(i int) (state, message uint32) {
	p := &y.nodes[i]
	for s := range p.states.values {
		if y.outcome(i, uint32(s)).Role != caucus.Leader {
			continue
		}
		for m := range p.messages.values {
			if y.algo.alike && y.algo.said(p.states.values[s]) == p.messages.values[m] {
				return p.states.values[s], p.messages.values[m]
			}
		}
		return p.states.values[s], p.messages.values[p.boot[1]]
	}
	return p.states.values[p.boot[0]], p.messages.values[p.boot[1]]
}
