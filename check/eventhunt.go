package check

import (
	"errors"
	"math/bits"
	"math/rand/v2"
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/story"
)

// eventHunt is hunt for algorithms of the event shape: an execution that lets two lead at a time, changes what was
// final, or comes to a wrong end is a violation as good as any. What goes on for ever it does not find.
type eventHunt struct {
	algo columns.Events
	spec *caucus.Spec
	cfg  *Config
	net  *caucus.Network
	lim  limits
	sets [][]uint16 // of initiators, by how many these are
	seen *keyMap    // hashes of the configurations
	said Hunt
	best *crime
}

// crime is what went wrong, and in which walk.
type crime struct {
	walk   *stroll
	set    uint16
	begin  []uint32
	done   []happening
	wrong  string
	unsafe bool // two leaders at a time, or a change of what was final
}

// worse says of which crime to tell.
func (c *crime) worse(than *crime) bool {
	return than == nil || c.unsafe && !than.unsafe || c.unsafe == than.unsafe && len(c.done) < len(than.done)
}

// walksOfSet is how many walks in a row have the same initiators, and share what is known of the values of nodes.
const walksOfSet = 16

// hunted makes all walks. Whoever is told of a crime is told of the shortest.
func (h *eventHunt) hunted() (*story.Story, error) {
	h.seen = newKeyMap()
	for first := 0; first < h.cfg.Walks && h.lim.ctx.Err() == nil; first += walksOfSet {
		rnd := rand.New(rand.NewPCG(h.cfg.Seed, uint64(first)))
		sets := h.sets[rnd.IntN(len(h.sets))]
		set := sets[rnd.IntN(len(sets))]
		w, err := newPlay(h.algo, h.spec, h.cfg, h.net, set)
		if err != nil {
			return nil, err
		}
		s := &stroll{play: w, rand: rnd, blank: slices.Clone(w.row)}
		for k := first; k < min(h.cfg.Walks, first+walksOfSet) && h.lim.ctx.Err() == nil; k++ {
			wrong, unsafe := s.walk(k%2 == 1)
			if s.err != nil {
				return nil, s.err
			}
			h.take(s, &crime{s, set, slices.Clone(s.rows.at(s.way[0])), slices.Clone(s.done), wrong, unsafe})
		}
	}
	h.said.Networks, h.said.Met = 1, int64(h.seen.count)
	if h.best == nil {
		return nil, nil
	}
	return h.best.walk.tellOf(h.best), h.best.walk.err
}

// take adds a walk to what is known.
func (h *eventHunt) take(s *stroll, c *crime) {
	h.lim.explored.Add(int64(len(s.way)))
	h.said.Walks++
	h.said.Steps = max(h.said.Steps, len(s.done))
	var hashes []uint64
	for _, id := range s.way {
		hashes = append(hashes, s.hash(s.rows.at(id)))
	}
	most := min(maxVertices, int(h.cfg.MaxMemory/int64(h.cfg.Workers)/perKey))
	h.said.Full = h.seen.meet(hashes, most) || h.said.Full
	if c.wrong != "" && c.worse(h.best) {
		h.best = c
	}
}

// stroll makes executions of a play, one step at a time.
type stroll struct {
	*play
	rand   *rand.Rand
	blank  []uint32    // the row with which all begin, but for states that may be any
	way    []uint32    // configurations
	done   []happening // the steps between them
	may    []deferred
	rests  bool      // there is nothing but faults among these
	ranks  []float64 // of nodes, links and the clock
	steady int       // once in how many steps who is the fastest gets another rank
	states []uint64  // hashes, by number
	mail   []uint64  // hashes of messages, by number
	queues []uint64  // and of queues
}

// deferred is a step that can be taken.
type deferred struct {
	happening
	do func() int
}

// walk draws an execution, to its end or for so many steps, and says what goes wrong. With ranks, the next to do
// something is who has the highest: some are far slower than others. Without, it is anyone.
func (s *stroll) walk(ranked bool) (wrong string, unsafe bool) {
	row := slices.Clone(s.blank)
	for i := range s.locals {
		if s.anywhere && s.net.Starts(i) {
			row[2*i] = s.corrupt[s.rand.IntN(len(s.corrupt))]
		}
	}
	s.ranks = s.ranks[:0]
	for range len(s.locals) + len(s.to) + 1 {
		s.ranks = append(s.ranks, s.rand.Float64())
	}
	s.steady = 1 << (2 * s.rand.IntN(5))
	s.enter(row)
	for range (len(s.locals) + len(s.to)) * huntSteps {
		if wrong, unsafe = s.verdict(); wrong != "" || len(s.may) == 0 || s.err != nil {
			return wrong, unsafe
		}
		if wrong = s.take(s.pick(ranked), s.rand.Uint64()); wrong != "" {
			return wrong, true
		}
	}
	return "", false
}

// enter begins an execution.
func (s *stroll) enter(row []uint32) {
	s.rows.clear()
	s.way, s.done = append(s.way[:0], s.rows.number(row)), s.done[:0]
}

// verdict says what is wrong with where the execution is, and lists what may happen next.
func (s *stroll) verdict() (wrong string, unsafe bool) {
	id := s.way[len(s.way)-1]
	s.may, s.rests = s.may[:0], true
	s.listed = func(e happening, do func() int) {
		s.may = append(s.may, deferred{e, do})
		s.rests = s.rests && e.fault()
	}
	s.expand(id)
	s.listed = nil
	return s.judged(id, s.rests)
}

// pick chooses what happens next.
func (s *stroll) pick(ranked bool) *deferred {
	fault := s.rests || s.rand.IntN(4*len(s.locals)) == 0
	var best []*deferred
	highest := -1.0
	for k := range s.may {
		d := &s.may[k]
		switch rank := s.ranks[s.actor(d)]; {
		case d.fault() != fault:
			continue
		case ranked && !fault && rank < highest:
			continue
		case ranked && !fault && rank > highest:
			highest, best = rank, best[:0]
		}
		best = append(best, d)
	}
	if len(best) == 0 { // there is no fault
		return &s.may[s.rand.IntN(len(s.may))]
	}
	d := best[s.rand.IntN(len(best))]
	if s.rand.IntN(s.steady) == 0 {
		s.ranks[s.actor(d)] = s.rand.Float64()
	}
	return d
}

// actor is what a step waits for: a link, the clock, or a node itself.
func (s *stroll) actor(d *deferred) int {
	switch d.what {
	case story.Message, story.Lost:
		return len(s.locals) + d.link
	case story.Tick:
		return len(s.ranks) - 1
	}
	return d.node
}

// take takes a step, with this one of the results of what is drawn in it, and says whether it changes what was final.
func (s *stroll) take(d *deferred, draw uint64) (wrong string) {
	type result struct {
		to    uint32
		e     happening
		wrong string
	}
	var results []result
	from := s.way[len(s.way)-1]
	s.tell = func(to uint32, e happening) { results = append(results, result{to, e, s.change}) }
	s.step(d.happening, d.do)
	s.tell = nil
	if s.err != nil {
		return ""
	}
	r := results[draw%uint64(len(results))]
	s.way, s.done = append(s.way, r.to), append(s.done, r.e)
	if s.spoiled(from) {
		return ""
	}
	return r.wrong
}

// repeat carries out those of the steps that can be, and says what goes wrong.
func (s *stroll) repeat(begin []uint32, steps []happening) (wrong string, unsafe bool) {
	s.enter(begin)
	if wrong, unsafe = s.verdict(); wrong != "" {
		return wrong, unsafe
	}
	for _, e := range steps {
		at := slices.IndexFunc(s.may, func(d deferred) bool {
			return d.what == e.what && d.node == e.node && d.link == e.link && d.value == e.value
		})
		if at < 0 {
			continue
		}
		if wrong = s.take(&s.may[at], e.draw); wrong != "" {
			return wrong, true
		}
		if wrong, unsafe = s.verdict(); wrong != "" || s.err != nil {
			return wrong, unsafe
		}
	}
	return "", false
}

// tellOf tells of a crime, without the steps that it does not need.
func (s *stroll) tellOf(c *crime) *story.Story {
	for size := len(c.done) / 2; size > 0; size /= 2 {
		for at := 0; at+size <= len(c.done); {
			fewer := slices.Delete(slices.Clone(c.done), at, at+size)
			if wrong, unsafe := s.repeat(c.begin, fewer); wrong != "" && unsafe == c.unsafe {
				c.done, c.wrong = slices.Clone(s.done), wrong
			} else {
				at += size
			}
		}
	}
	s.repeat(c.begin, c.done)
	return s.storyOf(s.way, c.wrong)
}

// hash tells configurations apart by what nodes hold and links carry.
func (s *stroll) hash(row []uint32) uint64 {
	n, h := len(s.locals), uint64(1)
	for k, v := range row {
		of := uint64(v)
		switch {
		case k < 2*n && k%2 == 0 && v != 0 && v != gone:
			of = remembered(&s.states, v, func(v uint32) uint64 { return s.play.states.hash(s.play.states.at(v - 1)) })
		case k < 2*n && k%2 == 1 && v != 0:
			of = hashRow(s.lists.values[v])
		case k >= 2*n && k < len(row)-1 && v != 0:
			of = remembered(&s.queues, v, s.queueHash)
		}
		h = mix(h*0x9e3779b97f4a7c15 + of)
	}
	return h
}

func (s *stroll) queueHash(list uint32) uint64 {
	h := uint64(1)
	for _, it := range s.lists.values[list] {
		value := s.value(it)
		of := remembered(&s.mail, value, func(v uint32) uint64 { return s.messages.hash(s.messages.at(v)) })
		h = mix(h*0x9e3779b97f4a7c15 + of + uint64(it-value))
	}
	return h
}

// remembered is what a function gives for a number, once it has been called for it. No hash is 0.
func remembered(known *[]uint64, k uint32, of func(uint32) uint64) uint64 {
	for int(k) >= len(*known) {
		*known = append(*known, 0)
	}
	if (*known)[k] == 0 {
		(*known)[k] = of(k) | 1
	}
	return (*known)[k]
}

// huntEvents looks for what goes wrong with the initiators with which a network is too large, and puts it there; or
// says what it has met. Where it is cut short, that is why they are undecided.
func (c *Config) huntEvents(algo columns.Events, spec *caucus.Spec, net *caucus.Network, results []played,
	lim limits) (Hunt, error) {
	h := eventHunt{algo: algo, spec: spec, cfg: c, net: net, lim: lim}
	sets := c.initiatorSets(net)
	h.sets = make([][]uint16, net.Len())
	for k, p := range results {
		if p.err != nil && p.unsafe == nil && p.stuck == nil {
			of := &h.sets[bits.OnesCount16(sets[k])-1]
			*of = append(*of, sets[k])
		}
	}
	h.sets = slices.DeleteFunc(h.sets, func(of []uint16) bool { return len(of) == 0 })
	if len(h.sets) == 0 || c.Faults.Corrupt > 0 || promiseOf(spec) == Lasts {
		return Hunt{}, nil
	}
	found, err := h.hunted()
	for k := range results {
		if p := &results[k]; lim.ctx.Err() != nil && p.err != nil {
			p.err = errStopped
		}
	}
	switch {
	case errors.As(err, new(errTooLarge)):
		return Hunt{}, nil
	case err != nil || found == nil:
		return h.said, err
	}
	p := &results[slices.Index(sets, h.best.set)]
	p.hunted, p.configurations = true, int(h.said.Met)
	if h.best.unsafe {
		p.unsafe = found
	} else {
		p.stuck = found
	}
	return Hunt{}, nil
}
