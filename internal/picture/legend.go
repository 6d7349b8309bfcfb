package picture

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// entry is a name beside the diagram.
type entry struct {
	k    int // of the series, and behind them of the reference
	name string
	end  vg.Point // of its line
	ends bool     // it has a line, which ends there
	y    vg.Length
}

// legend names what is drawn, beside the diagram: each line at its end, so that lines are told apart where they meet,
// as far as there is room.
func (c *Chart) legend(page draw.Canvas, p *plot.Plot, diagram draw.Canvas, x vg.Length) {
	style := writing(9, ink, false)
	for _, e := range c.entries(p, diagram) {
		at := vg.Point{X: x, Y: e.y + 3}
		own := draw.LineStyle{Color: faint, Width: 0.5}
		if e.k < len(c.Series) {
			own.Color = lineColour(c.look(e.k))
			c.sample(page, e.k, at)
		} else {
			page.StrokeLine2(c.level(e.k-len(c.Series)), at.X, at.Y, at.X+legendKey, at.Y)
		}
		if near := diagram.Max.X - (diagram.Max.X-diagram.Min.X)/8; e.ends && e.end.X >= near {
			page.StrokeLines(own, []vg.Point{e.end, {X: diagram.Max.X + 3, Y: e.end.Y}, {X: x - 3, Y: at.Y}})
		}
		page.FillText(style, vg.Point{X: x + legendKey + 6, Y: e.y}, shorten(style, e.name, legendMost-legendKey-12))
	}
}

// entries are the names and where they stand: at the height of what they name, but none on another.
func (c *Chart) entries(p *plot.Plot, diagram draw.Canvas) (list []entry) {
	toX, toY := p.Transforms(&diagram)
	top, bottom := diagram.Max.Y-10, diagram.Min.Y
	for k, name := range c.names() {
		e := entry{k: k, name: name, y: top}
		switch {
		case name == "":
			continue
		case k >= len(c.Series):
			e.end, e.ends = vg.Point{X: diagram.Max.X, Y: toY(c.References[k-len(c.Series)].Y)}, true
		case c.Series[k].lines() && len(c.Series[k].X) > 0:
			s := &c.Series[k]
			last := len(s.X) - 1
			e.end, e.ends = vg.Point{X: toX(s.X[last]), Y: toY(s.Y[last])}, true
		}
		if e.ends {
			e.y = min(top, e.end.Y-3)
		}
		list = append(list, e)
	}
	if vg.Length(len(list)-1)*legendLine <= top-bottom {
		slices.SortStableFunc(list, func(a, b entry) int { return cmp.Compare(b.y, a.y) })
	}
	for k := range list {
		if k > 0 {
			list[k].y = min(list[k].y, list[k-1].y-legendLine)
		}
	}
	floor := bottom
	for k := len(list) - 1; k >= 0 && list[k].y < floor; k-- {
		list[k].y = floor
		floor += legendLine
	}
	return list
}

// zeroGap is how many times 0's place the least value beyond it has on a logarithmic axis.
const zeroGap = 2

// grounded gives zeros a place on logarithmic axes, below all other values.
func (c *Chart) grounded() *Chart {
	own := *c
	own.Series, own.References = slices.Clone(c.Series), slices.Clone(c.References)
	own.Marks = slices.Clone(c.Marks)
	var xs, ys []*float64
	for k := range own.Series {
		s := &own.Series[k]
		s.X = slices.Clone(s.X)
		xs = addresses(xs, s.X)
		for _, column := range []*[]float64{&s.Y, &s.Lo, &s.Hi, &s.Least, &s.Most} {
			*column = slices.Clone(*column)
			ys = addresses(ys, *column)
		}
	}
	for k := range own.References {
		ys = append(ys, &own.References[k].Y)
	}
	for k := range own.Marks {
		xs = append(xs, &own.Marks[k].X)
	}
	if c.LogX {
		own.zeroX = raise(xs)
	}
	if c.LogY {
		own.zeroY = raise(ys)
	}
	return &own
}

func addresses(list []*float64, column []float64) []*float64 {
	for k := range column {
		list = append(list, &column[k])
	}
	return list
}

// raise puts zeros below all other values and tells where; 0: there are none.
func raise(values []*float64) (zero float64) {
	least, some := math.Inf(1), false
	for _, v := range values {
		if *v > 0 {
			least = min(least, *v)
		}
		some = some || *v == 0
	}
	if !some {
		return 0
	}
	if math.IsInf(least, 1) {
		least = 1
	}
	for _, v := range values {
		if *v == 0 {
			*v = least / zeroGap
		}
	}
	return least / zeroGap
}
