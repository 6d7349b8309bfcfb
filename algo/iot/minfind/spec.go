package minfind

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/rank"
)

// Spec describes the algorithm. The ideal time counts from when all are awake.
var Spec = caucus.Spec{
	Name: "minfind", Title: "Minimum finding by flooding", Family: "iot", Shape: caucus.ShapeEvents, ByStrength: true,
	Source: "folklore; the baseline of Conard, Ebnenasir, 2021",
	Elects: "the node of least rank (largest strength), smaller ID on equal rank",
	Guarantee: "every node ends with the least pair of rank and ID and does not know that it is the end (proved, " +
		"reliable links); " +
		"not self-stabilising: a dead or fake minimum stays for ever (tested)",
	Cost: "O(nm) messages at worst, O(m log n) expected for random ranks; ideal time the eccentricity of the " +
		"best node",
	Needs: caucus.Needs{Connected: true, DistinctIDs: true}, Silent: true,
}

// FromArgs makes the algorithm; it has no parameters.
var FromArgs = caucus.Fill(Algorithm{})

// Outcome follows the best candidate so far.
func (Algorithm) Outcome(l *caucus.Local, s *State) caucus.Outcome {
	return rank.Outcome(l, s.Best, false)
}

// Domain is every candidate.
func (Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[rank.Pair]) {
	return caucus.Every(w, func(p *caucus.Pick) State { return State{rank.PickPair(p)} }),
		caucus.Every(w, rank.PickPair)
}

// Expect is the best node of each component for all.
func (Algorithm) Expect(n *caucus.Network) []caucus.Outcome { return rank.FollowBest(n) }
