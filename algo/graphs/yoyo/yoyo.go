// Package yoyo is Yo-Yo (Santoro, Design and Analysis of Distributed Algorithms, section 3.8.3), an election in
// arbitrary networks. Neighbours exchange IDs and direct every link from the smaller to the larger: the links make an
// acyclic graph, whose sources compete in iterations of Yo- (values go down, see pull) and -Yo (votes come back, see
// vote). The source of the least ID gets no NO, ever. With pruning, links that can tell nothing new are dropped; a
// source that has no link left leads.
package yoyo

import (
	"math/bits"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/plain"
)

// Kinds of messages.
const (
	Hello uint8 = iota
	Yo
	Vote
	Notify
)

// Msg is one message: HELLO, YO and NOTIFY carry an ID, VOTE its two answers.
type Msg struct {
	_    struct{} `cbor:",toarray"`
	Kind uint8
	No   bool
	Drop bool
	ID   caucus.ID
}

// Direction of a link, seen from one of its ends.
type Direction uint8

// Directions.
const (
	Unknown Direction = iota
	In
	Out
	Dropped
)

// Answer is a vote.
type Answer uint8

// Answers.
const (
	Open Answer = iota
	Yes
	No
	YesDrop
	NoDrop
)

// Link is what a node knows of the link at one port.
type Link struct {
	Direction Direction
	Answer    Answer    // of an out-link in this iteration
	Value     caucus.ID // that came and has not been voted on; over an out-link: of the next iteration
}

// State is what a node remembers. Links is by port, and is changed in place.
type State struct {
	Links     []Link // nil while asleep
	Next      int32  // the first port of which the node waits for something
	Iteration int32  // from 1; 0 while IDs are missing
	Voting    bool   // has sent the values of this iteration and waits for votes
	Least     caucus.ID
	Leader    caucus.ID // None until the node terminates
}

// Algorithm implements caucus.Events[State, Msg].
type Algorithm struct {
	plain.Events[State, Msg]
	Prune bool
}

// Wake tells the neighbours the node's ID.
func (a Algorithm) Wake(l *caucus.Local, s *State, _ bool, out *caucus.Outbox[Msg]) {
	s.Links = make([]Link, l.Degree)
	out.SendAll(l.Degree, -1, Msg{Kind: Hello, ID: l.ID})
	a.proceed(l, s, out)
}

// Receive takes one message. HELLO may be overtaken by the first value, and a vote by the
// first value over the turned link.
func (a Algorithm) Receive(l *caucus.Local, s *State, port int, m Msg, out *caucus.Outbox[Msg]) {
	if s.Leader != caucus.None || port >= len(s.Links) {
		return
	}
	if m.Kind == Notify {
		s.Leader = m.ID
		out.SendAll(l.Degree, port, m)
		return
	}
	link := &s.Links[port]
	s.Next = min(s.Next, int32(port))
	switch m.Kind {
	case Hello:
		link.Direction = Out
		if m.ID < l.ID {
			link.Direction = In
		}
	case Yo:
		link.Value = m.ID
	case Vote:
		link.Answer = answer(m.No, m.Drop)
	}
	a.proceed(l, s, out)
}

func answer(no, drop bool) Answer {
	a := Yes
	if no {
		a = No
	}
	if drop {
		a += YesDrop - Yes
	}
	return a
}

// proceed does what the messages so far allow.
func (a Algorithm) proceed(l *caucus.Local, s *State, out *caucus.Outbox[Msg]) {
	if s.Iteration == 0 {
		if s.waits(func(k *Link) bool { return k.Direction == Unknown }) {
			return
		}
		a.iterate(l, s, out)
	}
	for s.Leader == caucus.None {
		if !s.Voting && !a.pull(l, s, out) || s.Voting && !a.vote(l, s, out) {
			return
		}
	}
}

// waits looks for the first link that is as told, from where it has stood the last time: a node of many links reads all
// of them once for what it waits for, and not at every message. When there is none, what comes next begins afresh.
func (s *State) waits(missing func(k *Link) bool) bool {
	for ; int(s.Next) < len(s.Links); s.Next++ {
		if missing(&s.Links[s.Next]) {
			return true
		}
	}
	s.Next = 0
	return false
}

// iterate begins the next iteration, if there is one for this node.
func (a Algorithm) iterate(l *caucus.Local, s *State, out *caucus.Outbox[Msg]) {
	s.Iteration++
	s.Voting = false
	ins, outs := count(s.Links)
	last := ins+outs == 0 && (s.Iteration == 1 || s.Least == l.ID)
	if !a.Prune {
		last = ins == 0 && int(s.Iteration) > Iterations(l.Known.Nodes)
	}
	if last {
		s.Leader = l.ID
		out.SendAll(l.Degree, -1, Msg{Kind: Notify, ID: l.ID})
	}
}

// Iterations is how many iterations leave one source of n nodes.
func Iterations(n int) int {
	if n < 2 {
		return 0
	}
	return bits.Len(uint(n-1)) + 1
}

func count(links []Link) (ins, outs int) {
	for k := range links {
		switch links[k].Direction {
		case In:
			ins++
		case Out:
			outs++
		}
	}
	return ins, outs
}

// pull is the Yo- of one node: a source sends its ID over all its out-links; every other node waits for a value from
// each in-link and sends the least over its out-links. False while a value is missing. A node without links, and one
// that has seen the last iteration, waits for NOTIFY.
func (a Algorithm) pull(l *caucus.Local, s *State, out *caucus.Outbox[Msg]) bool {
	if !a.Prune && int(s.Iteration) > Iterations(l.Known.Nodes) ||
		s.waits(func(k *Link) bool { return k.Direction == In && k.Value == caucus.None }) {
		return false
	}
	ins, outs := count(s.Links)
	if ins+outs == 0 {
		return false
	}
	least := ^caucus.ID(0)
	if ins == 0 {
		least = l.ID
	}
	for k := range s.Links {
		if s.Links[k].Direction == In {
			least = min(least, s.Links[k].Value)
		}
	}
	s.Least, s.Voting = least, true
	for k := range s.Links {
		if s.Links[k].Direction == Out {
			out.Send(k, Msg{Kind: Yo, ID: least})
		}
	}
	return true
}

// vote is the -Yo of one node (section 3.8.3). False while a vote is missing.
//
// With pruning a vote can also ask to drop the link: a node keeps one link for every value that it got, and a sink
// that got but one value drops all and is out of the game. So does, in the same iteration, a node whose out-links
// have all been dropped with YES, which makes it such a sink; if it waited for the next iteration, a chain would lose
// one node an iteration, and a ring would need n²/2 messages.
func (a Algorithm) vote(l *caucus.Local, s *State, out *caucus.Outbox[Msg]) bool {
	// 1  wait for the votes of all out-links
	// 2  sink: YES on the in-links that brought the least value, NO on the others
	// 3  else: the same if all votes are YES; any NO: NO on all in-links
	// 4  every link that carried a NO turns round
	// 5  pruning: a node keeps one link for every value that it got; a sink that got but one drops all, and is out
	if s.waits(func(k *Link) bool { return k.Direction == Out && k.Answer == Open }) {
		return false // 1
	}
	no, outs := false, 0 // outs: that stay
	for k := range s.Links {
		if s.Links[k].Direction == Out {
			if s.Links[k].Answer == Yes || s.Links[k].Answer == No {
				outs++
			}
			no = no || s.Links[k].Answer == No || s.Links[k].Answer == NoDrop
		}
	}
	leave := a.Prune && outs == 0 && !no && oneValue(s.Links)
	kept := map[caucus.ID]bool{} // values for which a link stays
	for k := range s.Links {
		link := &s.Links[k]
		switch link.Direction {
		case Out:
			link.Direction = turned(link.Answer, Out, In)
			link.Answer = Open
		case In:
			drop := leave || a.Prune && kept[link.Value] // 5
			kept[link.Value] = true
			vote := Msg{Kind: Vote, No: no || link.Value != s.Least, Drop: drop} // 2, 3
			out.Send(k, vote)
			link.Direction = turned(answer(vote.No, drop), In, Out) // 4
			link.Value = caucus.None
		}
	}
	if no && s.Least == l.ID {
		s.Least = caucus.None // has lost: to be without links does not make it the leader
	}
	a.iterate(l, s, out)
	return true
}

// turned gives the direction of a link after a vote.
func turned(a Answer, is, other Direction) Direction {
	switch a {
	case YesDrop, NoDrop:
		return Dropped
	case No:
		return other
	}
	return is
}

// oneValue tells whether all in-links have brought the same.
func oneValue(links []Link) bool {
	value := caucus.None
	for k := range links {
		if links[k].Direction == In {
			if value != caucus.None && links[k].Value != value {
				return false
			}
			value = links[k].Value
		}
	}
	return true
}
