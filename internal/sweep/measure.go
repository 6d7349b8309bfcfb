package sweep

import (
	"context"
	"math"
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/energy"
	"caucus.example/caucus/internal/results"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
)

// Measure is something that is read off a run.
type Measure struct {
	Name, Doc string
	rounds    bool // of rounds only, from samples
	given     bool // known before the run
	read      func(o *observed, tell func(x, value float64))
}

// observed is a run that is over.
type observed struct {
	*scenario.Run
	*sim.Result
	ctx context.Context
}

// Measures lists what a study can ask for, in the order in which it is shown. A value that a run does not have is none.
var Measures = []Measure{
	{
		Name: "instability", rounds: true,
		Doc:  "share of the last 10 rounds in which a node's leader changed, mean over nodes and rounds",
		read: single(instability),
	},
	{
		Name: "stabilise",
		Doc:  "rounds from the start, and from each fault, until no leader changes any more before the next",
		read: stabilise,
	},
	{
		Name: "rounds",
		Doc:  "rounds, or periods, that the run took",
		read: single(func(o *observed) float64 { return float64(o.Rounds) }),
	},
	{Name: "leaders", Doc: "nodes that run and lead at the end",
		read: single(leaders)},
	{
		Name: "messages",
		Doc:  "messages sent, one for each neighbour of a sender",
		read: single(func(o *observed) float64 { return float64(o.Messages) }),
	},
	{Name: "bytes", Doc: "bytes of these messages, encoded",
		read: single(func(o *observed) float64 { return float64(o.Bytes) })},
	{Name: "energy", Doc: "J of a node, mean; of the radio cc2420 unless the scenario has another",
		read: single(joules)},
	{
		Name: "correct",
		Doc: "1 if the result is the one that the algorithm promises, 0 if not; none on networks that move or have " +
			"lost nodes",
		read: single(correct),
	},
	{
		Name: "instability-by-round", rounds: true,
		Doc:  "instability after each round",
		read: byRound(func(s *sim.Sample) float64 { return s.Instability }),
	},
	{
		Name: "leaders-by-round", rounds: true,
		Doc:  "nodes that lead after each round",
		read: byRound(func(s *sim.Sample) float64 { return float64(s.Leaders) }),
	},
	{
		Name: "changes-by-round", rounds: true,
		Doc:  "nodes whose leader has changed in each round",
		read: byRound(func(s *sim.Sample) float64 { return float64(s.Changes) }),
	},
	{
		Name: "time", Doc: "periods until the last event of an event algorithm; of rounds as rounds",
		read: single(func(o *observed) float64 {
			if o.Entry.Spec.Shape == caucus.ShapeRounds {
				return float64(o.Rounds)
			}
			return o.Time
		}),
	},
	{
		Name: "edges", Doc: "links of the network", given: true,
		read: ofNetwork(func(_ context.Context, g *network.Graph) float64 { return float64(g.Edges()) }),
	},
	{
		Name: "diameter", Doc: "of the network, in hops; none if it is not connected", given: true,
		read: ofNetwork(diameter),
	},
	{
		Name: "initiators", Doc: "nodes that start an event algorithm", given: true,
		read: single(func(o *observed) float64 {
			if o.Config.Initiators == nil {
				return float64(o.Config.Graph.Len())
			}
			return float64(len(o.Config.Initiators))
		}),
	},
}

// given tells whether a measure is known before a run, and so no result of it.
func given(measure string) bool {
	return slices.ContainsFunc(Measures, func(m Measure) bool { return m.Name == measure && m.given })
}

// ofNetwork reads what a network has that stands still.
func ofNetwork(read func(context.Context, *network.Graph) float64) func(*observed, func(x, value float64)) {
	return single(func(o *observed) float64 {
		if o.Config.Moving != nil {
			return results.None
		}
		return read(o.ctx, o.Config.Graph)
	})
}

func diameter(ctx context.Context, g *network.Graph) float64 {
	if m := network.Measure(ctx, g, math.MaxInt); m.Components == 1 && m.Diameter.Exact {
		return float64(m.Diameter.Hops)
	}
	return results.None
}

// usual are the measures of a study that names none.
var usual = []string{"instability", "stabilise", "leaders", "messages", "correct"}

func single(read func(*observed) float64) func(*observed, func(x, value float64)) {
	return func(o *observed, tell func(x, value float64)) { tell(results.None, read(o)) }
}

func byRound(read func(*sim.Sample) float64) func(*observed, func(x, value float64)) {
	return func(o *observed, tell func(x, value float64)) {
		for i := range o.Samples {
			tell(float64(o.Samples[i].Round), read(&o.Samples[i]))
		}
	}
}

func instability(o *observed) float64 {
	if len(o.Samples) == 0 {
		return results.None
	}
	sum := 0.0
	for i := range o.Samples {
		sum += o.Samples[i].Instability
	}
	return sum / float64(len(o.Samples))
}

func leaders(o *observed) float64 {
	n := 0
	for i, x := range o.Outcomes {
		if o.Live[i] && x.Role == caucus.Leader {
			n++
		}
	}
	return float64(n)
}

func joules(o *observed) float64 {
	list := o.Joules(o.Result)
	return results.MeanOf(list).Value
}

// stabilise measures over the times of the events: the start, and whenever a fault begins or ends. What still changes
// in the last round before the next event, or the end of a run that did not come to rest, has not stabilised.
func stabilise(o *observed, tell func(x, value float64)) {
	times := []float64{0}
	for _, f := range o.Config.Faults {
		for _, t := range []float64{f.At, f.Until} {
			if t > 0 && t < float64(o.Rounds) {
				times = append(times, t)
			}
		}
	}
	slices.Sort(times)
	times = slices.Compact(times)
	if len(o.Samples) == 0 { // of events there is the end alone
		if value := float64(o.SettledAt); len(times) == 1 && o.Converged {
			tell(0, value)
		} else {
			tell(0, results.None)
		}
		return
	}
	for k, from := range times {
		until := float64(o.Rounds)
		if k+1 < len(times) {
			until = times[k+1]
		}
		last := from
		for _, s := range o.Samples {
			if at := float64(s.Round); at > from && at <= until && s.Changes > 0 {
				last = at
			}
		}
		if value := math.Ceil(last - from); last < until || last == from {
			tell(from, value)
		} else {
			tell(from, results.None)
		}
	}
}

// correct judges the result with the whole network in view, if it stood still and all its nodes run.
func correct(o *observed) float64 {
	if o.Entry.Right == nil || o.Config.Moving != nil || o.Config.Positions || slices.Contains(o.Live, false) {
		return results.None
	}
	net := o.Whole()
	for _, f := range o.Config.Faults {
		if f.Kind == sim.Strength {
			change(net.Strengths, &f)
		}
	}
	right, err := o.Entry.Right(o.Args, net, o.Outcomes)
	switch {
	case err != nil:
		return results.None
	case right:
		return 1
	}
	return 0
}

// change carries out a change of strengths.
func change(strengths []float64, f *sim.Fault) {
	for i := range strengths {
		if f.Nodes != nil && !slices.Contains(f.Nodes, i) {
			continue
		}
		if strengths[i] = f.Value; f.Values != nil {
			strengths[i] = f.Values[i]
		}
	}
}

// run simulates one run on one core and reads the measures off it.
func run(ctx context.Context, r *scenario.Run, measures []*Measure) (*observed, error) {
	cfg := r.Config
	cfg.Workers = 1
	for _, m := range measures {
		if (m.rounds || m.Name == "stabilise") && r.Entry.Spec.Shape == caucus.ShapeRounds {
			cfg.Every = 1
		}
		if m.Name == "energy" {
			if cfg.Traffic = true; r.Energy == nil {
				r.Energy = &energy.CC2420
			}
		}
		if m.Name == "energy" || m.Name == "bytes" {
			cfg.SizeOf = r.Entry.SizeOf
		}
	}
	result, err := r.Entry.Simulate(ctx, r.Args, cfg)
	if err != nil {
		return nil, err
	}
	return &observed{r, result, ctx}, nil
}
