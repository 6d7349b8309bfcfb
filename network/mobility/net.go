// Package mobility moves nodes: walks in an arena with walls, and traces of real movement
// and real contacts, each as a [Net] that a simulator of asynchronous rounds reads.
//
// # How a simulator uses a Net
//
// For every round, in order of time: Advance(now); if Present(i), and i is not one of the
// simulator's own crashed nodes, Neighbours(i, now, row[:0], dist[:0]), the algorithm's round on the last
// messages of these neighbours, and Spoke(i, now) with the message sent. A node that crashes is taken off
// the air with Silence. Between two calls of Advance nothing changes but what Spoke and Silence say,
// so a Net belongs to one run; parallel runs have a Net each.
//
// A message is delivered at once to those in range, who keep it until the sender's next or until
// a round of their own finds the sender out of range. So node i hears j at its round when j is in
// range now and was in range when it last spoke. (A node with several rounds to one of
// its neighbour's may hear again a message that it forgot, if the neighbour comes back
// before it speaks.) The edge length is the distance from i's place now to j's place when
// j last spoke; it can be zero, and the floor that an algorithm needs is the simulator's.
//
// Times are seconds, lengths are the unit of the arena or trace (metres where that has one).
package mobility

import "math"

// Net is a network that changes with time. Nodes are 0 to Len()-1; those that a trace has
// not yet shown or no longer shows are not present. Time never goes back.
type Net interface {
	// Len gives the number of nodes that are ever present.
	Len() int
	// Advance performs every move, join and leave up to and including time to (seconds), in order.
	Advance(to float64)
	// Present tells whether node i takes part at the time of the last Advance.
	Present(i int) bool
	// Neighbours appends to row the nodes that i hears at its round at time now, which is the
	// time of the last Advance, and to dist the lengths of the edges to them. The order is the same in
	// every run with the same seed, but otherwise open; walkers come in rising order.
	Neighbours(i int, now float64, row []int32, dist []float64) ([]int32, []float64)
	// Spoke says that node i broadcast at time now, which is the time of the last Advance.
	Spoke(i int, now float64)
	// Silence forgets what node i last said: nobody hears i until it speaks again.
	Silence(i int)
}

// Located is a Net that knows where nodes are, as all but those of contacts do.
type Located interface {
	Net
	// Position gives the place of node i at the time of the last Advance; of a node that
	// is not present, the last or first place that it has.
	Position(i int) (x, y float64)
}

type point struct{ x, y float64 }

// fix is where a node was from time t on.
type fix struct {
	t float64
	point
}

// silent is the last word of a node that has said nothing: it is near nobody.
var silent = fix{math.NaN(), point{math.NaN(), math.NaN()}}

// near tells whether the squared distance from a to b is at most square.
func near(a, b point, square float64) bool {
	dx, dy := a.x-b.x, a.y-b.y
	return float64(dx*dx)+float64(dy*dy) <= square
}

func allSilent(n int) []fix {
	said := make([]fix, n)
	for i := range said {
		said[i] = silent
	}
	return said
}
