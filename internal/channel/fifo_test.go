package channel_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/channel"
	"caucus.example/caucus/internal/wire"
)

// end is one end of a link in the tests: messages are numbers, and lives rise as nonces would.
type end struct {
	channel     channel.Channel
	life, peer  uint32 // peer 0: not heard
	said, heard []uint32
	since       int // said before there was this life of the peer
}

// datagram is a frame with what an envelope adds.
type datagram struct {
	to    int
	life  uint32
	frame channel.Frame
}

// newEnd spreads the numbers of streams as nonces are spread.
func newEnd(life uint32) *end {
	return &end{life: life, channel: channel.New(uint32(caucus.Mix(uint64(life))))}
}

func number(n uint32) []byte { return binary.BigEndian.AppendUint32(nil, n) }

func (e *end) say() {
	n := uint32(len(e.said))
	if e.channel.Send(number(n)) {
		e.said = append(e.said, n)
	}
}

func (e *end) frames(to int) (out []datagram) {
	keep := func(f channel.Frame) {
		f.Msgs = slices.Clone(f.Msgs)
		out = append(out, datagram{to, e.life, f})
	}
	const room = channel.Head + 5*(4+channel.Each) // five messages
	keep(e.channel.Frame(room))
	for e.channel.Fresh() {
		keep(e.channel.Further(room))
	}
	return out
}

func (e *end) take(d datagram) {
	if d.life < e.peer {
		return // of an earlier life: what an agent knows by other means
	}
	if d.life > e.peer {
		if e.peer != 0 {
			e.channel.Renew()
			e.since, e.heard = len(e.said), nil
		}
		e.peer = d.life
	}
	for _, m := range e.channel.Receive(&d.frame) {
		e.heard = append(e.heard, binary.BigEndian.Uint32(m))
	}
}

// Whatever is lost, doubled or overtaken, each life of an end gets what the other says in order and only once; when
// datagrams arrive again, all that has been said since the two have known each other's present life.
func TestReliableInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ends := [2]*end{newEnd(1), newEnd(1)}
		restarts := rapid.Bool().Draw(t, "restarts")
		var way []datagram
		deliver := func(k int) {
			e := ends[way[k].to]
			e.take(way[k])
			for i := 1; i < len(e.heard); i++ {
				if e.heard[i] <= e.heard[i-1] || !restarts && e.heard[i] != e.heard[i-1]+1 {
					t.Fatalf("%d after %d", e.heard[i], e.heard[i-1])
				}
			}
		}
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			who := rapid.IntRange(0, 1).Draw(t, "who")
			what := rapid.IntRange(0, 9).Draw(t, "what")
			switch {
			case what < 3:
				ends[who].say()
			case what < 6:
				way = append(way, ends[who].frames(1-who)...)
			case what == 9 && restarts && rapid.IntRange(0, 4).Draw(t, "dies") == 0:
				ends[who] = newEnd(ends[who].life + 1)
			case len(way) > 0:
				k := rapid.IntRange(0, len(way)-1).Draw(t, "which")
				if what < 9 {
					deliver(k)
				}
				if what != 8 { // 8: it comes once more
					way = slices.Delete(way, k, k+1)
				}
			}
		}
		for range 100 { // the link is well again
			for who := range ends {
				way = ends[who].frames(1 - who)
				for k := range way {
					deliver(k)
				}
			}
		}
		for who, e := range ends {
			got, want := ends[1-who].heard, e.said[e.since:]
			if !restarts && !slices.Equal(got, want) || len(got) < len(want) ||
				!slices.Equal(got[len(got)-len(want):], want) {
				t.Fatalf("end %d heard %v, said since they know each other was %v", 1-who, got, want)
			}
			if n := e.channel.Waiting(); n != 0 {
				t.Errorf("%d messages of end %d are still waiting", n, who)
			}
		}
	})
}

// A full channel refuses, keeps what it has and takes messages again once there is room.
func TestFull(t *testing.T) {
	a, b := channel.New(7), channel.New(1<<32-1)
	for n := range uint32(channel.Queue) {
		if !a.Send(number(n)) {
			t.Fatalf("refused after %d messages", n)
		}
	}
	if a.Send(nil) {
		t.Error("no end to the queue")
	}
	sent := 0
	for a.Fresh() && sent <= channel.Queue {
		f := a.Further(channel.Head + channel.Each + 4)
		if len(f.Msgs) != 1 {
			t.Fatalf("%d messages where there is room for one", len(f.Msgs))
		}
		sent++
	}
	if sent != channel.Window {
		t.Errorf("%d messages on their way, want %d", sent, channel.Window)
	}
	f := a.Frame(1 << 20)
	if n := len(b.Receive(&f)); n != channel.Window {
		t.Errorf("%d messages in a frame with all the room there is", n)
	}
	f = b.Frame(100)
	a.Receive(&f)
	if n := a.Waiting(); n != channel.Queue-channel.Window || !a.Send(nil) {
		t.Errorf("%d messages wait after an acknowledgement", n)
	}
	if n := a.Renew(); n != channel.Queue-channel.Window+1 || a.Waiting() != 0 {
		t.Errorf("%d messages dropped", n)
	}
}

// Frames are never longer than the room that they were given, and never acknowledge alone while there is room for a
// message.
func TestFrameFits(t *testing.T) {
	codec, err := wire.NewCodec[channel.Frame]()
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		c := channel.New(rapid.Uint32().Draw(t, "life"))
		for range rapid.IntRange(0, 50).Draw(t, "renewals") {
			c.Renew()
		}
		for range rapid.IntRange(0, 100).Draw(t, "messages") {
			c.Send(make([]byte, rapid.IntRange(1, 300).Draw(t, "length")))
		}
		room := rapid.IntRange(channel.Head, wire.MaxBody).Draw(t, "room")
		f := c.Frame(room)
		b, err := codec.Encode(&f)
		if err != nil || len(b) > room {
			t.Fatalf("%d bytes in a room of %d: %v", len(b), room, err)
		}
		if got, err := codec.Decode(b); err != nil || len(got.Msgs) != len(f.Msgs) {
			t.Fatalf("%d of %d messages arrive: %v", len(got.Msgs), len(f.Msgs), err)
		}
		if c.Waiting() > 0 && room >= channel.Head+channel.Each+300 && len(f.Msgs) == 0 {
			t.Error("room for a message, but none in it")
		}
	})
}

// What is on its way is not fresh again because it is repeated, and what has never been sent is fresh once there is
// room in the window. After a renewal the streams go on at 0 behind the last of all.
func TestFreshAndRenewed(t *testing.T) {
	a, b := channel.New(1<<32-1), channel.New(5)
	for n := range uint32(channel.Window + 2) {
		a.Send(number(n))
	}
	f := a.Frame(1 << 20)
	if a.Frame(channel.Head); a.Fresh() {
		t.Error("fresh again after a frame without room")
	}
	b.Receive(&f)
	f = b.Frame(100)
	if a.Receive(&f); !a.Fresh() || len(a.Further(1<<20).Msgs) != 2 || a.Fresh() {
		t.Error("the two that had no room in the window are not sent after the others")
	}
	a.Renew()
	a.Send(number(0))
	f = a.Frame(100)
	if n := len(b.Receive(&f)); n != 1 {
		t.Errorf("%d messages of the stream after the last number", n)
	}
}

// What tells the lengths of many messages is no less than they take: here two bytes for each.
func TestManyMessagesFit(t *testing.T) {
	codec, err := wire.NewCodec[channel.Frame]()
	if err != nil {
		t.Fatal(err)
	}
	c := channel.New(1<<32 - 1)
	for range channel.Window {
		c.Send(make([]byte, 24))
	}
	f := c.Frame(wire.MaxBody)
	want := (wire.MaxBody - channel.Head) / (24 + channel.Each)
	if b, err := codec.Encode(&f); err != nil || len(f.Msgs) != want {
		t.Errorf("%d messages in %d bytes, where there is room for %d: %v", len(f.Msgs), len(b), want, err)
	}
}

// No frame, however made, does harm: what it cannot mean is ignored.
func FuzzReceive(f *testing.F) {
	codec, err := wire.NewCodec[channel.Frame]()
	if err != nil {
		f.Fatal(err)
	}
	for _, x := range []channel.Frame{{}, {Next: 3},
		{Stream: 1 << 31, First: 1<<32 - 1, Of: 2, Next: 9, Msgs: [][]byte{{1}, {}, nil}},
		{First: 1<<32 - 1, Msgs: [][]byte{{1}, {2}}}} {
		b, err := codec.Encode(&x)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := codec.Decode(b)
		if err != nil {
			return
		}
		c := channel.New(2)
		for n := range uint32(10) {
			c.Send(number(n))
		}
		c.Frame(channel.Head + 4*(4+channel.Each))
		got := c.Receive(&x)
		if len(got) > len(x.Msgs) || c.Waiting() < 6 {
			t.Fatalf("%d messages out of a frame of %d, %d waiting of which 4 had been sent", len(got), len(x.Msgs),
				c.Waiting())
		}
		if again := c.Receive(&x); len(again) > 0 {
			t.Fatalf("the same frame gives %d messages again", len(again))
		}
		if rest := c.Frame(wire.MaxBody).Msgs; len(rest) != c.Waiting() || !bytes.Equal(rest[len(rest)-1], number(9)) {
			t.Fatalf("%d of %d messages left", len(rest), c.Waiting())
		}
	})
}
