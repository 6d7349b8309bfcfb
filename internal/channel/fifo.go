// Package channel makes a link on which datagrams get lost, come twice and overtake each other carry messages once and
// in order, without clock or socket: whoever has both calls it for every datagram that comes, and for one to send from
// time to time, since nothing is sent again but in the next datagram.
//
// A [Channel] is one end of a link. Its messages are numbered. Every frame that it sends tells up to which number it
// has had the messages of the other end, and repeats the oldest of its own of which the other end has not said so;
// these may be many in one frame. So a frame that arrives is of use whatever became of those before, and no frame only
// acknowledges.
//
// When an end begins anew, having forgotten everything, the other one learns it from elsewhere (an agent from the nonce
// in its neighbour's envelope) and calls Renew: what waits is dropped, since it was for somebody who is no more, and
// the messages from then on are another stream. Streams have numbers of their own, for an acknowledgement of what a
// former life has sent must not pass for one of the present life. Without such a beginning every message is delivered
// exactly once, in order, if of the frames sent for ever infinitely many arrive in each direction.
package channel

import "slices"

// Limits of a channel.
const (
	// Queue is how many messages may wait to be sent or acknowledged. One more is refused.
	Queue = 1024
	// Window is how many messages may be on their way without an acknowledgement.
	Window = 256
	// Head is the most that a frame without messages takes when it is encoded, in bytes, and Each
	// what each of its messages takes besides its own bytes.
	Head = 25
	Each = 3
)

// Frame is what one datagram carries.
type Frame struct {
	_      struct{} `cbor:",toarray"`
	Stream uint32   // of the messages: one more after each Renew
	First  uint32   // number of the first of them
	Of     uint32   // stream of the other end that is being read,
	Next   uint32   // and the number in it that is expected: all before have come
	Msgs   [][]byte // First, First + 1, …
}

// Channel is one end of a link. Numbers are compared modulo 2^32.
type Channel struct {
	stream uint32
	first  uint32   // number of queue[0]
	queue  [][]byte // not acknowledged
	tried  int      // how many of queue have been sent at least once

	reads    bool // anything yet
	of, next uint32
}

// New gives a channel to somebody who has not been heard. The life of this end should be a number that
// it had in no life before.
func New(life uint32) Channel { return Channel{stream: life} }

// Send takes a message over, which must not change any more. It tells whether there was room.
func (c *Channel) Send(m []byte) bool {
	if len(c.queue) >= Queue {
		return false
	}
	c.queue = append(c.queue, m)
	return true
}

// Waiting is how many messages have not been acknowledged.
func (c *Channel) Waiting() int { return len(c.queue) }

// Fresh tells whether there is a message that has never been sent and may be.
func (c *Channel) Fresh() bool { return c.tried < min(len(c.queue), Window) }

// Frame gives a frame of at most so many bytes, encoded, that begins with the oldest message that has not been
// acknowledged: what a datagram at regular times should carry. With little room it only acknowledges. Its messages are
// valid until the next call of a method.
func (c *Channel) Frame(room int) Frame { return c.from(0, room) }

// Further gives a frame that begins with the oldest message that has never been sent, to follow one of Frame
// while there is anything Fresh and room for a message.
func (c *Channel) Further(room int) Frame { return c.from(c.tried, room) }

func (c *Channel) from(begin, room int) Frame {
	end := begin
	for room -= Head; end < min(len(c.queue), Window); end++ {
		if room -= len(c.queue[end]) + Each; room < 0 {
			break
		}
	}
	c.tried = max(c.tried, end)
	return Frame{Stream: c.stream, First: c.first + uint32(begin), Of: c.of, Next: c.next, Msgs: c.queue[begin:end]}
}

// Receive takes a frame in and gives those of its messages that are new, the last of them, in order. It accepts every
// frame.
func (c *Channel) Receive(f *Frame) [][]byte {
	if had := f.Next - c.first; f.Of == c.stream && had <= uint32(c.tried) {
		c.queue, c.tried = slices.Delete(c.queue, 0, int(had)), c.tried-int(had)
		c.first = f.Next
	}
	switch ahead := int32(f.Stream - c.of); {
	case !c.reads, ahead > 0:
		c.reads, c.of, c.next = true, f.Stream, 0
	case ahead < 0:
		return nil
	}
	known := c.next - f.First
	if known >= uint32(len(f.Msgs)) { // all, or some between are missing
		return nil
	}
	c.next += uint32(len(f.Msgs)) - known
	return f.Msgs[known:]
}

// Renew begins anew with another instance of the other end and tells how many messages are dropped with the old one.
func (c *Channel) Renew() (dropped int) {
	dropped = len(c.queue)
	*c = Channel{stream: c.stream + 1}
	return dropped
}
