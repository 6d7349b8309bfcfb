// Package sim is what a simulation is asked and what it answers: package sim/engine runs algorithms on simulated
// networks, deterministically. The same Config gives the same Result on any number of workers.
package sim

import (
	"context"
	"math/bits"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/fault"
	"caucus.example/caucus/network"
	"caucus.example/caucus/network/mobility"
	"caucus.example/caucus/story"
)

// Config describes one run.
type Config struct {
	Graph   *network.Graph
	Lengths []float64 // edge lengths, parallel to Graph.Nbr; nil: every edge has length 1
	Moving  *Moving   // a network that moves: Graph has its nodes and no edges; nil: Graph stands still
	// edge lengths are the Euclidean distances of Graph.X and Y, computed when needed; Lengths must be nil
	Positions bool
	IDs       []caucus.ID // by node; nil: node i has ID i+1
	Strengths []float64   // by node; nil: all 0
	// strengths that follow from a rule, asked for when they are needed; Strengths must be nil
	StrengthBy func(node int) float64
	Known      caucus.Known  // what the nodes are told of the network
	Seed       uint64        // of every random stream of the run
	Period     time.Duration // simulated time of a round; 0: one second
	Timing     Timing
	Phases     []float64 // by node, in [0, 1): when in its period it runs, in the timings that have phases; nil: drawn
	Workers    int       // 0: all cores
	MaxRounds  int       // stop after this many rounds (periods); 0: 1,000,000
	// StableFor stops a run once no outcome has changed for this many rounds and every fault
	// of the schedule has begun and, if it has an end, ended. 0: run to MaxRounds. Of the event
	// algorithms it is for those that say they are endless.
	StableFor int
	Faults    []Fault
	Every     int // record a Sample every so many rounds; 0: never
	// TwoWay, of rounds on a network that stands still: a neighbour counts only while the link has carried both ways
	// within the expiry, 3 rounds if none is set.
	TwoWay   bool
	NoNonces bool // nodes get none: two instances of one ID cannot be told apart
	Unsafe   bool // run although an assumption of the algorithm is violated
	// Traffic counts what every node sends and receives (Result.Sent, Received, Up) in a run of rounds
	// as well. It changes nothing else, and takes a little time and memory for each end of an edge.
	Traffic bool
	// Words lets whoever leads have a new directive every so many periods, for algorithms that tell one (Local.Word):
	// its version is how many there have been. 0: there is none.
	Words int
	// Progress, if set, is called after every round with the rounds done.
	Progress func(rounds int)
	// AtEnd is told at the end of a run of rounds how to see the state of each node, as a pointer to it.
	AtEnd func(holds func(node int) any)
	// SizeOf, if set, gives the encoded size in bytes of a message, passed as a pointer to it;
	// nil: its size in memory.
	SizeOf func(message any) int

	// For the events engine only.
	Initiators []int        // nodes that start on their own, at time 0; nil: all
	Delays     Delays       // of messages; "": unit
	Least      float64      // periods that every message takes besides what Delays says; 0 with a scheduler
	Scheduler  Scheduler    // picks the next message instead; "": time decides
	Replay     *story.Story // what happens, in order, and then the oldest message first; nil: nothing is replayed
	// Channel makes links reliable, by the same code as agents: messages arrive once and in order, what is not
	// acknowledged is sent again every so many periods, and faults of links strike the frames in which messages travel.
	// 0: they strike the messages. Not with a scheduler or a replay. The bound on the delay that nodes know takes in
	// that messages of theirs are lost, and StableFor is counted in that bound where an algorithm needs it.
	Channel   int
	NoFIFO    bool  // messages of one link and direction may overtake each other
	MaxEvents int64 // stop after this many events; 0: 1,000,000,000

	// Watch, if set, is told every event once it is over; of a run of rounds, after every period, the changes of
	// outcomes. It returns false to end the run.
	Watch func(*story.Step) bool
	// Around tells Watch of a run of rounds what happens around the nodes, too: how many messages each round has, and
	// where nodes are that move.
	Around bool
}

// Delays is how long a message of an event-shaped algorithm travels, in periods.
type Delays string

// Delays.
const (
	UnitDelay        Delays = "unit"    // 1: what is called ideal time
	UniformDelay     Delays = "uniform" // uniform in [0, 1)
	ExponentialDelay Delays = "exp"     // exponential of mean 1
)

// Timing is when nodes run.
type Timing string

// Timings. In the asynchronous ones every node runs once per period on average
// and a message is visible as soon as its sender's round ends. Round r of a synchronous
// run happens at time r-1, so in every timing what is scheduled at time t comes after
// t rounds.
const (
	Synchronous  Timing = "sync"        // all at once, on the exports of the round before
	Asynchronous Timing = "async"       // once per period, each with its own fixed random phase
	Jittered     Timing = "jittered"    // as async, each period drawn from [0.9, 1.1]
	Exponential  Timing = "exponential" // as async, each period drawn from the exponential distribution of mean 1
	Aligned      Timing = "aligned"     // as async until news of a leader comes, see there: the timing of agents
)

// FaultKind names what goes wrong. Unless an expiry fault says otherwise, the last message
// of a node that has stopped is forgotten 3 rounds after it arrived and that of a running
// node never. Whoever starts, and both ends of an edge that comes back, read the last
// messages of their neighbours at once. In a run of events no message stays with anybody: there is no expiry, and a
// message is late, lost or doubled once, on its way.
type FaultKind string

// Fault kinds.
const (
	// Nodes stop; their last messages stay with the neighbours until they expire
	Crash FaultKind = "crash"
	// crashed Nodes run again, with their old state and timers if Keep, else booted clean
	Restart FaultKind = "restart"
	Join    FaultKind = "join" // Nodes are absent before At
	// Nodes stop and their neighbours forget their messages at once
	Leave       FaultKind = "leave"
	Loss        FaultKind = FaultKind(fault.Loss)        // from At to Until each message is lost with probability Rate
	Duplication FaultKind = FaultKind(fault.Duplication) // … arrives a second time up to Rounds later
	Delay       FaultKind = FaultKind(fault.Delay)       // … arrives Rounds later
	Reordering  FaultKind = FaultKind(fault.Reordering)  // … is delayed, with probability Rate, by a random 1 to Rounds
	// … takes Value rounds, uniformly by up to Spread more or less; one that a later one overtakes is dropped, as
	// agents do
	Latency   FaultKind = FaultKind(fault.Latency)
	Expiry    FaultKind = "expiry"    // a neighbour's message is forgotten Rounds rounds after it arrived
	Partition FaultKind = "partition" // the edges between Nodes and all others are gone until Until or Heal
	Heal      FaultKind = "heal"      // ends every partition
	Strength  FaultKind = "strength"  // Nodes get the strength Value, or their own of Values
	Corrupt   FaultKind = "corrupt"   // state and export of Nodes are drawn from the algorithm's Domain
	// Nodes support a leader that does not exist (ID and strength: Fake, Value); of events, they hear a message that
	// leads there, if they believe any
	FakeLeader FaultKind = "fake-leader"
	// Nodes are somewhere else from At on: the network that moves sees to that, this says when it was
	Move FaultKind = "move"
)

// Fault is one entry of the schedule. Times are in rounds (periods).
type Fault struct {
	At, Until float64 // Until 0: for ever
	Kind      FaultKind
	Nodes     []int     // indices; nil means all, or the whole network for the kinds that concern links
	Leaders   bool      // instead of Nodes: all that lead at that moment
	Way       fault.Way // of faults of links, with Nodes
	// Links are the only ones that a fault of links concerns, each in one direction, from the first node to the second;
	// instead of Nodes.
	Links  [][2]int
	Rate   float64
	Rounds int
	Value  float64
	Spread float64   // of Latency, at most Value
	Values []float64 // of Strength, by node; nil: Value for all
	Fake   caucus.ID
	Keep   bool
}

// Sample is the state of a run after a round.
type Sample struct {
	Round       int
	Leaders     int     // nodes that lead
	Regions     int     // distinct leaders that live nodes name
	Live        int     // nodes that run
	Changes     int     // nodes whose leader differs from that of the round before
	Instability float64 // mean over live nodes of leader changes in the last 10 rounds, divided by 10
	Messages    int64   // sent so far: one for each neighbour of each sender
	Bytes       int64   // sent so far, encoded
}

// Result is the end of a run.
type Result struct {
	Outcomes  []caucus.Outcome // by node; the zero Outcome for nodes that do not run
	Live      []bool
	Graph     *network.Graph // the network at the end; that of the configuration if it stands still
	Rounds    int
	SettledAt int  // the round after which no outcome (role, leader, region) changed any more
	Converged bool // stopped because it was stable for StableFor rounds
	Messages  int64
	Bytes     int64
	Samples   []Sample
	TraceHash uint64 // of every outcome change, for comparing two runs

	// Of the events engine.
	Kinds  []int64 // messages by kind, as in Spec.Kinds
	Time   float64 // when the last event happened, in periods
	Events int64   // wake-ups, arrivals and timers
	Frames int64   // with Config.Channel: what was sent in place of each message alone
	// Flooded: stopped because messages had multiplied until there was no room for more on their way.
	Flooded bool

	// By node, of the events engine and of rounds with Config.Traffic. In rounds a message is received when
	// its receiver runs next.
	Sent, Received []int64   // messages
	Up             []float64 // for how many periods it ran
}

// Moving is a network that changes while the run goes on. A node of which the network says that
// it is not present leaves, and joins as a new instance when it appears.
type Moving struct {
	New   func() (mobility.Net, error) // called once for each run
	Hops  bool                         // every edge has length 1
	Begin float64                      // time on the network's clock, in seconds, at which the run starts
}

// Scheduler is who picks the message that arrives next when it is not time that decides.
// Whatever holds for every order of arrival holds under each of them. Messages of one link and
// direction keep their order unless Config.NoFIFO says otherwise. Time is then the length of the longest chain of
// messages that led to an event; timers go off when no message is on its way.
type Scheduler string

// Schedulers.
const (
	OldestFirst Scheduler = "fifo"                 // what was sent first
	NewestFirst Scheduler = "lifo"                 // what was sent last
	RandomNext  Scheduler = "random"               // any, with equal probability
	StarvedLast Scheduler = "longest-waiting-last" // the link whose next message has waited least
)

// Stepper is a run of rounds in steps of one period.
type Stepper interface {
	Step()
	Result() *Result
	Close()
	// Holds points to what node i holds, of the algorithm's type of states, until the next step.
	Holds(i int) any
	// Alter overwrites what node i holds and its last message, as a fault would: change gets pointers to both.
	Alter(i int, change func(state, export any))
}

// Together runs several elections side by side for a number of periods, each period of all before the next of the
// first, so that they can share a moving network (see mobility.Share). When ctx ends first the
// error is ctx's.
func Together(ctx context.Context, periods int, runs ...Stepper) error {
	for range periods {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for _, r := range runs {
			r.Step()
		}
	}
	return nil
}

// Bits is what the messages of a run take when written as sparsely as the literature counts them: a
// header that tells the kinds apart, and for what a kind carries as many bits as the
// largest ID of the network and a counter up to its number of nodes need. 0 when the
// algorithm does not say what its kinds carry.
func (r *Result) Bits(spec *caucus.Spec, cfg *Config) int64 {
	if len(spec.Carries) == 0 || len(spec.Carries) != len(r.Kinds) {
		return 0
	}
	largest := uint64(0)
	for i := range cfg.Graph.Len() {
		largest = max(largest, uint64(cfg.ID(i)))
	}
	header, id, counter := bits.Len(uint(len(r.Kinds)-1)), bits.Len64(largest), bits.Len(uint(cfg.Graph.Len()))
	sum := int64(0)
	for k, c := range spec.Carries {
		sum += r.Kinds[k] * int64(header+c.IDs*id+c.Counters*counter+c.Bits)
	}
	return sum
}

// ID is the ID of node i.
func (cfg *Config) ID(i int) caucus.ID {
	if cfg.IDs != nil {
		return cfg.IDs[i]
	}
	return caucus.ID(i + 1)
}

// Strength is the strength of node i at the start.
func (cfg *Config) Strength(i int) float64 {
	switch {
	case cfg.StrengthBy != nil:
		return cfg.StrengthBy(i)
	case cfg.Strengths != nil:
		return cfg.Strengths[i]
	}
	return 0
}
