// Package picture draws the result of an election: the network with one colour for
// each region.
package picture

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/layout"
	"caucus.example/caucus/network"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// MaxNodes is the largest network that is drawn; a larger one would be a grey blot.
const MaxNodes = 20_000

// Map is a picture of the regions of one network. The same Map always gives the
// same bytes.
type Map struct {
	Graph    *network.Graph
	Names    *caucus.Names
	Outcomes []caucus.Outcome // by node
	Live     []bool           // by node
	Title    string
	Subtitle string
	Source   string // attribution of the data, at the foot; "" for none
}

// Sizes of the page, in points.
const (
	margin   = 14
	header   = 46
	footer   = 22
	legend   = 150
	longSide = 640 // of the map itself
)

// Words tell what a map shows: how many regions there are or, where some are named who do not lead, how many are named.
func (m *Map) Words() string {
	named := map[caucus.ID]bool{}
	idle := 0
	for _, o := range m.Outcomes {
		if o.Leader == caucus.None || named[o.Leader] {
			continue
		}
		named[o.Leader] = true
		if o.Leader > caucus.ID(len(m.Outcomes)) || !m.leads(int(o.Leader)-1) {
			idle++
		}
	}
	count := func(what string) string {
		if len(named) == 1 {
			return "1 " + what
		}
		return fmt.Sprintf("%d %ss", len(named), what)
	}
	switch {
	case idle == 0:
		return count("region")
	case idle == len(named):
		return count("leader") + " named, none of which leads"
	case idle == 1:
		return count("leader") + ", one of them does not lead"
	}
	return fmt.Sprintf("%s, %d of them do not lead", count("leader"), idle)
}

// leads tells of a node whether it runs and leads.
func (m *Map) leads(i int) bool { return m.Live[i] && m.Outcomes[i].Role == caucus.Leader }

// Write draws the map in the format that the ending of the file's name says: see Endings. Nodes without coordinates are
// hollow.
func (m *Map) Write(w io.Writer, name string) error {
	d, err := m.prepare()
	if err != nil {
		return err
	}
	return write(w, name, d.width, d.height, d.draw)
}

// drawing is a Map with everything measured.
type drawing struct {
	*Map
	width, height vg.Length
	area          box
	above, below  []written
	wraps         []layout.Way
	points        []vg.Point
	known         []bool // has coordinates of its own, or the whole graph has none
	regions       []Region
	index         map[caucus.ID]int
	disc          vg.Length // radius of a follower
}

func (m *Map) prepare() (*drawing, error) {
	if m.Graph.Len() > MaxNodes {
		return nil, &caucus.FieldError{Field: "map", Found: fmt.Sprintf("%d nodes", m.Graph.Len()),
			Allowed: fmt.Sprintf("networks of at most %d nodes", MaxNodes)}
	}
	d := &drawing{Map: m, wraps: layout.Wraps(m.Graph)}
	places, aspect := layout.Of(m.Graph)
	w, h := vg.Length(longSide), vg.Length(longSide)
	if aspect > 1 {
		h = w / vg.Length(aspect)
	} else {
		w = h * vg.Length(aspect)
	}
	d.regions, d.index = regions(m.Graph, m.Outcomes)
	w, h = max(w, 360), max(h, 260)
	d.disc = followerDisc(places, w, h)
	pad := 3*d.disc + 6
	d.width = margin + w + 2*pad + legend + margin
	var more, low vg.Length
	d.above, more = heading(d.width-2*margin, 24, written{style: writing(15, ink, true), words: m.Title},
		written{style: writing(10, faint, false), words: m.Subtitle})
	d.below, low = heading(d.width-2*margin, 0, written{style: writing(8, faint, false), words: m.Source})
	d.area = box{margin, footer + margin + low, margin + w + 2*pad, footer + margin + low + h + 2*pad}
	d.height = d.area.y1 + header + more
	anyKnown := false
	for _, p := range places {
		anyKnown = anyKnown || p.Known
	}
	for _, p := range places {
		d.points = append(d.points, vg.Point{X: d.area.x0 + pad + vg.Length(p.X)*w,
			Y: d.area.y0 + pad + vg.Length(p.Y)*h})
		d.known = append(d.known, p.Known || !anyKnown)
	}
	return d, nil
}

// followerDisc makes all discs together cover about a twentieth of the map, but no larger than lets half of
// the nodes keep clear of the node next to them.
func followerDisc(places []layout.Place, w, h vg.Length) vg.Length {
	const atLeast, atMost = 0.8, 5.5
	n := len(places)
	disc := vg.Length(math.Sqrt(float64(w*h) / 20 / float64(max(n, 1)) / math.Pi))
	if n > 1 && n <= layout.Sprung {
		disc = min(disc, max(2.2, middleGap(places, w, h)/2))
	}
	return max(atLeast, min(atMost, disc))
}

// middleGap is the median distance of a node to the node nearest to it.
func middleGap(places []layout.Place, w, h vg.Length) vg.Length {
	gaps := make([]float64, len(places))
	for i, p := range places {
		gaps[i] = math.Inf(1)
		for j, q := range places {
			if i != j {
				gaps[i] = min(gaps[i], math.Hypot((p.X-q.X)*float64(w), (p.Y-q.Y)*float64(h)))
			}
		}
	}
	slices.Sort(gaps)
	return vg.Length(gaps[len(gaps)/2])
}

func (d *drawing) draw(canvas vg.CanvasSizer) {
	c := draw.NewCanvas(canvas, d.width, d.height)
	c.SetColor(paper)
	c.Fill(rectangle(box{0, 0, d.width, d.height}))
	d.edges(c)
	d.nodes(c)
	d.names(c)
	d.texts(c)
	d.legend(c)
}

// edges draws those between regions first, in grey, so that the coloured ones lie on top.
func (d *drawing) edges(c draw.Canvas) {
	thin := max(0.3, min(1.8, d.disc/3))
	for _, within := range []bool{false, true} {
		for i := range d.points {
			for s := d.Graph.Off[i]; s < d.Graph.Off[i+1]; s++ {
				j, wraps := d.Graph.Nbr[s], d.wraps != nil && d.wraps[s] != layout.Way{}
				a, colour := d.regionOf(i), grey
				if int(j) < i && !wraps || (a >= 0 && a == d.regionOf(int(j))) != within {
					continue
				}
				width := thin * 0.7
				if within {
					colour, width = shade(d.regions[a].shade), thin
				}
				end := d.points[j]
				if wraps {
					end = d.stub(i, d.wraps[s])
				}
				c.StrokeLines(draw.LineStyle{Color: colour, Width: width}, []vg.Point{d.points[i], end})
			}
		}
	}
}

// stub is where a link ends that leaves the picture.
func (d *drawing) stub(i int, way layout.Way) vg.Point {
	long := 2.8*d.disc + 5
	return vg.Point{X: d.points[i].X + long*vg.Length(way.X), Y: d.points[i].Y + long*vg.Length(way.Y)}
}

// regionOf gives the index of a node's region, -1 for none.
func (d *drawing) regionOf(i int) int {
	if k, ok := d.index[d.Outcomes[i].Leader]; ok && d.Live[i] {
		return k
	}
	return -1
}

// nodes draws the leaders last: they must not be covered.
func (d *drawing) nodes(c draw.Canvas) {
	for _, leaders := range []bool{false, true} {
		for i, at := range d.points {
			if d.leads(i) != leaders {
				continue
			}
			colour := nothing
			if k := d.regionOf(i); k >= 0 {
				colour = shade(d.regions[k].shade)
			}
			d.node(c, at, i, colour)
		}
	}
}

func (d *drawing) node(c draw.Canvas, at vg.Point, i int, colour color.NRGBA) {
	r, border, width := d.disc, blend(colour, ink, 0.35), d.disc/6
	if d.leads(i) {
		r, border, width = d.leaderDisc(), ink, d.leaderBorder()
	}
	disc := circlePath(at, r)
	c.SetColor(colour)
	c.Fill(disc)
	if !d.known[i] {
		c.SetColor(paper)
		c.Fill(circlePath(at, r*0.6))
	}
	c.SetColor(border)
	c.SetLineWidth(width)
	c.SetLineDash(nil, 0)
	c.Stroke(disc)
}

func (d *drawing) leaderDisc() vg.Length   { return max(2.5, d.disc*1.6) }
func (d *drawing) leaderBorder() vg.Length { return max(1, d.disc/2.2) }

func circlePath(at vg.Point, r vg.Length) vg.Path {
	var p vg.Path
	p.Move(vg.Point{X: at.X + r, Y: at.Y})
	p.Arc(at, r, 0, 2*math.Pi)
	p.Close()
	return p
}

func rectangle(b box) vg.Path {
	var p vg.Path
	p.Move(vg.Point{X: b.x0, Y: b.y0})
	p.Line(vg.Point{X: b.x1, Y: b.y0})
	p.Line(vg.Point{X: b.x1, Y: b.y1})
	p.Line(vg.Point{X: b.x0, Y: b.y1})
	p.Close()
	return p
}

// More names than these would hide the map: of leaders, and of all nodes.
const (
	maxNames    = 80
	maxAllNames = 60
)

// names writes the leaders' names beside them, and in a small network those of the other
// nodes too, where there is room.
func (d *drawing) names(c draw.Canvas) {
	l := labeller{page: d.area}
	for i, p := range d.points {
		r := d.discOf(i)
		l.nodes = append(l.nodes, box{p.X - r, p.Y - r, p.X + r, p.Y + r})
	}
	named, size := 0, vg.Length(9.5)
	if len(d.regions) > 25 {
		size = 7
	}
	for _, r := range d.regions {
		i := int(r.Leader) - 1
		if r.Leader > caucus.ID(len(d.points)) || !d.leads(i) {
			continue // a ghost, or a leader that no longer runs
		}
		if named++; named > maxNames {
			break
		}
		d.name(c, &l, i, writing(size, ink, true), math.Inf(1))
	}
	if len(d.points) > maxAllNames {
		return
	}
	for i := range d.points {
		if !d.leads(i) {
			d.name(c, &l, i, writing(7, faint, false), 40)
		}
	}
}

// name writes one name, unless that would cover more than cost allows.
func (d *drawing) name(c draw.Canvas, l *labeller, i int, style text.Style, cost float64) {
	name := caucus.Shown(d.Names.Name(caucus.ID(i + 1)))
	b, ok := l.put(d.points[i], d.discOf(i), style.Width(name)+2, style.Height(name)+1, cost)
	if !ok {
		return
	}
	d.tie(c, d.points[i], d.discOf(i), b)
	halo := paper
	halo.A = 0xb0
	c.SetColor(halo)
	c.Fill(rectangle(b))
	style.YAlign = text.YCenter
	c.FillText(style, vg.Point{X: b.x0 + 1, Y: (b.y0 + b.y1) / 2}, name)
}

// tie draws a line from a node to its name where other nodes lie between them.
func (d *drawing) tie(c draw.Canvas, at vg.Point, disc vg.Length, b box) {
	end := vg.Point{X: min(max(at.X, b.x0), b.x1), Y: min(max(at.Y, b.y0), b.y1)}
	if away := vg.Length(math.Hypot(float64(end.X-at.X), float64(end.Y-at.Y))); away > disc+5 {
		c.StrokeLines(draw.LineStyle{Color: faint, Width: 0.5}, []vg.Point{at, end})
	}
}

// discOf is the outer radius of a node's disc.
func (d *drawing) discOf(i int) vg.Length {
	if d.leads(i) {
		return d.leaderDisc() + d.leaderBorder()/2
	}
	return d.disc
}

// bold is the weight that golang.org/x/image/font calls WeightBold.
const bold = 3

func writing(size vg.Length, c color.Color, strong bool) text.Style {
	f := font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
	if strong {
		f.Weight = bold
	}
	return text.Style{Color: c, Font: f, Handler: plot.DefaultTextHandler}
}

func (d *drawing) texts(c draw.Canvas) {
	put(c, d.above, d.height)
	put(c, d.below, d.area.y0-footer-margin+10)
}

// legend lists the regions beside the map, as many as fit.
func (d *drawing) legend(c draw.Canvas) {
	const line = 15
	x, y := d.area.x1+10, d.area.y1-12
	name, small := writing(9, ink, false), writing(9, faint, false)
	column := x + legend - margin // right end of the numbers
	head := func(at vg.Length, s string) { c.FillText(small, vg.Point{X: at, Y: y}, s) }
	head(x, "leader")
	head(column-small.Width("members"), "members")
	rows := int((d.area.y1-d.area.y0)/line) - 2
	for k, r := range d.regions {
		y -= line
		if k == rows && len(d.regions) > rows {
			head(x, fmt.Sprintf("and %d more regions", len(d.regions)-k))
			return
		}
		c.SetColor(shade(r.shade))
		c.Fill(rectangle(box{x, y - 1, x + 9, y + 8}))
		members := fmt.Sprint(r.Members)
		head(column-small.Width(members), members)
		c.FillText(name, vg.Point{X: x + 15, Y: y}, shorten(name, caucus.Shown(d.Names.Name(r.Leader)), column-x-55))
	}
}

// shorten cuts a line that is too wide, visibly.
func shorten(s text.Style, line string, width vg.Length) string {
	if s.Width(line) <= width {
		return line
	}
	runes := []rune(line)
	for len(runes) > 0 && s.Width(string(runes)+"…") > width {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + "…"
}
