// Package story tells executions. A run of the simulator and a counterexample of the checker, of algorithms of rounds
// and of events, are the same thing: a Story, whose steps are what the daemon or scheduler has picked, and faults. A
// story is written by Writer and Script, read by Read and Parse, carried out by the simulator (engine.ReplayRounds,
// engine.ReplayEvents, sim.Config.Replay) and drawn as a table here and as a space-time diagram in internal/picture.
package story

import (
	"slices"

	"caucus.example/caucus"
)

// What happens in a step.
const (
	Begin   = "begin"   // a node holds this when everything begins, which is not what it boots with
	Hear    = "hear"    // what a node has last heard of a neighbour when everything begins, if that has not said it
	Wake    = "wake"    // a node starts
	Act     = "act"     // of rounds: a node has run; in a run of rounds, what it answers is another than before
	Message = "message" // a node receives a message
	Timer   = "timer"   // a timer of a node goes off
	Tick    = "tick"    // of a checker: time passes
	Lost    = "lost"    // a message comes to a node that is down, or not at all
	Crash   = "crash"   // a node goes down; that it starts again shows as a wake-up
	Corrupt = "corrupt" // a node holds this from now on
	Sent    = "sent"    // of a run of rounds: so many messages in this one, and in those that follow without a step
	Move    = "move"    // a node that moves is there, and goes on like that
	End     = "end"     // of a run: it is over, after so many messages
)

// Story is an execution.
type Story struct {
	Run        []string    // what is run, with its options, for people
	Scenario   string      // of a run: the scenario file that it is
	Network    string      // that of a counterexample, as the checker writes it
	IDs        []caucus.ID // by node, of a counterexample
	Rounds     bool        // the algorithm runs in rounds
	Messages   bool        // nodes read what has been delivered to them, and not what their neighbours say
	Initiators []int       // of a counterexample of events: the nodes that start by themselves, sooner or later
	Steps      []Step
	// Loop is after how many moments all was as it is at the end, from where it can go on like that for ever; -1: it
	// does not, or nothing happens any more.
	Loop     int
	Outcomes []caucus.Outcome // by node, at the end
	Pending  int              // messages that are on their way at the end
	Wanted   []caucus.Outcome // the right result by node, where there is one
	Wrong    string           // what is wrong at the end; "": nothing
}

// Step is what happens to one node. Of rounds, steps of the same time happen at once.
type Step struct {
	Time          float64
	What          string
	Node          int
	Initiator     bool // of a wake-up: by itself, not by a message
	Port          int  // of a message: at the receiver
	From          int  // of a message: its sender
	Number        uint64
	Kind          int // of a message, as in Spec.Kinds
	Message       Value
	Timer         int   // which; of ticks, how many
	Before, After Value // state of the node
	Says          Value // of rounds in a counterexample: what the node says from now on
	caucus.Outcome
	Draw, Of uint64 // of a counterexample: which of so many results a draw has; 0 of 0: nothing is drawn
	Sends    []Sending
	Place    Place  // of a node that moves
	Where    string // place in a record, for errors
}

// Place is where a node is, and by how much it moves in a period until something else is said.
type Place struct{ X, Y, DX, DY float64 }

// Sending is a message that a node puts on its way.
type Sending struct {
	Port    int
	To      int
	Number  uint64 // in the order of sending, from 1; 0: it is lost on the way
	Kind    int
	Message Value
}

// Moment is what happens at one time of a story of rounds, and what nodes hold after it.
type Moment struct {
	Steps []Step
	Now   []Step // by node: the last step that says what it holds
	Gone  []bool // by node
}

// Moments are those of a story of rounds, the beginning first.
func (s *Story) Moments() (list []Moment) {
	now, gone := make([]Step, len(s.IDs)), make([]bool, len(s.IDs))
	for k := 0; k < len(s.Steps); {
		end := k + 1
		for end < len(s.Steps) && s.Steps[end].Time == s.Steps[k].Time {
			end++
		}
		for _, x := range s.Steps[k:end] {
			switch x.What {
			case Wake, Begin, Act, Corrupt:
				now[x.Node] = x
			case Crash:
				gone[x.Node] = true
			}
		}
		list = append(list, Moment{s.Steps[k:end], slices.Clone(now), slices.Clone(gone)})
		k = end
	}
	return list
}

// Chosen are the steps that the daemon or scheduler has picked, and faults; the others follow from these.
func (s *Story) Chosen() (list []Step) {
	for _, x := range s.Steps {
		if x.chosen(s.Rounds) {
			list = append(list, x)
		}
	}
	return list
}

func (x *Step) chosen(rounds bool) bool { return x.What != Wake || x.Initiator && !rounds }

// Length is how many moments a story has after its beginning: of events, each step is one.
func (s *Story) Length() int {
	if s.Rounds {
		return len(s.Moments()) - 1
	}
	return len(s.Chosen())
}
