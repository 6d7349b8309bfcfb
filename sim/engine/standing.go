package engine

import (
	"slices"
	"sync/atomic"

	"caucus.example/caucus/sim"
)

// standing spares nodes of a moving network round which nothing changes the work of a round: who reads of the same
// neighbours, over the same lengths, what it read in its last round, comes to what it came to, with one more in its
// counters.
type standing struct {
	on   bool
	tick int64   // of the present activation; synchronous: of the round
	ran  []int64 // when each node ran its last round, unless that was spared; negative: that does not tell
	// when what it holds and says last became another than with one more in its counters; who reads in a synchronous
	// round may see that of this round or the one before, and runs at most once more than need be
	changed []int64
	alone   bool    // no other worker reads that now
	pause   []uint8 // for how many rounds each is not looked at, because it moved
	rows    []lasts // what it read last
	sizes   []int32 // of the messages; nil without Config.SizeOf, or where counters move sizes
}

// lasts is whom a node has read, over which lengths.
type lasts struct {
	from []int32
	dist []float64
	kept bool  // they are of its last round
	gap  uint8 // the last pause
}

// mostPause is for how many rounds a node that moves all the time is not looked at. A first pause is one round.
const mostPause = 31

// prepareStanding finds out whether nodes can be spared. With other timings than these a neighbour does not run
// exactly once between two rounds, so counters would tell.
func (e *RoundRun) prepareStanding() {
	fixed := e.cfg.Timing == sim.Synchronous || e.cfg.Timing == sim.Asynchronous
	if !e.timeless || wholeRounds || e.cfg.Words > 0 || e.drifts && !fixed {
		return
	}
	s := &e.air.standing
	*s = standing{on: true, ran: slices.Repeat([]int64{-1}, e.n), changed: make([]int64, e.n),
		alone: e.cfg.Workers == 1, rows: make([]lasts, e.n), pause: make([]uint8, e.n)}
	if e.cfg.SizeOf != nil && !e.drifts {
		s.sizes = make([]int32, e.n)
	}
	e.rest.knows, e.rest.lost, e.rest.changed = true, true, newBitset(e.n)
}

// turnedUp says that a node is another than it was.
func (e *RoundRun) turnedUp(p int, tick int64) {
	if s := &e.air.standing; s.on {
		s.turn(p, tick)
		e.rest.changed.add(p)
	}
}

// turn notes when a node became another. The atomic store waits for all that the round has written.
func (s *standing) turn(p int, tick int64) {
	if s.alone {
		s.changed[p] = tick
	} else {
		atomic.StoreInt64(&s.changed[p], tick)
	}
}

// stands tells whether the node at position p, which is about to read of these, comes to what it is.
func (e *RoundRun) stands(p int, from []int32, dist []float64) bool {
	s := &e.air.standing
	if s.pause[p] > 0 {
		return false
	}
	last := &s.rows[p]
	if !last.kept {
		return false
	}
	if last.kept = slices.Equal(last.from, from) && slices.Equal(last.dist, dist); !last.kept {
		last.gap = min(2*last.gap+1, mostPause)
		s.pause[p] = last.gap
		return false
	}
	last.gap = 0
	if atomic.LoadInt64(&s.changed[p]) >= s.ran[p] || e.held != nil || e.faults.expiry != 0 {
		return false
	}
	for _, q := range from {
		if atomic.LoadInt64(&s.changed[q]) >= s.ran[p] || e.status[q] != running {
			return false
		}
	}
	return true
}

// keep notes what the node at position p reads in this round, if that may be the same in the next, and tells so.
func (e *RoundRun) keep(p int, from []int32, dist []float64) bool {
	s := &e.air.standing
	if s.pause[p] > 0 {
		s.pause[p]--
		return false
	}
	if last := &s.rows[p]; !last.kept {
		last.from, last.dist, last.kept = append(last.from[:0], from...), append(last.dist[:0], dist...), true
	}
	return true
}
