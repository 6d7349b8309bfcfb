// Package ring is what the algorithms on rings share: the ports of a node, the message that
// carries an ID, the announcement that ends an election, and candidates that meet step by
// step (see [Cycle]).
package ring

import "caucus.example/caucus"

// Kinds of messages. An algorithm that has more numbers them on from here.
const (
	Elect  uint8 = iota // an ID that stands for election
	Notify              // the announcement: the ID of the leader
)

// Msg is an ID under way.
type Msg struct {
	_    struct{} `cbor:",toarray"`
	Kind uint8
	ID   caucus.ID
}

// Other is the port of a node that p is not: where what came in at p leaves on its way round.
func Other(p int) int { return 1 - p }

// Port is the port that bears the label; 0 if none does.
func Port(l *caucus.Local, label caucus.Label) int {
	for p, is := range l.Labels {
		if is == label {
			return p
		}
	}
	return 0
}

// End is how the election stands for a node. The announcement of the leader travels once
// round the ring from the node that finds it: n messages. It stops where it is no news.
type End struct {
	Role   caucus.Role
	Leader caucus.ID // None until the node knows it
}

// Over says that the node knows the leader and has nothing more to do.
func (e *End) Over() bool { return e.Leader != caucus.None }

// Hear takes in who leads and says whether that was news, to be passed on.
func (e *End) Hear(l *caucus.Local, leader caucus.ID) bool {
	if e.Over() || leader == caucus.None {
		return false
	}
	e.Leader, e.Role = leader, caucus.Follower
	if leader == l.ID {
		e.Role = caucus.Leader
	}
	return true
}

// Outcome names the leader once it is known.
func (e *End) Outcome() caucus.Outcome {
	return caucus.Outcome{Role: e.Role, Final: e.Over(), Leader: e.Leader, Distance: -1}
}

// KindOf gives the index of a kind for counting, of which there are so many.
func KindOf(kind uint8, kinds int) int { return min(int(kind), kinds-1) }

// PickEnd picks the part of a state that all algorithms on rings have.
func PickEnd(p *caucus.Pick) End {
	return End{Role: caucus.Role(p.Below(int(caucus.Defeated) + 1)), Leader: p.AnyID()}
}

// Messages is every Msg of so many kinds over the world's IDs.
func Messages(w *caucus.World, kinds int) caucus.Values[Msg] {
	return caucus.Every(w, func(p *caucus.Pick) Msg { return Msg{ID: p.AnyID(), Kind: uint8(p.Below(kinds))} })
}

// Spec fills in what most algorithms on rings say of themselves, where s says nothing else.
func Spec(s caucus.Spec) caucus.Spec {
	s.Family, s.Shape = "classic", caucus.ShapeEvents
	s.Needs.Topology, s.Needs.Connected, s.Needs.DistinctIDs = caucus.Ring, true, true
	if s.Elects == "" {
		s.Elects, s.LeastID = "the node of least ID", true
	}
	if s.Guarantee == "" {
		s.Guarantee = "terminates with one leader that every node knows (proved); not self-stabilising"
	}
	if s.Carries == nil {
		s.Kinds, s.Carries = []string{"elect", "notify"}, []caucus.Content{{IDs: 1}, {IDs: 1}}
	}
	return s
}
