package agent

import (
	"fmt"
	"math"

	"caucus.example/caucus/internal/wire"
)

// A leader that has min-region must know how many follow it. Each of its followers picks a parent, the neighbour
// nearest to the leader in hops that follows it too, and tells it: how many hops it is away itself, who its parent
// is, and how many the count, itself and those who name it as theirs. So numbers of hops travel down from the leader
// and counts come up, each by one hop a period, and both are right again after twice as many periods as there are
// hops, whatever they were. A child is one hop further away: no count comes back to where it began.
//
// Only a leader with min-region begins, and only who hears of it goes on: without, nothing is sent. Where the leader
// knows its region anyway (Config.Region), its figures say how many there are, and there is no census.

// takeCensus counts, from what the neighbours tell.
func (a *Agent) takeCensus() {
	a.census, a.members = nil, 0
	if a.cfg.Region && a.rounds != nil {
		if at, report, ok := a.rounds.service(); ok && a.terms.leading && at.Leads() {
			a.members = report.Figures.Members()
		}
		return
	}
	leader := a.terms.following
	own := wire.Census{Count: 1}
	switch {
	case a.terms.leading && a.cfg.MinRegion > 0:
	case a.terms.leading || leader == (wire.Instance{}):
		return
	default:
		parent := a.parentTo(leader)
		if parent == nil || parent.census.Hops == math.MaxUint8 {
			return
		}
		own.Hops, own.Parent = parent.census.Hops+1, parent.inst.Nonce
	}
	for _, p := range a.present {
		if p.census != nil && p.census.Parent == a.self.Nonce && p.census.Hops == own.Hops+1 && p.follows(leader) {
			own.Count += min(p.census.Count, math.MaxUint32-own.Count)
		}
	}
	a.census = &own
	if a.terms.leading {
		a.members = int(own.Count)
	}
}

// parentTo is the neighbour by which this node is counted.
func (a *Agent) parentTo(leader wire.Instance) (parent *peer) {
	for _, p := range a.present {
		if p.census != nil && p.follows(leader) && (parent == nil || p.census.Hops < parent.census.Hops) {
			parent = p
		}
	}
	return parent
}

// follows tells whether a peer is, or supports, a leader.
func (p *peer) follows(leader wire.Instance) bool {
	for _, x := range []wire.Instance{p.inst, p.backs} {
		if x.ID == leader.ID && (x.Nonce == leader.Nonce || leader.Nonce == 0) {
			return true
		}
	}
	return false
}

// lacks is what keeps this node from acting as leader, "" if nothing does.
func (a *Agent) lacks(leads bool) string {
	switch {
	case len(a.present) < a.cfg.MinNeighbours:
		return fmt.Sprintf("%d neighbours, and min-neighbours is %d", len(a.present), a.cfg.MinNeighbours)
	case leads && a.members < a.cfg.MinRegion:
		return fmt.Sprintf("a region of %d, as far as it has been counted, and min-region is %d",
			a.members, a.cfg.MinRegion)
	}
	return ""
}
