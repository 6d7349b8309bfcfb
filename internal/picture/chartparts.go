package picture

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// drawn is one series as gonum's plot sees it: first its band, so that no band hides a line.
type drawn struct {
	chart *Chart
	k     int
	band  bool
}

func (d *drawn) Plot(canvas draw.Canvas, p *plot.Plot) {
	s := &d.chart.Series[d.k]
	x, y := p.Transforms(&canvas)
	path := func(values []float64) []vg.Point {
		points := make([]vg.Point, len(values))
		for i, v := range values {
			points[i] = vg.Point{X: x(s.X[i]) + d.chart.aside(d.k), Y: y(v)}
		}
		return points
	}
	if s.Style == Boxes {
		d.boxes(canvas, x, y)
		return
	}
	if d.band {
		if len(s.Lo) > 1 {
			outline := path(s.Hi)
			lower := path(s.Lo)
			for i := len(lower) - 1; i >= 0; i-- {
				outline = append(outline, lower[i])
			}
			canvas.FillPolygon(band(lineColour(d.chart.look(d.k))), outline)
		}
		return
	}
	points := path(s.Y)
	if s.lines() {
		canvas.StrokeLines(d.chart.stroke(d.k), points)
	}
	for i, at := range points {
		if s.points() {
			if s.Lo != nil && !s.lines() {
				d.whisker(canvas, at.X, y(s.Lo[i]), y(s.Hi[i]))
			}
			canvas.DrawGlyph(d.chart.glyph(d.k), at)
		}
		if s.Labels != nil {
			note(canvas, noteAt(points, i, writing(8, faint, false).Width(s.Labels[i])), s.Labels[i])
		}
	}
}

// boxWidth is that of a box, in points.
const boxWidth = 7

// aside is how far a series of boxes stands beside its place, and what is like it.
func (c *Chart) aside(of int) vg.Length {
	if like := c.Series[of].Like; like > 0 {
		of = like - 1
	}
	if c.Series[of].Style != Boxes {
		return 0
	}
	all, before := 0, 0
	for k := range c.Series {
		if c.Series[k].Style == Boxes {
			if all++; k < of {
				before++
			}
		}
	}
	return (vg.Length(before) - vg.Length(all-1)/2) * (boxWidth + 2)
}

// boxes draws those of one series; those of several stand side by side.
func (d *drawn) boxes(canvas draw.Canvas, x, y func(float64) vg.Length) {
	s, aside := &d.chart.Series[d.k], d.chart.aside(d.k)
	ink := lineColour(d.chart.look(d.k))
	thin, thick := draw.LineStyle{Color: ink, Width: 0.8}, draw.LineStyle{Color: ink, Width: 2}
	for i := range s.X {
		at := x(s.X[i]) + aside
		left, right := at-boxWidth/2, at+boxWidth/2
		low, high := y(s.Lo[i]), y(s.Hi[i])
		corners := []vg.Point{{X: left, Y: low}, {X: right, Y: low}, {X: right, Y: high}, {X: left, Y: high}}
		if d.band {
			canvas.FillPolygon(band(ink), corners)
			continue
		}
		canvas.StrokeLines(thin, append(corners, corners[0]))
		canvas.StrokeLine2(thick, left, y(s.Y[i]), right, y(s.Y[i]))
		canvas.StrokeLine2(thin, at, low, at, y(s.Least[i]))
		canvas.StrokeLine2(thin, at, high, at, y(s.Most[i]))
	}
}

// noteAt is where the label of a point begins so that the line does not go through it: left of a point from which
// it climbs, else right.
func noteAt(points []vg.Point, i int, wide vg.Length) vg.Point {
	at := points[i]
	if i > 0 && i+1 < len(points) && points[i+1].Y-at.Y > 0.15*(points[i+1].X-at.X) {
		return vg.Point{X: at.X - 6 - wide, Y: at.Y + 3}
	}
	return vg.Point{X: at.X + 6, Y: at.Y + 3}
}

// note writes beside a point, on a ground that keeps lines from striking it through.
func note(canvas draw.Canvas, at vg.Point, words string) {
	s, ground := writing(8, faint, false), paper
	ground.A = 0xb0
	canvas.SetColor(ground)
	canvas.Fill(rectangle(box{at.X - 1, at.Y - 2, at.X + s.Width(words) + 1, at.Y + 7}))
	canvas.FillText(s, at, words)
}

// whisker is the spread of a single point.
func (d *drawn) whisker(canvas draw.Canvas, x, lo, hi vg.Length) {
	canvas.StrokeLine2(draw.LineStyle{Color: lineColour(d.chart.look(d.k)), Width: 0.8}, x, lo, x, hi)
}

// DataRange tells gonum's plot how far the series reaches.
func (d *drawn) DataRange() (xmin, xmax, ymin, ymax float64) {
	s := &d.chart.Series[d.k]
	xmin, ymin = math.Inf(1), math.Inf(1)
	xmax, ymax = math.Inf(-1), math.Inf(-1)
	for i := range s.X {
		xmin, xmax = min(xmin, s.X[i]), max(xmax, s.X[i])
		ymin, ymax = min(ymin, s.Y[i]), max(ymax, s.Y[i])
		if s.Lo != nil {
			ymin, ymax = min(ymin, s.Lo[i]), max(ymax, s.Hi[i])
		}
		if s.Least != nil {
			ymin, ymax = min(ymin, s.Least[i]), max(ymax, s.Most[i])
		}
	}
	return
}

// flag is a mark.
type flag struct{ *Mark }

func (f *flag) Plot(canvas draw.Canvas, p *plot.Plot) {
	toX, _ := p.Transforms(&canvas)
	x := toX(f.X)
	canvas.StrokeLine2(draw.LineStyle{Color: faint, Width: 0.8, Dashes: []vg.Length{3, 2}}, x, canvas.Min.Y, x,
		canvas.Max.Y)
	s := writing(8, faint, false)
	s.XAlign = text.XCenter
	canvas.FillText(s, vg.Point{X: x, Y: canvas.Max.Y + 4}, f.Label)
}

func (f *flag) DataRange() (xmin, xmax, ymin, ymax float64) {
	return f.X, f.X, math.Inf(1), math.Inf(-1)
}

// level is a reference.
type level struct {
	chart *Chart
	k     int
}

func (c *Chart) level(k int) draw.LineStyle {
	l := draw.LineStyle{Color: faint, Width: 1, Dashes: []vg.Length{1.5, 2.5}}
	if like := c.References[k].Like; like > 0 {
		l.Color = lineColour(c.look(like - 1))
	}
	return l
}

func (l *level) Plot(canvas draw.Canvas, p *plot.Plot) {
	_, toY := p.Transforms(&canvas)
	y := toY(l.chart.References[l.k].Y)
	canvas.StrokeLine2(l.chart.level(l.k), canvas.Min.X, y, canvas.Max.X, y)
}

func (l *level) DataRange() (xmin, xmax, ymin, ymax float64) {
	y := l.chart.References[l.k].Y
	return math.Inf(1), math.Inf(-1), y, y
}

// steps puts five to ten ticks on a linear axis, at multiples of 1, 2 or 5 times a power of ten.
type steps struct{}

func (steps) Ticks(low, high float64) []plot.Tick {
	step := math.Pow(10, math.Floor(math.Log10((high-low)/5)))
	for _, times := range []float64{5, 2} {
		if (high-low)/(step*times) >= 5 {
			step *= times
			break
		}
	}
	decimals := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	var ticks []plot.Tick
	for k := math.Ceil(low/step - 1e-9); k*step <= high*(1+1e-12); k++ {
		ticks = append(ticks, plot.Tick{Value: k * step, Label: strconv.FormatFloat(k*step+0, 'f', decimals, 64)})
	}
	return ticks
}

// decades puts ticks on a logarithmic axis: labelled powers of ten, and 2 and 5 times them while there are few. Below
// them stands 0, if there is one.
type decades struct{ zero float64 }

func (d decades) Ticks(low, high float64) []plot.Tick {
	few := math.Log10(high/low) <= 2.5
	var ticks []plot.Tick
	if d.zero > 0 {
		ticks, low = append(ticks, plot.Tick{Value: d.zero, Label: "0"}), zeroGap*d.zero/1.01
		few = math.Log10(high/low) <= 2.5
	}
	for e := math.Floor(math.Log10(low)); e <= math.Log10(high); e++ {
		for m := 1.0; m < 10; m++ {
			v := m * math.Pow(10, e)
			if v < low || v > high {
				continue
			}
			t := plot.Tick{Value: v}
			if m == 1 || few && (m == 2 || m == 5) {
				t.Label = strconv.FormatFloat(v, 'g', 6, 64)
			}
			ticks = append(ticks, t)
		}
	}
	return ticks
}
