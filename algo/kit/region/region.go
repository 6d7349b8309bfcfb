// Package region lets a leader know its region, as a service above any election (package over): figures and the roster
// flow up the tree to the leader, the number of its directive flows down to the members.
//
// Collect is block C of aggregate computing. At rest it is exact: everybody has one parent and is counted once, a hop a
// round. While parents change a member may be missing for as many rounds as it lies deep, or be in the figures of two
// at the same time; its name is in a roster once, whatever happens. Nothing is remembered from one round to the next,
// so that no wrong figure outlives the messages that it stands in by more than the depth of the tree in rounds.
package region

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/over"
	"caucus.example/caucus/algo/kit/plain"
)

// Figures are of a node and of all that lie below it in the tree.
type Figures struct {
	_     struct{} `cbor:",toarray"`
	Count uint32   // of nodes
	Sum   float64  // of their strengths
	Min   float64  // the least of these
	Max   float64  // the greatest
}

// Mean is that of the strengths.
func (f *Figures) Mean() float64 { return f.Sum / float64(max(1, f.Count)) }

// Report is what a node knows and says: state and message in one.
type Report struct {
	_       struct{} `cbor:",toarray"`
	Figures Figures
	// Roster names the Most strongest of those that are counted in the figures, strongest first, smaller ID on equal
	// strength; so its head are the leader's deputies.
	Roster Roster
	Word   caucus.Word // the directive of the leader; none where none has come
}

// Region is the service. It implements over.Service[Report, Report].
type Region struct{ plain.Rounds }

// Boot knows the node itself.
func (Region) Boot(l *caucus.Local) (Report, Report) {
	r := alone(l, 0)
	return r, r
}

func alone(l *caucus.Local, hops uint16) Report {
	return Report{
		Figures: Figures{Count: 1, Sum: l.Strength, Min: l.Strength, Max: l.Strength},
		Roster:  Roster{{ID: l.ID, Strength: l.Strength, Hops: hops}},
	}
}

// Round collects from the children and hands down what the leader says.
func (Region) Round(l *caucus.Local, at over.Place, s *Report, kin over.Kin[Report]) Report {
	*s = alone(l, at.Hops)
	roster := s.Roster.Members()
	for k := range kin.Children {
		child := &kin.Children[k]
		s.Figures = merge(s.Figures, child.Figures)
		roster = append(roster, child.Roster.Members()...)
	}
	s.Roster = strongest(roster)
	switch {
	case at.Leads():
		s.Word = l.Word
	case kin.Parent != nil:
		s.Word = kin.Parent.Word
	}
	return *s
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
		r := Report{Figures: Figures{Count: uint32(p.Below(p.Counter)), Sum: x, Min: x, Max: x}}
		if id := p.AnyID(); id != caucus.None {
			r.Roster[0] = Member{ID: id, Strength: x}
		}
		r.Word.Version = uint64(p.Below(2))
		return r
	})
	return v, v
}
