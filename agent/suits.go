package agent

import (
	"fmt"
	"strconv"

	"caucus.example/caucus"
)

// deployable refuses an algorithm that assumes what the network of agents does not give. A node sees no more of it than
// its own peers and what it is told: for the rest the operator is trusted.
func deployable(s *caucus.Spec, c *Config) error {
	n := s.Needs
	switch {
	case s.Shape == caucus.ShapeRounds && n.FIFO:
		return fmt.Errorf("algorithm %s needs links that keep the order of messages, which agents provide for event "+
			"algorithms only", s.Name)
	case s.Shape == caucus.ShapeEvents && (c.Metric == RTT || c.Metric == ETX):
		return caucus.Wrong("metric", c.Metric, Hops+" or "+Weight+": the event algorithm "+s.Name+
			" needs lengths that stay as they are")
	}
	if field := c.wishes(); field != "" && !s.ByStrength {
		return caucus.Wrong(field, "a wish for who leads", "none: the algorithm "+s.Name+" does not elect by strength")
	}
	if s.Shape == caucus.ShapeEvents && c.finds() {
		return caucus.Wrong(c.finder(), "a place to look",
			"none: the peers of the event algorithm "+s.Name+" are its ports, and stay")
	}
	whole := s.Shape == caucus.ShapeEvents || n.Topology != "" && n.Topology != caucus.AnyTopology
	if c.MaxNeighbours > 0 && whole {
		return caucus.Wrong("max-neighbours", c.MaxNeighbours,
			"0 (all peers): algorithm "+s.Name+" runs on the network as it is")
	}
	if err := s.Untold(c.Known); err != nil {
		return err
	}
	if c.finds() && n.Topology != "" && n.Topology != caucus.AnyTopology {
		return caucus.Wrong(c.finder(), "a place to look",
			"none: algorithm "+s.Name+" runs on the topology "+fmt.Sprint(n.Topology))
	}
	if err := fitParams(s, c); err != nil {
		return err
	}
	if err := suitsPeers(s, c); err != nil || !n.Labels {
		return err
	}
	return suitsLabels(s, c)
}

// fitParams refuses what is for simulations only, whichever way it is written.
func fitParams(s *caucus.Spec, c *Config) error {
	args, err := s.Resolve(c.Faithful, c.Params)
	if err != nil {
		return nil // Resolve's own error comes where the algorithm is made
	}
	for _, p := range s.Params {
		value := args.Text(p.Name)
		if x, ok := caucus.ParseNumber(value); ok && p.Unfit != "" && strconv.FormatFloat(x, 'g', -1, 64) == p.Unfit {
			return caucus.Wrong(p.Name, value, p.Allowed()+", for agents not "+p.Unfit)
		}
	}
	return nil
}

// suitsPeers checks the number of peers.
func suitsPeers(s *caucus.Spec, c *Config) error {
	k := len(c.Peers)
	wrong := func(allowed string) error {
		return caucus.Wrong("peers", fmt.Sprintf("%d peers", k),
			fmt.Sprintf("%s: algorithm %s runs on the topology %s", allowed, s.Name, s.Needs.Topology))
	}
	switch t := s.Needs.Topology; {
	case t == caucus.Ring && k != 2:
		return wrong("2")
	case t == caucus.Torus && k != 4:
		return wrong("4")
	case t == caucus.Mesh && (k < 1 || k > 4):
		return wrong("1 to 4")
	case t == caucus.Complete && c.Known.Nodes > 0 && k != c.Known.Nodes-1:
		return wrong(fmt.Sprintf("%d, since there are %d nodes", c.Known.Nodes-1, c.Known.Nodes))
	}
	return nil
}

// suitsLabels checks that every peer has a direction of its own, and one that the topology knows.
func suitsLabels(s *caucus.Spec, c *Config) error {
	seen := map[caucus.Label]bool{}
	for i, label := range c.labels() {
		wrong := caucus.Wrong(fmt.Sprintf("peers[%d].label", i), c.Peers[i].Label,
			s.Needs.Topology.Directions(len(c.Peers)))
		if seen[label] {
			wrong.Allowed = "a direction that is no other peer's"
			return wrong
		}
		seen[label] = true
		if !s.Needs.Topology.Has(label, len(c.Peers)) {
			return wrong
		}
	}
	return nil
}

// labels of the ports; nil if no peer has one.
func (c *Config) labels() []caucus.Label {
	labels, any := make([]caucus.Label, len(c.Peers)), false
	for i, p := range c.Peers {
		labels[i], _ = caucus.ParseLabel(p.Label) // checked with the configuration
		any = any || labels[i] != caucus.Unlabelled
	}
	if !any {
		return nil
	}
	return labels
}

// lengths of the ports, as configured.
func (c *Config) lengths() []float64 {
	lengths := make([]float64, len(c.Peers))
	for i, p := range c.Peers {
		lengths[i] = p.Length
	}
	return lengths
}
