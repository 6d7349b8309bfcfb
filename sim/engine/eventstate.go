package engine

import (
	"caucus.example/caucus"
	"caucus.example/caucus/fault"
	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/story"
)

// eventRun is a run of an algorithm of the event shape whatever its types: states and messages stay in columns.
type eventRun struct {
	algo     columns.Events
	out      *columns.Outbox // of algo
	cfg      sim.Config
	n        int
	nodes    []place
	times    []times
	local    caucus.Local // what a handler gets: see look
	draws    caucus.Rand  // each node's stream is within it, and within that every call of a handler has its own
	timeless bool         // the algorithm is caucus.Timeless: it has no use for them
	rich     bool         // a node knows more than what known gives
	lengths  []float64    // of every port, as of the network; nil where all have length 1
	labels   []caucus.Label
	ends     []end     // by port: the other end of its link
	last     []float64 // by port of the sender: when its last message arrives; nil where none can overtake

	starts []int32 // nodes that are still to wake at time 0
	line   line
	later  calendar
	chosen *chooser // the messages on their way when a scheduler orders them, else nil
	alarms alarms
	posted uint64 // messages put on their way
	caused uint64 // events so far, for the random streams

	mode     mode
	now      float64 // of the present event
	limit    float64 // no event comes after it
	calm     bool    // nobody watches, and messages just arrive when they do
	plain    bool    // besides, with unit delays
	left     int     // flow still delivers so many messages, none of them
	until    float64 // after this time
	restAt   float64 // an endless run is stable then, unless something changes
	rest     float64 // for how long nothing must change then
	stable   bool
	faults   eventFaults
	channels *reliable    // nil: links are as they are
	watch    *watcher     // nil: nobody watches
	drawn    *caucus.Rand // of all nodes, in the story of a counterexample; nil: each has its own
	begun    []story.Step // of such a story: wake-ups of nodes that are to get what they begin with, the last first

	result sim.Result
	delays caucus.Rand
}

// place is what an event touches of a node: one line of a cache, since messages of random delays come to nodes in no
// order that a processor could foresee.
type place struct {
	id             caucus.ID
	nonce          uint64
	calls          uint64 // of handlers, if they draw
	sent, received int64
	leader         caucus.ID // this and the next two are what was last seen of it
	role           caucus.Role
	live           bool
	awake, down    bool
	first, degree  int32  // its ports, in the order of Nbr
	life           uint32 // how often it has started again
}

// times are those of a node.
type times struct {
	up, since float64 // periods that it ran before the last crash, and when it started after that
	clock     float64 // with a scheduler: length of the longest chain of messages that led here
}

func (p *place) seen() seen { return seen{p.leader, p.role, p.live} }

// says tells whether what was last seen of a node is what it says now.
func (p *place) says(now columns.Elected) bool {
	return now.Leader == p.leader && now.Role == p.role && p.live
}

func (p *place) see(is seen) { p.leader, p.role, p.live = is.leader, is.role, is.live }

// mode is how messages are ordered.
type mode uint8

const (
	unit  mode = iota
	later      // unit delays, and faults that hold messages back
	uniform
	exponential
	scheduled
)

// eventFaults is the schedule of faults of a run of the events engine.
type eventFaults struct {
	actions []action
	at      int         // the first action that is still to come
	next    float64     // its time; infinite when there is none
	links   []active    // that are on
	fate    caucus.Rand // of messages
	own     bool        // the strengths of the configuration are the run's own
	missed  []missed    // timers
}

// missed is a timer that was due while its node had stopped.
type missed struct {
	due parcel
	alarm
}

// holdsBack tells whether a fault makes messages late.
func holdsBack(f sim.Fault) bool {
	switch f.Kind {
	case sim.Delay, sim.Duplication, sim.Reordering, sim.Latency:
		return true
	}
	return false
}

// overtake tells whether a fault lets messages overtake each other.
func overtake(f sim.Fault) bool { return f.Kind == sim.Duplication || f.Kind == sim.Reordering }

// linkFate is what becomes of a message, in a network whose links mostly keep the order.
type linkFate struct {
	fault.Fate
	overtakes bool
}
