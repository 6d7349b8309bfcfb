// Package collect runs blocks G and C of aggregate computing together: every node follows the nearest source (as in
// package gradient), a region's figures flow up its tree to the leader, and the leader speaks back to all its
// followers. A region knows its figures three tree depths of rounds after the sources rest: down, up and down again.
package collect

import (
	"math"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/block"
	"caucus.example/caucus/algo/kit/plain"
)

// Region is what a leader learns of its region.
type Region struct {
	_       struct{} `cbor:",toarray"`
	Members uint32   // nodes, the leader included
	Sum     float64  // of their strengths
	Max     float64  // of their strengths
}

// Report is a node's part: state and message in one.
type Report struct {
	_        struct{}  `cbor:",toarray"`
	From     caucus.ID // the node itself
	Strength float64   // its strength
	Dist     float64   // length of the path to the source; +Inf without one
	Lead     caucus.ID // the source; None without one
	Parent   caucus.ID // the neighbour on that path; None for a source
	Below    Region    // figures of the node and all below it in the tree
	Whole    Region    // figures of the whole region, as the leader has them
}

// Collect is the algorithm. It implements caucus.Rounds[Report, Report].
type Collect struct {
	plain.FrankRounds
	maxDistance float64
}

// voice is what spreads from a source.
type voice struct {
	lead  caucus.ID
	whole Region
}

// Boot knows no source.
func (c *Collect) Boot(l *caucus.Local) (Report, Report) {
	r := Report{From: l.ID, Strength: l.Strength, Dist: math.Inf(1)}
	return r, r
}

// Round takes its place in a region, adds up what is below it, and hands down what the leader says.
func (c *Collect) Round(l *caucus.Local, s *Report, in caucus.Inbox[Report]) Report {
	own := Region{Members: 1, Sum: l.Strength, Max: l.Strength}
	r := Report{From: l.ID, Strength: l.Strength, Below: block.Collect(in, l.ID, own, below, merge)}
	if block.Strongest(l, in, rank) {
		r.Lead, r.Whole = l.ID, r.Below
	} else {
		f, from := block.Gradient(in, c.maxDistance, voice{}, field, before)
		r.Dist, r.Lead, r.Whole = f.Dist, f.Value.lead, f.Value.whole
		if from >= 0 {
			r.Parent = in.Msgs[from].From
		}
	}
	*s = r
	return r
}

func rank(m *Report) (float64, caucus.ID) { return m.Strength, m.From }

func below(m *Report) (caucus.ID, Region) { return m.Parent, m.Below }

func before(a, b voice) bool { return a.lead < b.lead }

func field(m *Report) block.Field[voice] {
	return block.Field[voice]{Dist: m.Dist, Value: voice{m.Lead, m.Whole}}
}

func merge(a, b Region) Region {
	return Region{Members: a.Members + b.Members, Sum: a.Sum + b.Sum, Max: max(a.Max, b.Max)}
}
