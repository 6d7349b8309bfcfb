// Package pacing is how rounds follow the news of a leader (docs/decisions/010-aligned-rounds.md), and when a leader's
// own word ends what others say of it: the same for agents and for the simulator.
package pacing

import "math"

const (
	// Loss is the greatest share of lost messages with which rounds follow those of a neighbour. A beat that is lost in
	// a wave is lost for all behind; where phases differ several are on their way at a time and make up for it.
	Loss = 1.0 / 16
	// Missing is the same of those that do not come in time although they are asked for.
	Missing = 1.0 / 64
	// Apart is the part of a period that has to lie between two rounds: a half.
	Apart = 2
	// Grace is the part of a period by which a round without news is late: a quarter.
	Grace = 4
	// Changes is how many changes a node tells between two rounds.
	Changes = 16
	// TellPart is the part of a period, for each neighbour, for which a node keeps a change to itself, so that those
	// that come meanwhile go out together: with many neighbours changes come in swarms, each told to all of them.
	TellPart = 512
	// AskAfter is the part of a period by which news of the leader is late when it is asked for, and between the first
	// asks; AskSoon how many of them there are before a round comes without news.
	AskAfter, AskSoon = 16, 3
	// AskQuick is how many asks there are at that distance, AskThen how many in a period after these, and AskMost how
	// many at most until news comes.
	AskQuick, AskThen, AskMost = 4, 4, 24
	// Again is how often a change is told again where messages get lost, that part of a period apart.
	Again = 2
)

// Follows tells whether rounds follow those of a neighbour, of whose messages a share is lost, and which answers a
// share of what it is asked.
func Follows(loss, answers float64) bool {
	return loss <= Loss || loss*math.Pow(1-answers, AskSoon) <= Missing
}

// AskAgain is the part of a period from one ask to the next.
func AskAgain(asked int) float64 {
	if asked < AskQuick {
		return 1.0 / AskAfter
	}
	return 1.0 / AskThen
}
