package study

import (
	"context"
	"fmt"
	"math"
	"strings"

	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/network/mobility"
	"caucus.example/caucus/registry"
	"caucus.example/caucus/scenarios"
	"caucus.example/caucus/sim"
)

// Bounded is the experiment of Pianini, Casadei, Viroli (ACSOS 2022): Bounded Election beside recursive election and
// sparse choice, all three on the same run, in three scenarios of 600 s.
type Bounded struct {
	Scenarios []string // of BoundedScenarios
	Seeds     int      // runs of each scenario
	Faithful  string   // "artefact": set up as the published data are; "paper": as the text has it
	Changed   []Option // settings of the scenarios to change, to see what they do
}

// BoundedScenarios lists the scenarios in the order of the paper.
var BoundedScenarios = []string{"scale-free", "random", "edge"}

// boundedAlgorithms are the three algorithms, by their names here and there.
var boundedAlgorithms = []struct{ name, published string }{
	{"recursive", "recursive"}, {"sparse", "classic"}, {"bounded", "proposed"},
}

// boundedSeconds is how long each run takes.
const boundedSeconds = 600

// BoundedRun is what one run gives: the instability of each algorithm after each second.
type BoundedRun struct {
	Scenario string
	Seed     uint64
	Nodes    int
	// Changes is by algorithm: over all nodes, how often their leader changed in the last 10 rounds.
	Changes [][]int
}

// instability is the mean share of the last 10 rounds in which a node's leader changed, after second t (from 1).
func (r *BoundedRun) instability(algorithm, t int) float64 {
	return float64(r.Changes[algorithm][t-1]) / float64(10*r.Nodes)
}

// Sweep is the experiment as jobs: all seeds of a scenario before the next.
func (b Bounded) Sweep(version string) *Sweep[BoundedRun] {
	return &Sweep[BoundedRun]{
		Name: "bounded-election", Version: version, Jobs: len(b.Scenarios) * b.Seeds,
		Options: append([]Option{{"scenario", strings.Join(b.Scenarios, ",")}, {"seeds", fmt.Sprint(b.Seeds)}, {"faithful", b.Faithful}}, b.Changed...),
		Run: func(ctx context.Context, job int) (BoundedRun, error) {
			return b.run(ctx, b.Scenarios[job/b.Seeds], uint64(job%b.Seeds)+1)
		},
	}
}

// Check tries out that the scenarios can be set up.
func (b Bounded) Check() error {
	for _, name := range b.Scenarios {
		if _, err := b.load(name, 1); err != nil {
			return err
		}
	}
	return nil
}

// load reads the scenario file for a seed and resolves it for each algorithm.
func (b Bounded) load(name string, seed uint64) ([]*scenario.Run, error) {
	file := "bounded-" + name + ".yaml"
	if b.Faithful == "paper" && name != "scale-free" {
		file = "bounded-" + name + "-paper.yaml"
	}
	first, err := openScenario(file, seed, b.Changed)
	if err != nil {
		return nil, err
	}
	var runs []*scenario.Run
	for _, a := range boundedAlgorithms {
		r, err := first.With(a.name, b.mode(a.name))
		if err != nil {
			return nil, err
		}
		runs = append(runs, r)
	}
	return runs, nil
}

// openScenario resolves a scenario that ships with the program, for a seed and with some settings changed.
func openScenario(file string, seed uint64, changed []Option) (*scenario.Run, error) {
	text, err := scenarios.Files.ReadFile(file)
	if err != nil {
		return nil, err
	}
	s, err := scenario.Parse(file, text)
	if err != nil {
		return nil, err
	}
	of := fmt.Sprint(seed)
	for _, o := range append(changed[:len(changed):len(changed)], Option{"seed", of}, Option{"graph-seed", of}) {
		if err := s.Set(o.Name, o.Value); err != nil {
			return nil, err
		}
	}
	return s.Resolve()
}

// mode is the faithful mode of an algorithm: the artefact's, where it has no other.
func (b Bounded) mode(algorithm string) string {
	if entry, err := registry.Get(algorithm); err == nil && entry.Spec.Faithful[b.Faithful] != nil {
		return b.Faithful
	}
	return "artefact"
}

// start prepares the three elections on one network.
func (b Bounded) start(name string, seed uint64) (runs []*scenario.Run, elections []sim.Stepper, err error) {
	if runs, err = b.load(name, seed); err != nil {
		return nil, nil, err
	}
	var views []mobility.Net
	for k, r := range runs {
		cfg := r.Config
		cfg.Workers, cfg.Every = 1, 1
		if cfg.Moving != nil {
			if views == nil {
				net, err := cfg.Moving.New()
				if err != nil {
					return nil, nil, err
				}
				views = mobility.Share(net, len(runs))
			}
			moving := *cfg.Moving
			moving.New = func() (mobility.Net, error) { return views[k], nil }
			cfg.Moving = &moving
		}
		e, err := r.Entry.Start(r.Args, cfg)
		if err != nil {
			stopAll(elections)
			return nil, nil, err
		}
		elections = append(elections, e)
	}
	return runs, elections, nil
}

func stopAll(elections []sim.Stepper) {
	for _, e := range elections {
		e.Close()
	}
}

func (b Bounded) run(ctx context.Context, name string, seed uint64) (BoundedRun, error) {
	runs, elections, err := b.start(name, seed)
	if err != nil {
		return BoundedRun{}, err
	}
	defer stopAll(elections)
	if err := sim.Together(ctx, boundedSeconds, elections...); err != nil {
		return BoundedRun{}, err
	}
	out := BoundedRun{Scenario: name, Seed: seed, Nodes: runs[0].Config.Graph.Len()}
	for _, e := range elections {
		var changes []int
		for _, s := range e.Result().Samples {
			changes = append(changes, int(math.Round(s.Instability*float64(10*s.Live))))
		}
		out.Changes = append(out.Changes, changes)
	}
	return out, nil
}
