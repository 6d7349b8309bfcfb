// Package gradient runs block G alone: sources spread their names, and every node follows
// the nearest one. Sources are the nodes that are stronger than all their neighbours.
//
// Assumes edge lengths > 0. Ends never: the result is a fixpoint that is reached again after
// any fault. Cost: O(degree) time and one message of at most 40 bytes per node and round.
package gradient

import (
	"fmt"
	"math"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/block"
)

// Mark is a node's place in the gradient: state and message in one.
type Mark struct {
	_        struct{}  `cbor:",toarray"`
	From     caucus.ID // the node itself
	Strength float64   // its strength
	Dist     float64   // length of the path to the source; +Inf without one
	Lead     caucus.ID // the source; None without one
}

// Gradient is the algorithm. It implements caucus.Rounds[Mark, Mark].
type Gradient struct{ Config }

// Config holds the options; see Spec for what each means.
type Config struct {
	MaxDistance float64
	MinStrength float64
}

// New checks the options.
func New(c Config) (*Gradient, error) {
	switch {
	case !(c.MaxDistance > 0):
		return nil, &caucus.FieldError{Field: "max-distance", Found: fmt.Sprint(c.MaxDistance), Allowed: "a length > 0, or inf"}
	case !(c.MinStrength >= 0):
		return nil, &caucus.FieldError{Field: "min-strength", Found: fmt.Sprint(c.MinStrength), Allowed: "a number >= 0"}
	case c.MinStrength > 0 && math.IsInf(c.MaxDistance, 1):
		return nil, &caucus.FieldError{Field: "max-distance", Found: "inf",
			Allowed: "a finite length with min-strength, since a network without a source would follow an old one for ever"}
	}
	return &Gradient{c}, nil
}

// Boot knows no source.
func (g *Gradient) Boot(l *caucus.Local) (Mark, Mark) {
	m := Mark{From: l.ID, Strength: l.Strength, Dist: math.Inf(1)}
	return m, m
}

// Round is the source or takes the nearest one from its neighbours.
func (g *Gradient) Round(l *caucus.Local, s *Mark, in caucus.Inbox[Mark]) Mark {
	*s = Mark{From: l.ID, Strength: l.Strength, Lead: l.ID}
	if l.Strength < g.MinStrength || !block.Strongest(l, in, rank) {
		f, _ := block.Gradient(in, g.MaxDistance, caucus.None, field, before)
		s.Dist, s.Lead = f.Dist, f.Value
	}
	return *s
}

func rank(m *Mark) (float64, caucus.ID) { return m.Strength, m.From }
func field(m *Mark) block.Field[caucus.ID] {
	return block.Field[caucus.ID]{Dist: m.Dist, Value: m.Lead}
}
func before(a, b caucus.ID) bool { return a < b }

// Outcome reads the source off the gradient. A node that has ceased to be a source and hears its own
// name come back leads on until that name has died out, as those who still follow it expect.
func (g *Gradient) Outcome(l *caucus.Local, s *Mark) caucus.Outcome {
	return block.Outcome(l, s.Lead, s.Dist)
}

// Domain is every mark with the world's IDs, strengths and distances.
func (g *Gradient) Domain(w *caucus.World) (caucus.Values[Mark], caucus.Values[Mark]) {
	radix := []int{len(w.IDs), len(w.Strengths), len(w.Dists), len(w.IDs)}
	v := caucus.Values[Mark]{Len: caucus.Size(radix...), At: func(k uint64) Mark {
		var buf [4]int
		d := caucus.Digits(k, buf[:], radix...)
		return Mark{From: w.IDs[d[0]], Strength: w.Strengths[d[1]], Dist: w.Dists[d[2]], Lead: w.IDs[d[3]]}
	}}
	return v, v
}

// Backs names the source that a message spreads, whichever instance of it.
func (g *Gradient) Backs(m *Mark) (caucus.ID, uint64) { return m.Lead, 0 }
