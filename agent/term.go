package agent

import (
	"time"

	"caucus.example/caucus/internal/wire"
)

// terms numbers the leaderships that this node sees. What it reports never goes
// back: a larger term belongs to a later report, and under another leader the term is
// strictly larger. Only the leader makes terms. A follower that has already reported a
// term as large under somebody else says so (need), those who follow the same leader
// pass that on, and the leader answers with a larger term.
type terms struct {
	following wire.Instance // whose terms heard, others and reported belong to
	leading   bool          // that is this node itself
	heard     uint64        // latest term of following's leadership; own choice when leading
	others    uint64        // largest need among the neighbours who follow the same leader
	need      uint64        // largest term that this node reported under another leadership
	acts      uint64        // latest term with which the leader is known to act
	seen      uint64        // largest number anywhere
	reported  uint64        // 0: none yet under following
	since     time.Time     // following is followed
}

// follow switches to another leader; the zero instance is nobody.
func (t *terms) follow(leader wire.Instance, self bool, now time.Time) {
	if leader == t.following && self == t.leading {
		return
	}
	t.need = max(t.need, t.reported)
	t.following, t.leading, t.since, t.heard, t.others, t.reported, t.acts = leader, self, now, 0, 0, 0, 0
}

// leap is how far the numbers of one datagram may lead beyond all that this node has seen. A forged or corrupt one
// takes nobody to the end of the numbers; true ones that are further ahead are believed after a few datagrams.
const leap = 1 << 20

// last is the greatest number that is ever used. One that large is no longer believed by anybody: where numbers are
// used up they begin anew, which is the only way back.
const last = wire.MaxTerm - 1

// hear reads the numbers in a neighbour's datagram; backs is whom it follows, acts whether that one acts with the term.
func (t *terms) hear(backs wire.Instance, term, need uint64, acts bool) {
	if term >= last {
		term = 0
	}
	if need >= last {
		need = 0
	}
	known := t.seen + leap
	t.seen = max(t.seen, min(known, max(term, need)))
	if term > known || need > known {
		return
	}
	if backs != t.following || backs == (wire.Instance{}) {
		return
	}
	t.others = max(t.others, need)
	switch {
	case !t.leading:
		t.heard = max(t.heard, term)
		if acts {
			t.acts = max(t.acts, term)
		}
	case term > t.heard: // of a former life of this node, which an algorithm without nonces does not tell apart
		t.others = max(t.others, term)
	}
}

// settle gives the term to report now, 0 if it is not known yet. To call when every
// neighbour has been heard.
//
// Between a leader's end and the next agreement many nodes lead themselves for one round.
// If they reported those terms, all would need larger ones afterwards. So a leader
// announces its term at once but reports it only when it has led for a while: half a period, about
// when its first followers report it too.
//
// In a rush (see goodbye.go) followers change their leader within moments, too, so they wait as well.
func (t *terms) settle(now time.Time, leader, follower time.Duration) uint64 {
	wait := follower
	if t.leading {
		wait = leader
	}
	if t.following == (wire.Instance{}) {
		return 0
	}
	t.seen, t.need, t.others, t.heard = usable(t.seen), usable(t.need), usable(t.others), usable(t.heard)
	if t.leading {
		if t.heard == 0 {
			t.heard = t.seen + 1
		}
		t.heard = max(t.heard, t.need+1, t.others+1)
	}
	t.seen = max(t.seen, t.heard)
	if t.heard > t.need && now.Sub(t.since) >= wait {
		t.reported = t.heard
	}
	return t.reported
}

// ripe is when a term that is known already may be reported; zero: there is none, or it is.
func (t *terms) ripe(leader, follower time.Duration) time.Time {
	switch {
	case t.following == (wire.Instance{}) || t.heard <= t.need || t.reported == t.heard:
		return time.Time{}
	case t.leading:
		return t.since.Add(leader)
	}
	return t.since.Add(follower)
}

// usable forgets a number that leaves none above it.
func usable(x uint64) uint64 {
	if x >= last {
		return 0
	}
	return x
}

// pending tells whether the leader is not known to act with the term that this node announces.
func (t *terms) pending() bool { return t.acts != t.heard }

// announce gives the numbers for this node's datagrams.
func (t *terms) announce() (term, need uint64) { return t.heard, max(t.need, t.others) }
