// Package lease is the exclusive right to act, for a time: pure logic, to which the node's own clock is told with each
// call. Every member of a fixed group grants it to one holder at a time, and whoever has the grants of a majority
// holds it. Why no two do at the same moment is argued in docs/leases.md and explored in model_test.go.
//
// Clocks need not agree. What is assumed of them is that each counts true time within the stated drift, also while its
// machine is suspended, and never goes back.
package lease

import (
	"fmt"
	"math"
	"slices"
	"time"

	"caucus.example/caucus"
)

// MaxMembers is the greatest size of a group: all grants fit into one datagram.
const MaxMembers = 15

// MaxDrift is the greatest drift that can be stated.
const MaxDrift = 0.5

// Rules are those of one group, the same at all its nodes.
type Rules struct {
	Members []caucus.ID   // who may grant; nil: anybody, and there are never more than Size
	Size    int           // of the group, Members or not
	For     time.Duration // how long a grant binds who gave it, by its own clock
	Drift   float64       // every clock counts between 1 - Drift and 1 + Drift seconds in a second
}

// Check refuses what gives no right, or not an exclusive one.
func (r *Rules) Check() error {
	switch {
	case r.Size < 1 || r.Size > MaxMembers:
		return caucus.Wrong("size", r.Size, fmt.Sprintf("1 to %d", MaxMembers))
	case r.Members != nil && len(r.Members) != r.Size:
		return caucus.Wrong("members", len(r.Members), fmt.Sprintf("as many as size says, %d", r.Size))
	case r.For <= 0 || r.For > time.Hour:
		return caucus.Wrong("for", r.For, "more than 0, at most 1h")
	case !(r.Drift >= 0) || r.Drift > MaxDrift:
		return caucus.Wrong("drift", r.Drift, fmt.Sprintf("0 to %v", MaxDrift))
	}
	return nil
}

// binding is how long a grant is good for its holder, by that one's clock: even if it is as slow, and the clock of the
// one that gave it as fast as they may be, it ends before For does there.
func (r *Rules) binding() time.Duration {
	return time.Duration(math.Floor(float64(r.For) * (1 - r.Drift) / (1 + r.Drift)))
}

// Holder is one life of a node that holds or wants to: a later life has none of what an earlier one was granted.
type Holder struct {
	ID    caucus.ID
	Nonce uint32
}

// Granter is what a member has promised.
type Granter struct {
	rules  *Rules
	to     Holder
	until  time.Duration
	silent time.Duration // until then it may have promised, in a former life, what it does not know any more
}

// NewGranter begins a life: it grants nothing for as long as any promise of a former one may bind it.
func NewGranter(r *Rules, now time.Duration) Granter {
	return Granter{rules: r, until: now, silent: now + r.For}
}

// Grant promises a holder not to grant anybody else for the time of the rules from now on, or does not: another one has
// such a promise.
func (g *Granter) Grant(now time.Duration, to Holder) bool {
	if now < g.silent || to != g.to && now < g.until {
		return false
	}
	g.to, g.until = to, now+g.rules.For
	return true
}

// Release ends the promise to a holder that has given up, which the member knows only of itself.
func (g *Granter) Release(now time.Duration, of Holder) {
	if g.to == of {
		g.until = now
	}
}

// Claim is what a node that leads has asked for and been granted. It is made anew with every life of the node.
type Claim struct {
	rules  *Rules
	seq    uint32
	asked  []asked // in their order; those that are too old to be good for anything are forgotten
	grants []grant // by member, one each
}

type asked struct {
	seq uint32
	at  time.Duration
}

type grant struct {
	member caucus.ID
	until  time.Duration
}

// NewClaim is one without any grant.
func NewClaim(r *Rules) Claim { return Claim{rules: r} }

// Ask begins another request and gives its number. What is granted to it counts from now on, though it be granted
// later.
func (c *Claim) Ask(now time.Duration) (seq uint32) {
	c.seq++
	c.asked = slices.DeleteFunc(c.asked, func(a asked) bool { return a.at+c.rules.binding() <= now })
	c.asked = append(c.asked, asked{c.seq, now})
	return c.seq
}

// Granted takes in that a member has granted the request of that number.
func (c *Claim) Granted(member caucus.ID, seq uint32) {
	k := slices.IndexFunc(c.asked, func(a asked) bool { return a.seq == seq })
	if k < 0 || c.rules.Members != nil && !slices.Contains(c.rules.Members, member) {
		return
	}
	until := c.asked[k].at + c.rules.binding()
	for i := range c.grants {
		if g := &c.grants[i]; g.member == member {
			g.until = max(g.until, until)
			return
		}
	}
	if len(c.grants) < MaxMembers {
		c.grants = append(c.grants, grant{member, until})
	}
}

// GiveUp forgets all requests and grants, of a node that does not lead any more, and tells whether it has: whoever
// holds does so to the end.
func (c *Claim) GiveUp(now time.Duration) bool {
	if c.Holds(now) {
		return false
	}
	c.asked, c.grants = nil, nil
	return true
}

// Until is when the right ends, by the holder's clock, if nothing more is granted: it holds before that. It is false
// where there has never been a majority.
func (c *Claim) Until() (until time.Duration, ok bool) {
	majority := c.rules.Size/2 + 1
	if len(c.grants) < majority {
		return 0, false
	}
	ends := make([]time.Duration, len(c.grants))
	for i, g := range c.grants {
		ends[i] = g.until
	}
	slices.Sort(ends)
	return ends[len(ends)-majority], true
}

// Holds tells whether the right is the node's now.
func (c *Claim) Holds(now time.Duration) bool {
	until, ok := c.Until()
	return ok && now < until
}
