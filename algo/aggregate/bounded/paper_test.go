package bounded_test

import (
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
)

// What the paper says (Pianini, Casadei, Viroli, ACSOS 2022) of Algorithm 1, in its own settings: the lines are those
// of the listing above Round. Node 5, of strength 2, runs one round with radius 10.

type heard struct {
	bounded.Candidacy
	edge float64
}

func candidacy(strength, dist float64, lead caucus.ID) bounded.Candidacy {
	return bounded.Candidacy{Val: -strength, Dist: dist, Lead: lead}
}

func supports(t *testing.T, c bounded.Config, from ...heard) bounded.Candidacy {
	t.Helper()
	e, err := bounded.New(c)
	if err != nil {
		t.Fatal(err)
	}
	l := &caucus.Local{ID: 5, Strength: 2, Degree: len(from)}
	s, _ := e.Boot(l)
	var in caucus.Inbox[bounded.Candidacy]
	for _, h := range from {
		in.Msgs, in.Dist = append(in.Msgs, h.Candidacy), append(in.Dist, h.edge)
	}
	export := e.Round(l, &s, in)
	if export != s {
		t.Errorf("line 6: exports %+v, supports %+v", export, s)
	}
	if o := e.Outcome(l, &s); o.Leader != s.Lead || o.Distance != s.Dist || (o.Role == caucus.Leader) != (s.Lead == 5) {
		t.Errorf("line 6: outcome %+v of %+v", o, s)
	}
	return export
}

var paper = bounded.Config{Radius: 10, DistFirst: true}

func TestPaperAlgorithm1(t *testing.T) {
	own := candidacy(2, 0, 5)
	for _, c := range []struct {
		claim string
		cfg   bounded.Config
		heard []heard
		want  bounded.Candidacy
	}{
		{"line 1: alone a node supports itself, at distance 0", paper, nil, own},
		{"line 2: every neighbour counts, not the first or the last", paper,
			[]heard{{candidacy(3, 1, 7), 1}, {candidacy(4, 1, 8), 1}, {candidacy(3, 1, 6), 1}}, candidacy(4, 2, 8)},
		{"line 3: the path grows by the edge to the sender", paper, []heard{{candidacy(3, 1.5, 7), 4}},
			candidacy(3, 5.5, 7)},
		{"line 4: the own candidacy that comes back does not count, not even with another strength", paper,
			[]heard{{candidacy(9, 1, 5), 1}}, own},
		{"line 4: what is at the radius is within it", paper, []heard{{candidacy(3, 6, 7), 4}}, candidacy(3, 10, 7)},
		{"line 4: what is beyond is not", paper, []heard{{candidacy(3, 6, 7), 4.001}}, own},
		{"line 4: the published code leaves out the radius itself",
			bounded.Config{Radius: 10, RadiusLess: true, DistFirst: true},
			[]heard{{candidacy(3, 6, 7), 4}}, own},
		{"line 5: a stronger leader wins, however far", paper,
			[]heard{{candidacy(3, 8, 7), 1}, {candidacy(2.5, 0, 1), 1}}, candidacy(3, 9, 7)},
		{"line 5: a weaker one does not, however near", paper, []heard{{candidacy(1, 0, 1), 1}}, own},
		{"line 5: of equal strengths the nearer", paper,
			[]heard{{candidacy(3, 4, 1), 1}, {candidacy(3, 2, 7), 1}}, candidacy(3, 3, 7)},
		{"line 5: so nobody follows one of its own strength", paper, []heard{{candidacy(2, 0, 1), 1}}, own},
		{"line 5: of equal distances the smaller ID", paper,
			[]heard{{candidacy(3, 1, 7), 1}, {candidacy(3, 1, 6), 1}, {candidacy(3, 1, 8), 1}}, candidacy(3, 2, 6)},
	} {
		if got := supports(t, c.cfg, c.heard...); got != c.want {
			t.Errorf("%s: supports %+v, want %+v", c.claim, got, c.want)
		}
	}
}

// together runs synchronous rounds on a row with the given lengths of edges, from the states given, and stops when
// done says so.
func together(t *testing.T, c bounded.Config, strengths, edges []float64, s []bounded.Candidacy, most int,
	done func(s []bounded.Candidacy) bool) (rounds int) {
	t.Helper()
	e, err := bounded.New(c)
	if err != nil {
		t.Fatal(err)
	}
	for ; rounds < most && !done(s); rounds++ {
		last := append([]bounded.Candidacy{}, s...)
		for i := range s {
			var in caucus.Inbox[bounded.Candidacy]
			if i > 0 {
				in.Msgs, in.Dist = append(in.Msgs, last[i-1]), append(in.Dist, edges[i-1])
			}
			if i+1 < len(s) {
				in.Msgs, in.Dist = append(in.Msgs, last[i+1]), append(in.Dist, edges[i])
			}
			e.Round(&caucus.Local{ID: caucus.ID(i + 1), Strength: strengths[i], Degree: len(in.Msgs)}, &s[i], in)
		}
	}
	return rounds
}

func noGhost(s []bounded.Candidacy) bool {
	for i := range s {
		if s[i].Lead == 99 {
			return false
		}
	}
	return true
}

// The proof of self-stabilisation: a value without support grows in every round, by an edge at least, until it is
// beyond the radius. Two nodes l apart hold a ghost for floor(R/l) + 1 rounds.
func TestPaperUnsupportedValuesGrow(t *testing.T) {
	for _, length := range []float64{0.5, 1, 3} {
		s := []bounded.Candidacy{candidacy(9, 0, 99), candidacy(9, 0, 99)}
		want := int(10/length) + 1
		if got := together(t, paper, []float64{1, 2}, []float64{length}, s, 1000, noGhost); got != want {
			t.Errorf("edges of %g: the ghost lives for %d rounds, want %d", length, got, want)
		}
	}
}

// The proof needs edges longer than 0, where the paper writes "at least": between two nodes at one place a ghost stays.
func TestPaperProofNeedsLengths(t *testing.T) {
	s := []bounded.Candidacy{candidacy(9, 0, 99), candidacy(9, 0, 99)}
	if rounds := together(t, paper, []float64{1, 2}, []float64{0}, s, 1000, noGhost); rounds != 1000 {
		t.Errorf("the ghost is gone after %d rounds", rounds)
	}
}

// A candidacy is passed on only by those who support it: node 1 of strength 3 is within 3 of node 3, but node 2 between
// them follows the stronger node 4 on the other side of node 3, and so does node 3.
func TestPaperPathsAreOfSupporters(t *testing.T) {
	strengths := []float64{3, 1, 1, 9, 1}
	s := make([]bounded.Candidacy, len(strengths))
	for i := range s {
		s[i] = candidacy(strengths[i], 0, caucus.ID(i+1))
	}
	c := bounded.Config{Radius: 2, DistFirst: true}
	together(t, c, strengths, []float64{1, 1, 1, 1}, s, 20, func([]bounded.Candidacy) bool { return false })
	for i, want := range []caucus.ID{1, 4, 4, 4, 4} {
		if s[i].Lead != want {
			t.Errorf("node %d follows %d, want %d", i+1, s[i].Lead, want)
		}
	}
}
