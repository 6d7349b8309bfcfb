// Package sim runs algorithms on simulated networks, deterministically: the same
// Config gives the same Result on any number of workers.
package sim

import (
	"time"

	"caucus"
	"caucus/topology"
)

// Config describes one run.
type Config struct {
	Graph     *topology.Graph
	Lengths   []float64     // edge lengths, parallel to Graph.Nbr; nil: every edge has length 1
	IDs       []caucus.ID   // by node; nil: node i has ID i+1
	Strengths []float64     // by node; nil: all 0
	Known     caucus.Known  // what the nodes are told of the network
	Seed      uint64        // of every random stream of the run
	Period    time.Duration // simulated time of a round; 0: one second
	Timing    Timing
	Workers   int // 0: all cores
	MaxRounds int // stop after this many rounds (periods); 0: 1,000,000
	StableFor int // stop once no outcome has changed for this many rounds; 0: run to MaxRounds
	Faults    []Fault
	Every     int  // record a Sample every so many rounds; 0: never
	Unsafe    bool // run although an assumption of the algorithm is violated
	// Progress, if set, is called now and then with the rounds done.
	Progress func(rounds int)
}

// Timing is when nodes run.
type Timing string

// Timings. In the asynchronous ones every node runs once per period on average
// and a message is visible as soon as its sender's round ends.
const (
	Synchronous  Timing = "sync"        // all at once, on the exports of the round before
	Asynchronous Timing = "async"       // once per period, each with its own fixed random phase
	Jittered     Timing = "jittered"    // as async, each period drawn from [0.9, 1.1]
	Exponential  Timing = "exponential" // as async, each period drawn from the exponential distribution of mean 1
)

// FaultKind names what goes wrong.
type FaultKind string

// Fault kinds.
const (
	Crash       FaultKind = "crash"       // Nodes stop; their last messages stay with the neighbours until they expire
	Restart     FaultKind = "restart"     // crashed Nodes run again, with their old state if Keep, else booted clean
	Join        FaultKind = "join"        // Nodes are absent before At
	Leave       FaultKind = "leave"       // Nodes stop and their neighbours forget their messages at once
	Loss        FaultKind = "loss"        // from At to Until each message is lost with probability Rate
	Duplication FaultKind = "duplication" // … arrives a second time up to Rounds later
	Delay       FaultKind = "delay"       // … arrives Rounds later
	Reordering  FaultKind = "reordering"  // … is delayed, with probability Rate, by a random 1 to Rounds
	Expiry      FaultKind = "expiry"      // a neighbour's message is forgotten Rounds rounds after it arrived
	Partition   FaultKind = "partition"   // the edges between Nodes and all others are cut until Until or Heal
	Heal        FaultKind = "heal"        // ends every partition
	Strength    FaultKind = "strength"    // Nodes get the strength Value
	Corrupt     FaultKind = "corrupt"     // state and export of Nodes are drawn from the algorithm's Domain
	FakeLeader  FaultKind = "fake-leader" // Nodes support a leader that does not exist (ID and strength: Fake, Value)
)

// Fault is one entry of the schedule. Times are in rounds (periods).
type Fault struct {
	At, Until float64 // Until 0: for ever
	Kind      FaultKind
	Nodes     []int // indices; nil means all, or the whole network for the kinds that concern links
	Leaders   bool  // instead of Nodes: all that lead at that moment
	Rate      float64
	Rounds    int
	Value     float64
	Fake      caucus.ID
	Keep      bool
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
	Changes   []int // by node: how often its leader changed
	Rounds    int
	SettledAt int  // the round after which no outcome (role, leader, region) changed any more
	Converged bool // stopped because it was stable for StableFor rounds
	Messages  int64
	Bytes     int64
	Samples   []Sample
	TraceHash uint64 // of every outcome change, for comparing two runs
}
