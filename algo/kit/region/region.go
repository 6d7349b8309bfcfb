// Package region lets a leader know its region, as a service above any election (package over): figures and the roster
// flow up the tree to the leader, the number of its directive flows down to the members.
//
// Collect is block C of aggregate computing. At rest it is exact, but for the rounding of sums: everybody is counted
// once, a hop a round. While nodes move a member may be missing for as many rounds as it lies deep, or counted twice;
// its name is in a roster once, whatever happens. A node that has several neighbours nearer to the leader divides its
// sums equally among them, so that a link which breaks takes a share along and not all: the multi-path collection of
// Viroli et al. (ACM TOMACS 28(2), 2018). Other ways, for comparison, are in ways.go. Nothing is remembered from one
// round to the next, so that no wrong figure outlives the messages that it stands in by more than the depth of the
// region in rounds.
package region

import (
	"cmp"
	"math"
	"slices"
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
	Tags      Tags        // of all that lie below, whichever way
	Word      caucus.Word // the directive of the leader; none where none has come
	Up        Upward      `caucus:"simulated"` // where figures go by lengths of links: an agent takes All
}

// Region is the service. It implements over.Service[Report, Report].
type Region struct {
	plain.Rounds
	Ways  Ways
	Radio Radio // for Weighted and Lossless
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
		Tags:      tagsOf(l.Tags),
	}
}

// Round collects from those below and hands down what the leader says.
func (r Region) Round(l *caucus.Local, at over.Place, s *Report, kin over.Kin[Report]) Report {
	*s = alone(l, at.Hops)
	var room [4 * Most]Member
	roster, nearer := append(room[:0], s.Roster.Members()...), 0
	if r.Ways.byLength() {
		s.Up = r.upward(&at, kin.Near)
	}
	for k := range kin.Near {
		n := &kin.Near[k]
		if n.Nearer(&at) {
			nearer++
		}
		if n.Child(&at) {
			roster = append(roster, n.Said.Roster.Members()...)
			s.Histogram.add(n.Said.Histogram)
		}
		if n.Farther(&at) {
			s.Tags.add(&n.Said.Tags)
		}
		if part := r.share(&at, &s.Up, n); part > 0 {
			s.Figures = merge(s.Figures, n.Said.Figures.times(part))
		}
	}
	s.Roster = strongest(roster)
	switch {
	case at.Leads():
		s.Word = l.Word
	case kin.Parent != nil:
		s.Word = kin.Parent.Word
	}
	said := *s
	if r.Ways == All && nearer > 1 {
		said.Figures = said.Figures.times(1 / float64(nearer))
	}
	return said
}

// share is how much of a neighbour's figures is this node's to count.
func (r Region) share(at *over.Place, up *Upward, n *over.Relative[Report]) float64 {
	switch {
	case r.Ways == All && n.Farther(at), r.Ways == Tree && n.Child(at):
		return 1
	case r.Ways.byLength() && n.Said.Up.Distance > up.Distance: // or figures could go round in a circle
		return n.Said.Up.to(at.Node)
	}
	return 0
}

// upward finds the distance of a node, and its shares.
func (r Region) upward(at *over.Place, near []over.Relative[Report]) (up Upward) {
	if at.Leads() {
		return up
	}
	up.Distance = math.Inf(1)
	for k := range near {
		if d := near[k].Said.Up.Distance; d >= 0 { // and a number
			up.Distance = min(up.Distance, d+near[k].Dist)
		}
	}
	weigh, most := r.weight, MostWays
	if r.Ways == Lossless {
		weigh, most = r.goodness, 1
	}
	var to []weighed
	for k := range near {
		n := &near[k]
		if d := n.Said.Up.Distance; d >= 0 && d < up.Distance && !math.IsInf(up.Distance, 1) {
			to = append(to, weighed{n.At.Node, weigh(n, up.Distance)})
		}
	}
	slices.SortFunc(to, func(a, b weighed) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.id, b.id))
	})
	up.divide(to[:min(most, len(to))])
	return up
}

// weight is that of Weighted: by what is left of the range, and by the distance won.
func (r Region) weight(n *over.Relative[Report], distance float64) float64 {
	return max(0, r.Radio.Range-n.Dist) * (distance - n.Said.Up.Distance)
}

// goodness is that of Lossless. All rounds being as long, of the speed of information, which is the distance won by the
// time until the neighbour's next round, only the distance is left. Of one that may be out of reach or no nearer by
// then it is negative, the more so the farther out.
func (r Region) goodness(n *over.Relative[Report], distance float64) float64 {
	then := n.Said.Up.Distance + r.Radio.Speed
	outreach := max(n.Dist+r.Radio.Speed*float64(1+n.Missed)-r.Radio.Range, then-distance)
	if outreach >= 0 {
		return -outreach
	}
	return distance - then
}

func (f Figures) times(part float64) Figures {
	f.Count *= part
	f.Sum *= part
	return f
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
		if r.Word.Version = uint64(p.Below(2)); r.Word.Version == 1 {
			r.Tags[0] = 1
		}
		return r
	})
	return v, v
}
