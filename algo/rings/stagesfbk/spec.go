package stagesfbk

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/ring"
)

// Spec describes the algorithm. That a vote will not come is known by what comes in its place, hence the order of
// messages. Each vote crosses the links between two candidates once. When two candidates are left each is both
// neighbours of the other: the loser votes both ways.
var Spec = ring.Spec(caucus.Spec{
	Name: "stages-fbk", Title: "Stages with Feedback",
	Source: "Korach, Rotem, Santoro, 1984; Santoro, section 3.3.5",
	Cost:   "at most 3n messages a stage and 3n log3 n + O(n) in all, which is 1.89 n log n + O(n)",
	Needs:  caucus.Needs{FIFO: true},
	Kinds:  []string{"elect", "notify", "vote"}, Carries: []caucus.Content{{IDs: 1}, {IDs: 1}, {IDs: 1}},
})

// FromArgs makes the algorithm; it has no parameters.
var FromArgs = caucus.Fill(Algorithm{})

// Outcome names the leader once it is known; Elected is the part of it that may change at every event.
func (Algorithm) Outcome(_ *caucus.Local, s *State) caucus.Outcome { return s.End.Outcome() }

func (Algorithm) Elected(_ *caucus.Local, s *State) (caucus.ID, caucus.Role) { return s.Leader, s.Role }

// Kind tells the messages apart.
func (Algorithm) Kind(m *ring.Msg) int { return ring.KindOf(m.Kind, 3) }

// Domain is every state and message over the world's IDs.
func (Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[ring.Msg]) {
	return caucus.Every(w, func(p *caucus.Pick) State {
		pair := func() [2]caucus.ID { return [2]caucus.ID{p.AnyID(), p.AnyID()} }
		s := State{Awake: p.Bool(), Read: pair(), Voted: [2]bool{p.Bool(), p.Bool()}}
		s.Next, s.End = pair(), ring.PickEnd(p)
		return s
	}), ring.Messages(w, 3)
}

// Expect is the least ID for all.
func (Algorithm) Expect(n *caucus.Network) []caucus.Outcome { return n.FollowLeastID() }

// Messages is 3n a stage, of which there are at most 2 more than log3 n, rounded down: the last two are for one
// candidate alone and for the announcement with the votes that are left.
func (Algorithm) Messages(n *caucus.Network, _ int) int {
	stages := 2
	for k := n.Len(); k >= 3; k /= 3 {
		stages++
	}
	return 3 * n.Len() * stages
}
