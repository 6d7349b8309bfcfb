package picture

import (
	"fmt"
	"image/color"
	"io"
	"math"

	"caucus.example/caucus"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Chart is a diagram of series over one quantity. The same Chart always gives the same bytes.
type Chart struct {
	Title, Subtitle string
	XLabel, YLabel  string
	LogX, LogY      bool // no value may then be < 0; 0 stands at the edge, and says so
	Series          []Series
	Marks           []Mark
	References      []Reference
	Source          string  // at the foot; "" for none
	zeroX, zeroY    float64 // where 0 stands on a logarithmic axis; 0: there is none
}

// Series is one line of a chart, or one set of points. Its slices run parallel.
type Series struct {
	Name   string // in the legend
	X, Y   []float64
	Lo, Hi []float64 // a band around Y; nil: none
	Least  []float64 // of boxes
	Most   []float64
	Style  Style
	Labels []string // written beside the points; nil: none
	// Like, from 1, gives the series the colour and shape of that one of the series before it; 0: its own.
	Like int
}

// Style is how a series is drawn.
type Style int

// Styles.
const (
	Line Style = iota
	Points
	LinePoints
	Dashes     // for the companion of another series; see Like
	OpenPoints // hollow: what others have published
	Boxes      // from Lo to Hi with a line at Y, and lines from there to Least and Most
)

// Mark is an event: a vertical line with words above it.
type Mark struct {
	X     float64
	Label string
}

// Reference is a value to compare with: a horizontal line, named in the legend.
type Reference struct {
	Y    float64
	Name string
	Like int // as in Series
}

// Sizes of a chart, in points.
const (
	chartWidth  = 720
	chartHeight = 400
	chartHead   = 48 // title and subtitle
	markLabels  = 10 // more of it for the labels of marks
	legendLine  = 17
	legendKey   = 24 // the sample of a line
	legendMost  = 260
	legendWay   = 14 // from the ends of lines to their names
)

// Write draws the chart in the format that the ending of the file's name says: see Endings.
func (c *Chart) Write(w io.Writer, name string) error {
	if err := c.check(); err != nil {
		return err
	}
	return write(w, name, c.width(), chartHeight, c.grounded().draw)
}

// check refuses what cannot be drawn, and says which series it is.
func (c *Chart) check() error {
	points := 0
	for k := range c.Series {
		s := &c.Series[k]
		if len(s.Y) != len(s.X) || s.Lo != nil && len(s.Lo) != len(s.X) || len(s.Hi) != len(s.Lo) ||
			s.Labels != nil && len(s.Labels) != len(s.X) || len(s.Least) != len(s.Most) ||
			s.Style == Boxes && (len(s.Lo) != len(s.X) || len(s.Least) != len(s.X)) {
			return fmt.Errorf("chart %q, series %q: %d x, %d y, %d lower and %d upper values, %d labels", c.Title,
				s.Name, len(s.X), len(s.Y), len(s.Lo), len(s.Hi), len(s.Labels))
		}
		if s.Like < 0 || s.Like > k {
			return fmt.Errorf("chart %q, series %q: like series %d, which is not before it", c.Title, s.Name, s.Like)
		}
		points += len(s.X)
		if err := c.checkValues(s.Name, c.LogX, s.X); err != nil {
			return err
		}
		if err := c.checkValues(s.Name, c.LogY, s.Y, s.Lo, s.Hi, s.Least, s.Most); err != nil {
			return err
		}
	}
	for _, r := range c.References {
		if r.Like < 0 || r.Like > len(c.Series) {
			return fmt.Errorf("chart %q, %s: like series %d of %d", c.Title, r.Name, r.Like, len(c.Series))
		}
		if err := c.checkValues(r.Name, c.LogY, []float64{r.Y}); err != nil {
			return err
		}
	}
	for _, m := range c.Marks {
		if err := c.checkValues(m.Label, c.LogX, []float64{m.X}); err != nil {
			return err
		}
	}
	if points == 0 {
		return fmt.Errorf("chart %q has no points", c.Title)
	}
	return nil
}

func (c *Chart) checkValues(name string, log bool, columns ...[]float64) error {
	for _, column := range columns {
		for _, v := range column {
			if math.IsNaN(v) || math.IsInf(v, 0) || log && v < 0 {
				allowed := "finite numbers"
				if log {
					allowed += " >= 0: the axis is logarithmic"
				}
				return &caucus.FieldError{Field: fmt.Sprintf("chart %q, %s", c.Title, name), Found: fmt.Sprint(v),
					Allowed: allowed}
			}
		}
	}
	return nil
}

// strokes tell lines of a chart apart where colours do not.
var strokes = [][]vg.Length{nil, {7, 2.5}, {2, 2}, {7, 2.5, 2, 2.5}, {12, 3}, {4, 2, 1, 2, 1, 2}}

var glyphs = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{},
	draw.SquareGlyph{}, draw.TriangleGlyph{}}

var openGlyphs = []draw.GlyphDrawer{draw.RingGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}}

// look numbers the looks of a chart's series: each has its own but those that are like another.
func (c *Chart) look(k int) int {
	for c.Series[k].Like > 0 {
		k = c.Series[k].Like - 1
	}
	n := 0
	for i := range k {
		if c.Series[i].Like == 0 {
			n++
		}
	}
	return n
}

// inks are the colours of lines: those of the map that show well on white.
var inks = []int{0, 5, 2, 3, 1, 4}

// lineColour has all inks as they are, then darker, then lighter.
func lineColour(k int) color.NRGBA {
	return shade(inks[k%len(inks)] + []int{0, 2, 1}[k/len(inks)%3]*len(hues))
}

// turn goes round a list, one further each time the inks begin anew: what has nearly the colour of another has another
// stroke and shape.
func turn(k, of int) int { return (k + k/len(inks)) % of }

func (c *Chart) stroke(k int) draw.LineStyle {
	own := c.look(k)
	l := draw.LineStyle{Color: lineColour(own), Width: 1.6}
	switch c.Series[k].Style {
	case Line:
		l.Dashes = strokes[turn(own, len(strokes))]
	case Dashes:
		l.Width, l.Dashes = 1.2, []vg.Length{4, 2}
	}
	return l
}

func (c *Chart) glyph(k int) draw.GlyphStyle {
	own := c.look(k)
	g := draw.GlyphStyle{Color: lineColour(own), Radius: 3.2, Shape: glyphs[turn(own, len(glyphs))]}
	if c.Series[k].Style == OpenPoints {
		g.Radius, g.Shape = 5, openGlyphs[own%len(openGlyphs)]
	}
	return g
}

func (s *Series) lines() bool  { return s.Style == Line || s.Style == LinePoints || s.Style == Dashes }
func (s *Series) points() bool { return s.Style != Line && s.Style != Dashes && s.Style != Boxes }

func (c *Chart) draw(canvas vg.CanvasSizer) {
	w, h := canvas.Size()
	page := draw.NewCanvas(canvas, w, h)
	page.SetColor(paper)
	page.Fill(rectangle(box{0, 0, w, h}))
	above, more := heading(w-2*margin, 22, written{style: writing(14, ink, true), words: c.Title},
		written{style: writing(9.5, faint, false), words: c.Subtitle})
	below, low := heading(w-2*margin, 0, written{style: writing(8, faint, false), words: c.Source})
	put(page, above, h)
	foot := vg.Length(margin)
	if c.Source != "" {
		foot += 10 + low
		put(page, below, 8+low)
	}
	head := chartHead + more
	if len(c.Marks) > 0 {
		head += markLabels
	}
	p, area := c.plot(), draw.Crop(page, margin, -c.legendWidth()-margin, foot, -head)
	p.Draw(area)
	c.legend(page, p, p.DataCanvas(area), w-c.legendWidth()-margin/2+legendWay)
}

// plot is the diagram itself, without words around it.
func (c *Chart) plot() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	c.axis(&p.X, c.XLabel, c.LogX, c.zeroX)
	c.axis(&p.Y, c.YLabel, c.LogY, c.zeroY)
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = nil, color.NRGBA{0xe8, 0xe8, 0xe8, 0xff}
	p.Add(grid)
	for k := range c.Series {
		p.Add(&drawn{c, k, true})
	}
	for k := range c.Marks {
		p.Add(&flag{&c.Marks[k]})
	}
	for k := range c.References {
		p.Add(&level{c, k})
	}
	for k := range c.Series {
		p.Add(&drawn{c, k, false})
	}
	c.span(p)
	return p
}

func (c *Chart) axis(a *plot.Axis, label string, log bool, zero float64) {
	a.Label.Text = label
	a.Label.TextStyle.Font.Size, a.Label.TextStyle.Color = 10, ink
	a.Label.TextStyle.Font.Variant = "Sans"
	a.Tick.Label.Font.Size, a.Tick.Label.Color = 9, faint
	a.Tick.Label.Font.Variant = "Sans"
	a.LineStyle.Color, a.Tick.LineStyle.Color = faint, faint
	a.Padding = 0
	a.Tick.Marker = steps{}
	if log {
		a.Scale, a.Tick.Marker = plot.LogScale{}, decades{zero}
	}
}

// span sets the ranges of both axes. A linear axis of values that are not negative begins at 0: nobody
// should have to read it to know that a small difference is small.
func (c *Chart) span(p *plot.Plot) {
	for _, a := range []struct {
		axis *plot.Axis
		log  bool
	}{{&p.X, c.LogX}, {&p.Y, c.LogY}} {
		low, high := a.axis.Min, a.axis.Max
		switch {
		case a.log:
			low, high = low/1.1, high*1.1
		case low >= 0 && (a.axis == &p.Y || low < high/10):
			low, high = 0, high+0.03*high
		default:
			low, high = low-0.03*(high-low), high+0.03*(high-low)
		}
		if low == high {
			high = low + 1
		}
		a.axis.Min, a.axis.Max = low, high
	}
}

// legendWidth is that of the column beside the diagram.
func (c *Chart) legendWidth() vg.Length {
	s, widest := writing(9, ink, false), vg.Length(0)
	for _, name := range c.names() {
		widest = max(widest, s.Width(name))
	}
	return min(legendMost, widest+legendKey+18) + legendWay
}

func (c *Chart) width() vg.Length { return chartWidth - 160 + c.legendWidth() }

func (c *Chart) names() []string {
	var names []string
	for _, s := range c.Series {
		names = append(names, s.Name)
	}
	for _, r := range c.References {
		names = append(names, r.Name)
	}
	return names
}

func (c *Chart) sample(page draw.Canvas, k int, at vg.Point) {
	s := &c.Series[k]
	if s.Lo != nil {
		page.SetColor(band(lineColour(c.look(k))))
		page.Fill(rectangle(box{at.X, at.Y - 4.5, at.X + legendKey, at.Y + 4.5}))
	}
	if s.lines() {
		page.StrokeLine2(c.stroke(k), at.X, at.Y, at.X+legendKey, at.Y)
	}
	if s.points() {
		page.DrawGlyph(c.glyph(k), vg.Point{X: at.X + legendKey/2, Y: at.Y})
	}
}

func band(c color.NRGBA) color.NRGBA {
	c.A = 0x30
	return c
}
