package sim

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/exact"
	"caucus.example/caucus/network"
)

// check refuses a configuration that is wrong in itself or violates what the
// algorithm assumes; Unsafe lets the second kind pass.
func check(cfg *Config, spec *caucus.Spec) error {
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
	cfg.Known.Delay += time.Duration(cfg.Least * float64(cfg.Known.Delay))
}

func checkNumbers(cfg *Config) error {
	for _, c := range []struct {
		field string
		value int64
	}{
		{"workers", int64(cfg.Workers)}, {"max rounds", int64(cfg.MaxRounds)}, {"stable for", int64(cfg.StableFor)},
		{"every", int64(cfg.Every)}, {"period", int64(cfg.Period)}, {"max events", cfg.MaxEvents},
		{"words", int64(cfg.Words)},
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
	if cfg.Strengths != nil {
		if len(cfg.Strengths) != n {
			return fmt.Errorf("%d strengths for %d nodes", len(cfg.Strengths), n)
		}
		for i, s := range cfg.Strengths {
			if !validStrength(s) {
				return caucus.Wrong("strength of node "+cfg.Graph.NodeName(i), s, strengthRange)
			}
		}
	}
	return nil
}

const strengthRange = "a finite number >= 0"

func validStrength(s float64) bool { return s >= 0 && !math.IsInf(s, 1) }

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
	} else if len(cfg.Lengths) != len(g.Nbr) {
		return fmt.Errorf("%d edge lengths for %d ends of edges", len(cfg.Lengths), len(g.Nbr))
	}
	for i := range g.Len() {
		for k := g.Off[i]; k < g.Off[i+1]; k++ {
			j := int(g.Nbr[k])
			length := 0.0
			if cfg.Positions {
				length = exact.Hypot(g.X[i]-g.X[j], g.Y[i]-g.Y[j])
			} else {
				length = cfg.Lengths[k]
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
		Moving: cfg.Moving != nil, Reorder: cfg.NoFIFO}
}
