package sim

import (
	"fmt"
	"math"
	"strconv"

	"caucus"
	"caucus/topology"
)

// check refuses a configuration that is wrong in itself or violates what the
// algorithm assumes; Unsafe lets the second kind pass.
func check(cfg *Config, spec *caucus.Spec) error {
	if cfg.Graph == nil || cfg.Graph.Len() == 0 {
		return &caucus.FieldError{Field: "topology", Found: "no nodes", Allowed: "a network of at least one node"}
	}
	for _, c := range []func(*Config) error{checkNumbers, checkColumns, checkLengths} {
		if err := c(cfg); err != nil {
			return err
		}
	}
	if cfg.Unsafe {
		return nil
	}
	return checkNeeds(cfg, spec)
}

func checkNumbers(cfg *Config) error {
	for _, c := range []struct {
		field string
		value int64
	}{
		{"workers", int64(cfg.Workers)}, {"max rounds", int64(cfg.MaxRounds)}, {"stable for", int64(cfg.StableFor)},
		{"every", int64(cfg.Every)}, {"period", int64(cfg.Period)}, {"max events", cfg.MaxEvents},
	} {
		if c.value < 0 {
			return &caucus.FieldError{Field: c.field, Found: strconv.FormatInt(c.value, 10), Allowed: "0 (default) or more"}
		}
	}
	switch cfg.Timing {
	case "", Synchronous, Asynchronous, Jittered, Exponential:
	default:
		return &caucus.FieldError{Field: "timing", Found: string(cfg.Timing), Allowed: "sync, async, jittered, exponential"}
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
				return fmt.Errorf("node %s has ID 0, which means no node", cfg.Graph.NodeName(i))
			}
		}
	}
	if cfg.Strengths != nil {
		if len(cfg.Strengths) != n {
			return fmt.Errorf("%d strengths for %d nodes", len(cfg.Strengths), n)
		}
		for i, s := range cfg.Strengths {
			if !validStrength(s) {
				return &caucus.FieldError{Field: "strength of node " + cfg.Graph.NodeName(i), Found: fmt.Sprint(s), Allowed: strengthRange}
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
				length = math.Hypot(g.X[i]-g.X[j], g.Y[i]-g.Y[j])
			} else {
				length = cfg.Lengths[k]
			}
			if !(length >= 0) || math.IsInf(length, 1) {
				return &caucus.FieldError{Field: edgeField(g, i, j), Found: fmt.Sprint(length), Allowed: "a finite length > 0"}
			}
			if length == 0 && !cfg.Unsafe {
				return &caucus.FieldError{Field: edgeField(g, i, j), Found: "0", Allowed: "a finite length > 0 (0 only in an unsafe run)"}
			}
		}
	}
	return nil
}

func edgeField(g *topology.Graph, i, j int) string {
	return fmt.Sprintf("length of the edge between %s and %s", g.NodeName(i), g.NodeName(j))
}

// checkNeeds compares the network with the assumptions of the algorithm.
func checkNeeds(cfg *Config, spec *caucus.Spec) error {
	if spec == nil {
		return nil
	}
	g, needs := cfg.Graph, spec.Needs
	refuse := func(format string, args ...any) error {
		return fmt.Errorf("%s assumes %s", spec.Name, fmt.Sprintf(format, args...))
	}
	if needs.DistinctIDs && cfg.IDs != nil {
		first := make(map[caucus.ID]int, len(cfg.IDs))
		for i, id := range cfg.IDs {
			if j, ok := first[id]; ok {
				return refuse("distinct IDs; nodes %s and %s both have ID %d", g.NodeName(j), g.NodeName(i), id)
			}
			first[id] = i
		}
	}
	if needs.Connected || needs.Topology == caucus.Ring || needs.Topology == caucus.Tree {
		if i := unreached(g); i >= 0 {
			return refuse("a connected network; there is no path from %s to %s", g.NodeName(0), g.NodeName(i))
		}
	}
	if err := checkClass(g, needs.Topology, refuse); err != nil {
		return err
	}
	if needs.Labels {
		if i := mislabelled(g); i >= 0 {
			return refuse("ports labelled left and right consistently; those of %s are not", g.NodeName(i))
		}
	}
	if needs.Nodes && cfg.Known.Nodes != g.Len() {
		return refuse("that nodes know their number, %d; they are told %d", g.Len(), cfg.Known.Nodes)
	}
	if needs.Diameter && cfg.Known.Diameter <= 0 {
		return refuse("that nodes know a bound on the diameter; they are told none")
	}
	return nil
}

// checkClass looks for a node that shows that the network is not of a class. Ring and
// tree presume that it is connected.
func checkClass(g *topology.Graph, class caucus.Topology, refuse func(string, ...any) error) error {
	n := g.Len()
	switch class {
	case caucus.Ring:
		for i := range n {
			if d := g.Degree(i); d != 2 {
				return refuse("a ring; node %s has %d neighbours", g.NodeName(i), d)
			}
		}
	case caucus.Tree:
		if g.Edges() != n-1 {
			return refuse("a tree; this network of %d nodes has %d edges", n, g.Edges())
		}
	case caucus.Complete:
		for i := range n {
			if d := g.Degree(i); d != n-1 {
				return refuse("a complete network; node %s has %d of %d neighbours", g.NodeName(i), d, n-1)
			}
		}
	}
	return nil
}

// unreached gives a node that no path joins to node 0, or -1.
func unreached(g *topology.Graph) int {
	seen := make([]bool, g.Len())
	seen[0] = true
	for queue := []int32{0}; len(queue) > 0; {
		i := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, j := range g.Neighbours(int(i)) {
			if !seen[j] {
				seen[j] = true
				queue = append(queue, j)
			}
		}
	}
	for i, ok := range seen {
		if !ok {
			return i
		}
	}
	return -1
}

// mislabelled gives a node that lacks exactly one left and one right port, or
// whose right port is not the left one of the neighbour there, or -1.
func mislabelled(g *topology.Graph) int {
	if g.Labels == nil {
		return 0
	}
	left := make([]int32, g.Len()) // 1 + neighbour on the left
	right := make([]int32, g.Len())
	for i := range g.Len() {
		for k := g.Off[i]; k < g.Off[i+1]; k++ {
			side := map[caucus.Label][]int32{caucus.Left: left, caucus.Right: right}[g.Labels[k]]
			if side == nil || side[i] != 0 {
				return i
			}
			side[i] = g.Nbr[k] + 1
		}
	}
	for i := range right {
		if right[i] == 0 || int(left[right[i]-1]) != i+1 {
			return i
		}
	}
	return -1
}
