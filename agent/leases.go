package agent

import (
	"math"
	"slices"
	"sync/atomic"
	"time"

	"caucus.example/caucus/internal/lease"
	"caucus.example/caucus/internal/wire"
)

// leasing is a node's part in the lease. The leader asks anew in every round; its request travels with the datagrams of
// those who follow it, and their grants travel back, each by one hop a period. nil: no lease.
type leasing struct {
	rules   *lease.Rules
	granter lease.Granter
	claim   lease.Claim
	told    wire.Lease // the newest request of the leader that this node follows, and the grants to it
	renewed time.Time  // when that request came
	granted uint32     // the last request that this node has granted
	origin  time.Time
	ends    atomic.Int64 // when the claim ends, by the node's clock
}

// freshLease is for how many periods beyond the expiry a request is passed on that no newer one follows.
const freshLease = 4

// clock is what leases count by. It goes on while the machine is suspended.
func (a *Agent) clock(now time.Time) time.Duration {
	return now.Sub(a.leasing.origin) + a.asleep()
}

// newLeasing is nil without a lease. The configuration has been checked.
func newLeasing(c *Config) *leasing {
	rules, _ := c.Lease.rules(c.Period)
	if rules == nil {
		return nil
	}
	s := &leasing{rules: rules, claim: lease.NewClaim(rules), origin: time.Now()}
	s.ends.Store(math.MinInt64)
	return s
}

// beginLease begins a life, in which nothing is granted for one lease: a former one may have.
func (a *Agent) beginLease(now time.Time) {
	if s := a.leasing; s != nil {
		s.granter = lease.NewGranter(s.rules, a.clock(now))
	}
}

// lease asks for grants, or grants, once a period. Between a leader's end and the next agreement many nodes lead
// themselves for a round or two: a grant to one of these would bind for a whole lease, so they do not ask yet.
func (a *Agent) lease(now time.Time) {
	s := a.leasing
	if s == nil {
		return
	}
	// A promise counts from a moment after the request has come, which now need not be: it may be when another datagram
	// came, and the process may have stood still since. For who asks earlier is safe.
	at, asked := a.clock(a.now()), a.clock(now)
	self, life := a.self, lease.Holder{ID: a.self.ID, Nonce: a.self.Nonce}
	member := s.rules.Members == nil || slices.Contains(s.rules.Members, a.self.ID)
	leads := a.settled && a.terms.leading
	if !leads && s.claim.GiveUp(at) {
		s.granter.Release(at, life)
	}
	switch {
	case leads && now.Sub(a.terms.since) >= a.step()*3/2:
		s.told = wire.Lease{Holder: self, Seq: s.claim.Ask(asked)}
		if member && s.granter.Grant(at, life) {
			s.granted = s.told.Seq
			s.claim.Granted(self.ID, s.told.Seq)
		}
	case !a.settled || !s.told.Of(a.terms.following) ||
		now.Sub(s.renewed) > time.Duration(a.cfg.Expiry+freshLease)*a.cfg.Period:
		s.told.Grants, s.granted = nil, s.told.Seq // grants nothing that it has heard of before
	case member && s.granted != s.told.Seq && a.asksStill(now) &&
		s.granter.Grant(at, lease.Holder{ID: s.told.Holder.ID, Nonce: s.told.Holder.Nonce}):
		s.granted = s.told.Seq
		s.told.Grants = withGrant(s.told.Grants, wire.Grant{Member: self.ID, Seq: s.granted})
	}
	s.settle()
}

// asksStill tells whether the leader has asked lately: a member that was bound to another one when the request came,
// and is free when that leader is cut off already, would bind itself once more, and to nobody's use.
func (a *Agent) asksStill(now time.Time) bool {
	return now.Sub(a.leasing.renewed) <= a.step()*5/4
}

// settle brings up to date what others may ask at any time.
func (s *leasing) settle() {
	if until, ok := s.claim.Until(); ok {
		s.ends.Store(int64(until))
	}
}

// takeLease takes in what a neighbour tells of the lease.
func (a *Agent) takeLease(l *wire.Lease, now time.Time) {
	s := a.leasing
	if s == nil || l == nil {
		return
	}
	if l.Holder == a.self {
		for _, g := range l.Grants {
			s.claim.Granted(g.Member, g.Seq)
		}
		held := a.lead.Unleased
		if s.settle(); held && a.holdsLease(now) {
			a.report(now)
		}
		return
	}
	if a.terms.leading || !l.Of(a.terms.following) {
		return
	}
	stale := now.Sub(s.renewed) > time.Duration(a.cfg.Expiry+freshLease)*a.cfg.Period
	switch newer := int32(l.Seq-s.told.Seq) > 0; {
	case l.Holder != s.told.Holder && (stale || !s.told.Of(a.terms.following)):
		s.told, s.granted, s.renewed = wire.Lease{Holder: l.Holder, Seq: l.Seq}, l.Seq-1, now
	case l.Holder != s.told.Holder:
		return
	case newer:
		s.told.Seq, s.renewed = l.Seq, now
	}
	for _, g := range l.Grants {
		s.told.Grants = withGrant(s.told.Grants, g)
	}
}

// withGrant has one grant a member, the newest.
func withGrant(list []wire.Grant, g wire.Grant) []wire.Grant {
	k := slices.IndexFunc(list, func(h wire.Grant) bool { return h.Member == g.Member })
	switch {
	case k < 0 && len(list) < lease.MaxMembers:
		return append(slices.Clip(list), g)
	case k >= 0 && int32(g.Seq-list[k].Seq) > 0:
		list = slices.Clone(list) // the former may be on its way
		list[k] = g
	}
	return list
}

// tellLease is what goes into the next datagram.
func (a *Agent) tellLease() *wire.Lease {
	if a.leasing == nil || a.leasing.told.Seq == 0 || !a.leasing.told.Of(a.terms.following) {
		return nil
	}
	told := a.leasing.told
	return &told
}

// holdsLease tells whether the lease lets this node act, with a period to spare for who has to end what it does.
func (a *Agent) holdsLease(now time.Time) bool {
	return a.leasing == nil || a.clock(now)+a.cfg.Period < time.Duration(a.leasing.ends.Load())
}

// Holds tells whether this node may act as the only one at this moment, and until when if no grant is renewed; false
// without Config.Lease. Ask before each act that must not be done twice, and again after anything that took time: a
// process may be stopped between the answer and the act, for which there is the fence.
func (a *Agent) Holds() (until time.Time, ok bool) {
	if a.leasing == nil || !a.Status().Leads() {
		return time.Time{}, false
	}
	now := a.now()
	left := time.Duration(a.leasing.ends.Load()) - a.clock(now)
	if left <= 0 {
		return time.Time{}, false
	}
	return now.Add(left), true
}
