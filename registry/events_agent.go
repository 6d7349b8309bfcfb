//go:build agent

package registry

import "caucus.example/caucus/internal/forget"

// allEvents is empty in a program that only runs agents: with them it would be a third larger.
var allEvents [][]forget.Events

const absent = "; this build, which only runs agents, has the algorithms of rounds and none of events"
