package agent

import (
	"bytes"
	"hash/fnv"

	"caucus.example/caucus/internal/wire"
)

// At rest a node's message is the same from period to period but for a few bytes. So it tells one of them, the base,
// beside its message now and then, and whoever has it says so by the mark with which it says that it hears
// (wire.Holding): to those the message goes as its difference to the base, to all others whole. Nothing depends on the
// datagram before, so one that is lost costs what it always did, and who has missed the base gets more bytes, not less
// news.
//
// The mark comes from the base's bytes, not from a number: a node that is put back to an earlier state, or starts anew,
// sends no difference to a base that others have not.
const (
	baseAfter = 3  // messages in a row that a difference does not shorten make a new base
	baseTold  = 2  // broadcasts in a row with a new base, which is told beside names later
	baseAge   = 16 // broadcasts that a base lasts at least
	baseWhole = 5  // whole messages in a row say that the sender no longer knows the base
)

// telling is the base of a node's own messages.
type telling struct {
	body    []byte // nil: there is none
	digest  uint32
	former  uint32 // of the base before: those who have that one hear this node as well
	unlike  int
	age     int
	telling int
}

// follow takes in the message of a broadcast and gives the base if it is to be told in it: when it is new, and on
// occasion, which is when there are names to tell and somebody lacks it.
func (t *telling) follow(body []byte, occasion bool) []byte {
	t.age++
	if t.unlike++; t.body != nil && len(wire.Patch(t.body, body)) < len(body) {
		t.unlike = 0
	}
	if t.unlike >= baseAfter && (t.body == nil || t.age >= baseAge) && wire.MayBase(body) {
		t.former, t.body, t.digest = t.digest, bytes.Clone(body), digest(body)
		t.unlike, t.age, t.telling = 0, 0, baseTold
	}
	if t.telling == 0 && !occasion {
		return nil
	}
	t.telling = max(0, t.telling-1)
	return t.body
}

// heardBy tells what a mark says: whether its sender hears this life of the node, and has the present base.
func (t *telling) heardBy(mark uint16, nonce uint32) (hears, holds bool) {
	holds = t.body != nil && mark == wire.Holding(nonce, t.digest)
	hears = holds || mark == wire.Mark(nonce) || t.former != 0 && mark == wire.Holding(nonce, t.former)
	return hears, holds
}

func digest(body []byte) uint32 {
	h := fnv.New32a()
	h.Write(body)
	return max(1, h.Sum32())
}

// told is a peer's base, as this node has it.
type told struct {
	body   []byte // nil: there is none
	digest uint32
	whole  int // messages that have come whole since
	room   []byte
}

// held tells whether the base may still be that of its sender.
func (t *told) held() bool { return t.body != nil && t.whole < baseWhole }

// message gives the whole message that a datagram tells, valid until the next one; false if that needs a base which
// this node has not.
func (t *told) message(e *wire.Envelope) ([]byte, bool) {
	if e.Base != nil {
		*t = told{body: e.Base, digest: digest(e.Base)}
	}
	if !wire.IsPatch(e.Body) {
		t.whole = min(t.whole+1, baseWhole)
		return e.Body, true
	}
	t.whole = 0
	whole, ok := wire.Apply(t.room[:0], t.body, e.Body)
	if ok {
		t.room = whole
	}
	return whole, ok
}
