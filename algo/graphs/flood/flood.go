// Package flood elects in any network whose diameter, or a bound D on it, the nodes know: after D
// rounds of telling each other the best ID, everybody knows the best of all (Lynch, Distributed
// Algorithms, section 4.1, FloodMax and OptFloodMax, for networks without a common clock).
//
//   - flood: in each of D rounds every node tells all neighbours its best ID, and begins the
//     next round when it has heard from all of them. Rounds of neighbours differ by at most
//     one, so counting by the parity of the round needs neither clock nor order of messages.
//   - flood-changes: a node tells its best ID when it wakes and whenever it changes, and not where
//     it came from. Silence cannot be told from delay, so a node needs to know how long a
//     message travels at most, and waits for 2D times that: D until the last node is awake and D
//     until that node's ID is everywhere. (It waits half a delay longer, for what arrives at the
//     last moment.)
//
// Assumes a connected network, reliable links, distinct IDs and a bound D that is right: with one
// that is too small several nodes lead and no node notices. Any non-empty set of initiators. Elects the
// least or the greatest ID; every node terminates and knows it. Not self-stabilising.
//
// Messages: 2mD exactly for flood, which takes D with all initiators and at most 2D with one.
// At least 2m - n + 1 for flood-changes and O(nm) at worst (IDs that get worse along a line); time 2D
// and a half.
package flood

import (
	"time"

	"caucus.example/caucus"
)

// Msg is the best ID that the sender knows, with the parity of the sender's round (flood only).
type Msg struct {
	_    struct{} `cbor:",toarray"`
	Odd  bool
	Best caucus.ID
}

// State is what a node remembers: a plain value.
type State struct {
	Best  caucus.ID // None while asleep
	Round int32     // flood: the round it is in, from 1; one more than D when done
	Heard [2]int32  // flood: messages of even and odd rounds that have come and that no round has used
	Final bool
}

var (
	needs  = caucus.Needs{Connected: true, DistinctIDs: true, Diameter: true}
	params = []caucus.Param{{
		Name: "prefer", Kind: caucus.KindChoice, Default: "min", Choices: []string{"min", "max"},
		Doc: "which ID leads, the least or the greatest",
	}}
)

// Spec describes flooding in rounds.
var Spec = caucus.Spec{
	Name:      "flood",
	Title:     "Flooding with known diameter",
	Family:    "classic",
	Shape:     caucus.ShapeEvents,
	Source:    "Lynch, section 4.1 (FloodMax)",
	Elects:    "the node of least ID (prefer=max: of greatest)",
	Guarantee: "terminates with one leader that every node knows if the bound D on the diameter is right (proved); not self-stabilising",
	Cost:      "2mD messages; ideal time D with all initiators, else at most 2D",
	Needs:     needs,
	Params:    params,
	Carries:   []caucus.Content{{IDs: 1, Bits: 1}},
}

// ChangesSpec describes flooding of changes.
var ChangesSpec = caucus.Spec{
	Name:      "flood-changes",
	Title:     "Flooding of changes with known diameter and delay",
	Family:    "classic",
	Shape:     caucus.ShapeEvents,
	Source:    "Lynch, section 4.1.4 (OptFloodMax); end by time: this project",
	Elects:    "the node of least ID (prefer=max: of greatest)",
	Guarantee: "terminates with one leader that every node knows if the bounds on diameter and delay are right (proved); not self-stabilising",
	Cost:      "O(nm) messages at worst, 2m - n + 1 at best; ideal time 2D + 1/2",
	Needs:     changesNeeds(),
	Params:    params,
	Carries:   []caucus.Content{{IDs: 1}},
}

func changesNeeds() caucus.Needs {
	n := needs
	n.Delay = true
	return n
}

// Algorithm implements caucus.Events[State, Msg].
type Algorithm struct {
	Max     bool // the greatest ID leads
	Changes bool // flood-changes
}

// FromArgs makes flood.
func FromArgs(args caucus.Args) (Algorithm, error) {
	return Algorithm{Max: args.Text("prefer") == "max"}, nil
}

// ChangesFromArgs makes flood-changes.
func ChangesFromArgs(args caucus.Args) (Algorithm, error) {
	return Algorithm{Max: args.Text("prefer") == "max", Changes: true}, nil
}

// Boot gives a sleeping node.
func (Algorithm) Boot(*caucus.Local) State { return State{} }

// Wake begins: every node, initiator or not, has its ID to tell. What flood-changes wakes to
// is perhaps better than that; Receive looks at it first.
func (a Algorithm) Wake(l *caucus.Local, s *State, initiator bool, out *caucus.Outbox[Msg]) {
	s.Best = l.ID
	switch {
	case l.Degree == 0:
		s.Final = true
	case !a.Changes:
		s.Round = 1
		out.SendAll(l.Degree, -1, Msg{Odd: true, Best: s.Best})
	default:
		out.After(time.Duration(2*l.Known.Diameter)*l.Known.Delay+l.Known.Delay/2, 0)
		if initiator {
			s.Round = 1 // has told its own
			out.SendAll(l.Degree, -1, Msg{Best: s.Best})
		}
	}
}

// Receive takes in what a neighbour knows.
func (a Algorithm) Receive(l *caucus.Local, s *State, port int, m Msg, out *caucus.Outbox[Msg]) {
	if s.Final {
		return
	}
	better := a.better(m.Best, s.Best)
	if better {
		s.Best = m.Best
	}
	if a.Changes {
		a.pass(l, s, port, better, out)
		return
	}
	s.Heard[parity(m.Odd)]++
	for !s.Final && int(s.Heard[s.Round&1]) >= l.Degree {
		s.Heard[s.Round&1] -= int32(l.Degree)
		s.Final = int(s.Round) >= l.Known.Diameter
		s.Round++
		if !s.Final {
			out.SendAll(l.Degree, -1, Msg{Odd: s.Round&1 == 1, Best: s.Best})
		}
	}
}

// pass tells a better ID to all but the one who has told it, and the own ID, if nobody has told a
// better one before, to all.
func (a Algorithm) pass(l *caucus.Local, s *State, port int, better bool, out *caucus.Outbox[Msg]) {
	first := s.Round == 0
	s.Round = 1
	switch {
	case better:
		out.SendAll(l.Degree, port, Msg{Best: s.Best})
	case first:
		out.SendAll(l.Degree, -1, Msg{Best: s.Best})
	}
}

func (a Algorithm) better(x, y caucus.ID) bool {
	if a.Max {
		return x > y
	}
	return x != caucus.None && x < y
}

func parity(odd bool) int {
	if odd {
		return 1
	}
	return 0
}

// Timer ends flood-changes.
func (Algorithm) Timer(_ *caucus.Local, s *State, _ int, _ *caucus.Outbox[Msg]) { s.Final = true }

// Outcome is open until the last round has ended.
func (Algorithm) Outcome(l *caucus.Local, s *State) caucus.Outcome {
	if s.Final {
		return caucus.Decided(l, s.Best, false)
	}
	return caucus.Decided(l, caucus.None, false)
}

// Kind is the same for all messages.
func (Algorithm) Kind(*Msg) int { return 0 }

// Domain is every message over the world's IDs, and every state of the first rounds at a node of
// up to two ports.
func (Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[Msg]) {
	ids := append([]caucus.ID{caucus.None}, w.IDs...)
	rounds := max(1, w.Counter) + 1
	states := caucus.Values[State]{Len: caucus.Size(len(ids), rounds, 3, 3, 2), At: func(k uint64) State {
		var buf [5]int
		d := caucus.Digits(k, buf[:], len(ids), rounds, 3, 3, 2)
		return State{Best: ids[d[0]], Round: int32(d[1]), Heard: [2]int32{int32(d[2]), int32(d[3])}, Final: d[4] == 1}
	}}
	msgs := caucus.Values[Msg]{Len: caucus.Size(len(ids), 2), At: func(k uint64) Msg {
		var buf [2]int
		d := caucus.Digits(k, buf[:], len(ids), 2)
		return Msg{Best: ids[d[0]], Odd: d[1] == 1}
	}}
	return states, msgs
}
