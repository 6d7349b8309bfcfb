package picture

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strconv"

	"caucus.example/caucus"
	"caucus.example/caucus/network"
	"caucus.example/caucus/story"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Largest run that a SpaceTime shows.
const (
	MaxLines  = 64    // nodes
	MaxArrows = 4_000 // messages; of a longer run it shows the beginning
)

// SpaceTime is a space-time diagram (Lamport, CACM 1978) of a small run of the events engine: a line for each
// node, time from left to right, an arrow for each message in the colour of its kind.
type SpaceTime struct {
	Title, Subtitle string
	Name            func(i int) string
	Kinds           []string // names of the kinds of messages
	Follows         bool     // write whom a node follows where that changes
	// each node is next to the ones above and below it, and the last to the first, which is drawn again below it
	Ring bool

	nodes  int
	end    float64
	cut    bool // messages were left out
	arrows []arrow
	onWay  map[uint64]int // index in arrows by number of the message
	marks  []mark
}

// arrow is a message; NaN arrived while it is on its way.
type arrow struct {
	from, to      int
	sent, arrived float64
	kind          int
	lost          bool
}

// mark is a change of what a node is.
type mark struct {
	node   int
	at     float64
	wakes  bool
	role   caucus.Role
	knows  bool // the leader
	starts bool // by itself
	down   bool
	acts   bool // takes a step of its own
	leader caucus.ID
}

// NewSpaceTime begins a diagram of that many nodes.
func NewSpaceTime(nodes int) *SpaceTime {
	return &SpaceTime{nodes: nodes, onWay: map[uint64]int{}}
}

// IsRing reports whether the order of the nodes is that of a ring.
func IsRing(g *network.Graph) bool {
	n := g.Len()
	if n < 3 || g.Edges() != n {
		return false
	}
	for i := range n {
		if g.Port(i, (i+1)%n) < 0 {
			return false
		}
	}
	return true
}

// Add adds the next event.
func (d *SpaceTime) Add(h *story.Step) {
	if d.cut {
		return
	}
	d.end = max(d.end, h.Time)
	if h.What == story.Message || h.What == story.Lost {
		if k, ok := d.onWay[h.Number]; ok {
			d.arrows[k].arrived, d.arrows[k].lost = h.Time, h.What == story.Lost
			delete(d.onWay, h.Number)
		}
	}
	if h.What == story.Lost || h.What == story.Tick || h.What == story.Hear {
		return
	}
	wakes := h.What == story.Wake || h.What == story.Begin
	d.marks = append(d.marks, mark{node: h.Node, at: h.Time, wakes: wakes, role: h.Role, knows: h.Leader != caucus.None,
		starts: wakes && h.Initiator || h.What == story.Begin, down: h.What == story.Crash,
		acts: h.What == story.Act || h.What == story.Corrupt, leader: h.Leader})
	for _, s := range h.Sends {
		if len(d.arrows) == MaxArrows {
			d.cut = true
			return
		}
		if s.Number > 0 {
			d.onWay[s.Number] = len(d.arrows)
		}
		d.arrows = append(d.arrows, arrow{h.Node, s.To, h.Time, math.NaN(), s.Kind, s.Number == 0})
	}
}

// Tell adds the story of a counterexample on a network. Of rounds, a message goes from where it was said to where it
// was first read.
func (d *SpaceTime) Tell(s *story.Story, g *network.Graph) {
	said, gone := make([]float64, g.Len()), make([]bool, g.Len())
	read := map[[2]int]float64{} // when what a node has last read of another was said
	arrive := func(time float64, i, j int) {
		if at, ok := read[[2]int{i, j}]; (!ok || at < said[j]) && len(d.arrows) < MaxArrows {
			read[[2]int{i, j}] = said[j]
			d.arrows = append(d.arrows, arrow{from: j, to: i, sent: said[j], arrived: time})
		}
	}
	for k := 0; k < len(s.Steps); {
		now := s.Steps[k:]
		for end := range now {
			if now[end].Time != now[0].Time {
				now = now[:end]
				break
			}
		}
		for _, x := range now { // all read before anybody says anything new
			switch {
			case x.What == story.Message && s.Rounds:
				arrive(x.Time, x.Node, x.From)
			case x.What == story.Act && !s.Messages:
				for _, j := range g.Neighbours(x.Node) {
					if !gone[j] {
						arrive(x.Time, x.Node, int(j))
					}
				}
			}
		}
		for _, x := range now {
			if !s.Rounds || x.What != story.Message && x.What != story.Lost {
				d.Add(&x)
				said[x.Node] = x.Time
			}
			gone[x.Node] = gone[x.Node] || x.What == story.Crash
		}
		k += len(now)
	}
}

// Write draws the diagram in the format that the ending of the file's name says: see Endings.
func (d *SpaceTime) Write(w io.Writer, name string) error {
	t := d.layout()
	return write(w, name, t.width, t.height, t.draw)
}

// spaceTime is a diagram with everything measured.
type spaceTime struct {
	*SpaceTime
	width, height vg.Length
	area          box
	above         []written
	lines         int
	unit          vg.Length // of time
}

func (d *SpaceTime) layout() *spaceTime {
	t := &spaceTime{SpaceTime: d, lines: d.nodes}
	if d.Ring {
		t.lines++
	}
	gap := min(34, max(10, 640/vg.Length(t.lines)))
	names := vg.Length(0)
	for i := range d.nodes {
		names = max(names, min(90, writing(9, ink, false).Width(caucus.Shown(d.Name(i)))))
	}
	long := min(1400, max(520, vg.Length(d.end)*46))
	t.unit = long / vg.Length(max(d.end, 1e-9))
	x0, y0 := margin+names+10, vg.Length(margin+24)
	t.area = box{x0, y0, x0 + long, y0 + gap*vg.Length(max(t.lines-1, 1))}
	t.width = t.area.x1 + beside + legend*0.85
	t.height = t.area.y1 + header + 18
	if low := keyLine*vg.Length(keyRows) - t.area.y1; low > 0 { // the legend is longer than the diagram is high
		t.area.y0, t.area.y1, t.height = t.area.y0+low, t.area.y1+low, t.height+low
	}
	subtitle := t.Subtitle
	if t.cut {
		subtitle = fmt.Sprintf("the first %d messages; ", MaxArrows) + subtitle
	}
	var more vg.Length
	t.above, more = heading(t.width-2*margin, 24, written{style: writing(15, ink, true), words: t.Title},
		written{style: writing(10, faint, false), words: subtitle})
	t.height += more
	return t
}

func (t *spaceTime) at(time float64, line int) vg.Point {
	y := t.area.y1
	if t.lines > 1 {
		y -= (t.area.y1 - t.area.y0) * vg.Length(line) / vg.Length(t.lines-1)
	}
	return vg.Point{X: t.area.x0 + vg.Length(time)*t.unit, Y: y}
}

func (t *spaceTime) draw(canvas vg.CanvasSizer) {
	c := draw.NewCanvas(canvas, t.width, t.height)
	c.SetColor(paper)
	c.Fill(rectangle(box{0, 0, t.width, t.height}))
	t.axis(c)
	t.lives(c)
	for _, a := range t.arrows {
		t.arrow(c, a)
	}
	t.discs(c)
	t.follows(c)
	t.texts(c)
	t.legend(c)
}

// axis marks times below the lines, at most about twenty of them.
func (t *spaceTime) axis(c draw.Canvas) {
	step := 1.0
	for k := 0; t.end/step > 20; k++ {
		step *= []float64{2, 2.5, 2}[k%3]
	}
	small := writing(8, faint, false)
	small.XAlign = text.XCenter
	for x := 0.0; x <= t.end+1e-9; x += step {
		p := t.at(x, 0)
		c.StrokeLines(draw.LineStyle{Color: nothing, Width: 0.6},
			[]vg.Point{{X: p.X, Y: t.area.y0 - 6}, {X: p.X, Y: t.area.y1 + 6}})
		c.FillText(small, vg.Point{X: p.X, Y: t.area.y0 - 17}, strconv.FormatFloat(x, 'g', 6, 64))
	}
	c.FillText(writing(8, faint, false), vg.Point{X: t.area.x1 + 14, Y: t.area.y0 - 17}, "time")
}

var (
	leaderLine   = draw.LineStyle{Color: hues[5], Width: 3}
	followerLine = draw.LineStyle{Color: ink, Width: 1.8}
	awakeLine    = draw.LineStyle{Color: faint, Width: 0.8}
	asleepLine   = draw.LineStyle{Color: grey, Width: 0.8, Dashes: []vg.Length{2, 3}}
)

// lives draws the line of each node: how it is drawn tells what the node is at that time.
func (t *spaceTime) lives(c draw.Canvas) {
	style := make([]draw.LineStyle, t.nodes)
	since := make([]float64, t.nodes)
	for i := range style {
		style[i] = asleepLine
	}
	to := func(i int, time float64) {
		for _, line := range t.linesOf(i) {
			if style[i].Width == 0 {
				break // it is down
			}
			c.StrokeLines(style[i], []vg.Point{t.at(since[i], line), t.at(time, line)})
		}
		since[i] = time
	}
	for _, m := range t.marks {
		to(m.node, m.at)
		switch {
		case m.down:
			style[m.node] = draw.LineStyle{}
		case m.role == caucus.Leader:
			style[m.node] = leaderLine
		case m.knows:
			style[m.node] = followerLine
		default:
			style[m.node] = awakeLine
		}
	}
	name := writing(9, ink, false)
	name.XAlign, name.YAlign = text.XRight, text.YCenter
	for i := range t.nodes {
		to(i, t.end)
		for k, line := range t.linesOf(i) {
			if k > 0 {
				name.Color = faint
			}
			c.FillText(name, vg.Point{X: t.area.x0 - 8, Y: t.at(0, line).Y}, shorten(name, caucus.Shown(t.Name(i)), 90))
		}
		name.Color = ink
	}
}

// linesOf lists the lines of a node: two of the first one of a ring.
func (t *spaceTime) linesOf(i int) []int {
	if t.Ring && i == 0 {
		return []int{0, t.nodes}
	}
	return []int{i}
}

// arrow draws a message between the lines of its ends that are next to each other.
func (t *spaceTime) arrow(c draw.Canvas, a arrow) {
	from, to := a.from, a.to
	if t.Ring && t.nodes > 2 {
		if from == 0 && to == t.nodes-1 {
			from = t.nodes
		} else if to == 0 && from == t.nodes-1 {
			to = t.nodes
		}
	}
	start, end := t.at(a.sent, from), t.at(a.arrived, to)
	colour := t.colour(a.kind)
	if math.IsNaN(a.arrived) { // lost on the way, or still on its way at the end
		end = t.at(min(a.sent+0.45, max(t.end, a.sent)), to)
		end = vg.Point{X: (start.X + end.X) / 2, Y: (start.Y + end.Y) / 2}
	}
	c.StrokeLines(draw.LineStyle{Color: colour, Width: 1}, []vg.Point{start, end})
	if a.lost {
		cross(c, end, colour)
		return
	}
	if !math.IsNaN(a.arrived) {
		head(c, start, end, colour)
	}
}

func cross(c draw.Canvas, at vg.Point, colour color.Color) {
	const r = 3
	for _, s := range []vg.Length{1, -1} {
		c.StrokeLines(draw.LineStyle{Color: colour, Width: 1.2},
			[]vg.Point{{X: at.X - r, Y: at.Y - s*r}, {X: at.X + r, Y: at.Y + s*r}})
	}
}

// head draws the head of an arrow.
func head(c draw.Canvas, start, end vg.Point, colour color.Color) {
	dx, dy := float64(end.X-start.X), float64(end.Y-start.Y)
	length := math.Hypot(dx, dy)
	if length == 0 {
		return
	}
	const long, wide = 6, 2.2
	ux, uy := vg.Length(dx/length), vg.Length(dy/length)
	var p vg.Path
	p.Move(end)
	p.Line(vg.Point{X: end.X - long*ux + wide*uy, Y: end.Y - long*uy - wide*ux})
	p.Line(vg.Point{X: end.X - long*ux - wide*uy, Y: end.Y - long*uy + wide*ux})
	p.Close()
	c.SetColor(colour)
	c.Fill(p)
}

func (t *spaceTime) colour(kind int) color.NRGBA { return shade([]int{0, 1, 2, 3, 4, 6}[kind%6]) }

// discs marks the starts of nodes and their becoming leader.
func (t *spaceTime) discs(c draw.Canvas) {
	leads := make([]bool, t.nodes)
	for _, m := range t.marks {
		for _, line := range t.linesOf(m.node) {
			p := t.at(m.at, line)
			switch {
			case m.down:
				cross(c, p, ink)
			case m.role == caucus.Leader && !leads[m.node]:
				disc(c, p, 5.5, leaderLine.Color, ink)
			case m.starts:
				disc(c, p, 2.6, ink, ink)
			case m.wakes:
				disc(c, p, 2.6, paper, ink)
			case m.acts:
				tick(c, p)
			}
		}
		leads[m.node] = m.role == caucus.Leader
	}
}

// tick marks a step.
func tick(c draw.Canvas, at vg.Point) {
	c.StrokeLines(draw.LineStyle{Color: ink, Width: 1.2}, []vg.Point{{X: at.X, Y: at.Y - 4}, {X: at.X, Y: at.Y + 4}})
}

// follows writes whom nodes follow, above their lines where that changes.
func (t *spaceTime) follows(c draw.Canvas) {
	if !t.Follows {
		return
	}
	style, last := writing(8, ink, false), make(map[int]caucus.ID)
	for _, m := range t.marks {
		if was, seen := last[m.node]; !m.down && (!seen || was != m.leader) && m.role != caucus.Leader &&
			m.leader != caucus.None {
			for _, line := range t.linesOf(m.node) {
				p := t.at(m.at, line)
				c.FillText(style, vg.Point{X: p.X + 4, Y: p.Y + 4}, fmt.Sprintf("follows %d", m.leader))
			}
		}
		last[m.node] = m.leader
	}
}

func disc(c draw.Canvas, at vg.Point, r vg.Length, fill, border color.Color) {
	path := circlePath(at, r)
	c.SetColor(fill)
	c.Fill(path)
	c.SetColor(border)
	c.SetLineWidth(1)
	c.SetLineDash(nil, 0)
	c.Stroke(path)
}

func (t *spaceTime) texts(c draw.Canvas) {
	put(c, t.above, t.height)
}

// Place of the legend: the height of a line, and the most of them with one kind of message.
const (
	keyLine = 15
	keyRows = 10
	beside  = 40 // where it begins, right of the diagram
)

// legend explains colours, lines and discs, those that occur.
func (t *spaceTime) legend(c draw.Canvas) {
	const line = keyLine
	x, y := t.area.x1+beside, t.area.y1
	words := writing(9, ink, false)
	words.YAlign = text.YCenter
	row := func(text string, sample func(y vg.Length)) {
		sample(y)
		c.FillText(words, vg.Point{X: x + 26, Y: y}, shorten(words, caucus.Shown(text), legend*0.85-34))
		y -= line
	}
	used := map[int]bool{}
	for _, a := range t.arrows {
		used[a.kind] = true
	}
	for _, kind := range sorted(used) {
		name := "message"
		if kind >= 0 && kind < len(t.Kinds) {
			name = t.Kinds[kind]
		}
		row(name, func(y vg.Length) {
			a, b := vg.Point{X: x, Y: y}, vg.Point{X: x + 20, Y: y}
			c.StrokeLines(draw.LineStyle{Color: t.colour(kind), Width: 1}, []vg.Point{a, b})
			head(c, a, b, t.colour(kind))
		})
	}
	if slices.ContainsFunc(t.arrows, func(a arrow) bool { return a.lost }) {
		row("lost", func(y vg.Length) { cross(c, vg.Point{X: x + 10, Y: y}, t.colour(sorted(used)[0])) })
	}
	for _, l := range []struct {
		text  string
		style draw.LineStyle
	}{{"asleep", asleepLine}, {"knows no leader", awakeLine}, {"knows the leader", followerLine},
		{"leads", leaderLine}} {
		row(l.text, func(y vg.Length) { c.StrokeLines(l.style, []vg.Point{{X: x, Y: y}, {X: x + 20, Y: y}}) })
	}
	row("starts by itself", func(y vg.Length) { disc(c, vg.Point{X: x + 10, Y: y}, 2.6, ink, ink) })
	row("woken", func(y vg.Length) { disc(c, vg.Point{X: x + 10, Y: y}, 2.6, paper, ink) })
	if slices.ContainsFunc(t.marks, func(m mark) bool { return m.acts }) {
		row("takes a step", func(y vg.Length) { tick(c, vg.Point{X: x + 10, Y: y}) })
	}
	if slices.ContainsFunc(t.marks, func(m mark) bool { return m.down }) {
		row("crashes", func(y vg.Length) { cross(c, vg.Point{X: x + 10, Y: y}, ink) })
	}
	row("becomes leader", func(y vg.Length) { disc(c, vg.Point{X: x + 10, Y: y}, 5, leaderLine.Color, ink) })
}

func sorted(set map[int]bool) []int {
	list := make([]int, 0, len(set))
	for k := range set {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}
