// Package gradient runs block G of aggregate computing alone: sources spread their names, and every node follows the
// nearest one. Sources are the nodes that are stronger than all their neighbours.
package gradient

import (
	"math"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/block"
	"caucus.example/caucus/algo/kit/plain"
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
type Gradient struct {
	plain.FrankRounds
	Config
}

// Config holds the options; see Spec for what each means.
type Config struct {
	MaxDistance float64 `param:"max-distance"`
	MinStrength float64 `param:"min-strength"`
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
