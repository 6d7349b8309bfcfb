package study

import (
	"context"
	"math"
	"slices"
	"strings"

	"caucus.example/caucus/internal/jobs"
	"caucus.example/caucus/internal/results"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/network/mobility"
	"caucus.example/caucus/registry"
	"caucus.example/caucus/scenarios"
	"caucus.example/caucus/sim"
)

// Bounded is the experiment of Pianini, Casadei, Viroli (ACSOS 2022): Bounded Election beside recursive election and
// sparse choice, all three on the same run, in three scenarios of 600 s.
type Bounded struct {
	Scenarios []string      // of BoundedScenarios
	Seeds     int           // runs of each scenario
	Faithful  string        // "artefact": set up as the published data are; "paper": as the text has it
	Changed   []jobs.Option // settings of the scenarios to change, to see what they do
	Curves    []Curve       // published, to be set beside ours
}

// BoundedScenarios lists the scenarios in the order of the paper.
var BoundedScenarios = []string{"scale-free", "random", "edge"}

// boundedAlgorithms are the three algorithms, by their names here and there.
var boundedAlgorithms = []struct{ name, published string }{
	{"recursive", "recursive"}, {"sparse", "classic"}, {"bounded", "proposed"},
}

// boundedSeconds is how long each run takes.
const boundedSeconds = 600

// Study is the experiment: all seeds of a scenario before the next.
func (b Bounded) Study() *Study {
	return &Study{jobs.Batch{
		Name: "bounded-election", Jobs: len(b.Scenarios) * b.Seeds,
		Options: append(jobs.List("scenario", strings.Join(b.Scenarios, ","), "seeds", b.Seeds, "faithful", b.Faithful),
			b.Changed...),
		Run: func(ctx context.Context, job int) (results.Rows, error) {
			return b.run(ctx, b.Scenarios[job/b.Seeds], uint64(job%b.Seeds)+1)
		},
	}, b.find}
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
func openScenario(file string, seed uint64, changed []jobs.Option) (*scenario.Run, error) {
	text, err := scenarios.Files.ReadFile(file)
	if err != nil {
		return nil, err
	}
	s, err := scenario.Parse(file, text)
	if err != nil {
		return nil, err
	}
	for _, o := range slices.Concat(changed, jobs.List("seed", seed, "graph-seed", seed)) {
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
	elections, err = sideBySide(runs)
	return runs, elections, err
}

// sideBySide starts runs on one network.
func sideBySide(runs []*scenario.Run) (elections []sim.Stepper, err error) {
	var views []mobility.Net
	for k, r := range runs {
		cfg := r.Config
		cfg.Workers, cfg.Every = 1, 1
		if cfg.Moving != nil {
			if views == nil {
				net, err := cfg.Moving.New()
				if err != nil {
					return nil, err
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
			return nil, err
		}
		elections = append(elections, e)
	}
	return elections, nil
}

func stopAll(elections []sim.Stepper) {
	for _, e := range elections {
		e.Close()
	}
}

// boundedParts are the stretches over which instability is averaged, by their first seconds.
var boundedParts = []struct {
	from int
	what string
}{{1, "whole run"}, {101, "after 100 s"}}

// run gives the instability of each algorithm after each second, and its mean over the parts of the run.
func (b Bounded) run(ctx context.Context, name string, seed uint64) (results.Rows, error) {
	runs, elections, err := b.start(name, seed)
	if err != nil {
		return nil, err
	}
	defer stopAll(elections)
	if err := sim.Together(ctx, boundedSeconds, elections...); err != nil {
		return nil, err
	}
	out := recorder{Row: results.Row{Network: name, N: runs[0].Config.Graph.Len(), Seed: seed}}
	for k, e := range elections {
		out.Series = boundedAlgorithms[k].published
		var sums [2]float64
		for t, s := range e.Result().Samples {
			out.X = float64(t + 1)
			// of all nodes, also those that do not run
			out.add("instability", math.Round(s.Instability*float64(10*s.Live))/float64(10*out.N))
			for i, part := range boundedParts {
				if t+1 >= part.from {
					sums[i] += out.Value
				}
			}
		}
		out.X = results.None
		for i, part := range boundedParts {
			out.add("instability, "+part.what, sums[i]/float64(boundedSeconds-part.from+1))
		}
	}
	return out.rows, nil
}
