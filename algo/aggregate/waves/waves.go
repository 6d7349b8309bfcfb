// Package waves elects by colour waves in the manner of Datta, Larmore and Vemula (2011): nodes hang themselves below
// the smallest ID they hear of, but only below a free node, and they become free only by a wave of colours that runs
// between a living root and its leaves. The tree of a root that is gone sees no such wave, cannot grow, and is taken
// apart from its top.
package waves

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/plain"
)

// Place is a node's place in a tree: state and message in one.
type Place struct {
	_       struct{}  `cbor:",toarray"`
	From    caucus.ID // the node itself
	Lead    caucus.ID // the root, as far as the node knows
	Parent  caucus.ID // a root is its own parent
	Level   uint32    // hops below the root
	Blocked bool      // the colour: only free nodes recruit
}

// Waves is the algorithm. It implements caucus.Rounds[Place, Place].
type Waves struct{ plain.FrankRounds }

// Boot starts as a free root.
func (Waves) Boot(l *caucus.Local) (Place, Place) {
	p := root(l.ID)
	return p, p
}

func root(me caucus.ID) Place { return Place{From: me, Lead: me, Parent: me} }

// Round does one of three things, whichever applies first.
func (Waves) Round(l *caucus.Local, s *Place, in caucus.Inbox[Place]) Place {
	// 1 JOIN   a better tree, whose free node b recruits, unless a child that is none hangs below me
	// 2 RESET  to a root, if my tree has none above me
	// 3 FLIP   my colour, if my parent has it, no child of mine does, and I am blocked or have nobody to recruit
	s.From = l.ID
	parent := find(in, s.Parent)
	isRoot := *s == root(l.ID).coloured(s.Blocked)
	loose := !isRoot && (parent == nil || s.Lead >= l.ID || !s.hangsBelow(parent))
	best := recruiter(in, l.ID)
	switch {
	case best != nil && !s.hasFalseChild(in) && (loose || best.improves(s)): // 1
		*s = Place{From: l.ID, Lead: best.Lead, Parent: best.From, Level: best.Level + 1, Blocked: true}
	case loose: // 2
		*s = root(l.ID)
	// 3
	case (isRoot || parent.Blocked == s.Blocked) && !s.hasTrueChildOfItsColour(in) && (s.Blocked || !s.improvesAny(in)):
		s.Blocked = !s.Blocked
	}
	return *s
}

func (p Place) coloured(blocked bool) Place {
	p.Blocked = blocked
	return p
}

func find(in caucus.Inbox[Place], id caucus.ID) *Place {
	for k := range in.Msgs {
		if in.Msgs[k].From == id {
			return &in.Msgs[k]
		}
	}
	return nil
}

// hangsBelow reports whether p is where a child of q is.
func (p *Place) hangsBelow(q *Place) bool { return p.Lead == q.Lead && p.Level == q.Level+1 }

// improves reports whether the place below p is better than q: a smaller root, or a higher level.
func (p *Place) improves(q *Place) bool {
	return p.Lead < q.Lead || p.Lead == q.Lead && p.Level+1 < q.Level
}

// recruiter is the free neighbour that offers the best place, better than being a root.
func recruiter(in caucus.Inbox[Place], me caucus.ID) (best *Place) {
	for k := range in.Msgs {
		m := &in.Msgs[k]
		if m.Blocked || m.Lead >= me || m.Lead == caucus.None {
			continue
		}
		if best == nil || m.Lead < best.Lead || m.Lead == best.Lead && (m.Level < best.Level ||
			m.Level == best.Level && m.From < best.From) {
			best = m
		}
	}
	return best
}

func (p *Place) hasFalseChild(in caucus.Inbox[Place]) bool {
	for k := range in.Msgs {
		if m := &in.Msgs[k]; m.Parent == p.From && m.From != p.From && !m.hangsBelow(p) {
			return true
		}
	}
	return false
}

func (p *Place) hasTrueChildOfItsColour(in caucus.Inbox[Place]) bool {
	for k := range in.Msgs {
		if m := &in.Msgs[k]; m.Parent == p.From && m.hangsBelow(p) && m.Blocked == p.Blocked {
			return true
		}
	}
	return false
}

func (p *Place) improvesAny(in caucus.Inbox[Place]) bool {
	for k := range in.Msgs {
		if m := &in.Msgs[k]; p.Lead < m.From && p.improves(m) {
			return true
		}
	}
	return false
}
