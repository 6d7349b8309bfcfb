// Package pacing is how rounds follow the news of a leader (docs/decisions/010-aligned-rounds.md), the same for agents
// and for the simulator.
package pacing

const (
	// Loss is the greatest share of lost messages with which rounds follow those of a neighbour. A beat that is lost in
	// a wave is lost for all behind; where phases differ several are on their way at a time and make up for it.
	Loss = 1.0 / 16
	// Apart is the part of a period that has to lie between two rounds: a half.
	Apart = 2
	// Grace is the part of a period by which a round without news is late: a quarter.
	Grace = 4
	// Changes is how many changes a node tells between two rounds.
	Changes = 16
	// TellPart is the part of a period, for each neighbour, for which a node keeps a change to itself, so that those
	// that come meanwhile go out together: with many neighbours changes come in swarms, each told to all of them.
	TellPart = 512
)
