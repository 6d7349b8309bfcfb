package entry

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/restart"
)

// Replaces says what becomes of a leader that dies, on a real network or in a simulation: "" if another one follows by
// itself, as far as the shape tells; else how another one may be had.
func (e *Entry) Replaces() string {
	switch {
	case e.Spec.Shape == caucus.ShapeRounds || e.Spec.Endless:
		return ""
	case restart.Suits(e.Spec) == nil:
		return "a dead leader is replaced only with the restart layer: --restart N, for an agent restart: N"
	}
	return "a dead leader is not replaced, and the restart layer does not suit it"
}

// Restarts tells whether the restart layer suits the algorithm; the error says why it does not.
func (e *Entry) Restarts() error { return restart.Suits(e.Spec) }
