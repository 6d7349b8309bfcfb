package frames

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"

	"caucus.example/caucus/network/mobility"
	"caucus.example/caucus/story"
)

// A stream is frames, each with its length (4 bytes) and its kind (1 byte) before it; all numbers are little-endian.
// internal/view/page/src/stream.ts reads it.
const (
	frameHead    = 0 // JSON
	frameChanges = 1 // time (f64), changes
	framePlaces  = 2 // time (f64), two f32 a node, then pairs of 2 bytes: who hears whom
	frameEvent   = 3 // time (f64), kind of event (u8), change, sender (i32), number of the
	// message or timer (u32), kind (u8), messages sent
	frameEnd   = 4 // JSON
	frameWrong = 5 // JSON: a text
)

// change is what a node answers from now on: 20 bytes.
type change struct {
	node           uint32
	leader, parent int32 // places of nodes; -1: none; a leader below that is a ghost
	distance       float32
	role, up       uint8
}

var eventKinds = map[string]byte{story.Wake: 0, story.Message: 1, story.Timer: 2, story.Lost: 3, story.Crash: 4,
	story.Tick: 5, story.Corrupt: 6}

type frames struct {
	w    *bufio.Writer
	push func() error
	buf  []byte
	row  []int32
	dist []float64
}

func newFrames(w io.Writer) *frames {
	f := &frames{w: bufio.NewWriterSize(w, 1<<16), push: func() error { return nil }}
	if c, ok := w.(interface{ Flush() error }); ok {
		f.push = c.Flush
	}
	return f
}

func (f *frames) flush() error {
	if err := f.w.Flush(); err != nil {
		return err
	}
	return f.push()
}

func (f *frames) write(kind byte, body []byte) error {
	var lead [5]byte
	binary.LittleEndian.PutUint32(lead[:], uint32(len(body)))
	lead[4] = kind
	if _, err := f.w.Write(lead[:]); err != nil {
		return err
	}
	_, err := f.w.Write(body)
	return err
}

func (f *frames) json(kind byte, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if err := f.write(kind, text); err != nil {
		return err
	}
	return f.flush()
}

func f64(b []byte, v float64) []byte { return binary.LittleEndian.AppendUint64(b, math.Float64bits(v)) }

func (c change) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, c.node)
	b = binary.LittleEndian.AppendUint32(b, uint32(c.leader))
	b = binary.LittleEndian.AppendUint32(b, uint32(c.parent))
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(c.distance))
	return append(b, c.role, c.up, 0, 0)
}

func (f *frames) changes(at float64, list []change) error {
	b := f64(f.buf[:0], at)
	for _, c := range list {
		b = c.append(b)
	}
	f.buf = b
	return f.write(frameChanges, b)
}

// event tells of an event: what it leads to at its node, which message it was, which it sends.
func (f *frames) event(x *story.Step, c change) error {
	b := append(f64(f.buf[:0], x.Time), eventKinds[x.What])
	b = c.append(b)
	from := int32(x.From)
	if x.What != story.Message && x.What != story.Lost {
		from = -1
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(from))
	number := uint32(x.Number)
	if x.What == story.Timer {
		number = uint32(x.Timer)
	}
	b = binary.LittleEndian.AppendUint32(b, number)
	b = append(b, byte(x.Kind))
	for _, s := range x.Sends {
		b = binary.LittleEndian.AppendUint32(b, uint32(s.To))
		b = binary.LittleEndian.AppendUint32(b, uint32(s.Number))
		b = append(b, byte(s.Kind))
	}
	f.buf = b
	return f.write(frameEvent, b)
}

// places tells where nodes are, in the units of the network, and who is
// in range of whom.
func (f *frames) places(at float64, net mobility.Located, now float64) error {
	b := f64(f.buf[:0], at)
	for i := range net.Len() {
		x, y := net.Position(i)
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(y)))
	}
	for i := range net.Len() {
		if net.Present(i) {
			net.Spoke(i, now)
		}
	}
	for i := range net.Len() {
		if !net.Present(i) {
			continue
		}
		f.row, f.dist = net.Neighbours(i, now, f.row[:0], f.dist[:0])
		for _, j := range f.row {
			if int32(i) < j {
				b = binary.LittleEndian.AppendUint16(b, uint16(i))
				b = binary.LittleEndian.AppendUint16(b, uint16(j))
			}
		}
	}
	f.buf = b
	return f.write(framePlaces, b)
}
