package mesh

import "caucus.example/caucus"

// Spec describes the algorithm. It needs a mesh of a × b nodes, a, b >= 3: with a shorter side the border cannot be
// told by degrees.
// Messages at most, with m = 2n - (a + b) edges and j of the (a-2)(b-2) inner nodes initiators: 2m - (a-2)(b-2) + j
// to wake up, 4(a+b-2) for the IDs, a + b + max(a, b) - 3 to yield and 2m - n + 1 to notify.
var Spec = caucus.Spec{
	Name: "mesh", Title: "Election among the corners of a mesh", Family: "classic", Shape: caucus.ShapeEvents,
	Source: "Santoro, section 3.4.1; border election: this project", Elects: "the corner of least ID",
	Guarantee: "terminates with one leader that every node knows (argued and tested); not self-stabilising",
	Cost:      "at most 6n + k* + 3(a+b) + max(a,b) - 14 messages with k* initiators, ideal time O(a + b)",
	Needs:     caucus.Needs{Topology: caucus.Mesh, Connected: true, DistinctIDs: true},
	Kinds:     []string{"wake", "corner", "yield", "notify"},
	Carries:   []caucus.Content{{Bits: 2}, {IDs: 1}, {}, {IDs: 1}}, // the degree is 2, 3 or 4
}

// FromArgs makes the algorithm; it has no parameters.
var FromArgs = caucus.Fill(Algorithm{})

// Outcome names the leader once it is known.
func (Algorithm) Outcome(l *caucus.Local, s *State) caucus.Outcome {
	return caucus.Decided(l, s.Leader, false)
}

// Kind tells the messages apart.
func (Algorithm) Kind(m *Msg) int { return int(min(m.Kind, Notify)) }

// Domain is every message over the world's IDs, and every state of a node of two ports.
func (Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[Msg]) {
	states := caucus.Every(w, func(p *caucus.Pick) State {
		return State{
			Awake: p.Bool(), Yielded: p.Bool(), Border: uint8(p.Below(4)),
			Heard: [2]caucus.ID{p.AnyID(), p.AnyID()}, Waiting: p.AnyID(), Leader: p.AnyID(),
		}
	})
	return states, caucus.Every(w, func(p *caucus.Pick) Msg {
		return Msg{Kind: uint8(p.Below(int(Notify) + 1)), Degree: uint8(2 + p.Below(3)), ID: p.AnyID()}
	})
}
