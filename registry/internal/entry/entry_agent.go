//go:build agent

package entry

import (
	"caucus.example/caucus"
	"caucus.example/caucus/internal/forget"
	"caucus.example/caucus/internal/forget/inrounds"
)

// Entry is an algorithm in a program that only runs agents: it knows neither simulator nor checker.
type Entry struct {
	Spec   *caucus.Spec
	Rounds *inrounds.Rounds
	Events *forget.Events
}

func OfRounds(r inrounds.Rounds) Entry { return Entry{Spec: r.Spec, Rounds: &r} }

func OfEvents(e forget.Events) Entry { return Entry{Spec: e.Spec, Events: &e} }
