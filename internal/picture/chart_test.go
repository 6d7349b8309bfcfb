package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/color"
	"image/png"
	"io"
	"math"
	"strings"
	"testing"

	"caucus.example/caucus"
	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/recorder"
)

// example has one of everything.
func example() *Chart {
	c := &Chart{Title: "Instability", Subtitle: "seed 1", XLabel: "seconds", YLabel: "changes", Source: "a paper",
		Marks:      []Mark{{100, "switch"}},
		References: []Reference{{0.3, "published", 1}}}
	for k, name := range []string{"proposed", "recursive", "classic"} {
		s := Series{Name: name}
		for x := range 50 {
			y := math.Exp(-float64(x)/20) * float64(k+1) / 3
			s.X, s.Y, s.Lo, s.Hi = append(s.X, float64(x*4)), append(s.Y, y), append(s.Lo, y*0.9), append(s.Hi, y*1.1)
		}
		c.Series = append(c.Series, s)
	}
	c.Series = append(c.Series, Series{Name: "measured", X: []float64{20, 60}, Y: []float64{0.5, 0.7},
		Lo: []float64{0.4, 0.6}, Hi: []float64{0.6, 0.8}, Style: OpenPoints, Like: 2,
		Labels: []string{"first", "second"}})
	return c
}

// record draws on a canvas that writes down what it is told to do.
func record(t *testing.T, c *Chart) (actions []recorder.Action) {
	t.Helper()
	if err := c.check(); err != nil {
		t.Fatal(err)
	}
	var r recorder.Canvas
	c.draw(sized{&r, c})
	return r.Actions
}

type sized struct {
	*recorder.Canvas
	chart *Chart
}

func (s sized) Size() (w, h vg.Length) { return s.chart.width(), chartHeight }

// words lists the texts with their places.
func words(actions []recorder.Action) map[string]vg.Point {
	at := map[string]vg.Point{}
	for _, a := range actions {
		if f, ok := a.(*recorder.FillString); ok {
			at[f.String] = f.Point
		}
	}
	return at
}

func TestChartSaysEverything(t *testing.T) {
	c := example()
	at := words(record(t, c))
	for _, want := range []string{"Instability", "seed 1", "seconds", "changes", "a paper", "switch", "published",
		"proposed", "recursive", "classic", "measured", "first", "second", "0", "100", "200", "0.2", "1.0"} {
		if _, ok := at[want]; !ok {
			t.Errorf("the chart does not say %q", want)
		}
	}
	if !(at["0.2"].Y < at["1.0"].Y) || !(at["100"].X < at["200"].X) {
		t.Errorf("0.2 at %v, 1.0 at %v; 100 at %v, 200 at %v", at["0.2"], at["1.0"], at["100"], at["200"])
	}
}

// The legend stands beside the diagram: no line or band goes under it, and none leaves the axes.
func TestChartLegendIsClear(t *testing.T) {
	c := example()
	actions := record(t, c)
	left := words(actions)["proposed"].X - legendKey - 6
	var colours = map[color.Color]bool{}
	for _, a := range actions {
		switch a := a.(type) {
		case *recorder.SetColor:
			colours[a.Color] = true
		case *recorder.Stroke:
			inside, outside := 0, 0
			for _, p := range a.Path {
				switch {
				case p.Type == vg.CloseComp:
				case p.Pos.X < left:
					inside++
				default:
					outside++
				}
			}
			if inside > 0 && outside > 0 {
				t.Errorf("a line from the diagram into the legend: %v", a.Path)
			}
		}
	}
	for k := range 3 {
		if !colours[lineColour(k)] || !colours[band(lineColour(k))] {
			t.Errorf("series %d has no line or no band in its colour", k)
		}
	}
	if colours[lineColour(3)] {
		t.Error("the fourth series has a colour of its own, not that of the second")
	}
}

func TestChartBytes(t *testing.T) {
	for _, name := range []string{"a.svg", "a.png", "a.pdf"} {
		var a, b bytes.Buffer
		for _, w := range []io.Writer{&a, &b} {
			if err := example().Write(w, name); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("%s: two drawings of one chart differ", name)
		}
		switch name {
		case "a.png":
			if _, err := png.Decode(&a); err != nil {
				t.Error(err)
			}
			continue
		case "a.pdf":
			if text := a.String(); !strings.HasPrefix(text, "%PDF-") || !strings.HasSuffix(text, "%%EOF\n") {
				t.Errorf("a PDF of %d bytes without beginning or end", len(text))
			}
			continue
		}
		for d := xml.NewDecoder(&a); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestChartRefusals(t *testing.T) {
	line := Series{Name: "s", X: []float64{1, 2}, Y: []float64{1, 2}}
	with := func(change func(s *Series)) []Series {
		s := line
		change(&s)
		return []Series{s}
	}
	for want, c := range map[string]*Chart{
		"no points":                      {},
		"2 x, 1 y":                       {Series: with(func(s *Series) { s.Y = s.Y[:1] })},
		"2 lower and 0 upper":            {Series: with(func(s *Series) { s.Lo = s.Y })},
		"1 labels":                       {Series: with(func(s *Series) { s.Labels = []string{""} })},
		`found "NaN", allowed: finite`:   {Series: with(func(s *Series) { s.Y = []float64{1, math.NaN()} })},
		`found "-1", allowed: finite nu`: {LogX: true, Series: with(func(s *Series) { s.X = []float64{-1, 1} })},
		"axis is logarithmic": {LogY: true,
			Series: with(func(s *Series) { s.Lo, s.Hi = []float64{-1, 1}, s.Y })},
		"like series 1":      {Series: with(func(s *Series) { s.Like = 1 })},
		"like series 2 of 1": {Series: []Series{line}, References: []Reference{{Y: 1, Like: 2}}},
		`found "+Inf"`:       {Series: []Series{line}, Marks: []Mark{{X: math.Inf(1)}}},
	} {
		if err := c.Write(io.Discard, "c.svg"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	var field *caucus.FieldError
	if err := example().Write(io.Discard, "c.jpeg"); !errors.As(err, &field) {
		t.Errorf("error %v", err)
	}
}

func labels(ticks []plot.Tick) (list []string) {
	for _, t := range ticks {
		if t.Label != "" {
			list = append(list, t.Label)
		}
	}
	return list
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		log       bool
		want      string
	}{
		{0, 10, false, "0 2 4 6 8 10"},
		{0, 103, false, "0 20 40 60 80 100"},
		{0, 600, false, "0 100 200 300 400 500 600"},
		{0, 0.0309, false, "0.000 0.005 0.010 0.015 0.020 0.025 0.030"},
		{-1, 1, false, "-1.0 -0.8 -0.6 -0.4 -0.2 0.0 0.2 0.4 0.6 0.8 1.0"},
		{18, 330, true, "20 50 100 200"},
		{0.9, 1e5, true, "1 10 100 1000 10000 100000"},
	} {
		ticks := steps{}.Ticks(c.low, c.high)
		if c.log {
			ticks = decades{}.Ticks(c.low, c.high)
		}
		if diff := cmp.Diff(c.want, strings.Join(labels(ticks), " ")); diff != "" {
			t.Errorf("%g to %g: %s", c.low, c.high, diff)
		}
	}
}

// A linear axis of positive values begins at 0; one of negative values does not; a logarithmic one never.
func TestSpan(t *testing.T) {
	for _, c := range []struct {
		chart      Chart
		low, least float64
	}{
		{Chart{Series: []Series{{X: []float64{0, 9}, Y: []float64{90, 100}}}}, 0, 0},
		{Chart{Series: []Series{{X: []float64{0, 9}, Y: []float64{-90, 100}}}}, -100, -90},
		{Chart{LogY: true, Series: []Series{{X: []float64{0, 9}, Y: []float64{90, 100}}}}, 80, 90},
		{Chart{Series: []Series{{X: []float64{0, 9}, Y: []float64{0, 0}}}}, 0, 0},
	} {
		p := c.chart.plot()
		if p.Y.Min < c.low || p.Y.Min > c.least || !(p.Y.Max > p.Y.Min) {
			t.Errorf("%v: the axis goes from %g to %g", c.chart.Series[0].Y, p.Y.Min, p.Y.Max)
		}
	}
}

// A line does not go through the labels of its points: where it climbs they stand left of them.
func TestLabelsOfALineThatClimbs(t *testing.T) {
	x := []float64{0, 1, 2, 3, 4}
	c := &Chart{Title: "t", Series: []Series{{Name: "s", X: x, Y: []float64{0, 1, 5, 1, 0}, Style: LinePoints,
		Labels: []string{"begin", "climbs", "top", "falls", "end"}}}}
	at := words(record(t, c))
	step := (at["end"].X - at["begin"].X) / 4 // both right of their points
	for k, name := range []string{"climbs", "top", "falls"} {
		right := at["begin"].X + step*vg.Length(k+1)
		if left := at[name].X < right-10; left != (name == "climbs") {
			t.Errorf("%s at %g, to the right of its point at %g", name, at[name].X, right)
		}
	}
}
