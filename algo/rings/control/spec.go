package control

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/ring"
)

// Spec describes the algorithm. Neither labels nor the order of messages matter; a node that is woken by a smaller ID
// is no candidate. On average it costs much less than at worst.
var Spec = ring.Spec(caucus.Spec{
	Name: "control", Title: "Controlled Distance",
	Source: "Hirschberg, Sinclair, CACM 1980; Santoro, section 3.3.3",
	Cost:   "at most 7 n log n + O(n) messages if the distance doubles, 6.31 n log n + O(n) if it triples; time O(n)",
	Params: []caucus.Param{
		{Name: "growth", Kind: caucus.KindChoice, Default: "2", Choices: []string{"2", "3"},
			Doc: "factor by which the distance grows from stage to stage, beginning at 1"},
	},
	Kinds: []string{"forth", "notify", "back"}, Carries: []caucus.Content{{IDs: 1, Counters: 1}, {IDs: 1}, {IDs: 1}},
})

// FromArgs makes the algorithm.
var FromArgs = caucus.Fill(Algorithm{})

// Outcome names the leader once it is known; Elected is the part of it that may change at every event.
func (Algorithm) Outcome(_ *caucus.Local, s *State) caucus.Outcome { return s.End.Outcome() }

func (Algorithm) Elected(_ *caucus.Local, s *State) (caucus.ID, caucus.Role) { return s.Leader, s.Role }

// Kind tells the messages apart.
func (Algorithm) Kind(m *Msg) int { return ring.KindOf(m.Kind, 3) }

// Domain is every state and message over the world's IDs.
func (Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[Msg]) {
	return caucus.Every(w, func(p *caucus.Pick) State {
			return State{Awake: p.Bool(), Reach: uint64(p.Below(p.Counter + 1)), Home: uint8(p.Below(2)),
				End: ring.PickEnd(p)}
		}), caucus.Every(w, func(p *caucus.Pick) Msg {
			return Msg{ID: p.AnyID(), Left: uint64(p.Below(p.Counter + 1)), Kind: uint8(p.Below(3))}
		})
}

// Expect is the least ID for all.
func (Algorithm) Expect(n *caucus.Network) []caucus.Outcome { return n.FollowLeastID() }
