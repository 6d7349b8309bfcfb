package network

import (
	"fmt"
	"slices"

	"caucus.example/caucus"
)

// Premises is what an algorithm runs on: a network and what its nodes are told of it.
type Premises struct {
	Graph   *Graph
	IDs     []caucus.ID // nil: all differ
	Lengths []float64   // parallel to Graph.Nbr; nil: all positive
	Known   caucus.Known
	Moving  bool // the network comes together and falls apart: nothing is asked of its shape
	Reorder bool // messages of one link may overtake each other
}

// Angluin is why IDs have to differ.
const Angluin = "no deterministic algorithm elects in every network with equal or absent IDs (Angluin 1980): nodes " +
	"that " +
	"cannot be told apart do the same for ever"

// Unmet says which assumption of an algorithm (caucus.Needs) does not hold, naming the node or edge at fault; nil if
// all hold. It is the one place that judges a network as a whole: what a single node can see of it, an agent does.
func (p *Premises) Unmet(spec *caucus.Spec) error {
	g, needs := p.Graph, spec.Needs
	refuse := func(format string, args ...any) error {
		return fmt.Errorf(spec.Name+" assumes "+format, args...)
	}
	if needs.FIFO && p.Reorder {
		return refuse("that messages of one link arrive in the order in which they were sent (FIFO)")
	}
	if needs.DistinctIDs { // looked for only then: a network may have very many
		if i, j, twice := repeated(p.IDs); twice {
			return refuse("distinct IDs; nodes %s and %s both have ID %d, and %s", g.NodeName(i), g.NodeName(j),
				p.IDs[i], Angluin)
		}
	}
	if p.Moving {
		return nil
	}
	if needs.Connected {
		if err := CheckConnected(g); err != nil {
			return refuse("a connected network: %w", err)
		}
	}
	if err := CheckClass(g, needs.Topology); err != nil {
		return refuse("the topology %s: %w", needs.Topology, err)
	}
	if needs.Labels {
		if err := CheckLabels(g, needs.Topology); err != nil {
			return refuse("a sense of direction: %w", err)
		}
	}
	if needs.PositiveLengths && slices.Contains(p.Lengths, 0) {
		return refuse("edge lengths > 0; %s has length 0", p.zeroEdge())
	}
	if needs.Nodes && p.Known.Nodes != 0 && p.Known.Nodes != g.Len() {
		return refuse("that nodes know their number, %d; they are told %d", g.Len(), p.Known.Nodes)
	}
	return spec.Untold(p.Known)
}

// repeated finds two nodes with the same ID.
func repeated(ids []caucus.ID) (first, second int, found bool) {
	seen := make(map[caucus.ID]int, len(ids))
	for i, id := range ids {
		if j, ok := seen[id]; ok {
			return j, i, true
		}
		seen[id] = i
	}
	return 0, 0, false
}

// zeroEdge names an edge of length 0.
func (p *Premises) zeroEdge() string {
	k := slices.Index(p.Lengths, 0)
	for i := range p.Graph.Len() {
		if first, end := p.Graph.span(i); k < end {
			return "edge " + p.Graph.edgeName(i, int(p.Graph.Neighbours(i)[k-first]))
		}
	}
	return "an edge"
}
