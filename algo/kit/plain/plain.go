// Package plain holds what most algorithms do not care about.
package plain

import "caucus.example/caucus"

// Events is embedded by an algorithm whose nodes sleep in the zero state, that sets no timer and has one kind of
// message, and that reads neither a clock nor random numbers. What an algorithm does otherwise it declares itself.
type Events[S, M any] struct{}

// Boot gives the zero state.
func (Events[S, M]) Boot(*caucus.Local) (asleep S) { return asleep }

// Timer is never set.
func (Events[S, M]) Timer(*caucus.Local, *S, int, *caucus.Outbox[M]) {}

// Kind is the same for all messages.
func (Events[S, M]) Kind(*M) int { return 0 }

// Timeless is true: see caucus.Timeless.
func (Events[S, M]) Timeless() bool { return true }

// Rounds is embedded by an algorithm of the round shape that reads its messages and no clock: see caucus.Timeless.
type Rounds struct{}

// Timeless is true.
func (Rounds) Timeless() bool { return true }

// FrankRounds is embedded instead by one whose nodes say what they hold: see caucus.Frank.
type FrankRounds struct{ Rounds }

// Frank is true.
func (FrankRounds) Frank() bool { return true }
