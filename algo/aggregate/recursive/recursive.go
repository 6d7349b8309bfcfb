// Package recursive is the recursive election of the baseline in Pianini, Casadei, Viroli (ACSOS 2022): the nodes
// gossip who is the best, those within the radius of it follow it, and the rest elect among themselves in the same
// way, one level deeper. Gossip never forgets, so a best that is gone or has left a level costs everybody there that
// level.
package recursive

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/block"
	"caucus.example/caucus/algo/kit/plain"
)

// MaxLevels bounds the depth, so that messages fit into datagrams. A node that no level takes is undecided.
const MaxLevels = 24

// Level is a node's part at one level.
type Level struct {
	_        struct{}  `cbor:",toarray"`
	Strength float64   // of the best, by gossip
	Best     caucus.ID // the best
	Dist     float64   // to the best along nodes of this level; +Inf beyond the radius
}

// Claims is what a node says: its part at each level that it runs.
type Claims struct {
	_      struct{} `cbor:",toarray"`
	Count  uint8    // levels that it runs, from 1; the last is where it follows the best
	Apart  bool     // it restarts, and its level 0 is no gossip
	Levels [MaxLevels]Level
}

// Memory is a node's state.
type Memory struct {
	Claims   Claims
	Strength float64 // in the round before; unheard before the first
}

// Config holds the options; see Spec for what each means.
type Config struct {
	Radius  float64 `param:"radius"`
	Restart bool    `param:"restart"`
	Memory  bool    `param:"memory"` // a node's own last gossip counts as well as its neighbours'
	LargeID bool    `param:"tie=large"`
}

// Election is the algorithm. It implements caucus.Rounds[Memory, Claims].
type Election struct {
	plain.Rounds
	c Config
}

// unheard is the strength of the round before the first: with the restart it counts as another.
const unheard = -1

// Boot starts as the leader at level 0.
func (e *Election) Boot(l *caucus.Local) (Memory, Claims) {
	m := Memory{Strength: l.Strength}
	if e.c.Restart {
		m.Strength = unheard
	}
	m.lead(l)
	return m, m.Claims
}

// lead forgets all gossip.
func (m *Memory) lead(l *caucus.Local) {
	m.Claims = Claims{Count: 1}
	m.Claims.Levels[0] = Level{Strength: l.Strength, Best: l.ID}
}

// Round goes down the levels until the best of one is within the radius.
func (e *Election) Round(l *caucus.Local, s *Memory, in caucus.Inbox[Claims]) Claims {
	if e.c.Restart && l.Strength != s.Strength {
		s.lead(l)
		s.Claims.Apart = true
	} else {
		e.descend(l, &s.Claims, &in)
	}
	s.Strength = l.Strength
	return s.Claims
}

func (e *Election) descend(l *caucus.Local, c *Claims, in *caucus.Inbox[Claims]) {
	before := min(int(c.Count), MaxLevels)
	c.Apart = false
	for k := range MaxLevels {
		v := Level{Strength: l.Strength, Best: l.ID}
		if e.c.Memory && k < before && e.beats(&c.Levels[k], &v) {
			v = c.Levels[k]
		}
		dist := e.hear(k, &v, in)
		v.Dist = 0
		if v.Best != l.ID || v.Strength != l.Strength {
			v.Dist = dist
		}
		c.Levels[k], c.Count = v, uint8(k+1)
		if v.Dist <= e.c.Radius {
			break
		}
	}
	clear(c.Levels[c.Count:max(before, int(c.Count))])
}

// hear raises v to the best that a neighbour at level k names, and measures the distance to it: block G at this level.
func (e *Election) hear(k int, v *Level, in *caucus.Inbox[Claims]) float64 {
	near := block.Nowhere
	for i, edge := range in.Dist {
		m := in.At(i)
		if k >= int(m.Count) {
			continue
		}
		at := &m.Levels[k]
		near = min(near, block.Along(at.Dist, edge))
		if (at.Best != v.Best || at.Strength != v.Strength) && // mostly all name the same
			!m.Apart && at.Best != caucus.None && e.beats(at, v) {
			*v = *at
		}
	}
	return near.Within(e.c.Radius)
}

func (e *Election) beats(a, b *Level) bool {
	if a.Strength != b.Strength || a.Best == b.Best {
		return a.Strength > b.Strength
	}
	return (a.Best > b.Best) == e.c.LargeID
}
