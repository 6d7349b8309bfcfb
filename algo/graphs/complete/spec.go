package complete

import "caucus.example/caucus"

// Spec describes the algorithm. The bound on the messages: an attack takes at most 4, and what a candidate of size s
// owns can be taken only by one that had size s before; those that ever reach it own disjoint sets of s + 1 nodes, so
// that at most n/(s+1) attack with it. (The 2.76 n log2 n - 1.76 n + 1 of the literature takes H for the logarithm;
// networks of 2, 4, 5 and 6 nodes need more.)
var Spec = caucus.Spec{
	Name: "complete-elect", Title: "CompleteElect", Family: "classic", Shape: caucus.ShapeEvents,
	Source: "Santoro, section 3.6.1", Elects: "an initiator, which one depends on the delays",
	Guarantee: "terminates with one leader that every node knows (proved); not self-stabilising",
	Cost:      "at most 4n·H(n/2) + n - 1 messages, about 2.77 n log2 n; ideal time O(n)",
	Needs:     caucus.Needs{Topology: caucus.Complete, Connected: true, DistinctIDs: true},
	Kinds:     []string{"capture", "accept", "reject", "warning", "yes", "no", "notify"},
	Carries:   []caucus.Content{{IDs: 1, Counters: 1}, {}, {}, {IDs: 1, Counters: 1}, {}, {}, {IDs: 1}},
}

// FromArgs makes the algorithm; it has no parameters.
var FromArgs = caucus.Fill(Algorithm{})

// Outcome names the leader once it is known.
func (Algorithm) Outcome(l *caucus.Local, s *State) caucus.Outcome {
	return caucus.Decided(l, s.Leader, s.Status == Passive || s.Status == Captured)
}

// Kind tells the messages apart.
func (Algorithm) Kind(m *Msg) int { return int(min(m.Kind, Notify)) }

// Domain is every message over the world's IDs, and every state of a node with at most one attack.
func (Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[Msg]) {
	size := func(p *caucus.Pick) uint32 { return uint32(p.Below(max(1, p.Counter) + 1)) }
	states := caucus.Every(w, func(p *caucus.Pick) State {
		s := State{Status: Status(p.Below(int(Captured) + 1)), Size: size(p), Owner: int32(p.Below(2))}
		if attacker := p.AnyID(); attacker != caucus.None {
			s.Attacks = []Attack{{Size: 1, ID: attacker}}
		}
		s.Leader = p.AnyID()
		return s
	})
	return states, caucus.Every(w, func(p *caucus.Pick) Msg {
		return Msg{Kind: uint8(p.Below(int(Notify) + 1)), Size: size(p), ID: p.AnyID()}
	})
}

// Messages is 4n·H(n/2) + n - 1.
func (Algorithm) Messages(n *caucus.Network, _ int) int {
	harmonic := 0.0
	for k := range n.Len() / 2 {
		harmonic += 1 / float64(k+1)
	}
	return int(4*float64(n.Len())*harmonic+1e-9) + n.Len() - 1
}
