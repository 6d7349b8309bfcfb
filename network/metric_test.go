package network

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"caucus.example/caucus"
)

var nan = math.NaN()

// Vienna and Bratislava: 0.0596° of latitude are 6.627 km and 0.7339° of longitude at
// 48.18° are 54.417 km, by Pythagoras 54.82 km. All figures were computed from the angle
// between unit vectors, another formula than the haversine.
func TestGreatCircle(t *testing.T) {
	for _, c := range []struct{ lonA, latA, lonB, latB, km float64 }{
		{16.3738, 48.2082, 17.1077, 48.1486, 54.81788229006815},
		{-0.1276, 51.5072, -74.0060, 40.7128, 5570.2500071189515}, // London, New York
		{179.5, 0, -179.5, 0, 111.19508023353322},                 // across the date line
		{0, 0, 0, 90, EarthRadius * math.Pi / 2},
		{0, 0, 180, 0, EarthRadius * math.Pi},
		{12, 34, 12, 34, 0},
	} {
		for _, km := range []float64{GreatCircle(c.lonA, c.latA, c.lonB, c.latB),
			GreatCircle(c.lonB, c.latB, c.lonA, c.latA)} {
			if math.Abs(km-c.km) > 1e-8 {
				t.Errorf("(%g, %g) to (%g, %g): %v km, want %v", c.lonA, c.latA, c.lonB, c.latB, km, c.km)
			}
		}
	}
}

// chain joins nodes 0–1–2–… with the coordinates given.
func chain(t *testing.T, geographic bool, x, y []float64) *Graph {
	t.Helper()
	var records []Edge
	for i := 1; i < len(x); i++ {
		records = append(records, Edge{int32(i - 1), int32(i), nan})
	}
	g, _, err := Build(len(x), records)
	if err != nil {
		t.Fatal(err)
	}
	g.X, g.Y, g.Geographic = x, y, geographic
	return g
}

func TestDistances(t *testing.T) {
	plane := chain(t, false, []float64{0, 3, 3}, []float64{0, 4, 5.5})
	lengths, report, err := Lengths(plane, MetricDistance, LengthOptions{})
	if err != nil || !slices.Equal(lengths, []float64{5, 5, 1.5, 1.5}) || report != (LengthReport{}) {
		t.Errorf("lengths %v, report %+v, %v", lengths, report, err)
	}
	globe := chain(t, true, []float64{16.3738, 17.1077, 17.1077}, []float64{48.2082, 48.1486, 48.1486})
	lengths, report, err = Lengths(globe, MetricDistance, LengthOptions{})
	if err != nil || math.Abs(lengths[0]-54.81788229) > 1e-8 || lengths[3] != ShortestDistance ||
		report != (LengthReport{Raised: 1}) {
		t.Errorf("lengths %v, report %+v, %v; the second edge is raised", lengths, report, err)
	}
	lengths, report, err = Lengths(globe, MetricDistance, LengthOptions{AllowZero: true})
	if err != nil || lengths[3] != 0 || report != (LengthReport{Zero: 1}) {
		t.Errorf("lengths %v, report %+v, %v; the second edge stays 0", lengths, report, err)
	}
	if lengths, _, err := Lengths(globe, MetricHops, LengthOptions{}); lengths != nil || err != nil {
		t.Errorf("hops: %v, %v, want no array", lengths, err)
	}
}

func TestPlacing(t *testing.T) {
	// a – ? – ? – b in the plane: both unknown nodes have one located neighbour in the first
	// round, so each lands on its own; c – ? – d meets in the middle.
	g := chain(t, false, []float64{0, nan, nan, 10, nan, 20}, []float64{0, nan, 7, 0, 3, 4})
	g.Y[2] = nan
	x, y, placed, err := Place(g)
	if err != nil || !slices.Equal(x, []float64{0, 0, 10, 10, 15, 20}) ||
		!slices.Equal(y, []float64{0, 0, 0, 0, 2, 4}) || !slices.Equal(placed, []int32{1, 2, 4}) {
		t.Errorf("x %v, y %v, placed %v, %v", x, y, placed, err)
	}
	if !math.IsNaN(g.X[1]) {
		t.Error("the graph was changed")
	}
	lengths, report, err := Lengths(g, MetricDistance, LengthOptions{})
	if err != nil || report != (LengthReport{Placed: 3, Raised: 2}) || math.Abs(lengths[0]-20e-6) > 1e-15 {
		t.Errorf("lengths %v, report %+v, %v", lengths, report, err)
	}
	// A chain without coordinates gathers at its located end, one round after the other.
	g = chain(t, false, []float64{5, nan, nan, nan}, []float64{6, nan, nan, nan})
	if x, y, placed, err = Place(g); err != nil || x[3] != 5 || y[3] != 6 || len(placed) != 3 {
		t.Errorf("x %v, y %v, placed %v, %v", x, y, placed, err)
	}
	// The mean of 179° and -179° on the sphere is 180°, not 0°.
	g = chain(t, true, []float64{179, nan, -179}, []float64{0, nan, 0})
	if x, _, _, err = Place(g); err != nil || math.Abs(math.Abs(x[1])-180) > 1e-9 {
		t.Errorf("longitude %v, %v, want 180", x[1], err)
	}
}

func TestLengthRefusals(t *testing.T) {
	named := func(g *Graph) *Graph {
		g.Names = []string{"Wien", "Graz", "Linz", "Brno"}[:g.Len()]
		return g
	}
	weighted := func(weights ...float64) *Graph {
		var records []Edge
		for i, w := range weights {
			records = append(records, Edge{int32(i), int32(i + 1), w})
		}
		g, _, err := Build(len(weights)+1, records)
		if err != nil {
			t.Fatal(err)
		}
		return named(g)
	}
	apart := chain(t, false, []float64{0, nan}, []float64{0, nan})
	apart.Off, apart.Nbr = []int{0, 0, 0}, nil // two components
	withoutCoordinates := generate(t, "ba:n=4,m=1", 1)
	for name, c := range map[string]struct {
		g      *Graph
		metric Metric
		opts   LengthOptions
		says   []string
	}{
		"missing weight": {weighted(1, nan), MetricWeight, LengthOptions{},
			[]string{`"Graz" – "Linz"`, "no weight"}},
		"no weights": {named(chain(t, false, []float64{1, 2}, []float64{1, 2})), MetricWeight,
			LengthOptions{}, []string{"no edge weights"}},
		"negative weight": {weighted(1, 2, -3), MetricWeight, LengthOptions{},
			[]string{`"Linz" – "Brno"`, "-3", "> 0"}},
		"negative, zero ok": {weighted(1, -3), MetricWeight, LengthOptions{AllowZero: true},
			[]string{`"Graz" – "Linz"`, "-3", ">= 0"}},
		"infinite weight": {weighted(math.Inf(1)), MetricWeight, LengthOptions{},
			[]string{`"Wien" – "Graz"`, "Inf"}},
		"zero weight": {weighted(1, 0), MetricWeight, LengthOptions{},
			[]string{`"Graz" – "Linz"`, "0", "> 0"}},
		"same place": {named(chain(t, false, []float64{1, 2, 2}, []float64{1, 1, 1})), MetricDistance,
			LengthOptions{}, []string{`"Graz" – "Linz"`}},
		"no coordinates": {named(apart), MetricDistance, LengthOptions{}, []string{`"Graz" has no coordinates`}},
		"none at all": {named(withoutCoordinates), MetricDistance, LengthOptions{},
			[]string{`"Wien" has no coordinates`}},
		"latitude": {named(chain(t, true, []float64{1, 2}, []float64{1, 91})), MetricDistance,
			LengthOptions{}, []string{`"Graz"`, "91", "-90 to 90"}},
		"infinite coordinates": {named(chain(t, false, []float64{1, math.Inf(1)}, []float64{1, 1})), MetricDistance,
			LengthOptions{}, []string{`"Graz"`, "finite"}},
		"overflow": {named(chain(t, false, []float64{-1e308, 1e308}, []float64{1, 1})), MetricDistance,
			LengthOptions{}, []string{`"Wien" – "Graz"`, "Inf"}},
		"unknown metric": {weighted(1), "miles", LengthOptions{}, []string{"miles", "hops, weight, distance"}},
	} {
		lengths, _, err := Lengths(c.g, c.metric, c.opts)
		if err == nil || lengths != nil {
			t.Errorf("%s: lengths %v, error %v", name, lengths, err)
			continue
		}
		for _, s := range c.says {
			if !strings.Contains(err.Error(), s) {
				t.Errorf("%s: %q does not say %q", name, err, s)
			}
		}
	}
	lengths, report, err := Lengths(weighted(1, 0), MetricWeight, LengthOptions{AllowZero: true})
	if err != nil || !slices.Equal(lengths, []float64{1, 1, 0, 0}) || report.Zero != 1 {
		t.Errorf("lengths %v, report %+v, %v", lengths, report, err)
	}
}

func TestStrengths(t *testing.T) {
	g := generate(t, "line:4", 1)
	g.Names = []string{"Wien", "Graz", "Linz", "Brno"}
	g.Attrs = map[string][]string{"load": {"1", " 2.5", "0", "1e3"}, "bad": {"1", "NaN", "2", "3"},
		"negative": {"0", "0", "-1", "0"}, "sparse": {"1", "2", "3", ""}}
	for source, want := range map[string][]float64{"degree": {1, 2, 2, 1}, "id": {1, 2, 3, 4},
		"attribute:load": {1, 2.5, 0, 1000}} {
		if got, err := Strengths(g, source, 1); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v, want %v", source, got, err, want)
		}
	}
	a, _ := Strengths(g, "random", 1)
	b, _ := Strengths(g, "random", 1)
	c, err := Strengths(g, "random", 2)
	if err != nil || !slices.Equal(a, b) || slices.Equal(a, c) || a[0] == a[1] {
		t.Errorf("random strengths %v, %v with the same seed, %v with another (%v)", a, b, c, err)
	}
	for _, s := range a {
		if s < 0 || s >= 1 {
			t.Errorf("random strength %v is not in [0, 1)", s)
		}
	}
	for source, says := range map[string][]string{
		"attribute:bad":      {`bad of node "Graz"`, "NaN"},
		"attribute:negative": {`"Linz"`, "-1", ">= 0"},
		"attribute:sparse":   {`"Brno"`, `""`},
		"attribute:nothing":  {"nothing", "bad, load, negative, sparse"},
		"attribute:":         {"attribute:NAME"},
		"strongest":          {"strongest", "degree, id, random, rank, attribute:NAME"},
		"degree:3":           {"degree:3"},
	} {
		strengths, err := Strengths(g, source, 1)
		var field *caucus.FieldError
		if !errors.As(err, &field) || strengths != nil {
			t.Errorf("%s: %v, error %v, want a field error", source, strengths, err)
			continue
		}
		for _, s := range says {
			if !strings.Contains(err.Error(), s) {
				t.Errorf("%s: %q does not say %q", source, err, s)
			}
		}
	}
}
