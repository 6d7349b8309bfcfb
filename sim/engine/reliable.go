package engine

import (
	"encoding/binary"
	"math"
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/channel"
	"caucus.example/caucus/internal/columns"
)

// room is that of a frame: what is kept of a message here has 4 bytes, so that these are 142 messages.
const room = channel.Head + 142*(4+channel.Each)

// reliable are the channels of a run whose links are made reliable, as agents do it. What travels in them of a message
// is the number of its slot.
type reliable struct {
	every  float64 // periods between two frames of an end that has something to tell again
	phases []float64
	due    []bool // by node: it will send such frames at its next phase
	ends   []channelEnd
	kept   []kept // by slot
	flying []flying
	free   []int32 // of flying
	fresh  []end   // that have got something to send
	taking bool    // a frame in: what it leads to goes out when all of it has been handled
	lives  caucus.Rand
	frames uint64
	last   float64 // when the algorithm or a fault last did anything: frames that tell nothing new are no events
}

// channelEnd is one end of a link, by port.
type channelEnd struct {
	channel channel.Channel
	waiting []int32 // slots of what the channel holds
	peer    uint32  // life of the other end that the channel is with, from 1 on; 0: it has not been heard
	owes    bool    // a frame, to say what has come
}

// kept is a message in a slot that is in channels and frames.
type kept struct {
	uses   int32
	number uint32 // of the message
	came   bool
	bytes  []byte // that stand for it
}

// flying is a frame on its way.
type flying struct {
	frame channel.Frame
	life  uint32 // of its sender, from 1 on
}

// lifeOf counts from 1, so that 0 is left for nobody.
func (e *eventRun) lifeOf(i int) uint32 { return e.nodes[i].life + 1 }

func (e *eventRun) startChannels() {
	g := e.cfg.Graph
	r := &reliable{every: float64(e.cfg.Channel), phases: make([]float64, e.n), due: make([]bool, e.n),
		ends: make([]channelEnd, len(g.Nbr)), lives: caucus.NewRand(e.cfg.Seed, "channel")}
	e.channels = r
	drawn := caucus.NewRand(e.cfg.Seed, "phase")
	for i := range e.n {
		r.phases[i] = phaseOf(&e.cfg, drawn, i)
		e.newChannels(i)
	}
}

// newChannels gives node i, which begins, channels that hold nothing.
func (e *eventRun) newChannels(i int) {
	g, r := e.cfg.Graph, e.channels
	life := r.lives.At(uint64(i)).At(uint64(e.nodes[i].life))
	stream := uint32(life.Uint64())
	for k := g.Off[i]; k < g.Off[i+1]; k++ {
		x := &r.ends[k]
		e.forget(k, x.waiting)
		*x = channelEnd{channel: channel.New(stream), waiting: x.waiting[:0]}
	}
	if e.nodes[i].life > 0 {
		e.beatSoon(i) // it is to be heard
	}
}

// forget gives up messages that waited at an end.
func (e *eventRun) forget(k int, slots []int32) {
	to := e.ends[k]
	for _, slot := range slots {
		if v := e.channels.kept[slot]; !v.came && e.watch != nil {
			e.watch.lost(int(to.node), int(to.port), v.number, slot, e.now)
		}
		e.unuse(slot)
	}
}

// unuse lets a slot go when nothing refers to it any more.
func (e *eventRun) unuse(slot int32) {
	v := &e.channels.kept[slot]
	if v.uses--; v.uses == 0 {
		e.out.Slots.Release(slot)
	}
}

// entrust hands a message of node i to the channel of its port.
func (e *eventRun) entrust(i int, m *columns.Send) {
	r, k := e.channels, int(e.nodes[i].first)+int(m.Port)
	number := uint32(e.result.Messages - 1)
	for int(m.Slot) >= len(r.kept) {
		r.kept = append(r.kept, kept{bytes: binary.BigEndian.AppendUint32(nil, uint32(len(r.kept)))})
	}
	v, x := &r.kept[m.Slot], &r.ends[k]
	*v = kept{uses: 1, number: number, bytes: v.bytes}
	taken := x.channel.Send(v.bytes)
	if e.watch != nil {
		told := uint64(number) + 1
		if !taken {
			told = 0
		}
		e.watch.send(m, int(e.ends[k].node), told)
	}
	if !taken {
		e.unuse(m.Slot)
		return
	}
	x.waiting = append(x.waiting, m.Slot)
	r.fresh = append(r.fresh, end{int32(i), m.Port})
	e.beatSoon(i)
}

// reaches tells whether it is of use to send over link k: not to a node that is down, for which all waits, nor to one
// that has begun anew and is still to say so. Agents notice that somewhat later.
func (e *eventRun) reaches(k int) bool {
	i := int(e.ends[k].node)
	peer := e.channels.ends[k].peer
	return !e.nodes[i].down && (peer == 0 || peer == e.lifeOf(i))
}

// flush sends what has never been sent, before it what has not been acknowledged, as agents do.
func (e *eventRun) flush() {
	r := e.channels
	if r.taking {
		return
	}
	for _, from := range r.fresh {
		k := int(e.nodes[from.node].first) + int(from.port)
		for further := false; r.ends[k].channel.Fresh() && e.reaches(k); further = true {
			e.fly(int(from.node), k, further)
		}
	}
	r.fresh = r.fresh[:0]
}

// fly sends a frame from node i over link k. Faults strike it.
func (e *eventRun) fly(i, k int, further bool) {
	r := e.channels
	x := &r.ends[k]
	r.frames++
	x.owes = false
	f := flying{life: e.lifeOf(i)}
	if further {
		f.frame = x.channel.Further(room)
	} else {
		f.frame = x.channel.Frame(room)
	}
	var fate linkFate
	if len(e.faults.links) > 0 {
		fate = e.fate(i, int(e.ends[k].node), r.frames)
	}
	if fate.Lost {
		return
	}
	e.letFly(k, &f, fate.Late, fate.overtakes)
	if fate.Again > 0 {
		e.letFly(k, &f, fate.Late+fate.Again, true)
	}
}

// letFly puts a copy of a frame on its way.
func (e *eventRun) letFly(k int, f *flying, late float64, overtakes bool) {
	r := e.channels
	var slot int32
	if last := len(r.free) - 1; last >= 0 {
		slot, r.free = r.free[last], r.free[:last]
	} else {
		slot, r.flying = int32(len(r.flying)), append(r.flying, flying{})
	}
	v := &r.flying[slot]
	msgs := append(v.frame.Msgs[:0], f.frame.Msgs...)
	*v = *f
	v.frame.Msgs = msgs
	for _, m := range msgs {
		r.kept[binary.BigEndian.Uint32(m)].uses++
	}
	e.hang(k, slot, late, overtakes)
	e.posted++
	e.caused++
}

// carry lets the frame or beat come that is next.
func (e *eventRun) carry() {
	v := *e.later.first()
	e.later.drop()
	if v.to.port < 0 {
		e.beat(int(v.to.node))
		return
	}
	f := e.channels.flying[v.slot] // which keeps its messages until it is given back
	if i := int(v.to.node); !e.nodes[i].down {
		e.take(i, int(v.to.port), &f)
	}
	for _, m := range f.frame.Msgs {
		e.unuse(int32(binary.BigEndian.Uint32(m)))
	}
	e.channels.free = append(e.channels.free, v.slot)
}

// take lets node i have a frame, as agents do.
func (e *eventRun) take(i, port int, f *flying) {
	r, k := e.channels, int(e.nodes[i].first)+port
	x := &r.ends[k]
	if f.life < x.peer {
		return // of an earlier life
	}
	if f.life > x.peer {
		if x.peer != 0 {
			x.channel.Renew()
			e.forget(k, x.waiting)
			x.waiting = x.waiting[:0]
		}
		x.peer = f.life
		x.owes = x.owes || f.life > 1 // who begins anew wants to be sure of being heard
	}
	x.owes = x.owes || len(f.frame.Msgs) > 0
	news := x.channel.Receive(&f.frame)
	known := len(x.waiting) - x.channel.Waiting()
	for _, slot := range x.waiting[:known] {
		e.unuse(slot)
	}
	x.waiting = slices.Delete(x.waiting, 0, known)
	if x.owes {
		e.beatSoon(i)
	}
	r.taking = true
	for _, m := range news {
		slot := int32(binary.BigEndian.Uint32(m))
		r.kept[slot].came = true
		e.deliver(parcel{number: r.kept[slot].number, to: end{int32(i), int32(port)}, slot: e.algo.Again(slot)})
	}
	r.taking = false
	if x.channel.Fresh() { // for which there was no room on the way
		r.fresh = append(r.fresh, end{int32(i), int32(port)})
	}
	e.flush()
}

// beatSoon has node i send frames at its next phase, if it has to.
func (e *eventRun) beatSoon(i int) {
	r := e.channels
	if r.due[i] {
		return
	}
	r.due[i] = true
	round := math.Floor(e.now/r.every - r.phases[i])
	at := (round + r.phases[i]) * r.every
	for at <= e.now {
		round++
		at = (round + r.phases[i]) * r.every
	}
	e.later.push(parcel{at: at, number: uint32(e.posted), to: end{int32(i), -1}})
	e.posted++
}

// beat sends a frame over each link of node i on which something is unacknowledged, at this end or the other, or on
// which it is to be known that the node has begun anew.
func (e *eventRun) beat(i int) {
	r, p := e.channels, &e.nodes[i]
	r.due[i] = false
	if p.down {
		return
	}
	again := false
	for k := int(p.first); k < int(p.first+p.degree); k++ {
		x := &r.ends[k]
		wants := x.channel.Waiting() > 0 || p.life > 0 && x.peer == 0
		if (wants || x.owes) && e.reaches(k) {
			e.fly(i, k, false)
			again = again || wants
		}
	}
	if again {
		e.beatSoon(i)
	}
}

// resume lets what waits for node i, which goes on, be sent, and what waits at it.
func (e *eventRun) resume(i int) {
	e.beatSoon(i)
	p := &e.nodes[i]
	for k := int(p.first); k < int(p.first+p.degree); k++ {
		if to := e.ends[k]; !e.nodes[to.node].down {
			e.beatSoon(int(to.node))
		}
	}
}
