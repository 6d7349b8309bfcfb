package sim

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/fault"
	"caucus.example/caucus/internal/exact"
	"caucus.example/caucus/network"
)

// CheckRounds refuses a configuration that no run of rounds can have: one that is wrong in itself or violates what the
// algorithm assumes; Unsafe lets the second kind pass. The error names the field, node or edge. What is left out and
// depends on the rest is filled in.
func (cfg *Config) CheckRounds(spec *caucus.Spec) error {
	if err := cfg.check(spec); err != nil {
		return err
	}
	return checkFaults(cfg)
}

// check refuses a configuration that is wrong in itself or violates what the
// algorithm assumes; Unsafe lets the second kind pass.
func (cfg *Config) check(spec *caucus.Spec) error {
	if cfg.Graph == nil || cfg.Graph.Len() == 0 {
		return caucus.Wrong("topology", "no nodes", "a network of at least one node")
	}
	for _, c := range []func(*Config) error{checkNumbers, checkColumns, checkLengths} {
		if err := c(cfg); err != nil {
			return err
		}
	}
	if err := checkMoving(cfg, spec); err != nil {
		return err
	}
	tellDelay(cfg)
	if cfg.Unsafe || spec == nil {
		return nil
	}
	premises := cfg.premises()
	return premises.Unmet(spec)
}

// tellDelay lets the nodes know the bound that the delays of the run have, if there is one.
func tellDelay(cfg *Config) {
	bounded := cfg.Delays == "" || cfg.Delays == UnitDelay || cfg.Delays == UniformDelay
	if cfg.Known.Delay != 0 || !bounded || cfg.Scheduler != "" {
		return
	}
	cfg.Known.Delay = cfg.Period
	if cfg.Period == 0 {
		cfg.Known.Delay = time.Second
	}
	more := (cfg.Least + cfg.again()) * float64(cfg.Known.Delay)
	cfg.Known.Delay += time.Duration(min(more, 1<<60)) // 36 years
}

// again is for how many periods a channel sends a message again until it is rare that it has not come.
func (cfg *Config) again() float64 {
	carried := 1.0
	for _, f := range cfg.Faults {
		if f.Kind == Loss {
			carried *= 1 - f.Rate
		}
	}
	if cfg.Channel == 0 || !(carried > 0 && carried < 1) {
		return 0
	}
	return float64(cfg.Channel) * fault.Tries(1-carried)
}

func checkNumbers(cfg *Config) error {
	for _, c := range []struct {
		field string
		value int64
	}{
		{"workers", int64(cfg.Workers)}, {"max rounds", int64(cfg.MaxRounds)}, {"stable for", int64(cfg.StableFor)},
		{"every", int64(cfg.Every)}, {"period", int64(cfg.Period)}, {"max events", cfg.MaxEvents},
		{"words", int64(cfg.Words)}, {"channel", int64(cfg.Channel)},
	} {
		if c.value < 0 {
			return caucus.Wrong(c.field, strconv.FormatInt(c.value, 10), "0 (default) or more")
		}
	}
	switch cfg.Timing {
	case "", Synchronous, Asynchronous, Jittered, Exponential, Aligned:
	default:
		return caucus.Wrong("timing", string(cfg.Timing), "sync, async, jittered, exponential, aligned")
	}
	return nil
}

func checkColumns(cfg *Config) error {
	n := cfg.Graph.Len()
	if cfg.IDs != nil {
		if len(cfg.IDs) != n {
			return fmt.Errorf("%d IDs for %d nodes", len(cfg.IDs), n)
		}
		for i, id := range cfg.IDs {
			if id == caucus.None {
				return fmt.Errorf("node %s has ID 0, which means that it has none; %s", cfg.Graph.NodeName(i),
					network.Angluin)
			}
		}
	}
	if cfg.Phases != nil && len(cfg.Phases) != n {
		return fmt.Errorf("%d phases for %d nodes", len(cfg.Phases), n)
	}
	for i, x := range cfg.Phases {
		if !(x >= 0 && x < 1) {
			return caucus.Wrong("phase of node "+cfg.Graph.NodeName(i), x,
				"a part of the period: 0 or more and less than 1")
		}
	}
	return checkStrengths(cfg)
}

func checkStrengths(cfg *Config) error {
	n := cfg.Graph.Len()
	switch {
	case cfg.Strengths != nil && cfg.StrengthBy != nil:
		return fmt.Errorf("strengths are given both as a list and by a rule")
	case cfg.Strengths != nil && len(cfg.Strengths) != n:
		return fmt.Errorf("%d strengths for %d nodes", len(cfg.Strengths), n)
	}
	for i := range n {
		if s := cfg.Strength(i); !validStrength(s) {
			return caucus.Wrong("strength of node "+cfg.Graph.NodeName(i), s, strengthRange)
		}
	}
	return nil
}

func checkLengths(cfg *Config) error {
	g := cfg.Graph
	if cfg.Positions {
		switch {
		case cfg.Lengths != nil:
			return fmt.Errorf("edge lengths are given both as a list and by positions")
		case g.X == nil || g.Y == nil:
			return fmt.Errorf("edge lengths by positions need a network with coordinates")
		}
	} else if cfg.Lengths == nil {
		return nil
	} else if len(cfg.Lengths) != g.Ends() {
		return fmt.Errorf("%d edge lengths for %d ends of edges", len(cfg.Lengths), g.Ends())
	}
	k := 0
	for i := range g.Len() {
		for _, end := range g.Neighbours(i) {
			j, length := int(end), 0.0
			if cfg.Positions {
				length = exact.Hypot(g.X[i]-g.X[j], g.Y[i]-g.Y[j])
			} else {
				length = cfg.Lengths[k]
				k++
			}
			if !(length >= 0) || math.IsInf(length, 1) {
				return caucus.Wrong(edgeField(g, i, j), length, "a finite length > 0")
			}
			if length == 0 && !cfg.Unsafe {
				return caucus.Wrong(edgeField(g, i, j), "0", "a finite length > 0 (0 only in an unsafe run)")
			}
		}
	}
	return nil
}

func edgeField(g *network.Graph, i, j int) string {
	return fmt.Sprintf("length of the edge between %s and %s", g.NodeName(i), g.NodeName(j))
}

// premises is what the algorithm of a run finds.
func (cfg *Config) premises() network.Premises {
	return network.Premises{Graph: cfg.Graph, IDs: cfg.IDs, Lengths: cfg.Lengths, Known: cfg.Known,
		Moving: cfg.Moving != nil, Reorder: cfg.NoFIFO && cfg.Channel == 0}
}

// checkMoving refuses what a network that moves cannot offer.
func checkMoving(cfg *Config, spec *caucus.Spec) error {
	switch {
	case cfg.Moving == nil:
		return nil
	case cfg.Graph.Edges() > 0 || cfg.Positions:
		return fmt.Errorf("a network that moves has no fixed edges; %d are given", cfg.Graph.Edges())
	case cfg.TwoWay:
		return caucus.Wrong("two-way", "true", "false on a network that moves")
	case cfg.Timing == Exponential || cfg.Timing == Aligned:
		return caucus.Wrong("timing", string(cfg.Timing), "sync, async, jittered on a network that moves")
	case spec == nil || cfg.Unsafe:
		return nil
	}
	if t := spec.Needs.Topology; spec.Needs.Labels || t != "" && t != caucus.AnyTopology {
		return fmt.Errorf("%s assumes the topology %s; a network that moves keeps to none", spec.Name, t)
	}
	return nil
}

// CheckEvents is CheckRounds for a run of events.
func (cfg *Config) CheckEvents(spec *caucus.Spec) error {
	if err := cfg.check(spec); err != nil {
		return err
	}
	if cfg.Graph.Packed != nil {
		return caucus.Wrong("network", "a packed one", "one that is not, for an event algorithm")
	}
	switch cfg.Delays {
	case "":
		cfg.Delays = UnitDelay
	case UnitDelay, UniformDelay, ExponentialDelay:
	default:
		return caucus.Wrong("delays", string(cfg.Delays), "unit, uniform, exp")
	}
	if cfg.Moving != nil {
		return caucus.Wrong("network", "one that moves", "one that stands still, for an event algorithm")
	}
	if err := checkScheduler(cfg, spec); err != nil {
		return err
	}
	if err := checkEventFaults(cfg); err != nil {
		return err
	}
	for _, i := range cfg.Initiators {
		if i < 0 || i >= cfg.Graph.Len() {
			return caucus.Wrong("initiators", strconv.Itoa(i),
				"node indices from 0 to "+strconv.Itoa(cfg.Graph.Len()-1))
		}
	}
	return nil
}

var schedulers = []string{string(OldestFirst), string(NewestFirst), string(RandomNext), string(StarvedLast)}

func checkScheduler(cfg *Config, spec *caucus.Spec) error {
	switch {
	case cfg.Scheduler != "" && !slices.Contains(schedulers, string(cfg.Scheduler)):
		return caucus.NotAmong("scheduler", string(cfg.Scheduler), schedulers)
	case cfg.Scheduler != "" && cfg.Replay != nil:
		return caucus.Wrong("replay", fmt.Sprintf("%d events", len(cfg.Replay.Steps)),
			"none together with a scheduler: the record says what comes next")
	case cfg.Scheduler != "" && cfg.Delays != UnitDelay:
		return caucus.Wrong("delays", string(cfg.Delays), "unit, when a scheduler and not time orders the messages")
	case !(cfg.Least >= 0 && cfg.Least <= 1e9) || cfg.Least > 0 && (cfg.Scheduler != "" || cfg.Replay != nil):
		return caucus.Wrong("least", cfg.Least, "a number of periods from 0 to 1e9; 0 with a scheduler or a replay")
	case cfg.Channel > 1e6:
		return caucus.Wrong("channel", cfg.Channel, "0 to 1000000 periods")
	case cfg.Channel > 0 && (cfg.Scheduler != "" || cfg.Replay != nil):
		return caucus.Wrong("channel", cfg.Channel, "0 with a scheduler or a replay: a channel sends again after a "+
			"time, and they have none")
	case cfg.Scheduler != "" && len(cfg.Faults) > 0:
		return caucus.Wrong("faults", len(cfg.Faults), "none: they happen at times, and a scheduler has none")
	}
	return nil
}
