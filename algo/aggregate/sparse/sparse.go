// Package sparse is the classic choice of scattered leaders in aggregate computing (block S, "break using uids"): nodes
// with no leader within the grain nominate themselves, and of nominees nearer than half a grain the least uid stays. A
// broadcast then gives every node the nearest leader.
package sparse

import (
	"cmp"
	"math"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/block"
	"caucus.example/caucus/algo/kit/plain"
)

// UID is what nominees are compared by; the least wins. The zero ID makes it that of nobody, greater than any other.
type UID struct {
	_   struct{} `cbor:",toarray"`
	Key float64
	ID  caucus.ID
}

var nobody = UID{}

// Vote is a node's part: state and message in one.
type Vote struct {
	_        struct{}  `cbor:",toarray"`
	Lead     UID       // whom the node competes for; of nobody at half a grain or more from every leader
	Dist     float64   // to the nearest node that competes for itself; +Inf for none
	Near     caucus.ID // the leader that the broadcast names
	NearDist float64   // length of the path to it; +Inf for none
}

// Uids says what nominees are compared by.
type Uids string

// Kinds of uids.
const (
	Strength Uids = "strength" // the weakest node wins, as in the published comparison
	Random   Uids = "random"   // of the node's nonce, as in the library, which draws once
	Negated  Uids = "negated"  // the strongest node wins
)

// Config holds the options; see Spec for what each means.
type Config struct {
	Grain float64 `param:"grain"`
	Uids  Uids    `param:"s-uid"`
	Raw   bool    `param:"output=raw"`
}

// Choice is the algorithm. It implements caucus.Rounds[Vote, Vote].
type Choice struct {
	plain.FrankRounds
	c Config
}

func (u UID) less(v UID) bool {
	if u.ID == caucus.None || v.ID == caucus.None {
		return u.ID != caucus.None
	}
	return cmp.Or(cmp.Compare(u.Key, v.Key), cmp.Compare(u.ID, v.ID)) < 0
}

func (c *Choice) uid(l *caucus.Local) UID {
	switch c.c.Uids {
	case Random:
		return UID{Key: float64(caucus.Mix(l.Nonce^uint64(l.ID)) >> 11), ID: l.ID}
	case Negated:
		return UID{Key: -l.Strength, ID: l.ID}
	}
	return UID{Key: l.Strength, ID: l.ID}
}

// Boot nominates the node itself.
func (c *Choice) Boot(l *caucus.Local) (Vote, Vote) {
	v := Vote{Lead: c.uid(l), Near: l.ID}
	return v, v
}

// Round measures how far the nearest nominee is and competes, stands back or nominates itself.
func (c *Choice) Round(l *caucus.Local, s *Vote, in caucus.Inbox[Vote]) Vote {
	me := c.uid(l)
	v := Vote{Near: l.ID}
	if s.Lead != me {
		v.Dist = toNominee(in)
	}
	v.Lead = c.compete(me, s.Lead, v.Dist, in)
	if v.Lead.ID != l.ID {
		// A node that no leader reaches names itself.
		v.Near, v.NearDist = toLeader(l.ID, in)
	}
	*s = v
	return v
}

// compete gives whom the node competes for, at distance d from the nearest nominee.
func (c *Choice) compete(me, last UID, d float64, in caucus.Inbox[Vote]) UID {
	half := c.c.Grain / 2
	switch {
	case d > c.c.Grain:
		return me
	case d >= half:
		return nobody
	}
	for k := range in.Msgs {
		m := &in.Msgs[k]
		if m.Lead != last && m.Dist+in.Dist[k] < half && m.Lead.less(last) {
			last = m.Lead
		}
	}
	return last
}

// toNominee measures how far the nearest nominee is: block G.
func toNominee(in caucus.Inbox[Vote]) float64 {
	near := block.Nowhere
	for k, edge := range in.Dist[:len(in.Msgs)] {
		near = min(near, block.Along(in.Msgs[k].Dist, edge))
	}
	return near.Within(math.Inf(1))
}

// toLeader gives the nearest leader, of equally near ones the smaller ID, and how far it is: block G. Where none is in
// reach it gives alone.
func toLeader(alone caucus.ID, in caucus.Inbox[Vote]) (caucus.ID, float64) {
	near, edges := block.Nowhere, in.Dist[:len(in.Msgs)]
	for k, edge := range edges {
		near = min(near, block.Along(in.Msgs[k].NearDist, edge))
	}
	if near == block.Nowhere {
		return alone, math.Inf(1)
	}
	lead := caucus.ID(math.MaxUint64)
	for k, edge := range edges {
		if m := &in.Msgs[k]; block.Along(m.NearDist, edge) == near {
			lead = min(lead, m.Near)
		}
	}
	return lead, near.Within(math.Inf(1))
}
