// Package wbs is Wait-Before-Starting (Bounceur et al., 2017): every node waits for as long as its
// ID says, and the first one whose time is over tells all the others, whose wait ends with that.
//
// Assumes a connected network, reliable links, a common start, distinct IDs, and a unit of waiting that is
// longer than a message takes to everywhere, so that nobody's time is over while the news of the first travels. It is
// D + 1 bounds on the delay here. Elects the least ID of the initiators; a node that is dead at the start is skipped
// by itself. Every node forwards the news once: n broadcasts, 2m messages. Time: the unit times the least ID, and at most D delays.
//
// If the assumption fails several nodes lead. With repair on, the default, nodes go on listening and
// follow the least ID that they hear of, as in minfind. Not self-stabilising. IDs ought to be small: large ones
// wait long.
package wbs

import (
	"math"
	"time"

	"caucus.example/caucus"
)

// State is what a node remembers.
type State struct{ Leader caucus.ID } // None while it waits

// Msg is the news of a node that has started.
type Msg struct {
	_      struct{} `cbor:",toarray"`
	Leader caucus.ID
}

// Spec describes the algorithm.
var Spec = caucus.Spec{
	Name:   "wbs",
	Title:  "Wait-Before-Starting",
	Family: "iot",
	Shape:  caucus.ShapeEvents,
	Source: "Bounceur et al., 2017",
	Elects: "the initiator of least ID",
	Guarantee: "one leader that every node knows, if all start together and messages cross the network within the unit of waiting (proved); otherwise several lead, " +
		"for ever without repair; not self-stabilising",
	Cost:  "2m messages; time (D+1)·δ·(least ID) + Dδ",
	Needs: caucus.Needs{Connected: true, DistinctIDs: true, Diameter: true, Delay: true, Together: true},
	// Without repair, a node knows at once.
	Silent: true,
	Params: []caucus.Param{
		{Name: "unit", Kind: caucus.KindNumber, Default: "0", Max: 1e9,
			Doc: "time that a node waits for each one in its ID, in bounds on the delay; 0 for D + 1, D the bound on the diameter"},
		{Name: "repair", Kind: caucus.KindSwitch, Default: "on",
			Doc: "listen on after the decision and follow the least ID, so that too short a unit costs messages and not agreement"},
	},
	Faithful: map[string]map[string]string{"paper": {"repair": "off"}},
}

// Algorithm implements caucus.Events[State, Msg].
type Algorithm struct {
	Unit   float64
	Repair bool
}

// FromArgs makes the algorithm from resolved parameters.
func FromArgs(a caucus.Args) (Algorithm, error) {
	return Algorithm{Unit: a.Number("unit"), Repair: a.On("repair")}, nil
}

// Boot gives a sleeping node.
func (Algorithm) Boot(*caucus.Local) State { return State{} }

// Wake lets an initiator wait. Who is woken by the news has nothing to wait for.
func (a Algorithm) Wake(l *caucus.Local, _ *State, initiator bool, out *caucus.Outbox[Msg]) {
	if initiator {
		out.After(Wait(l, a.Unit), 0)
	}
}

// Wait is how long a node waits, with a unit in bounds on the delay, 0 for D + 1. What does not fit a
// duration, 292 years, is cut.
func Wait(l *caucus.Local, unit float64) time.Duration {
	if unit == 0 {
		unit = float64(l.Known.Diameter + 1)
	}
	w := unit * float64(max(l.Known.Delay, time.Millisecond)) * float64(l.ID)
	if w >= math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(w)
}

// Timer starts, if nobody has yet.
func (a Algorithm) Timer(l *caucus.Local, s *State, _ int, out *caucus.Outbox[Msg]) {
	if s.Leader == caucus.None {
		s.Leader = l.ID
		out.SendAll(l.Degree, -1, Msg{Leader: l.ID})
	}
}

// Receive follows the first that has started and passes the news on.
func (a Algorithm) Receive(l *caucus.Local, s *State, _ int, m Msg, out *caucus.Outbox[Msg]) {
	if m.Leader != caucus.None && (s.Leader == caucus.None || a.Repair && m.Leader < s.Leader) {
		s.Leader = m.Leader
		out.SendAll(l.Degree, -1, m)
	}
}

// Outcome is final without repair.
func (a Algorithm) Outcome(l *caucus.Local, s *State) caucus.Outcome {
	o := caucus.Outcome{Role: caucus.Follower, Leader: s.Leader, Final: !a.Repair && s.Leader != caucus.None, Distance: -1}
	switch s.Leader {
	case caucus.None:
		o.Role = caucus.Undecided
	case l.ID:
		o.Role = caucus.Leader
	}
	return o
}

// Kind is the same for all messages.
func (Algorithm) Kind(*Msg) int { return 0 }

// Domain is every ID of the world.
func (Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[Msg]) {
	ids := append([]caucus.ID{caucus.None}, w.IDs...)
	n := uint64(len(ids))
	return caucus.Values[State]{Len: n, At: func(k uint64) State { return State{ids[k]} }},
		caucus.Values[Msg]{Len: n, At: func(k uint64) Msg { return Msg{Leader: ids[k]} }}
}
