// Package bully is the Bully algorithm (Garcia-Molina, 1982) for complete networks of nodes that crash and return: who
// misses the leader asks all that are better; who hears that and is better answers and asks in turn; who gets no answer
// leads and tells all the others. Better is the smaller pair of rank and ID. Every election has a term, larger
// than any that the winner has heard of, and coordinators and heartbeats of smaller terms, which are late or come
// from a leader that was cut off, count for nothing.
package bully

import (
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/plain"
	"caucus.example/caucus/algo/kit/rank"
)

// Kinds of messages.
const (
	Hello uint8 = iota
	Ask
	Answer
	Coordinator
	Beat
)

// Msg is any message: all name their sender.
type Msg struct {
	_    struct{} `cbor:",toarray"`
	Kind uint8
	Term uint32 // of coordinators and heartbeats; of questions the latest that the sender has heard of
	From rank.Pair
}

// Phase is what a node is doing.
type Phase uint8

// Phases.
const (
	Asleep Phase = iota
	Learning
	Idle
	Asking  // waits for answers
	Waiting // has been answered and waits for a coordinator
)

// State is what a node remembers.
type State struct {
	Phase   Phase
	Left    int32 // ticks until the phase ends
	Silence int32 // while idle, ticks since the leader was heard; at the leader since its last heartbeat
	Term    uint32
	Leader  rank.Pair
	Peers   []rank.Pair // by port, as last heard
}

// Times in ticks; a tick is a little longer than the bound on the delay.
const (
	learn   = 3
	answers = 3 // there, and back, and what a tick may be off
	coordin = 9 // an answerer needs to ask in turn
	apart   = 6 // between the patience of two followers: the better one asks, leads and tells meanwhile
)

// Config holds the options; see Spec for what each means.
type Config struct {
	Heartbeat int `param:"heartbeat"`
	Patience  int `param:"patience"`
}

// Algorithm implements caucus.Events[State, Msg].
type Algorithm struct {
	plain.Events[State, Msg]
	Config
}

// Wake makes itself known, whoever woke it: ports have no names, so nodes tell each other theirs (hello).
func (a Algorithm) Wake(l *caucus.Local, s *State, _ bool, out *caucus.Outbox[Msg]) {
	*s = State{Phase: Learning, Left: learn, Peers: make([]rank.Pair, l.Degree)}
	out.SendAll(l.Degree, -1, Msg{Kind: Hello, From: rank.Of(l)})
	tick(l, out)
}

func tick(l *caucus.Local, out *caucus.Outbox[Msg]) {
	delay := max(l.Known.Delay, time.Millisecond)
	out.After(delay+delay/64, 0)
}

// Timer lets one tick pass. Followers that miss the leader's heartbeat do not all speak up together: each waits a
// little longer for every better follower that it knows, so that usually the next in rank alone asks, and only the
// dead leader.
func (a Algorithm) Timer(l *caucus.Local, s *State, _ int, out *caucus.Outbox[Msg]) {
	tick(l, out)
	if s.Phase != Idle {
		if s.Left--; s.Left > 0 {
			return
		}
		if s.Phase == Asking { // 4
			s.win(l, out)
		} else {
			s.ask(l, out)
		}
		return
	}
	s.Silence++
	switch me := rank.Of(l); {
	case s.Leader.ID == l.ID:
		s.Leader = me
		if int(s.Silence) >= a.Heartbeat {
			s.Silence = 0
			out.SendAll(l.Degree, -1, Msg{Kind: Beat, Term: s.Term, From: me})
		}
	case int(s.Silence) > a.Heartbeat*a.Patience+apart*s.betterFollowers(me):
		s.ask(l, out)
	}
}

// betterFollowers counts the peers between the leader and me.
func (s *State) betterFollowers(me rank.Pair) (n int) {
	for _, p := range s.Peers {
		if p.Valid() && p.Less(me) && p.ID != s.Leader.ID {
			n++
		}
	}
	return n
}

// ask begins an election. Who knows nobody better has won.
func (s *State) ask(l *caucus.Local, out *caucus.Outbox[Msg]) {
	me, asked := rank.Of(l), false
	for p, peer := range s.Peers {
		if peer.Valid() && peer.Less(me) {
			asked = true
			out.Send(p, Msg{Kind: Ask, Term: s.Term, From: me})
		}
	}
	if s.Phase, s.Left = Asking, answers; !asked {
		s.win(l, out)
	}
}

// win begins a term and tells all that are not better.
func (s *State) win(l *caucus.Local, out *caucus.Outbox[Msg]) {
	me := rank.Of(l)
	s.Phase, s.Silence, s.Leader = Idle, 0, me
	s.Term++
	for p, peer := range s.Peers {
		if !peer.Less(me) {
			out.Send(p, Msg{Kind: Coordinator, Term: s.Term, From: me})
		}
	}
}

// Receive takes in a message; all of them tell who the sender is. The numbers are those of Garcia-Molina's
// rules.
func (a Algorithm) Receive(l *caucus.Local, s *State, port int, m Msg, out *caucus.Outbox[Msg]) {
	// 1  on ELECTION (here ask) of a lower node: answer, and begin an election of one's own
	// 2  on ANSWER: wait for the COORDINATOR
	// 3  on COORDINATOR: follow, if it is higher; else begin an election
	// 4  no ANSWER in time (see Timer): win
	if s.Phase == Asleep || port >= len(s.Peers) || !m.From.Valid() {
		return
	}
	met := s.Peers[port].Valid()
	s.Peers[port] = m.From
	me := rank.Of(l)
	switch {
	case m.Kind == Hello && met: // it has returned and has missed ours
		out.Send(port, Msg{Kind: Answer, From: me})
	case m.Kind == Ask && me.Less(m.From): // 1
		out.Send(port, Msg{Kind: Answer, From: me})
		if s.Phase == Idle && s.Leader.ID == l.ID && m.Term > s.Term { // it takes what I say for late
			s.Term = m.Term
			s.win(l, out)
		}
		// else the leader is well, and will be heard
		if s.Phase == Learning || s.Phase == Idle && s.Leader.ID != l.ID && int(s.Silence) > a.Heartbeat {
			s.ask(l, out)
		}
	case m.Kind == Answer && s.Phase == Asking && m.From.Less(me): // 2
		s.Phase, s.Left = Waiting, coordin
	case m.Kind >= Coordinator: // 3
		s.hail(l, m, out)
	}
}

// hail hears somebody who leads.
func (s *State) hail(l *caucus.Local, m Msg, out *caucus.Outbox[Msg]) {
	known := s.Leader.Valid()
	switch {
	case known && m.Term < s.Term, // late
		// two of one term: the better one stays, unless it is missed
		known && m.Term == s.Term && s.Phase == Idle && m.From.ID != s.Leader.ID && s.Leader.Less(m.From):
		return
	}
	s.Term = max(s.Term, m.Term)
	if rank.Of(l).Less(m.From) {
		if s.Phase != Asking && s.Phase != Waiting {
			s.ask(l, out)
		}
		return
	}
	s.Phase, s.Silence, s.Leader = Idle, 0, m.From
}
