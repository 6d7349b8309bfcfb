// Package recursive is the recursive election of the baseline in Pianini, Casadei, Viroli (ACSOS 2022): the nodes
// gossip who is the best, those within the radius of it follow it, and the rest elect among themselves
// in the same way, one level deeper.
//
// Assumes distinct IDs and edge lengths > 0. Not self-stabilising: the gossip never forgets, so a best that is gone or
// has left a level costs everybody there that level. Ends never.
//
// Cost: O(degree × levels) time and one message of at most 680 bytes per node and round; regions are
// found one after the other, each in as many rounds as the network has hops, twice.
package recursive

import (
	"fmt"
	"math"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/block"
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
	Radius  float64
	Restart bool
	Memory  bool // a node's own last gossip counts as well as its neighbours'
	LargeID bool // tie large
}

// Election is the algorithm. It implements caucus.Rounds[Memory, Claims].
type Election struct{ c Config }

// New checks the options.
func New(c Config) (*Election, error) {
	if !(c.Radius > 0) || math.IsInf(c.Radius, 1) {
		return nil, &caucus.FieldError{Field: "radius", Found: fmt.Sprint(c.Radius),
			Allowed: "a finite length > 0, since nothing else ends the distance to a leader that is gone"}
	}
	return &Election{c}, nil
}

// Boot starts as the leader at level 0.
func (e *Election) Boot(l *caucus.Local) (Memory, Claims) {
	m := Memory{Strength: l.Strength}
	if e.c.Restart {
		m.Strength = unheard
	}
	m.lead(l)
	return m, m.Claims
}

// unheard is the strength of the round before the first: with the restart it counts as another.
const unheard = -1

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
		e.descend(l, &s.Claims, in)
	}
	s.Strength = l.Strength
	return s.Claims
}

func (e *Election) descend(l *caucus.Local, c *Claims, in caucus.Inbox[Claims]) {
	before := int(c.Count)
	c.Apart = false
	for k := range MaxLevels {
		v := Level{Strength: l.Strength, Best: l.ID}
		if e.c.Memory && k < before && e.beats(&c.Levels[k], &v) {
			v = c.Levels[k]
		}
		e.gossip(k, &v, in)
		v.Dist = 0
		if v.Best != l.ID || v.Strength != l.Strength {
			v.Dist = e.distance(k, in)
		}
		c.Levels[k], c.Count = v, uint8(k+1)
		if v.Dist <= e.c.Radius {
			break
		}
	}
	clear(c.Levels[c.Count:])
}

// gossip raises v to the best that a neighbour at level k names.
func (e *Election) gossip(k int, v *Level, in caucus.Inbox[Claims]) {
	for i := range in.Msgs {
		if m := &in.Msgs[i]; k < int(m.Count) && !m.Apart && m.Levels[k].Best != caucus.None && e.beats(&m.Levels[k], v) {
			*v = m.Levels[k]
		}
	}
}

func (e *Election) beats(a, b *Level) bool {
	if a.Strength != b.Strength || a.Best == b.Best {
		return a.Strength > b.Strength
	}
	return (a.Best > b.Best) == e.c.LargeID
}

// distance is block G at level k.
func (e *Election) distance(k int, in caucus.Inbox[Claims]) float64 {
	read := func(m *Claims) block.Field[struct{}] {
		if k >= int(m.Count) {
			return block.Field[struct{}]{Dist: math.Inf(1)}
		}
		return block.Field[struct{}]{Dist: m.Levels[k].Dist}
	}
	f, _ := block.Gradient(in, e.c.Radius, struct{}{}, read, func(a, b struct{}) bool { return false })
	return f.Dist
}

// Outcome is the best of the last level, if within the radius.
func (e *Election) Outcome(l *caucus.Local, s *Memory) caucus.Outcome {
	if n := int(s.Claims.Count); n >= 1 && n <= MaxLevels {
		v := &s.Claims.Levels[n-1]
		switch {
		case v.Best == caucus.None || !(v.Dist <= e.c.Radius):
		case v.Best == l.ID:
			return caucus.Outcome{Role: caucus.Leader, Leader: l.ID}
		default:
			return caucus.Outcome{Role: caucus.Follower, Leader: v.Best, Distance: v.Dist}
		}
	}
	return caucus.Outcome{Distance: -1}
}

// Domain is every memory and every message with the world's IDs, strengths and distances in which all levels below the first
// are alike, of up to Counter levels.
func (e *Election) Domain(w *caucus.World) (caucus.Values[Memory], caucus.Values[Claims]) {
	strengths, ids, dists, counts := len(w.Strengths), len(w.IDs), len(w.Dists), min(w.Counter, MaxLevels)
	radix := []int{strengths, ids, dists, strengths, ids, dists, counts}
	level := func(d []int) Level {
		return Level{Strength: w.Strengths[d[0]], Best: w.IDs[d[1]], Dist: w.Dists[d[2]]}
	}
	messages := caucus.Values[Claims]{Len: caucus.Size(radix...), At: func(k uint64) Claims {
		var buf [7]int
		d := caucus.Digits(k, buf[:], radix...)
		c := Claims{Count: uint8(d[6] + 1)}
		c.Levels[0] = level(d)
		for i := 1; i < int(c.Count); i++ {
			c.Levels[i] = level(d[3:])
		}
		return c
	}}
	states := caucus.Values[Memory]{Len: messages.Len * uint64(strengths), At: func(k uint64) Memory {
		return Memory{Claims: messages.At(k / uint64(strengths)), Strength: w.Strengths[k%uint64(strengths)]}
	}}
	return states, messages
}
