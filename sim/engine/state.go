package engine

import (
	"caucus.example/caucus"
	"caucus.example/caucus/fault"
	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/network"
	"caucus.example/caucus/network/mobility"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/story"
)

// RoundRun is a run of an algorithm of the round shape whatever its types. Nodes are named by position, ends of edges
// by slot.
type RoundRun struct {
	tape   columns.Nodes // what they hold and say, in columns of the algorithm's own types
	cfg    sim.Config
	n      int
	crew   *crew
	shards []int // bounds of the workers' shares of the nodes
	hands  []hand

	// The network, by position.
	user   []int32 // caller's index of a position; nil: the same
	pos    []int32 // the inverse; nil: the same, or not needed so far
	rows   *network.Rows
	length []float64 // by slot; nil: by x and y, or ones
	x, y   []float64
	ones   []float64
	labels []caucus.Label

	// The nodes, by position.
	strength []float64 // nil: none changes in this run
	status   []status  // whether a node runs

	ran   []uint32 // rounds begun in this life; nil while that is the number of periods
	told  told
	lives []uint32 // how often it restarted clean; nil while no node ever does

	plan    plan     // asynchronous
	agenda  agenda   // jittered and exponential
	aligned *aligned // nil in other timings
	beats   []uint32 // activations drawn for the agenda, by position
	byPhase agenda   // asynchronous, once a fault falls inside a period
	faults  faults
	mail
	air     *air     // nil: the network stands still
	traffic *traffic // nil: it is not counted by node
	probe   *probe
	periods int         // done
	halt    func() bool // whether to stop amid a period, where one takes long; nil: never
	calm    bool        // all is in order in this period: nothing but the nodes' rounds happens
	inOrder bool        // see becalmed
	unsure  bool        // inOrder is to be found out again
	rest    rest
	// the algorithm is caucus.Timeless, caucus.Relative
	timeless, drifts bool

	phases, nonces, draws                 caucus.Rand
	sweepJob, levelJob, postJob, probeJob func(int) // kept, so that a period allocates nothing
	dueJob, takeJob, flyJob, flightJob    func(int)
	level                                 int
}

// status is what a node is doing.
type status uint8

const (
	waiting status = iota // boots at its next activation
	running
	crashed // its last message lingers
	absent  // not, or no longer, part of the network
)

// hand is a worker's own memory.
type hand struct {
	number   int
	local    caucus.Local
	from     []int32 // sources of messages, see columns.Nodes
	row      []int32 // on a network that moves: whom the node hears
	dist     []float64
	missed   []uint8
	flown    flown // on a network that moves: the present activation
	messages int64
	bytes    int64
	ran      int64 // nodes, in rounds that were not whole
	booted   bool
	_        [64]byte // keeps two workers' counters off one cache line
}

// agenda is a heap of the next activations when periods are random: a total
// order, so that a run is repeatable. These runs use one worker.
type agenda []due

type due struct {
	at float64
	p  int32
}

// aligned is the timing of agents, in periods: a node runs a round when news of its leader comes from nearer to that
// leader, but not within half a period of its last; without news a quarter of a period later than it would, and then
// every period. A node that learns that a neighbour supports another leader than before tries an early round, which
// counts only if it changes whom the node supports, and says so after a pause, so that changes which come together go
// out together. Algorithms that are not caucus.Prompt keep their phases.
//
// Agents also keep their phases on links of which they measure that they lose much (pacing.Follows); here the schedule
// says what a link loses. Terms, which they agree on besides, and patience by loss are not simulated.
type aligned struct {
	agenda  moments
	last    []float64 // round of each node; negative: none
	due     []float64 // next round
	hurried []uint8   // changes told since the last round
	asking  asking
	way     []float64 // of the last message over each slot of its sender; negative: it is lost
	again   []again
	backed  []instance // by slot: whom the last message that came over it supports
}

// instance is a life of a leader.
type instance struct {
	id    caucus.ID
	nonce uint64
}

// moment is when something is due at a node: a round, or a look at what has come to the end of an edge.
type moment struct {
	at   float64
	p    int32
	slot int32 // -1: a round; or asks, repeats
	asks bool  // what has come there asks for an answer
}

type moments []moment

// faults is the schedule of a run and what is out of order at the moment.
type faults struct {
	actions []action
	next    int      // the first action that is still to come
	chosen  [][]bool // by fault: its nodes, by position; nil means all; set when it begins

	sent   []float64 // when each node sent its last message; negative: never; nil in a run without faults
	expiry float64   // of every message, in rounds; 0: none set
	sides  []uint64  // by position: one bit for each partition; nil while none
	links  []active  // active faults of links
	open   bool      // there are boxes
	back   []int32   // by slot: the slot of the same edge at its other end
	fate   caucus.Rand
	mute   bool // boxes are there to count only, and nothing is read from them: no fault of links has begun
}

// active is a fault of links that is on, by its index in the schedule.
type active struct {
	fault int
	fault.Rule
}

// action is the beginning or end of a fault.
type action struct {
	at    float64
	fault int
	end   bool
}

// air is the moving network of a run.
type air struct {
	net    mobility.Net
	lender mobility.Lender // the same, if it is one
	begin  float64
	period float64 // in seconds
	now    float64 // of the last Advance, in seconds
	hops   bool    // every edge has length 1
	away   []bool  // nodes that the network does not show
	nonces []uint64
	standing
	flights
}

// flights are two stretches of an asynchronous period of a network that moves. Whom a node hears follows from where all
// are and when they spoke, not from what they say: so one worker finds that out for one stretch while a second runs the
// rounds of the stretch before, each in the order of time. More than two workers gain nothing.
type flights struct {
	next, before flight
	at           int // the first of the nodes by phase that is in no stretch so far
}

// flight is a stretch: nodes that act one after the other, and what they read.
type flight struct {
	acts   []flown // without what was caught
	ends   []int   // of the part of each in the following
	from   []int32
	dist   []float64
	missed []uint8 // empty in a run without faults
}

// flown is the activation of a node on a network that moves.
type flown struct {
	p     int
	now   float64
	tick  int64
	links int // to those whom it hears, and who hear it
	caught
}

// caught is what a node can read.
type caught struct {
	from   []int32
	dist   []float64
	missed []uint8
}

// traffic counts messages by the node at a position.
type traffic struct {
	sent, received []int64
	rounds         []int64 // in which it ran
}

// probe follows the outcomes of a run. Columns are by position.
type probe struct {
	seen     sights
	history  []uint16 // last bits: whether the leader changed in each of the last rounds; nil without samples
	restless bitset   // nodes with a history other than 0
	tallies  []tally  // by worker, of one round
	sum      tally    // of all nodes
	crowd    *crowd   // nil without samples

	settled int
	hash    uint64
	samples []sim.Sample
}

// seen is what was last seen of a node.
type seen struct {
	leader caucus.ID
	role   caucus.Role
	live   bool
}

// sights is what was last seen of every node.
type sights struct {
	leader []caucus.ID
	mark   []uint8 // the role, and whether it runs
}

// tally is one worker's count of one round: of changes, and by how many more nodes lead, run, and have changed their
// leader in the last rounds.
type tally struct {
	changed, leaderChanges, leaders, live, recent int
	hash                                          uint64
	_                                             [16]byte
}

// told is what Config.Watch has been told of the nodes of a run of rounds.
type told struct {
	outcomes []caucus.Outcome
	live     []bool
	nodes    []int // of those to look at

	sent   int64         // messages of all rounds
	rate   int64         // of the last one; -1: none was told
	places []story.Place // by node
}

// rest is what a run of a caucus.Timeless algorithm knows of the nodes that rest: those that would read in their next
// round what they read in their last one, and so come to what they came to. They are not run. A round of such a run is
// whole, with every node, while many change, and else of those that are due.
//
// What counts as the same for an algorithm that is caucus.Relative, too, are values whose counters have grown by one
// since the round before. So the values of nodes that rest fall behind by one in each round that is not whole. All
// nodes fall behind together, those that are run as well, which is right since a round commutes with the shift.
type rest struct {
	on bool // the algorithm, the timing and the network are such that nodes can rest

	due     bitset // nodes that run in the next round; asynchronous: or still in this one
	next    bitset // those due in the round after a synchronous one; else the same memory as due
	changed bitset // nodes of which the outcome may have changed since somebody looked
	all     bool   // due is not known: the next round is whole
	knows   bool   // changed is kept
	lost    bool   // nobody has looked so far: changed is not known

	partial bool    // the present round is not whole
	behind  int     // by how much the counters of running nodes are behind
	late    bool    // the times of the last messages of running nodes are behind, too
	hold    int     // whole rounds to come before traffic is the same in every round
	fading  []int32 // nodes that do not run, and whose last message may still be read

	flow, load int64   // messages and bytes that all nodes send in a round
	flows      bool    // flow is known, and sizes are
	sizes      []int32 // of the messages; nil without Config.SizeOf
}
