package saturation

import "caucus.example/caucus"

var needs = caucus.Needs{Topology: caucus.Tree, Connected: true, DistinctIDs: true}

// MinSpec describes Elect-Min. For n >= 2: n + k* - 2 messages to wake up, n to saturate, n - 2 to spread the result.
var MinSpec = caucus.Spec{
	Name: "elect-min", Title: "Elect-Min (saturation of a tree)", Family: "classic", Shape: caucus.ShapeEvents,
	Source: "Santoro, sections 2.6 and 3.2", Elects: "the node of least ID",
	LeastID:   true,
	Guarantee: "terminates with one leader that every node knows (proved); not self-stabilising",
	Cost:      "3n + k* - 4 messages with k* initiators, ideal time O(D)",
	Needs:     needs,
	Kinds:     []string{"wake", "saturate", "terminate"}, Carries: []caucus.Content{{}, {IDs: 1}, {IDs: 1}},
}

// RootSpec describes Elect-Root: two messages more, between the saturated nodes.
var RootSpec = caucus.Spec{
	Name: "elect-root", Title: "Elect-Root (saturation of a tree)", Family: "classic", Shape: caucus.ShapeEvents,
	Source:    "Santoro, sections 2.6 and 3.2",
	Elects:    "the one of smaller ID of the two nodes that saturate; which two depends on the delays",
	Guarantee: "terminates with one leader that every node knows (proved); not self-stabilising",
	Cost:      "3n + k* - 2 messages with k* initiators, of which 2n + k* carry no ID; ideal time O(D)",
	Needs:     needs,
	Kinds:     []string{"wake", "saturate", "terminate", "election"},
	Carries:   []caucus.Content{{}, {}, {IDs: 1}, {IDs: 1}},
}

// MinFromArgs makes Elect-Min, RootFromArgs Elect-Root; no parameters.
var (
	MinFromArgs  = caucus.Fill(Algorithm{})
	RootFromArgs = caucus.Fill(Algorithm{Root: true})
)

// Outcome names the leader once it is known.
func (Algorithm) Outcome(l *caucus.Local, s *State) caucus.Outcome {
	if s.Phase == Done {
		return caucus.Decided(l, s.Leader, false)
	}
	return caucus.Decided(l, caucus.None, false)
}

// Kind tells the messages apart.
func (a Algorithm) Kind(m *Msg) int { return int(min(m.Kind, a.last())) }

// last is the last kind of message that there is.
func (a Algorithm) last() uint8 {
	if a.Root {
		return Election
	}
	return Terminate
}

// Domain is every message over the world's IDs, and every state of a node of up to two ports.
func (a Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[Msg]) {
	states := caucus.Every(w, func(p *caucus.Pick) State {
		s := State{Phase: Phase(p.Below(int(Done) + 1)), Left: int32(p.Below(3)), Sum: int32(p.Below(2))}
		s.Leader = p.AnyID()
		return s
	})
	return states, caucus.Every(w, func(p *caucus.Pick) Msg {
		return Msg{Kind: uint8(p.Below(int(a.last()) + 1)), ID: p.AnyID()}
	})
}

// Expect is the least ID for Elect-Min; the root depends on the delays.
func (a Algorithm) Expect(n *caucus.Network) []caucus.Outcome {
	if a.Root {
		return nil
	}
	return n.FollowLeastID()
}

// Messages is 3n + k* - 4, and 2 more for Elect-Root; nothing on one node.
func (a Algorithm) Messages(n *caucus.Network, initiators int) int {
	switch {
	case n.Len() == 1:
		return 0
	case a.Root:
		return 3*n.Len() + initiators - 2
	}
	return 3*n.Len() + initiators - 4
}
