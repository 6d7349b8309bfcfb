package scenario

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"caucus.example/caucus"
	"caucus.example/caucus/network"
	"caucus.example/caucus/network/mobility"
	"caucus.example/caucus/sim"
)

// move sets up a network that moves: of walkers in an arena, or along a trace.
func (r *Run) move(s *Scenario) (err error) {
	if s.texts["movements"] != "" {
		err = r.follow(s)
	} else {
		err = r.walk(s)
	}
	if err != nil {
		return err
	}
	r.Names, err = network.Names(r.Config.Graph)
	return located(s.places["movements"], err)
}

// reach reads the range, which every moving network but one of contacts has.
func reach(s *Scenario) (float64, error) {
	x, ok := caucus.ParseNumber(s.texts["range"])
	if !ok || x <= 0 {
		return 0, located(s.places["range"], caucus.Wrong("range", s.texts["range"],
			"a length > 0: how far nodes that move hear each other"))
	}
	return x, nil
}

func (r *Run) walk(s *Scenario) error {
	wide, high, ok := strings.Cut(s.texts["arena"], "x")
	width, ok1 := caucus.ParseNumber(wide)
	height, ok2 := caucus.ParseNumber(high)
	if !ok || !ok1 || !ok2 {
		return located(s.places["arena"], caucus.Wrong("arena", s.texts["arena"],
			"WIDTHxHEIGHT, such as 1200x1200, for walkers"))
	}
	x, err := reach(s)
	if err != nil {
		return err
	}
	every, _ := Period("move-every", s.texts["move-every"])
	seed, _ := Seed("seed", s.texts["seed"])
	cfg := mobility.Config{Arena: mobility.Arena{Width: width, Height: height, Walls: mobility.Walls(s.texts["walls"])},
		Range: x, Period: every.Seconds(), Seed: seed}
	n := 0
	for _, w := range s.walkers {
		g := w.group
		if g.Place == nil {
			g.Place = mobility.Box{MaxX: width, MaxY: height}
		}
		cfg.Groups = append(cfg.Groups, g)
		n += g.N
	}
	r.topology = fmt.Sprintf("%d walkers", n)
	r.walkers = &cfg
	return r.fly(n, nil, sim.Moving{New: func() (mobility.Net, error) { return mobility.NewWalk(cfg) }})
}

// Rooted says why nodes cannot be put elsewhere; "" where they can: walkers, and those of a topology whose links follow
// from places.
func (r *Run) Rooted() string {
	c := &r.Config
	switch {
	case r.walkers != nil:
		return ""
	case c.Moving != nil:
		return "they are where their trace has them"
	case r.Entry.Spec.Shape == caucus.ShapeEvents:
		return "an algorithm of events has a fixed number of ports"
	case c.Graph.Range == 0:
		return "links do not follow from places here, as they do for walkers and in a random geometric graph (rgg)"
	case r.Metric != network.MetricHops && r.Metric != network.MetricDistance:
		return "their links have the lengths of the metric " + string(r.Metric) + ", whatever their places"
	case c.Timing == sim.Exponential || c.Timing == sim.Aligned:
		return "timing " + string(c.Timing) + " is for networks that stand still"
	case c.TwoWay:
		return "two-way is for networks that stand still"
	case c.Timing == sim.Jittered && slices.ContainsFunc(c.Faults, ofLinks):
		return "messages that are lost or late at jittered times are told apart by links that stay"
	}
	return ""
}

// ofLinks tells whether a fault has messages be lost or late.
func ofLinks(f sim.Fault) bool {
	switch f.Kind {
	case sim.Loss, sim.Delay, sim.Reordering, sim.Duplication, sim.Latency:
		return true
	}
	return false
}

// jump has nodes be somewhere else from a fault on.
func (r *Run) jump(f *sim.Fault, x, y float64) error {
	if why := r.Rooted(); why != "" {
		return caucus.Wrong("kind", string(f.Kind), "for nodes that can be put elsewhere: "+why)
	}
	if r.walkers == nil {
		if err := r.uproot(); err != nil {
			return err
		}
	}
	at := f.At * r.Config.Period.Seconds()
	for _, i := range f.Nodes {
		r.walkers.Jumps = append(r.walkers.Jumps, mobility.Jump{At: at, Node: i, X: x, Y: y})
	}
	slices.SortStableFunc(r.walkers.Jumps, func(a, b mobility.Jump) int { return cmp.Compare(a.At, b.At) })
	_, err := r.Config.Moving.New() // if they can be there
	return err
}

// uproot makes the nodes of a topology walkers that stand where they stood. Until one is put elsewhere the same happens
// as before, to the bit.
func (r *Run) uproot() error {
	g := r.Config.Graph
	r.walkers = &mobility.Config{Arena: mobility.Arena{Width: g.Box[0], Height: g.Box[1]}, Range: g.Range,
		Period: r.Config.Period.Seconds(), Groups: []mobility.Group{{N: g.Len(), Place: mobility.Spots{X: g.X, Y: g.Y},
			Motion: mobility.Still{}}}}
	cfg := r.walkers
	r.still, r.Config.Lengths = g, nil
	return r.fly(g.Len(), g.Names, sim.Moving{Hops: r.Metric == network.MetricHops,
		New: func() (mobility.Net, error) { return mobility.NewWalk(*cfg) }})
}

func (r *Run) follow(s *Scenario) error {
	file := s.beside("movements")
	trace, err := s.Trace()
	if err != nil {
		return located(s.places["movements"], err)
	}
	r.Trace = trace
	x := 0.0
	if r.contacts = trace.Contacts(); !r.contacts {
		if x, err = reach(s); err != nil {
			return err
		}
	}
	r.topology = file
	return located(s.places["movements"], r.fly(len(trace.Names), trace.Names,
		sim.Moving{New: func() (mobility.Net, error) { return trace.Net(x) }, Begin: trace.Begin}))
}

// Trace reads the movements alone.
func (s *Scenario) Trace() (*mobility.Trace, error) {
	o := mobility.Options{SkipUntimed: s.texts["skip-untimed"] == "true", Geographic: s.texts["geographic"] == "true"}
	if text := s.texts["contact-duration"]; text != "" {
		lasts, _ := Period("contact-duration", text) // checked as it was set
		o.Lasts = lasts.Seconds()
	}
	return mobility.Open(s.beside("movements"), mobility.Format(s.texts["movements-format"]), o)
}

// fly makes the nodes, and tries the network out so that what is wrong with it is known before a run.
func (r *Run) fly(n int, names []string, moving sim.Moving) error {
	if _, err := moving.New(); err != nil {
		return err
	}
	g, _, err := network.Build(n, nil)
	if err != nil {
		return err
	}
	g.Name, g.Names = r.topology, names
	r.Config.Graph, r.Config.Moving = g, &moving
	return nil
}

// choosePhases lets nodes run in the order of their places at the start, and move when they run, if that is asked for.
func (r *Run) choosePhases(s *Scenario) error {
	phases := s.texts["phases"]
	if phases == "random" {
		return s.refuse("only nodes whose phases are x or x-walkers move by them", "moves")
	}
	if r.Config.Timing == sim.Synchronous {
		return s.refuse("in synchronous rounds all nodes run at once; timing async has phases", "phases")
	}
	x := r.Config.Graph.X
	if r.Config.Moving != nil {
		net, err := r.Config.Moving.New()
		if err != nil {
			return err
		}
		if located, ok := net.(mobility.Located); ok {
			for i := range net.Len() {
				at, _ := located.Position(i)
				x = append(x, at)
			}
		}
	}
	if x == nil {
		return located(s.places["phases"], caucus.Wrong("phases", phases, "random: the nodes have no places"))
	}
	least, most := slices.Min(x), slices.Max(x)
	r.Config.Phases = make([]float64, len(x))
	for i := range x {
		r.Config.Phases[i] = (x[i] - least) / math.Nextafter(most-least, math.Inf(1))
	}
	if phases == "x-walkers" {
		if err := r.drawStill(s); err != nil {
			return err
		}
	}
	return r.moveByPhase(s)
}

// drawStill gives nodes that stand still among walkers the phases that they have by default.
func (r *Run) drawStill(s *Scenario) error {
	if r.walkers == nil {
		return located(s.places["phases"], caucus.Wrong("phases", "x-walkers", "random or x: nobody walks"))
	}
	drawn, i := caucus.NewRand(r.Config.Seed, "phase"), 0
	for _, g := range r.walkers.Groups {
		for range g.N {
			if _, still := g.Motion.(mobility.Still); still {
				own := drawn.At(uint64(i))
				r.Config.Phases[i] = own.Float64()
			}
			i++
		}
	}
	return nil
}

// moveByPhase lets walkers move just before or after they run.
func (r *Run) moveByPhase(s *Scenario) error {
	moves := s.texts["moves"]
	if moves == "own" {
		return nil
	}
	if r.walkers == nil || r.walkers.Period != r.Config.Period.Seconds() {
		return located(s.places["moves"], caucus.Wrong("moves", moves, "own: before and after are for walkers that "+
			"move as often as nodes run (move-every is period)"))
	}
	const instant = 1e-9 // of a period
	for _, at := range r.Config.Phases {
		if moves == "before" {
			at = max(0, at-instant)
		} else {
			at = min(at+instant, math.Nextafter(1, 0))
		}
		r.walkers.Phases = append(r.walkers.Phases, at)
	}
	return nil
}

func traceNames() []string {
	var names []string
	for _, f := range mobility.Formats() {
		names = append(names, string(f))
	}
	return names
}
