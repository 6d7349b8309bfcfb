//go:build !agent

package entry

import (
	"context"
	"reflect"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/region"
	"caucus.example/caucus/algo/kit/restart"
	"caucus.example/caucus/check"
	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/internal/forget"
	"caucus.example/caucus/internal/forget/inrounds"
	"caucus.example/caucus/internal/wire"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"caucus.example/caucus/story"
)

// Entry is an algorithm whose state and message types are forgotten.
type Entry struct {
	Spec *caucus.Spec

	// Simulate makes the algorithm from its parameters and runs it. When ctx ends first,
	// the result so far comes with ctx's error.
	Simulate func(context.Context, caucus.Args, sim.Config) (*sim.Result, error)

	// Start makes the algorithm from its parameters and prepares a run that the caller
	// steps and closes; nil for event algorithms.
	Start func(caucus.Args, sim.Config) (sim.Stepper, error)

	// The algorithm itself, for who makes something else of it, such as a real agent: one of the two, none with the
	// restart layer around it.
	Rounds *inrounds.Rounds
	Events *forget.Events

	// Restarting gives the algorithm with the restart layer around it: its ticks and its patience, as in
	// restart.Config; nil for algorithms of rounds. For the checker a tick is as long as the bound on delays.
	Restarting func(every time.Duration, patience int) Entry
	// Region gives the algorithm with the service above it that lets leaders know their regions; nil for algorithms of
	// events. An agent has it if its configuration says so.
	Region func(region.Region) Entry
	// Check makes the algorithm from its parameters and explores all its executions.
	Check func(context.Context, caucus.Args, check.Config) (*check.Report, error)
	// Replay makes the algorithm from its parameters and carries out the story of a counterexample in the simulator.
	Replay func(args caucus.Args, net *caucus.Network, cfg check.Config, s *story.Story) (*story.Story, error)

	// Patience says for how long all outcomes may stand still before they change once more, with what the nodes are
	// told; 0: not at all, as far as the algorithm says. See caucus.Patient.
	Patience func(caucus.Args, caucus.Known) int

	// Right tells whether outcomes are what the algorithm promises on a network that stood still and has no faults any
	// more; nil with the restart layer around it.
	Right func(caucus.Args, *caucus.Network, []caucus.Outcome) (bool, error)

	// Budget is how many messages a run without faults takes at most by a theorem, with so many initiators; 0 where
	// none says so. It is nil for algorithms of rounds, and with the restart layer.
	Budget func(args caucus.Args, net *caucus.Network, initiators int) int

	// SizeOf gives the encoded size in bytes of a message, passed as a pointer to it: what
	// sim.Config wants.
	SizeOf func(message any) int
}

// WithRegion is the algorithm with the service above it that lets leaders know their regions.
func (e Entry) WithRegion() (Entry, error) {
	if e.Region == nil {
		return e, caucus.Wrong("region", "true", "false: "+e.Spec.Name+" is an algorithm of events, and has no regions")
	}
	return e.Region(region.Region{}), nil
}

// inRounds is an algorithm of rounds, to be joined with what it runs in.
type inRounds struct{ inrounds.Rounds }

// forgotten is an algorithm of events.
type forgotten struct{ forget.Events }

// OfRounds is the entry of an algorithm of rounds.
func OfRounds(r inrounds.Rounds) Entry { return inRounds{r}.entry() }

func (r inRounds) entry() Entry {
	return Entry{
		Spec: r.Spec, Rounds: &r.Rounds,
		Region: func(service region.Region) Entry { return OfRounds(r.Region(service)) },
		Patience: func(args caucus.Args, known caucus.Known) int {
			algo, err := r.Make(args)
			if err != nil {
				return 0
			}
			if p, ok := algo.One.Algorithm().(caucus.Patient); ok {
				return p.Patience(known)
			}
			return 0
		},
		Simulate: func(ctx context.Context, args caucus.Args, cfg sim.Config) (*sim.Result, error) {
			algo, err := r.demanded(args, cfg.Known, cfg.Unsafe)
			if err != nil {
				return nil, err
			}
			return engine.RunRoundColumns(ctx, algo.Many, r.Spec, cfg)
		},
		Start: func(args caucus.Args, cfg sim.Config) (sim.Stepper, error) {
			algo, err := r.demanded(args, cfg.Known, cfg.Unsafe)
			if err != nil {
				return nil, err
			}
			e, err := engine.NewRoundRun(algo.Many, r.Spec, cfg)
			if err != nil {
				return nil, err
			}
			return e, nil
		},
		Check: func(ctx context.Context, args caucus.Args, cfg check.Config) (*check.Report, error) {
			algo, err := r.Make(args)
			if err != nil {
				return nil, err
			}
			return check.RoundColumns(ctx, algo.One, algo.Many, cfg)
		},
		Replay: func(args caucus.Args, net *caucus.Network, cfg check.Config, s *story.Story) (*story.Story, error) {
			algo, err := r.Make(args)
			if err != nil {
				return nil, err
			}
			return check.ReplayRoundColumns(algo.One, algo.Many, cfg.Heard(net), s)
		},
		Right: func(args caucus.Args, net *caucus.Network, outcomes []caucus.Outcome) (bool, error) {
			algo, err := r.Make(args)
			return err == nil && net.Right(algo.One.Algorithm(), outcomes), err
		},
		SizeOf: sizeOf(r.Message),
	}
}

// demanded makes the algorithm, unless its parameters do not fit what the nodes know.
func (r inRounds) demanded(args caucus.Args, known caucus.Known, unsafe bool) (inrounds.Made, error) {
	algo, err := r.Make(args)
	if err == nil {
		err = demand(algo.One.Algorithm(), known, unsafe)
	}
	return algo, err
}

// demand refuses parameters that do not fit what the nodes know of the network, unless the run is unsafe.
func demand(algo any, known caucus.Known, unsafe bool) error {
	if unsafe {
		return nil
	}
	return caucus.Demand(algo, known)
}

// demanded makes the algorithm, unless its parameters do not fit what the nodes know.
func (f forgotten) demanded(args caucus.Args, known caucus.Known, unsafe bool) (columns.Events, error) {
	algo, err := f.Make(args)
	if err == nil {
		err = demand(algo.Algorithm(), known, unsafe)
	}
	return algo, err
}

// OfEvents is the entry of an algorithm of events.
func OfEvents(events forget.Events) Entry {
	f := forgotten{events}
	return Entry{
		Spec: f.Spec, Events: &f.Events,
		Simulate: func(ctx context.Context, args caucus.Args, cfg sim.Config) (*sim.Result, error) {
			algo, err := f.demanded(args, cfg.Known, cfg.Unsafe)
			if err != nil {
				return nil, err
			}
			return engine.RunEventColumns(ctx, algo, f.Spec, cfg)
		},
		Restarting: func(every time.Duration, patience int) Entry {
			return f.restarting(restart.Config{Every: every, Patience: patience,
				Ports: restart.PortsFor(f.Spec.Needs.Topology)})
		},
		Check: func(ctx context.Context, args caucus.Args, cfg check.Config) (*check.Report, error) {
			algo, err := f.Make(args)
			if err != nil {
				return nil, err
			}
			return check.EventColumns(ctx, algo, f.Spec, cfg)
		},
		Replay: func(args caucus.Args, net *caucus.Network, cfg check.Config, s *story.Story) (*story.Story, error) {
			algo, err := f.Make(args)
			if err != nil {
				return nil, err
			}
			return check.ReplayEventColumns(algo, f.Spec, net, cfg, s)
		},
		Right: func(args caucus.Args, net *caucus.Network, outcomes []caucus.Outcome) (bool, error) {
			algo, err := f.Make(args)
			return err == nil && net.Right(algo.Algorithm(), outcomes), err
		},
		Budget: func(args caucus.Args, net *caucus.Network, initiators int) int {
			if algo, err := f.Make(args); err == nil {
				if b, ok := algo.Algorithm().(caucus.Budgeter); ok {
					return b.Messages(net, initiators)
				}
			}
			return 0
		},
		SizeOf: sizeOf(f.Message),
	}
}

func (f forgotten) restarting(layer restart.Config) Entry {
	wrapped, checked := restart.SpecOf(f.Spec), layer
	checked.Every = check.DelayBound
	around := func(args caucus.Args, layer restart.Config) (columns.Events, error) {
		algo, err := f.Make(args)
		if err != nil {
			return nil, err
		}
		return f.Again(algo, layer)
	}
	return Entry{
		Spec: wrapped,
		Simulate: func(ctx context.Context, args caucus.Args, cfg sim.Config) (*sim.Result, error) {
			again, err := around(args, layer)
			if err != nil {
				return nil, err
			}
			return engine.RunEventColumns(ctx, again, wrapped, cfg)
		},
		Check: func(ctx context.Context, args caucus.Args, cfg check.Config) (*check.Report, error) {
			again, err := around(args, checked)
			if err != nil {
				return nil, err
			}
			cfg.Timed = true
			return check.EventColumns(ctx, again, wrapped, cfg)
		},
		Replay: func(args caucus.Args, net *caucus.Network, cfg check.Config, s *story.Story) (*story.Story, error) {
			again, err := around(args, checked)
			if err != nil {
				return nil, err
			}
			cfg.Timed = true
			return check.ReplayEventColumns(again, wrapped, net, cfg, s)
		},
		SizeOf: sizeOf(f.AgainMessage),
	}
}

// sizeOf is nil for a message type that can be simulated but not sent.
func sizeOf(message reflect.Type) func(any) int {
	codec, err := wire.CodecOf(message)
	if err != nil {
		return nil
	}
	return codec.SizeOf
}
