// Package region lets a leader know its region, as a service above any election (package over): figures and the roster
// flow up the tree to the leader, the number of its directive flows down to the members.
//
// Collect is block C of aggregate computing. At rest it is exact, but for the rounding of sums: everybody is counted
// once, a hop a round. While nodes move a member may be missing for as many rounds as it lies deep, or counted twice;
// its name is in a roster once, whatever happens. A node that has several neighbours nearer to the leader divides its
// sums equally among them, so that a link which breaks takes a share along and not all: the multi-path collection of
// Viroli et al. (ACM TOMACS 28(2), 2018), with even weights. Nothing is remembered from one round to the next, so that
// no wrong figure outlives the messages that it stands in by more than the depth of the region in rounds.
package region

import (
	"math"
	"strconv"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/over"
	"caucus.example/caucus/algo/kit/plain"
)

// Figures are of a node and of all that lie below it in the tree.
type Figures struct {
	_     struct{} `cbor:",toarray"`
	Count float64  // of nodes
	Sum   float64  // of their strengths
	Min   float64  // the least of these
	Max   float64  // the greatest
}

// Members is the count as a number of nodes.
func (f *Figures) Members() int { return int(math.Round(f.Count)) }

// Total is the sum without the last digits, in which shares of it have been rounded.
func (f *Figures) Total() float64 {
	x, _ := strconv.ParseFloat(strconv.FormatFloat(f.Sum, 'g', 12, 64), 64) // reads what has just been written
	return x
}

// Mean is that of the strengths.
func (f *Figures) Mean() float64 { return f.Total() / float64(max(1, f.Members())) }

// Report is what a node knows and says: state and message in one.
type Report struct {
	_       struct{} `cbor:",toarray"`
	Figures Figures
	// Roster names the Most strongest of those that are counted in the figures, strongest first, smaller ID on equal
	// strength; so its head are the leader's deputies.
	Roster    Roster
	Histogram Histogram   // of all that lie below in the tree, as the roster
	Word      caucus.Word // the directive of the leader; none where none has come
}

// Ways is along which ways figures go up to the leader.
type Ways uint8

// Ways.
const (
	All  Ways = iota // all that are shortest, with an equal share of the sums along each
	Tree             // one: along the tree, as the roster
)

// Region is the service. It implements over.Service[Report, Report].
type Region struct {
	plain.Rounds
	Ways Ways
}

// Boot knows the node itself.
func (Region) Boot(l *caucus.Local) (Report, Report) {
	r := alone(l, 0)
	return r, r
}

func alone(l *caucus.Local, hops uint16) Report {
	return Report{
		Figures:   Figures{Count: 1, Sum: l.Strength, Min: l.Strength, Max: l.Strength},
		Roster:    Roster{{ID: l.ID, Strength: l.Strength, Hops: hops}},
		Histogram: one(l.Strength),
	}
}

// Round collects from those below and hands down what the leader says.
func (r Region) Round(l *caucus.Local, at over.Place, s *Report, kin over.Kin[Report]) Report {
	*s = alone(l, at.Hops)
	roster := s.Roster.Members()
	for k := range kin.Children {
		roster = append(roster, kin.Children[k].Roster.Members()...)
		s.Histogram.add(kin.Children[k].Histogram)
	}
	s.Roster = strongest(roster)
	below := kin.Children
	if r.Ways == All {
		below = kin.Farther
	}
	for k := range below {
		s.Figures = merge(s.Figures, below[k].Figures)
	}
	switch {
	case at.Leads():
		s.Word = l.Word
	case kin.Parent != nil:
		s.Word = kin.Parent.Word
	}
	said := *s
	if r.Ways == All && kin.Nearer > 1 {
		said.Figures.Count /= float64(kin.Nearer)
		said.Figures.Sum /= float64(kin.Nearer)
	}
	return said
}

func merge(a, b Figures) Figures {
	return Figures{Count: a.Count + b.Count, Sum: a.Sum + b.Sum, Min: min(a.Min, b.Min), Max: max(a.Max, b.Max)}
}

// SpecOf describes an election with the service above it.
func SpecOf(spec *caucus.Spec) *caucus.Spec {
	s := *spec
	s.Title += ", with its regions"
	s.Guarantee = "leaders know their regions exactly as many rounds after the election has settled as these are " +
		"deep (tested); " +
		spec.Guarantee
	return &s
}

// Domain is every report with a count below its bound, with no roster or one line of it, and with a directive or none.
func (Region) Domain(w *caucus.World) (caucus.Values[Report], caucus.Values[Report]) {
	v := caucus.Every(w, func(p *caucus.Pick) Report {
		x := p.Strength()
		r := Report{Figures: Figures{Count: float64(p.Below(p.Counter)), Sum: x, Min: x, Max: x}}
		if id := p.AnyID(); id != caucus.None {
			r.Roster[0] = Member{ID: id, Strength: x}
		}
		r.Word.Version = uint64(p.Below(2))
		return r
	})
	return v, v
}
