package minmaxplus

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/ring"
)

// Spec describes the algorithm. The owner of the value whose envelope comes back to the node that sent it leads. On
// random rings it costs about as much as MinMax; the gain is in bad cases.
var Spec = ring.Spec(caucus.Spec{
	Name: "min-max-plus", Title: "MinMax+",
	Source: "Higham, Przytycka, IPL 1993; Santoro, exercises of chapter 3", Elects: "some node",
	Guarantee: "terminates with one leader that every node knows (proved), not in general the least ID; not " +
		"self-stabilising",
	Cost:  "1.271 n log n + O(n) messages at worst",
	Needs: caucus.Needs{Labels: true, FIFO: true},
	Params: []caucus.Param{
		{Name: "distance", Kind: caucus.KindChoice, Default: "odd", Choices: []string{"odd", "even"},
			Doc: "stages that promote by distance; the others promote by witness. Odd as in the paper, even as in " +
				"Santoro's exercises"},
	},
	Faithful: map[string]map[string]string{"santoro": {"distance": "even"}},
	Kinds:    []string{"elect", "notify"}, Carries: []caucus.Content{{IDs: 1, Counters: 2}, {IDs: 1}},
})

// FromArgs makes the algorithm.
var FromArgs = caucus.Fill(Algorithm{})

// Outcome names the leader once it is known; Elected is the part of it that may change at every event.
func (Algorithm) Outcome(_ *caucus.Local, s *State) caucus.Outcome { return s.End.Outcome() }

func (Algorithm) Elected(_ *caucus.Local, s *State) (caucus.ID, caucus.Role) { return s.Leader, s.Role }

// Kind tells the messages apart.
func (Algorithm) Kind(m *Msg) int { return ring.KindOf(m.Kind, 2) }

// Domain is every state and message over the world's IDs.
func (Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[Msg]) {
	return caucus.Every(w, func(p *caucus.Pick) State {
			return State{Last: p.AnyID(), Stage: uint8(p.Below(p.Counter + 1)), End: ring.PickEnd(p)}
		}), caucus.Every(w, func(p *caucus.Pick) Msg {
			m := Msg{ID: p.AnyID(), Stage: uint8(p.Below(p.Counter + 1)), Left: uint64(p.Below(p.Counter + 1))}
			m.Kind = uint8(p.Below(2))
			return m
		})
}
