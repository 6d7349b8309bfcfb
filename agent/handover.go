package agent

import (
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/wire"
)

// A leader that lives on, but has a better one now, goes on acting until it knows that its successor acts: datagrams
// tell that with the term (wire.Envelope.Pending). So there is no time at which nobody acts; for a moment both do, the
// successor with the larger term. What the node announces is the successor's from the beginning. With min-region, which
// says that two must not act, there is a gap instead.

// heldPeriods is for how many periods, besides the expiry, a leader waits for a successor that does not act.
const heldPeriods = 4

// holds tells whether this node still acts although it follows another one.
func (a *Agent) holds(now time.Time) bool {
	t := &a.terms
	switch {
	case !a.lead.Leads() || len(a.present) < a.cfg.MinNeighbours || a.lead.LeaderID != a.self.ID || a.cfg.MinRegion > 0:
		return false
	case !a.settled || t.following == (wire.Instance{}) || t.following.ID == caucus.None:
		return false
	case t.leading && t.reported > 0: // it is its own successor
		return false
	case a.leasing != nil && !a.holdsLease(now): // with one it acts until that ends, and its successor not before
		return false
	case !t.leading && t.reported > 0 && t.acts >= t.reported:
		return false
	}
	return a.keptFromActing(now) == "" && now.Sub(t.since) < a.mostHeld()
}

// mostHeld is for how long a leader acts at most while it waits for a successor that acts.
func (a *Agent) mostHeld() time.Duration {
	return time.Duration(heldPeriods+a.cfg.Expiry) * a.cfg.Period
}
