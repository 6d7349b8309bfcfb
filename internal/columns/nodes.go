package columns

import "caucus.example/caucus"

// Nodes is an algorithm of the round shape at many nodes, each with a state, the message that it says and the one that
// it makes for the round to come. A driver has one inbox for each of its workers, and cells for messages that it keeps
// apart from what their senders say.
type Nodes interface {
	// New gives the same algorithm at n nodes for as many workers. Apart means that what a node makes is said only
	// after Turn; else it is said at once. No node has more neighbours than most.
	New(n, workers, most int, apart bool) Nodes

	Boot(l *caucus.Local, p int)
	Outcome(l *caucus.Local, p int) caucus.Outcome
	// Coming is whom a node that has just run will follow once what it has made is said, and its role then: without
	// the rest of the outcome, since this is asked in every round.
	Coming(l *caucus.Local, p int) (leader caucus.ID, role caucus.Role)
	// Part has to be called before states and messages are written that are not of one round: algorithms that are
	// caucus.Frank have one column for both until then.
	Part()
	// Gather fills a worker's inbox with what each source says: a node, or for a negative one ^source the cell. See
	// caucus.Inbox for the rest.
	Gather(worker int, sources []int32, dist []float64, missed []uint8)
	// Round is the round of a node with what its worker has gathered. It tells whether the node has come to what it
	// was, as asked.
	Round(l *caucus.Local, worker, p int, same Same) bool
	Again(worker, p int) // is the round of a node that comes to what it was: there is one more in all counters
	Turn()               // what the nodes have made is what they say from now on
	Keep()               // what the nodes say is what they have made
	Stay(p int)          // this for one of them
	Take(p int)          // one says what it has made

	Quiet()             // forgets what all say; the states stay
	Save(worker, p int) // remembers what a node holds and says, until its next round
	Restore(worker, p int)

	Timeless() bool                // see caucus.Timeless; and all that states and messages are lies in their own bits
	Prompt() bool                  // see caucus.Prompt
	News(p int, source int32) bool // false unless it is
	// Backs tells whom what a source says supports; false if messages of this algorithm do not tell.
	Backs(source int32) (leader caucus.ID, nonce uint64, ok bool)
	Drifts() bool                              // whether counters grow for ever: the algorithm is caucus.Relative
	Shift(worker, p int, by uint64)            // takes so much from all counters of a node
	Align(worker, message int, by uint64)      // takes it from those of what has been gathered
	AlignEarly(worker, p int, sources []int32) // adds one to those of nodes before p

	// Pointers to what a node holds, says and has made; Ahead to what it says with so much more in its counters.

	State(p int) any
	Says(p int) any
	Made(p int) any
	Ahead(p, by int) any
	// Relative is both with counters less by those of the first node, and RelativeCell a message in a cell.
	Relative(p, first int) (state, says any)
	RelativeCell(c, first int) any
	MessageSize() int

	// Domain gives how many states and messages there are, and what makes a node hold and say some; zero values beyond.
	Domain(w *caucus.World) (states, messages uint64, put func(p int, state, message uint64))
	// Fake gives what makes a node believe in the only ID of a world.
	Fake(l *caucus.Local, w *caucus.World) func(p int)

	Cells
}

// Cells hold messages: each the one that has come, and those that are late in the order of sending.
type Cells interface {
	Open(cells int) // at least so many, with zero messages
	Cell(c int) any
	Mail(c, p int, made bool) // puts into a cell what a node says or has made
	Clear(c int)              // leaves the zero message and nothing late
	MailLate(c, p int, made bool)
	TakeLate(c, k int)
	MoveLate(c, from, to int)
	TrimLate(c, n int)
}

// Same is how a round is compared with what the node was before.
type Same uint8

const (
	Unasked Same = iota
	Grown        // with one more in all counters
	Drawn        // after one has been taken from all counters
)
