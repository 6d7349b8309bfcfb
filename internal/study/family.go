package study

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/jobs"
	"caucus.example/caucus/internal/results"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/network/mobility"
	"caucus.example/caucus/registry"
	"caucus.example/caucus/sim"
)

// Family is an experiment beyond the papers: all algorithms of the self-stabilising family on the three scenarios of
// Pianini et al., undisturbed and under each kind of fault, and a search for networks on which Bounded Election does
// worse than another.
type Family struct {
	Scenarios []string // of BoundedScenarios
	Seeds     int      // runs of each scenario
	Trials    int      // of the search; 0: none

	open func(name string, seed uint64) (*scenario.Run, error) // nil: the files that ship
}

// familyAlgorithm is an algorithm with its parameters; all others have their defaults.
type familyAlgorithm struct {
	title, name, mode string
	radius            string // the parameter that takes the radius of the scenario; "" if none does
	weakest           bool   // the least strength wins
	params            map[string]string
}

var familyAlgorithms = []familyAlgorithm{
	{title: "bounded", name: "bounded", radius: "radius"},
	{title: "bounded (artefact)", name: "bounded", mode: "artefact", radius: "radius"},
	{title: "recursive", name: "recursive", radius: "radius"},
	{title: "sparse", name: "sparse", radius: "grain", weakest: true, params: map[string]string{"output": "broadcast"}},
	{title: "mo (K=2)", name: "mo", params: map[string]string{"k": "2"}},
	{title: "waves", name: "waves"},
}

// familyReach is the max-reach of mo by scenario, in hops: with it mo elects about as many leaders as bounded.
var familyReach = map[string]string{"scale-free": "5", "random": "12", "edge": "3"}

// Times of the experiment, in seconds.
const (
	familySeconds = 320 // each run
	familyAt      = 100 // when a fault begins
	familyHeal    = 150 // when the partition ends
	familyLimit   = 120 // what takes longer counts as never
)

// familyFault is something that goes wrong, and from when on the time to stabilise counts.
type familyFault struct {
	name string
	from int
}

var familyFaults = []familyFault{
	{"none", 0}, {"crash", familyAt}, {"fake leader", familyAt}, {"partition", familyHeal}, {"loss 10 %", 0},
	{"loss 30 %", 0}, {"loss 50 %", 0},
}

// familyFirstID is the ID of node 0, so that there are better ones that nobody has.
const familyFirstID = 11

// familyRun is what one seed of a scenario gives.
type familyRun struct {
	scenario  string
	seed      uint64
	nodes     int
	rests     bool               // the network stands still
	elections [][]familyElection // by fault, then by algorithm
}

// familyElection is one election, second by second.
type familyElection struct {
	changes []int // nodes whose leader changed
	astray  []int // nodes that run and do not name a leader that runs and leads
	leaders []int // nodes that lead
	live    int   // nodes that run at the end
	// Sent, one for each neighbour of a sender; bytes are encoded, and counted in runs without a fault only.
	messages, bytes int64
}

// NewFamily gives the experiment on the given scenarios.
func NewFamily(scenarios []string, seeds, trials int) Family {
	return Family{Scenarios: scenarios, Seeds: seeds, Trials: trials,
		open: func(name string, seed uint64) (*scenario.Run, error) {
			return openScenario("bounded-"+name+".yaml", seed, nil)
		}}
}

// Study is the experiment: all seeds of a scenario before the next, then the trials of the search.
func (f Family) Study() *Study {
	runs := len(f.Scenarios) * f.Seeds
	return &Study{jobs.Batch{
		Name: "family", Jobs: runs + f.Trials,
		Options: jobs.List("scenario", strings.Join(f.Scenarios, ","), "seeds", f.Seeds, "search", f.Trials),
		Run: func(ctx context.Context, job int) (results.Rows, error) {
			if job >= runs {
				return tryWorse(ctx, job-runs)
			}
			run, err := f.run(ctx, f.Scenarios[job/f.Seeds], uint64(job%f.Seeds)+1)
			if err != nil {
				return nil, err
			}
			return run.rows(), nil
		},
	}, f.find}
}

func (f Family) run(ctx context.Context, name string, seed uint64) (*familyRun, error) {
	first, err := f.open(name, seed)
	if err != nil {
		return nil, err
	}
	cfg := &first.Config
	cfg.Workers, cfg.Every, cfg.MaxRounds, cfg.StableFor = 1, 1, familySeconds, 0
	cfg.IDs = make([]caucus.ID, cfg.Graph.Len())
	for i := range cfg.IDs {
		cfg.IDs[i] = caucus.ID(familyFirstID + i)
	}
	out := &familyRun{scenario: name, seed: seed, nodes: len(cfg.IDs), rests: cfg.Moving == nil}
	left, err := leftHalf(cfg)
	if err != nil {
		return nil, err
	}
	for k := range familyFaults {
		elections, err := electFamily(ctx, first, name,
			func(a *familyAlgorithm) []sim.Fault { return familySchedule(cfg, k, a, left) })
		if err != nil {
			return nil, err
		}
		out.elections = append(out.elections, elections)
	}
	return out, nil
}

// familySchedule is fault k as an algorithm meets it.
func familySchedule(cfg *sim.Config, k int, a *familyAlgorithm, left []int) []sim.Fault {
	switch name := familyFaults[k].name; name {
	case "none":
		return nil
	case "crash":
		return []sim.Fault{{At: familyAt, Kind: sim.Crash, Leaders: true}}
	case "fake leader":
		fake := sim.Fault{At: familyAt, Kind: sim.FakeLeader, Nodes: fooled(cfg), Fake: 1,
			Value: slices.Max(cfg.Strengths) + 1}
		if a.weakest {
			fake.Value = 0
		}
		return []sim.Fault{fake}
	case "partition":
		return []sim.Fault{{At: familyAt, Until: familyHeal, Kind: sim.Partition, Nodes: left}}
	default:
		var percent float64
		fmt.Sscanf(name, "loss %f", &percent)
		return []sim.Fault{{Kind: sim.Loss, Rate: percent / 100}}
	}
}

// fooled draws one node in ten.
func fooled(cfg *sim.Config) []int {
	n := cfg.Graph.Len()
	nodes := make([]int, n)
	for i := range nodes {
		nodes[i] = i
	}
	draw := caucus.NewRand(cfg.Seed, "fooled")
	for i := range n / 10 {
		j := i + draw.IntN(n-i)
		nodes[i], nodes[j] = nodes[j], nodes[i]
	}
	slices.Sort(nodes[:n/10])
	return nodes[:n/10]
}

// leftHalf lists the nodes that are left of the others when the partition begins.
func leftHalf(cfg *sim.Config) ([]int, error) {
	x := cfg.Graph.X
	if cfg.Moving != nil {
		net, err := cfg.Moving.New()
		if err != nil {
			return nil, err
		}
		net.Advance(familyAt)
		places, ok := net.(mobility.Located)
		if !ok {
			return nil, fmt.Errorf("family: the nodes have no places")
		}
		x = make([]float64, net.Len())
		for i := range x {
			x[i], _ = places.Position(i)
		}
	}
	sorted := slices.Sorted(slices.Values(x))
	var left []int
	for i := range x {
		if x[i] < sorted[len(x)/2] {
			left = append(left, i)
		}
	}
	return left, nil
}

// watched is a run that can be asked for every outcome.
type watched interface {
	sim.Stepper
	Outcomes() []caucus.Outcome
	Live() []bool
}

// electFamily runs all algorithms under one kind of fault. They share a moving network as long as the same nodes run in
// all.
func electFamily(ctx context.Context, first *scenario.Run, name string,
	faults func(*familyAlgorithm) []sim.Fault) ([]familyElection, error) {
	place := placesOf(&first.Config)
	var views []mobility.Net
	out := make([]familyElection, len(familyAlgorithms))
	var runs []watched
	defer func() {
		for _, r := range runs {
			r.Close()
		}
	}()
	for k := range familyAlgorithms {
		a := &familyAlgorithms[k]
		cfg := first.Config
		cfg.Faults = faults(a)
		own := len(cfg.Faults) > 0 && cfg.Faults[0].Leaders
		if cfg.Moving != nil && !own {
			if views == nil {
				net, err := cfg.Moving.New()
				if err != nil {
					return nil, err
				}
				views = mobility.Share(net, len(out))
			}
			moving := *cfg.Moving
			moving.New = func() (mobility.Net, error) { return views[k], nil }
			cfg.Moving = &moving
		}
		r, err := a.start(cfg, first.Get("radius"), familyReach[name])
		if err != nil {
			return nil, err
		}
		runs = append(runs, r)
	}
	for range familySeconds {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for k, r := range runs {
			r.Step()
			out[k].astray = append(out[k].astray, astray(r, place))
		}
	}
	for k, r := range runs {
		out[k].read(r.Result())
		if len(faults(&familyAlgorithms[k])) > 0 {
			out[k].bytes = 0 // sizes in memory
		}
	}
	return out, nil
}

// start begins an election; reach is the max-reach of mo.
func (a *familyAlgorithm) start(cfg sim.Config, radius, reach string) (watched, error) {
	entry, err := registry.Get(a.name)
	if err != nil {
		return nil, err
	}
	given := map[string]string{}
	for name, value := range a.params {
		given[name] = value
	}
	if a.radius != "" {
		given[a.radius] = radius
	}
	if a.name == "mo" && reach != "" {
		given["max-reach"] = reach
	}
	args, err := entry.Spec.Resolve(a.mode, given)
	if err != nil {
		return nil, err
	}
	if len(cfg.Faults) == 0 {
		cfg.SizeOf = entry.SizeOf
	}
	r, err := entry.Start(args, cfg)
	if err != nil {
		return nil, err
	}
	e, ok := r.(watched)
	if !ok {
		r.Close()
		return nil, fmt.Errorf("family: %s cannot be asked for its outcomes", a.name)
	}
	return e, nil
}

// astray counts the nodes that run and do not name a leader that runs and leads; place has the node of each ID.
func astray(e watched, place map[caucus.ID]int) int {
	outcomes, live := e.Outcomes(), e.Live()
	count := 0
	for i, o := range outcomes {
		if !live[i] {
			continue
		}
		if k, ok := place[o.Leader]; !ok || !live[k] || outcomes[k].Role != caucus.Leader {
			count++
		}
	}
	return count
}

// placesOf gives the node of each ID.
func placesOf(cfg *sim.Config) map[caucus.ID]int {
	place := make(map[caucus.ID]int)
	for i := range cfg.Graph.Len() {
		if cfg.IDs == nil {
			place[caucus.ID(i+1)] = i
		} else {
			place[cfg.IDs[i]] = i
		}
	}
	return place
}

// read takes over what the simulator recorded.
func (e *familyElection) read(r *sim.Result) {
	for _, s := range r.Samples {
		e.changes = append(e.changes, s.Changes)
		e.leaders = append(e.leaders, s.Leaders)
		e.live = s.Live
	}
	e.messages, e.bytes = r.Messages, r.Bytes
}
