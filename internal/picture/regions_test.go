package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/layout"
	"caucus.example/caucus/network"
	"caucus.example/caucus/network/format"
	"pgregory.net/rapid"
)

// mapOf draws a network whose nodes follow the nearest leader in hops.
func mapOf(t testing.TB, what string, leaders ...int) *Map {
	t.Helper()
	g, _, err := format.Open(what, 1, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := &Map{Graph: g, Title: "Title", Subtitle: "radius 3", Source: "Source",
		Outcomes: make([]caucus.Outcome, g.Len()), Live: make([]bool, g.Len())}
	if m.Names, err = network.Names(g); err != nil {
		t.Fatal(err)
	}
	best := make([]int32, g.Len())
	for k, l := range leaders {
		for i, h := range network.Hops(g, l) {
			if h >= 0 && (k == 0 || h < best[i]) {
				best[i], m.Live[i] = h, true
				m.Outcomes[i] = caucus.Outcome{Role: caucus.Follower, Leader: caucus.ID(l + 1)}
			}
		}
	}
	for _, l := range leaders {
		m.Outcomes[l].Role = caucus.Leader
	}
	return m
}

var discPath = regexp.MustCompile(`^M[^L]*A`)

// countSVG checks that the picture is well-formed and counts the outlines of discs and, among
// them, the thick dark ones.
func countSVG(t testing.TB, data []byte) (discs, thick int, texts []string) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(data))
	width := regexp.MustCompile(`stroke-width:([0-9.]+)`)
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return discs, thick, texts
		} else if err != nil {
			t.Fatal(err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if start.Name.Local == "text" {
			var s string
			if err := d.DecodeElement(&s, &start); err != nil {
				t.Fatal(err)
			}
			texts = append(texts, s)
			continue
		}
		path, style := "", ""
		for _, a := range start.Attr {
			switch a.Name.Local {
			case "d":
				path = a.Value
			case "style":
				style = a.Value
			}
		}
		if !discPath.MatchString(path) || !strings.Contains(style, "stroke:") {
			continue
		}
		discs++
		w := 1.0
		if m := width.FindStringSubmatch(style); m != nil {
			w, _ = strconv.ParseFloat(m[1], 64)
		}
		if w >= 2 && strings.Contains(style, fmt.Sprintf("stroke:#%02X%02X%02X", ink.R, ink.G, ink.B)) {
			thick++
		}
	}
}

func TestSVG(t *testing.T) {
	m := mapOf(t, "geant2012", 3, 8, 22)
	var b bytes.Buffer
	if err := m.Write(&b, "-"); err != nil {
		t.Fatal(err)
	}
	discs, thick, texts := countSVG(t, b.Bytes())
	if discs != m.Graph.Len() || thick != 3 {
		t.Errorf("%d discs and %d thick ones, want %d and 3", discs, thick, m.Graph.Len())
	}
	for _, want := range []string{"Title", "radius 3", "Source", m.Names.Name(4), m.Names.Name(9), m.Names.Name(23)} {
		found := false
		for _, s := range texts {
			found = found || s == want
		}
		if !found {
			t.Errorf("no text %q", want)
		}
	}
}

// The PNG must hold pixels of every region's colour and be the same every time.
// Names may hold anything that XML does not: the picture stays well-formed.
func TestSVGOddNames(t *testing.T) {
	m := mapOf(t, "ring:4", 0, 2)
	odd := []string{"a\x1b[31m", "<script>", "b\x00", "c&\"'"}
	var err error
	if m.Names, err = caucus.NewNames(odd, 4); err != nil {
		t.Fatal(err)
	}
	m.Title = "line\nbreak \x1b"
	var b bytes.Buffer
	if err := m.Write(&b, "-"); err != nil {
		t.Fatal(err)
	}
	if discs, _, _ := countSVG(t, b.Bytes()); discs < 4 {
		t.Errorf("%d discs", discs)
	}
	if bytes.ContainsAny(b.Bytes(), "\x1b\x00") || bytes.Contains(b.Bytes(), []byte("<script>")) {
		t.Error("a name got into the picture as it is")
	}
}

func TestPNG(t *testing.T) {
	m := mapOf(t, "grid:4x6", 0, 23)
	var a, b bytes.Buffer
	if err := m.Write(&a, "a.png"); err != nil {
		t.Fatal(err)
	}
	if err := m.Write(&b, "b.png"); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("two drawings of one map differ")
	}
	img, err := png.Decode(&a)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[color.Color]int{}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			seen[color.NRGBAModel.Convert(img.At(x, y))]++
		}
	}
	for k := range 2 {
		if seen[shade(k)] < 1000 {
			t.Errorf("%d pixels in the colour of region %d", seen[shade(k)], k)
		}
	}
}

// A leader that is down, or that no node has, is drawn as no leader, and its followers
// keep their colour.
func TestGhost(t *testing.T) {
	m := mapOf(t, "line:4", 0)
	for i := range m.Outcomes {
		m.Outcomes[i].Leader = 99
	}
	m.Outcomes[0].Role = caucus.Follower
	m.Live[3] = false
	var b bytes.Buffer
	if err := m.Write(&b, "-"); err != nil {
		t.Fatal(err)
	}
	if discs, thick, _ := countSVG(t, b.Bytes()); discs != 4 || thick != 0 {
		t.Errorf("%d discs and %d thick ones, want 4 and 0", discs, thick)
	}
}

func TestTooLarge(t *testing.T) {
	m := mapOf(t, fmt.Sprintf("line:%d", MaxNodes+1), 0)
	var field *caucus.FieldError
	if err := m.Write(io.Discard, "a.png"); !errors.As(err, &field) || field.Field != "map" {
		t.Errorf("error %v", err)
	}
}

// Adjacent regions never share a colour while there are colours enough.
func TestColours(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := rapid.IntRange(2, 12).Draw(t, "side")
		g, err := network.Generate(fmt.Sprintf("grid:%dx%d", side, side), 1)
		if err != nil {
			t.Fatal(err)
		}
		outcomes := make([]caucus.Outcome, g.Len())
		for i := range outcomes {
			outcomes[i].Leader = caucus.ID(rapid.IntRange(0, 15).Draw(t, "leader"))
		}
		list, index := regions(g, outcomes)
		for i := range outcomes {
			for _, j := range g.Neighbours(i) {
				a, b := outcomes[i].Leader, outcomes[j].Leader
				if a != b && a != 0 && b != 0 && list[index[a]].shade == list[index[b]].shade {
					t.Fatalf("regions %d and %d are adjacent and of one colour", a, b)
				}
			}
		}
	})
}

// Labels leave each other alone where there is room: six around a node in a corner find a
// place each.
func TestLabels(t *testing.T) {
	m := mapOf(t, "geant2012", 3, 8, 15, 22, 30)
	d, err := m.prepare()
	if err != nil {
		t.Fatal(err)
	}
	l := labeller{page: d.area}
	for range 6 {
		l.put(d.points[0], 5, 30, 10, math.Inf(1))
	}
	for i, a := range l.labels {
		if out := a.outside(d.area); out > 0 {
			t.Errorf("label %d is cut off", i)
		}
		for j, b := range l.labels[:i] {
			if a.overlap(b) > 0 {
				t.Errorf("labels %d and %d overlap", j, i)
			}
		}
	}
}

// More regions that all touch than the palette has colours still have one each.
func TestColoursOfMany(t *testing.T) {
	m := mapOf(t, "clique:40", 0)
	for i := range m.Outcomes {
		m.Outcomes[i] = caucus.Outcome{Role: caucus.Leader, Leader: caucus.ID(i + 1)}
	}
	list, _ := regions(m.Graph, m.Outcomes)
	seen := map[color.NRGBA]bool{}
	for _, r := range list {
		seen[shade(r.shade)] = true
	}
	if len(seen) != 40 {
		t.Errorf("40 regions that touch have %d colours", len(seen))
	}
}

// What stands above a map is in as many lines as it takes, and no link of a torus is longer than a step.
func TestWholeWordsAndStubs(t *testing.T) {
	m := mapOf(t, "torus:4x5", 0)
	m.Subtitle = strings.Repeat("a fact, ", 60) + "the last one"
	d, err := m.prepare()
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, l := range d.above {
		if text += l.words + " "; l.style.Width(l.words) > d.width-2*margin || strings.Contains(l.words, "…") {
			t.Errorf("the line %q", l.words)
		}
	}
	if !strings.HasSuffix(text, "the last one ") || d.height-d.above[len(d.above)-1].y < d.area.y1 {
		t.Errorf("%q above %v of %v", text, d.area.y1, d.height)
	}
	step := d.points[1].X - d.points[0].X
	for i := range d.points {
		for s := m.Graph.Off[i]; s < m.Graph.Off[i+1]; s++ {
			end := d.points[m.Graph.Nbr[s]]
			if d.wraps[s] != (layout.Way{}) {
				end = d.stub(i, d.wraps[s])
			}
			long := math.Hypot(float64(end.X-d.points[i].X), float64(end.Y-d.points[i].Y))
			if long > 1.01*float64(step) ||
				end.X < d.area.x0 || end.X > d.area.x1 || end.Y < d.area.y0 || end.Y > d.area.y1 {
				t.Errorf("a link from %v to %v", d.points[i], end)
			}
		}
	}
}

// A map says how many regions there are, or who of those that are named does not lead: because it does not run, follows
// another, or is none of the nodes.
func TestWords(t *testing.T) {
	leader := func(at caucus.ID) caucus.Outcome { return caucus.Outcome{Leader: at, Role: caucus.Leader} }
	follower := func(at caucus.ID) caucus.Outcome { return caucus.Outcome{Leader: at, Role: caucus.Follower} }
	for want, m := range map[string]Map{
		"1 region": {Live: []bool{true, true},
			Outcomes: []caucus.Outcome{leader(1), follower(1)}},
		"2 regions": {Live: []bool{true, true},
			Outcomes: []caucus.Outcome{leader(1), leader(2)}},
		"1 leader named, none of which leads": {Live: []bool{false, true},
			Outcomes: []caucus.Outcome{{}, follower(1)}},
		"3 leaders, one of them does not lead": {Live: []bool{true, true, true},
			Outcomes: []caucus.Outcome{leader(1), leader(2), follower(9)}},
		"3 leaders, 2 of them do not lead": {Live: []bool{true, true, true, true},
			Outcomes: []caucus.Outcome{leader(1), follower(1), follower(2), follower(4_000_000_000)}},
	} {
		if got := m.Words(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
