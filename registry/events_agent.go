//go:build agent

package registry

// ofAllEvents is empty in a program that only runs agents: with them it would be a third larger.
func ofAllEvents() []Entry { return nil }

const absent = "; this build, which only runs agents, has the algorithms of rounds and none of events"
