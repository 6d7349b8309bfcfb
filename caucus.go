// Package caucus is the contract between leader-election algorithms and the
// drivers that run them.
//
// An algorithm is pure logic: it has no goroutine, clock, socket or random
// source of its own. It comes in one of two shapes:
//
//   - [Rounds]: a node wakes, reads the last message of every live neighbour,
//     updates its state and broadcasts one message;
//   - [Events]: a node reacts to a wake-up, a message on a port, or a timer, and
//     may send on ports.
//
// The same value is simulated (package sim/engine), checked (package check) and deployed
// (package agent). Drivers never know which algorithm they run and algorithms
// never know which driver runs them.
package caucus

import "time"

// ID identifies a node. IDs are totally ordered; unless an algorithm says
// otherwise the smaller one wins. The user's names (host names, addresses,
// UUIDs) are mapped to IDs and back by the drivers, see [Names].
type ID uint64

// None is the ID of no node: the leader of a node that has not decided.
const None ID = 0

// Local is what a node knows about itself during one activation. The driver owns
// it: an algorithm reads it during the call and never keeps the pointer.
type Local struct {
	ID ID
	// random per instance, so that two instances of one ID can be told apart; 0 when the driver gives none
	Nonce    uint64
	Strength float64 // larger is better; finite and >= 0; may differ in every activation
	Degree   int     // neighbours (rounds) or ports (events) at this moment
	Round    uint64  // rounds this instance has begun, the present one included; 0 in Boot
	Early    bool    // see Prompt
	// rounds without news that the loss measured on the links explains; 0 when the driver measures none
	Patience int
	Now      time.Duration // since the driver started; simulated or real
	Rand     Rand          // this node's own random stream
	Labels   []Label       // sense of direction: the label of every port; nil when ports are unlabelled
	Lengths  []float64     // events: the length of the edge at every port; nil when all have length 1
	Known    Known
	Word     Word     // the newest directive that the node has whole, for what tells a region of it; zero: none
	Tags     []uint32 // numbers of words that the leader is told of this node; not 0
}

// Word names a directive, which is what a leader tells its region: the algorithm carries that name, the driver the
// text. A newer one has the larger version; the digest tells apart two of one version, of two leaders.
type Word struct {
	_       struct{} `cbor:",toarray"`
	Version uint64   // from 1; 0: no directive
	Digest  uint64
}

// Newer tells whether the directive replaces another.
func (w Word) Newer(than Word) bool {
	return w.Version > than.Version || w.Version == than.Version && w.Digest > than.Digest
}

// Known is the knowledge of the network that an algorithm may require (see
// [Needs]); zero means unknown.
type Known struct {
	Nodes    int           // number of nodes n
	Diameter int           // upper bound on the diameter in hops
	Delay    time.Duration // upper bound on how long a message travels
}

// Inbox holds the last message of every live neighbour, in an order that is the
// same in every activation while the neighbourhood stays the same. The slices are
// parallel and valid only during the call.
type Inbox[M any] struct {
	Msgs []M
	Dist []float64 // Dist[k] > 0 is the length of the edge to the sender of Msgs[k]
	// Missed[k] is how many messages of that sender have failed to come since Msgs[k], as
	// Missed counts them: an algorithm in which freshness matters must not take the last
	// message of a node that has fallen silent for its present one. nil: none is missing.
	Missed []uint8
	// For algorithms that are Wide, which read by At; nil for all others, and where messages lie in a row for these.
	// From[k] is the place of message k in Msgs, which then holds other messages, too.
	From []int32
}

// At is message k, wherever it lies.
func (in *Inbox[M]) At(k int) *M {
	if in.From != nil {
		k = int(in.From[k])
	}
	return &in.Msgs[k]
}

// Missed is how many messages have failed to come from a neighbour that was last heard
// the given number of periods ago. The next one is due after one period; half of another
// is allowed for what delays it.
func Missed(periods float64) uint8 {
	switch {
	case !(periods >= 1.5):
		return 0
	case periods >= 256:
		return 255
	}
	return uint8(periods - 0.5)
}

// Rounds is an algorithm of the round shape with per-node state S and message
// M, both plain values. An implementation is safe for concurrent use by many
// nodes: all that changes is in S.
type Rounds[S, M any] interface {
	// Boot gives the state and the first export of a node that starts clean.
	Boot(l *Local) (S, M)
	// Round runs one round and gives the message to broadcast. It accepts any
	// value of s and of the messages, however corrupt, without panic.
	Round(l *Local, s *S, in Inbox[M]) M
	// Outcome reads the result off a state. It has no effect on the run.
	Outcome(l *Local, s *S) Outcome
	// Domain lists the values that a corrupted state and a corrupted message may
	// hold in the given world.
	Domain(w *World) (Values[S], Values[M])
}

// Backer is implemented by Rounds algorithms whose messages name the instance
// that they support as leader. It lets a driver withhold, from the next round on,
// whatever supports a node that has announced its departure, instead of waiting until
// the algorithm misses it. A nonce of 0 matches any instance; an algorithm that
// carries only the low 32 bits gives those.
type Backer[M any] interface {
	Backs(m *M) (leader ID, nonce uint64)
}

// Prompt is implemented by Rounds algorithms whose rounds need not be a period apart. A driver may then give a node a
// round right when news of its leader comes, and another, with Local.Early, when a neighbour supports another leader:
// such a round comes besides those of every period, so that no time has passed for what counts rounds without news.
type Prompt[S, M any] interface {
	// News tells whether a message brings news of the leader that the state follows, from nearer to that leader.
	News(s *S, m *M) bool
}

// Events is an algorithm of the event shape. Ports are numbered from 0 to
// Local.Degree-1. A sleeping node that receives a message is woken first.
type Events[S, M any] interface {
	Boot(l *Local) S
	// Wake starts a node: as initiator, or just before its first message.
	// The algorithm tells the two apart by initiator.
	Wake(l *Local, s *S, initiator bool, out *Outbox[M])
	Receive(l *Local, s *S, port int, m M, out *Outbox[M])
	// Timer fires once for each call of Outbox.After.
	Timer(l *Local, s *S, timer int, out *Outbox[M])
	Outcome(l *Local, s *S) Outcome
	// Kind gives the index of m's kind in Spec.Kinds, for counting.
	Kind(m *M) int
	Domain(w *World) (Values[S], Values[M])
}

// Elector is implemented by Events algorithms that tell leader and role, as in Outcome,
// without the rest of it. The simulator asks after every event, and a result that fits into
// registers doubles its speed.
type Elector[S any] interface {
	Elected(l *Local, s *S) (leader ID, role Role)
}

// Send is one message that a handler puts on a port.
type Send[M any] struct {
	Port int
	Msg  M
}

// Alarm is one timer that a handler sets.
type Alarm struct {
	After time.Duration
	Timer int
}

// Outbox collects what a handler sends. The driver reuses it; it is valid only
// during the call.
type Outbox[M any] struct {
	Sends  []Send[M]
	Alarms []Alarm
}

// Send puts m on a port.
func (o *Outbox[M]) Send(port int, m M) { o.Sends = append(o.Sends, Send[M]{port, m}) }

// SendAll puts m on every port from 0 to degree-1 but except (-1: on all).
func (o *Outbox[M]) SendAll(degree, except int, m M) {
	for p := range degree {
		if p != except {
			o.Send(p, m)
		}
	}
}

// After asks for a call of Timer once the given time has passed.
func (o *Outbox[M]) After(d time.Duration, timer int) {
	o.Alarms = append(o.Alarms, Alarm{d, timer})
}

// Reset empties the outbox and keeps its memory.
func (o *Outbox[M]) Reset() { o.Sends, o.Alarms = o.Sends[:0], o.Alarms[:0] }

// Role is a node's part in the election.
type Role uint8

// Roles. A defeated node knows that it does not lead but not who does.
const (
	Undecided Role = iota
	Leader
	Follower
	Defeated
)

func (r Role) String() string {
	switch r {
	case Leader:
		return "leader"
	case Follower:
		return "follower"
	case Defeated:
		return "defeated"
	}
	return "undecided"
}

// Outcome is what a node would answer if asked for the result now.
type Outcome struct {
	Role  Role
	Final bool // the node knows that this outcome cannot change any more (terminating algorithms)
	// 1 + the port towards the leader in the tree that the algorithm has built; 0 for none and at the leader
	Parent   int32
	Leader   ID      // None when the node does not know one
	Distance float64 // length of the path to the leader in the run's metric; -1 when the algorithm does not measure it
	// nonce (or its low 32 bits) of another instance of this node's own ID that the node has seen; 0 for none
	Twin uint64
}

// Following is the outcome of an algorithm that never ends, of a node that follows the leader named or is that
// leader, and knows no distance to it.
func Following(l *Local, leader ID) Outcome {
	o := Outcome{Role: Follower, Leader: leader, Distance: -1}
	switch leader {
	case None:
		o.Role = Undecided
	case l.ID:
		o.Role = Leader
	}
	return o
}

// Decided is the outcome of an algorithm that ends with every node knowing the leader: until then leader is None and
// the node is undecided, or defeated.
func Decided(l *Local, leader ID, defeated bool) Outcome {
	o := Outcome{Leader: leader, Final: leader != None, Distance: -1}
	switch {
	case leader != None && leader == l.ID:
		o.Role = Leader
	case leader != None:
		o.Role = Follower
	case defeated:
		o.Role = Defeated
	}
	return o
}

// PortTo gives the first port of a label, -1 if there is none.
func (l *Local) PortTo(label Label) int {
	for p, is := range l.Labels {
		if is == label {
			return p
		}
	}
	return -1
}
