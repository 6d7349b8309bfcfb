// Package megamerger is Mega-Merger (Gallager, Humblet, Spira, TOPLAS 1983; Santoro, Design and Analysis of
// Distributed Algorithms, section 3.8.1), which elects in arbitrary networks and builds the minimum spanning tree. A
// city is a tree with a level and a downtown, a node, after whose ID it is named; at the start every node is a city
// of level 0. The downtown has the cheapest link that leads out of the city looked for (INFORM down the tree, TEST
// over links, REPORT back up) and the node at that link asks the city beyond to connect (MERGE down the tree, CONNECT
// over the link). A downtown that finds no link leading out leads.
package megamerger

import (
	"cmp"
	"math"
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/plain"
)

// Kinds of messages.
const (
	Hello uint8 = iota
	Connect
	Inform
	Test
	Accept
	Reject
	Report
	Merge
	Notify
)

// Msg is one message.
type Msg struct {
	_      struct{} `cbor:",toarray"`
	Kind   uint8
	Level  uint8 // of the sender's city: CONNECT, INFORM, TEST
	Search bool  // INFORM: look for a link that leads out
	// HELLO: the sender; INFORM, TEST, NOTIFY: the city; REPORT: smaller end of the link found, None for none
	A      caucus.ID
	B      caucus.ID // REPORT: larger end
	Length float64   // REPORT: its length
}

// LinkKind is what a link is to the city of the node at its end.
type LinkKind uint8

// Kinds of links.
const (
	Basic    LinkKind = iota // not known yet
	Branch                   // of the tree
	Rejected                 // leads to the same city
)

// Phase is what a node is doing.
type Phase uint8

// Phases.
const (
	Greeting Phase = iota // waits for the neighbours' IDs
	Finding
	Found // has reported, or was not asked
	Done
)

// nobody is a port that is none.
const nobody = -1

// State is what a node remembers. The first three slices are by port or list the ports; they are changed in place.
type State struct {
	Neighbours []caucus.ID // None until the HELLO has come; nil while asleep
	Links      []LinkKind
	Order      []int32 // ports by cost, once all neighbours are known
	// how many of Order, from the start, are surely not Basic; before there is one, of Neighbours, are there
	Known    int32
	Held     []Held // in the order in which they came
	Phase    Phase
	Level    uint8
	Name     caucus.ID // of the city: its downtown
	Parent   int32     // port towards downtown; -1 at the downtown
	Testing  int32     // port with a TEST on the way, -1 for none
	Missing  int32     // children whose REPORT has not come
	Best     Cost      // cheapest link out of the city, so far
	BestPort int32     // where it lies
}

// Algorithm implements caucus.Events[State, Msg].
type Algorithm struct{ plain.Events[State, Msg] }

// Boot gives a sleeping node.
func (Algorithm) Boot(*caucus.Local) State {
	return State{Parent: nobody, Testing: nobody, BestPort: nobody}
}

// Wake greets the neighbours.
func (Algorithm) Wake(l *caucus.Local, s *State, _ bool, out *caucus.Outbox[Msg]) {
	s.Neighbours, s.Links = make([]caucus.ID, l.Degree), make([]LinkKind, l.Degree)
	s.Name = l.ID
	out.SendAll(l.Degree, nobody, Msg{Kind: Hello, A: l.ID})
	if l.Degree == 0 {
		s.Phase = Done
	}
}

// Receive takes one message (section 3.8.1).
func (Algorithm) Receive(l *caucus.Local, s *State, port int, m Msg, out *caucus.Outbox[Msg]) {
	// 1  the downtown has the city searched; each node sends TEST(name, level) over its cheapest link not known yet
	// 2  TEST, same name: REJECT, the link is internal
	// 3        other name and own level >= the asker's: ACCEPT; else the answer waits until it is
	// 4  the cheapest link that leads out comes up the tree; the downtown sends MERGE down to it, CONNECT over it
	// 5  CONNECT of a lower level: absorbed, INFORM, and it joins in the search if that is still going on
	// 6          of the own level, over the own merge link: friendly merger, level + 1, downtown is the smaller end
	// 7          else it waits until one of the two holds
	// 8  no link leads out: the downtown leads, and tells all down the tree
	if s.Phase == Done || port >= len(s.Links) {
		return
	}
	n := node{l, s, out}
	switch m.Kind {
	case Hello:
		s.Neighbours[port] = m.A
		n.begin()
	case Connect, Test:
		n.asked(port, m)
	case Inform:
		n.informed(port, m)
	case Accept:
		s.Testing = nobody
		n.offer(n.cost(port), port)
		n.report()
	case Reject:
		n.internal(port)
		n.test()
	case Report:
		s.Missing--
		if m.A != caucus.None {
			n.offer(Cost{m.Length, m.A, m.B}, port)
		}
		n.report()
	case Merge:
		n.merge()
	case Notify:
		n.end(port, m.A)
	}
}

// Cost orders links: by length, of two equal ones by the smaller ID at one of their ends, then by the other. So all
// costs differ, and there is one minimum spanning tree.
type Cost struct {
	Length float64
	A, B   caucus.ID // ends, the smaller first
}

// none is the cost of no link.
var none = Cost{Length: math.Inf(1)}

// Held is a CONNECT or TEST that has to wait.
type Held struct {
	Port  int32
	Kind  uint8
	Level uint8
	Name  caucus.ID
}

// node is a node during one call of a handler.
type node struct {
	l   *caucus.Local
	s   *State
	out *caucus.Outbox[Msg]
}

func (c Cost) compare(d Cost) int {
	return cmp.Or(cmp.Compare(c.Length, d.Length), cmp.Compare(c.A, d.A), cmp.Compare(c.B, d.B))
}

// is sets what a link is.
func (n node) is(port int, kind LinkKind) { n.s.Links[port] = kind }

func (n node) cost(port int) Cost {
	a, b := n.l.ID, n.s.Neighbours[port]
	length := 1.0
	if port < len(n.l.Lengths) {
		length = n.l.Lengths[port]
	}
	return Cost{length, min(a, b), max(a, b)}
}

// cheapest gives the port of the cheapest link not known yet, nobody if there is none. What is known stays known.
func (n node) cheapest() int {
	s := n.s
	for ; int(s.Known) < len(s.Order); s.Known++ {
		if port := s.Order[s.Known]; s.Links[port] == Basic {
			return int(port)
		}
	}
	return nobody
}

// begin asks, once all neighbours are known, for a merger over the cheapest link: of a city of
// one node there is nothing else to ask.
func (n node) begin() {
	if n.s.Phase != Greeting {
		return
	}
	for ; int(n.s.Known) < len(n.s.Neighbours); n.s.Known++ {
		if n.s.Neighbours[n.s.Known] == caucus.None {
			return
		}
	}
	n.s.Known = 0
	n.s.Order = make([]int32, len(n.s.Links))
	for p := range n.s.Order {
		n.s.Order[p] = int32(p)
	}
	slices.SortFunc(n.s.Order, func(p, q int32) int { return n.cost(int(p)).compare(n.cost(int(q))) })
	n.s.Phase = Found
	n.s.BestPort = int32(n.cheapest())
	n.merge()
}

// asked answers a TEST or a CONNECT, or holds it back.
func (n node) asked(port int, m Msg) {
	var answered bool
	switch {
	case n.s.Phase == Greeting:
	case m.Kind == Test:
		answered = n.tested(port, m)
	default:
		answered = n.connected(port, m)
	}
	if !answered {
		n.s.Held = append(n.s.Held, Held{int32(port), m.Kind, m.Level, m.A})
	}
}

// release looks again at what has been held back.
func (n node) release() {
	held := n.s.Held
	n.s.Held = nil
	for _, h := range held {
		n.asked(int(h.Port), Msg{Kind: h.Kind, Level: h.Level, A: h.Name})
	}
}

// tested answers whether the asking city is another one; false if it is too early to tell.
func (n node) tested(port int, m Msg) bool {
	if m.Level > n.s.Level { // 3
		return false
	}
	if m.A != n.s.Name { // 3
		n.out.Send(port, Msg{Kind: Accept})
		return true
	}
	// 2. Two tests that cross reject each other.
	n.internal(port)
	if int(n.s.Testing) == port {
		n.test()
	} else {
		n.out.Send(port, Msg{Kind: Reject})
	}
	return true
}

// internal notes that a link leads to the own city.
func (n node) internal(port int) {
	if n.s.Links[port] == Basic {
		n.is(port, Rejected)
	}
}

// connected takes in a city of lower level, or merges with one of the own level that this one asks over the same
// link: one level up, the end of smaller ID is the new downtown. False if the city has to wait.
func (n node) connected(port int, m Msg) bool {
	s := n.s
	switch {
	case m.Level < s.Level: // 5
		n.is(port, Branch)
		n.inform(port, s.Phase == Finding)
	case m.Level == s.Level && s.Links[port] == Branch: // 6
		if n.l.ID < s.Neighbours[port] { // else the other end is downtown, and informs
			s.Level++
			s.Name, s.Parent = n.l.ID, nobody
			n.spread(true)
		}
	default: // 7
		return false
	}
	return true
}

// inform tells a child the city, and has it search.
func (n node) inform(port int, search bool) {
	n.out.Send(port, Msg{Kind: Inform, Level: n.s.Level, A: n.s.Name, Search: search})
	if search {
		n.s.Missing++
	}
}

// informed moves the node to another city, or to another level.
func (n node) informed(port int, m Msg) {
	n.s.Level, n.s.Name, n.s.Parent = m.Level, m.A, int32(port)
	n.spread(m.Search)
}

// spread tells all children of the city that this node is in now, and searches.
func (n node) spread(search bool) {
	s := n.s
	s.Phase, s.Missing = Found, 0
	if search {
		s.Phase = Finding
		s.Best, s.BestPort = none, nobody
	}
	for p := range s.Links {
		if s.Links[p] == Branch && p != int(s.Parent) {
			n.inform(p, search)
		}
	}
	if search {
		n.test()
	}
	n.release()
}

// test asks over the cheapest link not known yet.
func (n node) test() {
	if n.s.Phase != Finding {
		return
	}
	port := n.cheapest()
	n.s.Testing = int32(port)
	if port == nobody { // 4
		n.report()
	} else { // 1
		n.out.Send(port, Msg{Kind: Test, Level: n.s.Level, A: n.s.Name})
	}
}

// offer takes a link if it is cheaper than the best so far.
func (n node) offer(c Cost, port int) {
	if c.compare(n.s.Best) < 0 {
		n.s.Best, n.s.BestPort = c, int32(port)
	}
}

// report tells the parent once all that was searched is known. The downtown decides.
func (n node) report() {
	s := n.s
	if s.Phase != Finding || s.Missing > 0 || s.Testing != nobody {
		return
	}
	s.Phase = Found
	switch { // 4
	case s.Parent != nobody && s.BestPort == nobody:
		n.out.Send(int(s.Parent), Msg{Kind: Report})
	case s.Parent != nobody:
		n.out.Send(int(s.Parent), Msg{Kind: Report, A: s.Best.A, B: s.Best.B, Length: s.Best.Length})
	case s.BestPort == nobody: // 8
		n.end(nobody, n.l.ID)
	default:
		n.merge()
	}
}

// merge goes on towards the cheapest link out of the city, or over it. The city beyond may have asked already.
func (n node) merge() {
	port := int(n.s.BestPort)
	if port < 0 || port >= len(n.s.Links) {
		return
	}
	if n.s.Links[port] == Branch {
		n.out.Send(port, Msg{Kind: Merge}) // 4
		return
	}
	n.is(port, Branch)
	n.out.Send(port, Msg{Kind: Connect, Level: n.s.Level}) // 4
	n.release()
}

// end makes the whole city, all nodes by now, know its downtown as leader.
func (n node) end(port int, leader caucus.ID) {
	n.s.Phase, n.s.Name = Done, leader
	for p := range n.s.Links {
		if n.s.Links[p] == Branch && p != port {
			n.out.Send(p, Msg{Kind: Notify, A: leader})
		}
	}
}
