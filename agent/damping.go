package agent

import "caucus.example/caucus"

// Damping keeps a leader that comes and goes from taking its region with it each time. A node that sees a leader
// again which it had seen before and lost counts that as a return; from the fourth on, with less than calm rounds
// between them, it does not believe in that leader for first rounds, and twice as long with every further return, up to
// most. It only does so while a neighbour follows somebody else: a leader that is all there is is better than none.
//
// It withholds messages from the algorithm, as loss would, and for a bounded time. What it remembers is counted in
// rounds and has few values, so that the checker explores it around the election (TestDampingStabilises). To be let go
// by one node must not for ever be a return for another: most is more than calm, so that the longest of the holds is
// followed by a clean slate.
type dampingRule struct {
	free  uint8 // returns
	calm  uint8 // rounds without a return, after which they are forgotten
	first uint8 // rounds for which it is held, and
	most  uint8
}

var dampingRounds = dampingRule{free: 3, calm: 64, first: 8, most: 128}

const maxDamped = 64 // leaders that are kept in mind

// seenLeader is what is remembered of one.
type seenLeader struct {
	Present bool  // in the last round
	Absent  uint8 // rounds since it was, up to calm + 1
	Since   uint8 // rounds since its last return, up to calm + 1
	Returns uint8
	Held    uint8 // rounds for which it is not believed in
}

// next is the round that follows, in which somebody backs the leader, or nobody does.
func (r *dampingRule) next(x seenLeader, backed bool) seenLeader {
	if backed && r.forgotten(x) {
		return seenLeader{Present: true}
	}
	x.Held = min(max(x.Held, 1)-1, r.most)
	x.Since = min(x.Since, r.calm) + 1
	switch {
	case !backed:
		x.Present, x.Absent = false, min(x.Absent, r.calm)+1
		if r.forgotten(x) {
			x = seenLeader{Absent: x.Absent}
		}
		return x
	case !x.Present:
		r.comesBack(&x)
	}
	x.Present, x.Absent = true, 0
	return x
}

func (r *dampingRule) comesBack(x *seenLeader) {
	if x.Since > r.calm && x.Held == 0 {
		x.Returns = 0
	}
	x.Since = 0
	if x.Returns <= r.free || r.hold(x.Returns-r.free) < r.most { // more of them would not hold it longer
		x.Returns++
	}
	if x.Returns > r.free {
		x.Held = r.hold(x.Returns - r.free)
	}
}

// hold gives its length at the k-th return that is not free.
func (r *dampingRule) hold(k uint8) uint8 { return uint8(min(int(r.most), int(r.first)<<min(k-1, 8))) }

// forgotten tells whether there is nothing to remember.
func (r *dampingRule) forgotten(x seenLeader) bool { return x.Absent > r.calm && x.Held == 0 }

// doubted tells whether a leader is not believed in: it is held, and a neighbour follows somebody else who is not.
func doubted(id caucus.ID, followed []caucus.ID, held func(caucus.ID) bool) bool {
	if !held(id) {
		return false
	}
	for _, other := range followed {
		if other != id && !held(other) {
			return true
		}
	}
	return false
}

type damping map[caucus.ID]seenLeader

// see takes in which leaders are backed in this round.
func (d damping) see(backed map[caucus.ID]bool) {
	for id, x := range d {
		if d[id] = dampingRounds.next(x, backed[id]); dampingRounds.forgotten(d[id]) {
			delete(d, id)
		}
	}
	for id := range backed {
		if _, known := d[id]; !known && len(d) < maxDamped {
			d[id] = seenLeader{Present: true}
		}
	}
}

// holds tells whether a leader is not believed in at present.
func (d damping) holds(id caucus.ID) bool { return d[id].Held > 0 }

// damp looks at whom the neighbours follow and gives the leaders that are not to be believed in this round.
func (a *Agent) damp(early bool) (held map[caucus.ID]bool) {
	if a.cfg.Damping == Off {
		return nil
	}
	backed := map[caucus.ID]bool{}
	a.followed = a.followed[:0]
	for _, p := range a.present {
		a.followed = append(a.followed, p.backs.ID)
		if p.backs.ID != caucus.None && p.backs.ID != a.self.ID {
			backed[p.backs.ID] = true
		}
	}
	if !early { // leaders that come and go in the moments of an election are none that return
		a.damping.see(backed)
	}
	for id := range backed {
		if doubted(id, a.followed, a.damping.holds) {
			if held == nil {
				held = map[caucus.ID]bool{}
			}
			held[id] = true
		}
	}
	return held
}
