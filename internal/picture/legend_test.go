package picture

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"os"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// meeting are lines that cross, end near each other and touch zero.
func meeting(lines int) *Chart {
	c := &Chart{Title: "lines that meet", XLabel: "n", YLabel: "messages", LogX: true, LogY: true}
	for k := range lines {
		s := Series{Name: fmt.Sprint("algorithm ", k+1), Style: LinePoints}
		for x := 1.0; x <= 1024; x *= 4 {
			s.X = append(s.X, x)
			s.Y = append(s.Y, math.Pow(x, 0.4+0.1*float64(k))*float64(lines-k))
		}
		c.Series = append(c.Series, s)
	}
	return c
}

// Names stand at the ends of their lines, in the order of these, and none on another.
func TestNamesAtLines(t *testing.T) {
	for _, lines := range []int{2, 9, 18, 40} {
		c := meeting(lines).grounded()
		var canvas recorder.Canvas
		page := draw.NewCanvas(&canvas, 600, 400)
		p := c.plot()
		list := c.entries(p, p.DataCanvas(page))
		if len(list) != lines {
			t.Fatalf("%d names of %d lines", len(list), lines)
		}
		far := 0
		for k := range list {
			if k > 0 && list[k-1].y-list[k].y < legendLine-1e-6 {
				t.Errorf("%d lines: %q stands on %q", lines, list[k].name, list[k-1].name)
			}
			if k > 0 && lines < 20 && list[k-1].end.Y < list[k].end.Y {
				t.Errorf("%d lines: %q is above %q, its line below", lines, list[k-1].name, list[k].name)
			}
			if math.Abs(float64(list[k].y+3-list[k].end.Y)) > legendLine {
				far++
			}
		}
		if lines == 2 && far > 0 {
			t.Errorf("%d names of two are not at their lines", far)
		}
	}
}

// On a logarithmic axis 0 has a place below all else, and its name; what is below 0 has none.
func TestZeroOnLogAxis(t *testing.T) {
	c := meeting(3)
	c.Series[1].Y[2], c.Series[0].X[0] = 0, 0
	c.Series[2].Lo, c.Series[2].Hi = make([]float64, 6), c.Series[2].Y
	var b bytes.Buffer
	if err := c.Write(&b, ".svg"); err != nil {
		t.Fatal(err)
	}
	if zeros := strings.Count(b.String(), ">0</text>"); zeros != 2 {
		t.Errorf("%d axes name zero, want both", zeros)
	}
	g := c.grounded()
	if y := g.Series[1].Y[2]; y <= 0 || y >= 1 || c.Series[1].Y[2] != 0 || g.Series[2].Lo[3] != y {
		t.Errorf("zero stands at %g and %g, the chart has %g", y, g.Series[2].Lo[3], c.Series[1].Y[2])
	}
	all := &Chart{LogY: true, Series: []Series{{Name: "never", X: []float64{1, 2}, Y: []float64{0, 0}}}}
	if err := all.Write(&bytes.Buffer{}, ".png"); err != nil {
		t.Error(err)
	}
	c.Series[1].Y[2] = -1
	if err := c.Write(&bytes.Buffer{}, ".svg"); err == nil || !strings.Contains(err.Error(), `algorithm 2: found "-1"`) {
		t.Errorf("below zero: %v", err)
	}
	if dir := os.Getenv("CAUCUS_SHOTS"); dir != "" {
		for _, lines := range []int{3, 9, 18} {
			c := meeting(lines)
			c.Series[1].Y[2] = 0
			f, err := os.Create(fmt.Sprintf("%s/lines-%d.png", dir, lines))
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Write(f, f.Name()); err != nil {
				t.Fatal(err)
			}
			f.Close()
		}
	}
}

// seen is what is left of a colour for somebody without one kind of cones, in linear light (Viénot, Brettel and Mollon
// 1999 for the first two; the last is the same plane for the third).
func seen(c color.NRGBA, kind string) (lab [3]float64) {
	linear := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	r, g, b := linear(c.R), linear(c.G), linear(c.B)
	switch kind {
	case "protan":
		r, g, b = 0.11238*r+0.88762*g, 0.11238*r+0.88762*g, 0.00401*r-0.00401*g+b
	case "deutan":
		r, g, b = 0.29275*r+0.70725*g, 0.29275*r+0.70725*g, -0.02234*r+0.02234*g+b
	case "tritan":
		r, g, b = r+0.1446*g-0.1446*b, 0.8592*g+0.1408*b, 0.8592*g+0.1408*b
	}
	x := (0.4124*r + 0.3576*g + 0.1805*b) / 0.9505
	y := 0.2126*r + 0.7152*g + 0.0722*b
	z := (0.0193*r + 0.1192*g + 0.9505*b) / 1.089
	f := func(v float64) float64 { return math.Cbrt(max(v, 0.008856)) }
	return [3]float64{116*f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))}
}

// Any two of the first 18 lines are told apart by their colours, whoever looks at them, or by stroke and shape.
func TestLinesStayApart(t *testing.T) {
	c := meeting(18)
	for k := range c.Series {
		c.Series[k].Style = Line
	}
	var close int
	for i := range c.Series {
		for j := range i {
			same := fmt.Sprint(c.stroke(i).Dashes) == fmt.Sprint(c.stroke(j).Dashes)
			if same != (c.glyph(i).Shape == c.glyph(j).Shape) {
				t.Errorf("lines %d and %d: strokes the same: %t, shapes otherwise", i, j, same)
			}
			for _, kind := range []string{"all", "protan", "deutan", "tritan"} {
				a, b := seen(lineColour(i), kind), seen(lineColour(j), kind)
				d := math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2])
				if d < 12 {
					close++
				}
				if same && d < 12 {
					t.Errorf("lines %d and %d have one stroke, and for %s colours %.0f apart", i, j, kind, d)
				}
			}
		}
	}
	if close == 0 {
		t.Error("no two colours are near each other: strokes are not tested")
	}
}
