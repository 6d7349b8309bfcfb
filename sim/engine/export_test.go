package engine

import "caucus.example/caucus/sim"

// Short, so that two workers share also what tests run.
func init() { stretch = 100 }

// WholeRounds makes every round of the runs to come whole, for comparison, until it is called again.
func WholeRounds(whole bool) { wholeRounds = whole }

// Ran is how many nodes were run in rounds that were not whole.
func Ran(s sim.Stepper) (nodes int64) {
	for _, h := range s.(*RoundRun).hands {
		nodes += h.ran
	}
	return nodes
}

// DrawFaults draws a schedule.
var DrawFaults = drawFaults

// ProcessorTime is what this program has taken of all processors.
var ProcessorTime = processorTime
