package check

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"sync/atomic"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/story"
)

// Promise is what an algorithm of the event shape is held to.
type Promise string

// Promises.
const (
	// Ends: every execution ends, with one leader in each component, every node decided for good and none that names
	// another; at no moment there are two leaders for good or does a final outcome change.
	Ends Promise = "ends"
	// Rests: every execution comes to rest, with every node following the leader (caucus.Spec.Silent).
	Rests Promise = "rests"
	// Lasts: executions go on for ever, and from some moment on every node follows the leader (caucus.Spec.Endless).
	Lasts Promise = "lasts"
)

// EventRow is what holds for an algorithm of the event shape over all networks and all sets of initiators.
//
// A configuration is the state of every node, whether it is awake, the messages on every link and the timers that are
// set. A step wakes an initiator that still sleeps, delivers a message, lets a timer fire or is a fault. A step that
// draws from the random stream is one for every result of the draw.
//
// Where the algorithm counts on a bound on delays, time passes in ticks: see clock. Where it does not, everything may
// happen at any moment, timers included. Configurations are those that had to be looked at: see offers.
type EventRow struct {
	Promise        Promise
	FIFO           bool // messages of a link and direction arrive in order
	Ticks          int  // the bound on the delay of a message; 0: time does not count
	Draws          bool // some step draws from the random stream
	Start          Start
	Faults         Faults
	Networks       int
	Executions     int // pairs of a network and a set of initiators
	Undecided      int
	Why            string
	Configurations int64
	Hunted         int   // of Fails: too large to decide, but a random execution went wrong
	Hunt           Hunt  // of those that are undecided
	Holds, Fails   int   // executions
	Unsafe         int   // of Fails: there are two leaders at a time, or a final outcome changes
	Cut            int   // of Fails: a limit came before all was searched for two leaders
	Messages       Worst // -1: without bound, but with probability 0; -2: not counted, for executions that last
	Bound          int   // of the algorithm's theorem on messages, where they are most; 0: none
	Beyond         int   // executions with more messages than the theorem allows
	Seconds        float64
	Counterexample *story.Story
}

// Events checks an algorithm of the event shape, with every set of initiators. Executions start clean; cfg.Ghosts and
// cfg.Counter bound the values that a corrupt node may hold. With cfg.Start Anywhere, executions start from any state
// of all nodes. Daemons and the model mean nothing here. With cfg.Reorder messages overtake each other unless spec
// needs FIFO. A crash may stop any node. When ctx ends, its error comes with the report on what was decided before.
func Events[S, M any](ctx context.Context, algo caucus.Events[S, M], spec *caucus.Spec, cfg Config) (*Report, error) {
	return EventColumns(ctx, columns.OfEvents(algo), spec, cfg)
}

// EventColumns is Events for an algorithm whose types are forgotten.
func EventColumns(ctx context.Context, algo columns.Events, spec *caucus.Spec, cfg Config) (*Report, error) {
	if cfg.Start == "" {
		cfg.Start = Clean
	}
	cfg.fill()
	row := &EventRow{Promise: promiseOf(spec), FIFO: !cfg.Reorder || spec.Needs.FIFO, Start: cfg.Start,
		Faults: cfg.Faults, Networks: len(cfg.Networks)}
	if spec.Needs.Delay || cfg.Timed {
		row.Ticks = delayTicks
	}
	if row.Promise == Lasts && row.Ticks == 0 {
		return nil, errors.New("the algorithm goes on for ever and counts on no bound on delays: without one, " +
			"nothing need happen in any order")
	}
	for _, net := range cfg.Networks {
		if net.Len() < 1 || net.Len() > MaxHunted {
			return nil, caucus.Wrong("network", Describe(net), fmt.Sprintf("1 to %d nodes", MaxHunted))
		}
	}
	results, hunts, err := playAll(ctx, algo, spec, &cfg)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	for k, list := range results {
		for range len(cfg.initiatorSets(cfg.Networks[k])) - len(list) {
			list = append(list, played{err: errStopped})
		}
		for _, p := range list {
			row.add(p)
		}
		row.Hunt.add(hunts[k])
	}
	if x := row.Counterexample; x != nil {
		net := cfg.Networks[slices.IndexFunc(cfg.Networks,
			func(n *caucus.Network) bool { return Describe(n) == x.Network })]
		told, astray := teller(algo, spec, cfg, net, x)
		if astray != nil {
			return nil, astray
		}
		row.Counterexample = told
	}
	return &Report{Networks: len(cfg.Networks), Events: row}, err
}

// playAll explores every network with every set of initiators, and hunts where that is too large. What it gives is by
// network, so that workers add nothing to it but speed.
func playAll(ctx context.Context, algo columns.Events, spec *caucus.Spec, cfg *Config) ([][]played, []Hunt, error) {
	most := min(cfg.MaxStates, int(cfg.MaxMemory/int64(cfg.Workers)/bytesPerRow))
	var next, finished, explored atomic.Int64
	results, hunts := make([][]played, len(cfg.Networks)), make([]Hunt, len(cfg.Networks))
	lim := limits{ctx, most, &explored}
	began := time.Now()
	return results, hunts, inParallel(ctx, cfg, func() error {
		for {
			k := int(next.Add(1)) - 1
			if k >= len(cfg.Networks) {
				return nil
			}
			net := cfg.Networks[k]
			var err error
			for _, set := range cfg.initiatorSets(net) {
				var p played
				if p, err = cfg.play(algo, spec, net, set, lim); err != nil {
					break
				}
				results[k] = append(results[k], p)
			}
			if err == nil {
				hunts[k], err = cfg.huntEvents(algo, spec, net, results[k], lim)
			}
			if err != nil {
				next.Store(int64(len(cfg.Networks)))
				return err
			}
			finished.Add(1)
		}
	}, func() Progress {
		return Progress{int(finished.Load()), len(cfg.Networks), explored.Load(), time.Since(began)}
	})
}

// play explores one network with one set of initiators.
func (c *Config) play(algo columns.Events, spec *caucus.Spec, net *caucus.Network, set uint16, lim limits) (played,
	error) {
	if net.Len() > MaxEventNodes {
		return played{err: errTooLarge{fmt.Sprintf("%d nodes; what can be decided has up to %d", net.Len(),
			MaxEventNodes)}}, nil
	}
	began := time.Now()
	w, err := newPlay(algo, spec, c, net, set)
	if err == nil {
		err = w.begin(c.MaxStates)
	}
	if err == nil {
		err = w.search(lim)
	}
	if err != nil && !errors.As(err, new(errTooLarge)) {
		return played{}, err
	}
	p := w.result()
	p.err, p.took = err, time.Since(began)
	return p, nil
}

// initiatorSets lists the sets of initiators to try, by bit.
func (c *Config) initiatorSets(net *caucus.Network) (sets []uint16) {
	for set := uint16(1); int(set) < 1<<net.Len(); set++ {
		if c.Initiators == 0 || bits.OnesCount16(set) <= c.Initiators {
			sets = append(sets, set)
		}
	}
	return sets
}

// bytesPerRow is about what a configuration takes with its steps.
const bytesPerRow = 200

func promiseOf(spec *caucus.Spec) Promise {
	switch {
	case spec.Endless:
		return Lasts
	case spec.Silent:
		return Rests
	}
	return Ends
}

// played is what one network with one set of initiators gives.
type played struct {
	name           string
	configurations int
	messages       int
	bound          int
	draws          bool
	unsafe, stuck  *story.Story
	hunted         bool  // these are of a hunt
	err            error // too large
	took           time.Duration
}

func (row *EventRow) add(p played) {
	row.Executions++
	row.Seconds += p.took.Seconds()
	row.Configurations += int64(p.configurations)
	row.Draws = row.Draws || p.draws
	if p.hunted {
		row.Hunted++
	}
	switch {
	case p.unsafe != nil:
		row.Fails++
		row.Unsafe++
		row.keep(p.unsafe, row.Unsafe == 1)
	case p.stuck != nil:
		row.Fails++
		if p.err != nil {
			row.Cut++
		}
		if row.Unsafe == 0 {
			row.keep(p.stuck, false)
		}
	case p.err != nil:
		row.Undecided++
		row.Why = p.err.Error()
	default:
		row.Holds++
		if p.bound > 0 && p.messages > p.bound {
			row.Beyond++
		}
		if p.messages >= row.Messages.N && row.Messages.N >= 0 {
			row.Bound = p.bound
		}
		row.Messages.add(p.messages, p.name)
	}
}

// keep replaces the counterexample by a shorter one on no more nodes, and any by the first in which two lead.
func (row *EventRow) keep(t *story.Story, first bool) {
	c := row.Counterexample
	if c == nil || first || len(t.IDs) < len(c.IDs) || len(t.IDs) == len(c.IDs) && len(t.Steps) < len(c.Steps) {
		row.Counterexample = t
	}
}
