//go:build agent

package entry

import (
	"caucus.example/caucus"
	"caucus.example/caucus/agent"
	"caucus.example/caucus/internal/forget"
	"caucus.example/caucus/internal/forget/inrounds"
)

// Entry is an algorithm in a program that only runs agents: it knows neither simulator nor checker.
type Entry struct {
	Spec  *caucus.Spec
	Agent func(caucus.Args, agent.Config) (*agent.Agent, error)
}

func OfRounds(r inrounds.Rounds) Entry { return Entry{r.Spec, inRounds{r}.agent} }

func OfEvents(e forget.Events) Entry { return Entry{e.Spec, forgotten{e}.agent} }
