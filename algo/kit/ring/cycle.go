package ring

import "caucus.example/caucus"

// Rule is one step of candidates that meet: each sends its value one way and reads one
// value from the other side; at most one of two neighbours goes on.
type Rule struct {
	Out caucus.Label // where values go; they are read from the other side
	Max bool         // the larger of two values wins, not the smaller
	// a candidate judges for the one that sent: if the value received wins, it goes on with that, else not at all
	Take bool
}

// Cycle is an algorithm for an oriented ring: the rules of its steps, used in turn. If two of them in a row send the
// same way, links must keep the order of messages. Defeated nodes pass everything on. A candidate whose own value
// comes back is alone and announces it; the owner of the value leads.
//
// A candidate reads one side at a time. What comes from the other side meanwhile belongs to later steps. Those who
// send it wait for this node before they can read its side again, so there are no more such messages than steps in a
// row of one direction: 2 are allowed.
type Cycle []Rule

// Candidate is what a node remembers.
type Candidate struct {
	Value  caucus.ID    // what it stands for; None while asleep
	Step   uint16       // which rule it uses, from 1; 0 while asleep
	Unread [2]caucus.ID // from the side that is not read in this step, oldest first
	End
}

// Boot gives a sleeping node.
func (c Cycle) Boot(*caucus.Local) Candidate { return Candidate{} }

// Timeless is true: see caucus.Timeless.
func (c Cycle) Timeless() bool { return true }

// Timer is never set.
func (c Cycle) Timer(*caucus.Local, *Candidate, int, *caucus.Outbox[Msg]) {}

// Wake makes the node a candidate.
func (c Cycle) Wake(l *caucus.Local, s *Candidate, _ bool, out *caucus.Outbox[Msg]) {
	s.Value = l.ID
	c.next(l, s, out)
}

func (c Cycle) next(l *caucus.Local, s *Candidate, out *caucus.Outbox[Msg]) {
	s.Step = s.Step%uint16(len(c)) + 1 // 1
	out.Send(Port(l, c.rule(s).Out), Msg{Kind: Elect, ID: s.Value})
}

func (c Cycle) rule(s *Candidate) Rule { return c[(int(s.Step)+len(c)-1)%len(c)] }

// Receive reads a value, keeps it for later or passes it on.
func (c Cycle) Receive(l *caucus.Local, s *Candidate, port int, m Msg, out *caucus.Outbox[Msg]) {
	// 1  a candidate sends its value v the step's way and reads e from the other side; what comes from elsewhere waits
	// 2  e = v: won, it notifies
	// 3  e wins over v by the step's rule: defeated, or (Take) v := e and the next step
	// 4  v wins: the next step, or (Take) defeated
	// 5  who is defeated passes on all that comes, what has waited first
	switch {
	case s.Over():
	case m.Kind == Notify:
		if s.Hear(l, m.ID) {
			out.Send(Other(port), m)
		}
	case s.Role == caucus.Defeated: // 5
		out.Send(Other(port), m)
	case port == Port(l, c.rule(s).Out): // 1
		s.keep(m.ID)
	default:
		c.read(l, s, m.ID, out)
	}
}

// read handles a value from the side of this step, and then the unread ones as soon as
// their side is read.
func (c Cycle) read(l *caucus.Local, s *Candidate, v caucus.ID, out *caucus.Outbox[Msg]) {
	for side := c.rule(s).Out; v != caucus.None; v = s.take() {
		rule := c.rule(s)
		if v == s.Value { // 2
			s.Hear(l, v)
			out.Send(Port(l, caucus.Right), Msg{Kind: Notify, ID: v})
			return
		}
		received := (v > s.Value) == rule.Max // wins
		if received != rule.Take {            // 3, 4: defeated
			c.lose(l, s, side, out)
			return
		}
		if rule.Take {
			s.Value = v
		}
		c.next(l, s, out) // 3, 4: goes on
		if c.rule(s).Out == side {
			return
		}
	}
}

// lose makes the node a relay, of what it has not read from that side to begin with.
func (c Cycle) lose(l *caucus.Local, s *Candidate, side caucus.Label, out *caucus.Outbox[Msg]) {
	s.Role = caucus.Defeated // 5
	on := Other(Port(l, side))
	for v := s.take(); v != caucus.None; v = s.take() {
		out.Send(on, Msg{Kind: Elect, ID: v})
	}
}

func (s *Candidate) keep(v caucus.ID) {
	for k := range s.Unread {
		if s.Unread[k] == caucus.None {
			s.Unread[k] = v
			return
		}
	}
}

func (s *Candidate) take() caucus.ID {
	v := s.Unread[0]
	s.Unread = [2]caucus.ID{s.Unread[1]}
	return v
}

// Outcome names the leader once it is known.
func (c Cycle) Outcome(_ *caucus.Local, s *Candidate) caucus.Outcome { return s.End.Outcome() }

// Expect is the least ID for all, unless larger values may win.
func (c Cycle) Expect(n *caucus.Network) []caucus.Outcome {
	for _, rule := range c {
		if rule.Max {
			return nil
		}
	}
	return n.FollowLeastID()
}

// Messages is n for each of at most k steps and for two laps, k the largest index with F_k <= n in F = 2, 3, 5, 8, ….
func (c Cycle) Messages(n *caucus.Network, _ int) int {
	k := 0
	for a, b := 2, 3; a <= n.Len(); a, b = b, a+b {
		k++
	}
	return n.Len() * (k + 2)
}

// Elected is the part of Outcome that may change at every event.
func (c Cycle) Elected(_ *caucus.Local, s *Candidate) (caucus.ID, caucus.Role) {
	return s.Leader, s.Role
}

// Kind tells the two messages apart.
func (c Cycle) Kind(m *Msg) int { return KindOf(m.Kind, 2) }

// Domain is every state and message over the world's IDs.
func (c Cycle) Domain(w *caucus.World) (caucus.Values[Candidate], caucus.Values[Msg]) {
	return caucus.Every(w, func(p *caucus.Pick) Candidate {
		return Candidate{Value: p.AnyID(), Step: uint16(p.Below(p.Counter + 1)),
			Unread: [2]caucus.ID{p.AnyID(), p.AnyID()},
			End:    PickEnd(p)}
	}), Messages(w, 2)
}
