package bully

import (
	"math"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/rank"
)

// Spec describes the algorithm. From an arbitrary state it does not recover: a leader that meets a later term than
// its own goes beyond it, but the last term has no successor. The worst case of the messages, all n alive and asking,
// is the start.
var Spec = caucus.Spec{
	Name: "bully", Title: "Bully, with terms", Family: "iot", Shape: caucus.ShapeEvents, ByStrength: true,
	Source: "Garcia-Molina, IEEE Transactions on Computers, 1982; terms, hello and graded patience: this project",
	Elects: "the live node of least rank (largest strength), smaller ID on equal rank",
	Guarantee: "all live nodes follow the best of them after crashes and returns, if delays stay within the bound " +
		"(proved); after a partition the better leader " +
		"wins and late messages do no harm (tested); not self-stabilising",
	Cost: "n - 2 messages, and one to the dead leader, when the next in rank notices; n² - 1 at worst; n - 1 " +
		"for each heartbeat; time O(δ)",
	Needs: caucus.Needs{Topology: caucus.Complete, DistinctIDs: true, Delay: true}, Endless: true,
	Params: []caucus.Param{
		{Name: "heartbeat", Kind: caucus.KindInt, Default: "3", Min: 1, Max: 1000, Doc: "bounds on the delay " +
			"between two heartbeats of the leader"},
		{Name: "patience", Kind: caucus.KindInt, Default: "3", Min: 1, Max: 1000, Doc: "heartbeats that may be " +
			"missing until the next in rank asks"},
	},
	Kinds: []string{"hello", "ask", "answer", "coordinator", "beat"},
}

// New checks the options.
func New(c Config) (Algorithm, error) { return Algorithm{Config: c}, Spec.Check(c) }

// FromArgs makes the algorithm from resolved parameters.
var FromArgs = caucus.Configure(New)

// Outcome follows the leader of the term.
func (Algorithm) Outcome(l *caucus.Local, s *State) caucus.Outcome {
	return rank.Outcome(l, s.Leader, false)
}

// Kind tells the messages apart.
func (Algorithm) Kind(m *Msg) int { return int(min(m.Kind, Beat)) }

// Domain is every message of the world, and every state of a node that knows no peers.
func (Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[Msg]) {
	count := func(p *caucus.Pick) int { return p.Below(max(1, p.Counter)) }
	states := caucus.Every(w, func(p *caucus.Pick) State {
		return State{Phase: Phase(p.Below(5)), Left: int32(count(p)), Term: uint32(count(p)), Leader: rank.PickPair(p)}
	})
	return states, caucus.Every(w, func(p *caucus.Pick) Msg {
		return Msg{Kind: uint8(p.Below(5)), Term: uint32(count(p)), From: rank.PickPair(p)}
	})
}

// Expect is the best node of each component for all.
func (Algorithm) Expect(n *caucus.Network) []caucus.Outcome { return rank.FollowBest(n) }

// Origin is the term that a node has heard of, or that a message is of. Only the differences of terms matter.
func (Algorithm) Origin(s *State, m *Msg) uint64 {
	switch {
	case s != nil && s.Phase != Asleep:
		return uint64(s.Term)
	case m != nil && m.termed():
		return uint64(m.Term)
	}
	return math.MaxUint64
}

// Rebase counts terms from a later one on.
func (Algorithm) Rebase(s *State, m *Msg, origin uint64) {
	if s != nil && s.Phase != Asleep {
		s.Term -= uint32(origin)
	}
	if m != nil && m.termed() {
		m.Term -= uint32(origin)
	}
}

// termed tells whether the term of a message is read.
func (m *Msg) termed() bool { return m.Kind == Ask || m.Kind >= Coordinator }
