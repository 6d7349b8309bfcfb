// Package restart makes any terminating algorithm of the event shape elect again after a crash: it runs the algorithm
// in epochs, watches for signs of life of the leader, and opens a new epoch when they stop. A larger epoch makes its
// receiver forget the run so far and start as an initiator of the new one; messages of smaller epochs are dropped.
// Patience doubles with every epoch in vain, so that in the end one lasts long enough for the algorithm to finish.
//
// Every node also sends on every port at every tick, so that its neighbours see which of their ports lead to somebody
// alive. Once nothing is lost any more and delays have a bound, known to nobody, each part ends with one leader.
package restart

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"caucus.example/caucus"
)

// Ports is what becomes of ports behind which nobody is alive.
type Ports uint8

const (
	Drop Ports = iota // the algorithm runs without them
	Wrap              // for rings, as in FDDI: what is sent there goes round the other way, through the whole line
)

// Config of the layer, which counts time in its own ticks and reads no clock: what it remembers has few values.
type Config struct {
	Every    time.Duration // between two ticks; > 0
	Patience int           // ticks, the first, see above; a port is given up after half of it in silence. At least 4
	Ports    Ports
}

// Kinds of messages.
const (
	Inner  uint8 = iota // of the algorithm
	Detour              // of the algorithm, on its way round a gap
	Beat                // a sign of life, with the latest heartbeat of the leader that the sender has heard
)

// Epoch is one run of the algorithm. The larger one counts: by counter, then by starter.
type Epoch struct {
	_       struct{} `cbor:",toarray"`
	Counter uint64
	Starter caucus.ID
}

func (e Epoch) above(o Epoch) bool {
	return e.Counter > o.Counter || e.Counter == o.Counter && e.Starter > o.Starter
}

// Msg is a message of the algorithm or of the layer.
type Msg[M any] struct {
	_      struct{} `cbor:",toarray"`
	Kind   uint8
	Epoch  Epoch
	Leader caucus.ID // of a beat; None before a leader is heard
	Beat   uint64    // number of its heartbeat
	Body   M
}

// State is what a node remembers.
type State[S any] struct {
	Epoch      Epoch
	Inner      S
	Awake      bool // Inner is
	Leader     caucus.ID
	Beat       uint64 // latest heartbeat of Leader
	Age        uint64 // ticks since the epoch began, or since the last heartbeat of the elected leader came
	Vain       uint8  // epochs since one had a leader
	Generation uint16 // of timers: those set in an earlier epoch do not count
	Silent     []int  // by port: ticks since something came, counted until it is given up
	Dead       []bool // ports without which this epoch runs
}

// Algorithm implements caucus.Events[State[S], Msg[M]].
type Algorithm[S, M any] struct {
	inner caucus.Events[S, M]
	kinds int
	cfg   Config
}

// New puts the layer around an algorithm. The algorithm's timers are numbered from 0 to 65535.
func New[S, M any](inner caucus.Events[S, M], spec *caucus.Spec, cfg Config) (*Algorithm[S, M], error) {
	switch {
	case cfg.Every <= 0:
		return nil, caucus.Wrong("every", cfg.Every.String(), "a time > 0")
	case cfg.Patience < 4:
		return nil, caucus.Wrong("patience", strconv.Itoa(cfg.Patience), "at least 4 ticks")
	}
	if err := Suits(spec); err != nil {
		return nil, err
	}
	return &Algorithm[S, M]{inner, max(1, len(spec.Kinds)), cfg}, nil
}

// Suits refuses algorithms that rely on what a crash changes.
func Suits(spec *caucus.Spec) error {
	needs := spec.Needs
	switch {
	case needs.Nodes || needs.Diameter:
		return fmt.Errorf("%s relies on a number of nodes or a diameter known beforehand: it cannot restart", spec.Name)
	case needs.Topology == "", needs.Topology == caucus.AnyTopology, needs.Topology == caucus.Ring,
		needs.Topology == caucus.Tree:
		return nil
	}
	return fmt.Errorf("%s relies on the topology %s, which a crash breaks, so it cannot be restarted; rings, "+
		"trees and arbitrary networks can", spec.Name, needs.Topology)
}

// SpecOf describes an algorithm with the layer around it.
func SpecOf(spec *caucus.Spec) *caucus.Spec {
	s := *spec
	s.Title += ", restarting"
	s.Guarantee = "once nothing is lost any more, one live leader in each connected part (tested); " + spec.Guarantee
	if len(s.Kinds) == 0 {
		s.Kinds = []string{"message"}
	}
	s.Kinds = append(append([]string{}, s.Kinds...), "detour", "beat")
	s.Carries = nil
	s.Endless = true
	return &s
}

// PortsFor gives the way for an algorithm of that kind of network.
func PortsFor(t caucus.Topology) Ports {
	if t == caucus.Ring {
		return Wrap
	}
	return Drop
}

const tick = 0

// Boot gives a sleeping node in the epoch before all others.
func (a *Algorithm[S, M]) Boot(l *caucus.Local) State[S] {
	var s State[S]
	a.fit(l, &s)
	s.Inner = a.inner.Boot(a.view(l, &s))
	return s
}

// fit makes the columns of ports as long as there are ports: a corrupt state may hold others.
func (a *Algorithm[S, M]) fit(l *caucus.Local, s *State[S]) {
	if len(s.Silent) != l.Degree || len(s.Dead) != l.Degree {
		s.Silent, s.Dead = make([]int, l.Degree), make([]bool, l.Degree)
	}
}

// Wake begins to tick. An initiator starts the algorithm; who was woken waits for its message.
func (a *Algorithm[S, M]) Wake(l *caucus.Local, s *State[S], initiator bool, out *caucus.Outbox[Msg[M]]) {
	a.fit(l, s)
	out.After(a.cfg.Every, tick)
	if initiator {
		a.start(l, s, true, out)
	}
}

// Receive sorts by epoch, then by kind.
func (a *Algorithm[S, M]) Receive(l *caucus.Local, s *State[S], port int, m Msg[M], out *caucus.Outbox[Msg[M]]) {
	a.fit(l, s)
	if s.Silent[port] > 0 {
		s.Silent = slices.Clone(s.Silent)
		s.Silent[port] = 0
	}
	if s.Epoch.above(m.Epoch) {
		return
	}
	if m.Epoch.above(s.Epoch) {
		a.reset(l, s, m.Epoch, out)
	}
	switch m.Kind {
	case Inner:
		if !s.Dead[port] {
			a.deliver(l, s, port, m.Body, out, 0)
		}
	case Detour:
		if a.cfg.Ports != Wrap || l.Degree > 2 {
			return
		}
		if other := l.Degree - 1 - port; s.Dead[other] || other == port {
			a.deliver(l, s, other, m.Body, out, 0)
		} else {
			out.Send(other, m)
		}
	case Beat:
		a.beat(l, s, port, m, out)
	}
}

// beat takes a heartbeat up and passes a new one on. Two leaders in one epoch are a contradiction, as when
// somebody alive was taken for dead; a new epoch resolves it.
func (a *Algorithm[S, M]) beat(l *caucus.Local, s *State[S], port int, m Msg[M], out *caucus.Outbox[Msg[M]]) {
	elected := a.Outcome(l, s).Leader
	switch {
	case m.Leader == caucus.None, m.Leader == s.Leader && m.Beat <= s.Beat:
		return
	case s.Leader != caucus.None && s.Leader != m.Leader, elected != caucus.None && elected != m.Leader:
		a.reset(l, s, Epoch{Counter: s.Epoch.Counter + 1, Starter: l.ID}, out)
		return
	case m.Leader == l.ID && elected != l.ID:
		return // of an earlier life
	}
	s.Leader, s.Beat = m.Leader, m.Beat
	if elected == m.Leader {
		s.Age, s.Vain = 0, 0
	}
	out.SendAll(l.Degree, port, m)
}

// Timer is a tick or a timer of the algorithm.
func (a *Algorithm[S, M]) Timer(l *caucus.Local, s *State[S], timer int, out *caucus.Outbox[Msg[M]]) {
	a.fit(l, s)
	if timer != tick {
		if timer>>16 == int(s.Generation)+1 && s.Awake {
			var sent caucus.Outbox[M]
			a.inner.Timer(a.view(l, s), &s.Inner, timer&0xffff, &sent)
			a.carryOut(l, s, &sent, out, 0)
		}
		return
	}
	out.After(a.cfg.Every, tick)
	s.Age++
	s.Silent = slices.Clone(s.Silent)
	for p, silent := range s.Silent {
		s.Silent[p] = min(silent, a.cfg.Patience/2) + 1
	}
	if s.Awake && a.inner.Outcome(a.view(l, s), &s.Inner).Role == caucus.Leader {
		s.Leader, s.Beat, s.Age, s.Vain = l.ID, s.Beat+1, 0, 0
	}
	if s.Age > uint64(a.cfg.Patience)<<min(s.Vain, 20) {
		a.reset(l, s, Epoch{Counter: s.Epoch.Counter + 1, Starter: l.ID}, out)
	}
	out.SendAll(l.Degree, -1, Msg[M]{Kind: Beat, Epoch: s.Epoch, Leader: s.Leader, Beat: s.Beat})
}

// reset begins an epoch, as an initiator: whom a message wakes must be woken by one of the
// algorithm, and this one may come from the layer.
func (a *Algorithm[S, M]) reset(l *caucus.Local, s *State[S], e Epoch, out *caucus.Outbox[Msg[M]]) {
	if e.Counter > s.Epoch.Counter {
		// Of the many epochs that begin side by side after a fault, with one counter, one alone was in vain: a node
		// that counted each would in the end wait for a hundred times as long as an election takes.
		s.Vain = min(s.Vain+1, 20)
	}
	s.Epoch, s.Awake, s.Leader, s.Beat, s.Age = e, false, caucus.None, 0, 0
	s.Generation = (s.Generation + 1) % (1<<15 - 1)
	dead := make([]bool, l.Degree)
	for p := range dead {
		dead[p] = s.Silent[p] > a.cfg.Patience/2
	}
	s.Dead = dead
	s.Inner = a.inner.Boot(a.view(l, s))
	a.start(l, s, true, out)
}

func (a *Algorithm[S, M]) start(l *caucus.Local, s *State[S], initiator bool, out *caucus.Outbox[Msg[M]]) {
	s.Awake = true
	var sent caucus.Outbox[M]
	a.inner.Wake(a.view(l, s), &s.Inner, initiator, &sent)
	a.carryOut(l, s, &sent, out, 0)
}

// deliver lets the algorithm receive a message on a port of the network.
func (a *Algorithm[S, M]) deliver(l *caucus.Local, s *State[S], port int, m M, out *caucus.Outbox[Msg[M]], alone int) {
	if !s.Awake {
		a.start(l, s, false, out)
	}
	if a.cfg.Ports == Drop {
		port = live(s.Dead[:port])
	}
	var sent caucus.Outbox[M]
	a.inner.Receive(a.view(l, s), &s.Inner, port, m, &sent)
	a.carryOut(l, s, &sent, out, alone)
}

// maxAlone bounds how often a node that is alone may answer itself within one event.
const maxAlone = 100

// carryOut sends what the algorithm has sent.
func (a *Algorithm[S, M]) carryOut(l *caucus.Local, s *State[S], sent *caucus.Outbox[M], out *caucus.Outbox[Msg[M]],
	alone int) {
	for _, t := range sent.Alarms {
		out.After(t.After, (int(s.Generation)+1)<<16|t.Timer&0xffff)
	}
	for _, v := range sent.Sends {
		port := a.portOf(l, s, v.Port)
		if port < 0 {
			continue
		}
		m := Msg[M]{Kind: Inner, Epoch: s.Epoch, Body: v.Msg}
		if !s.Dead[port] {
			out.Send(port, m)
			continue
		}
		// A gap of a ring: round the other way, which for somebody alone leads back at once.
		if other := l.Degree - 1 - port; !s.Dead[other] {
			m.Kind = Detour
			out.Send(other, m)
		} else if alone < maxAlone {
			a.deliver(l, s, other, v.Msg, out, alone+1)
		}
	}
}

// portOf gives the port of the network for one of the algorithm; -1 for none.
func (a *Algorithm[S, M]) portOf(l *caucus.Local, s *State[S], port int) int {
	if a.cfg.Ports == Wrap {
		if port < 0 || port >= l.Degree || s.Dead[port] && l.Degree != 2 {
			return -1
		}
		return port
	}
	for p, dead := range s.Dead {
		if dead {
			continue
		}
		if port == 0 {
			return p
		}
		port--
	}
	return -1
}

// view is what the algorithm sees: with Drop, live ports only, numbered from 0.
func (a *Algorithm[S, M]) view(l *caucus.Local, s *State[S]) *caucus.Local {
	v := *l
	if n := live(s.Dead); a.cfg.Ports == Drop && n < l.Degree {
		v.Degree, v.Labels, v.Lengths = n, nil, nil
		for p, dead := range s.Dead {
			if !dead && p < len(l.Labels) {
				v.Labels = append(v.Labels, l.Labels[p])
			}
			if !dead && p < len(l.Lengths) {
				v.Lengths = append(v.Lengths, l.Lengths[p])
			}
		}
	}
	return &v
}

func live(dead []bool) int {
	n := 0
	for _, d := range dead {
		if !d {
			n++
		}
	}
	return n
}

// Outcome is the algorithm's in the present epoch; it is never final.
func (a *Algorithm[S, M]) Outcome(l *caucus.Local, s *State[S]) caucus.Outcome {
	if len(s.Dead) != l.Degree {
		return caucus.Outcome{Distance: -1}
	}
	o := a.inner.Outcome(a.view(l, s), &s.Inner)
	o.Final = false
	if o.Parent > 0 {
		o.Parent = int32(1 + a.portOf(l, s, int(o.Parent)-1))
	}
	return o
}

// Kind gives the algorithm's kinds, then detour and beat.
func (a *Algorithm[S, M]) Kind(m *Msg[M]) int {
	switch m.Kind {
	case Inner:
		return a.inner.Kind(&m.Body)
	case Detour:
		return a.kinds
	}
	return a.kinds + 1
}

// Domain is that of the algorithm in every epoch of the world's counters and IDs.
func (a *Algorithm[S, M]) Domain(w *caucus.World) (caucus.Values[State[S]], caucus.Values[Msg[M]]) {
	inner, bodies := a.inner.Domain(w)
	epoch := func(p *caucus.Pick) Epoch {
		return Epoch{Starter: p.AnyID(), Counter: uint64(p.Below(p.Counter))}
	}
	states := caucus.Every(w, func(p *caucus.Pick) State[S] {
		return State[S]{Inner: caucus.PickOf(p, inner), Epoch: epoch(p), Awake: p.Bool()}
	})
	return states, caucus.Every(w, func(p *caucus.Pick) Msg[M] {
		return Msg[M]{Body: caucus.PickOf(p, bodies), Epoch: epoch(p), Kind: uint8(p.Below(3)),
			Leader: p.AnyID(), Beat: uint64(p.Below(p.Counter))}
	})
}

// Origin and Rebase concern heartbeats, which begin with 1: it matters only which of one leader comes later.
func (a *Algorithm[S, M]) Origin(s *State[S], m *Msg[M]) uint64 {
	if leader, beat := beatOf(s, m); leader != caucus.None {
		return max(*beat, 1) - 1
	}
	return math.MaxUint64
}

func (a *Algorithm[S, M]) Rebase(s *State[S], m *Msg[M], origin uint64) {
	if leader, beat := beatOf(s, m); leader != caucus.None {
		*beat -= origin
	}
}

func beatOf[S, M any](s *State[S], m *Msg[M]) (caucus.ID, *uint64) {
	if s != nil {
		return s.Leader, &s.Beat
	}
	return m.Leader, &m.Beat
}
