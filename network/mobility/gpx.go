package mobility

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
	"time"

	"caucus.example/caucus/internal/exact"
	"caucus.example/caucus/internal/unpack"
)

// gpxReader builds a trace from the tracks of a file.
type gpxReader struct {
	o      Options
	t      *Trace
	names  *names
	base   time.Time // of the file's first point; its times count from here
	earth  projection
	based  bool
	inFile int    // nodes that the file has given
	vessel string // what the file of a fleet is called

	path  []string // open elements, from the root
	track []knot
	name  string
	open  int // where the segment starts in track
	point knot
	timed bool
}

// readGPX reads tracks; each is a node, away between its segments and after its last
// point. Waypoints and routes say nothing about movement. Places are metres east and
// north of the first point, on a cylinder that touches the earth there: good for areas of
// some tens of kilometres.
func readGPX(r io.Reader, file string, o Options) (*Trace, error) {
	g := &gpxReader{o: o, t: &Trace{}, names: newNames()}
	if err := elements(r, file, "gpx", g.start, g.end, nil); err != nil {
		return nil, err
	}
	return g.finish(), nil
}

// openFleet reads every GPX file of a folder, in order of their names, on one clock and one map. A node is called as
// its file is, and as its track, too, where a file has several.
func openFleet(folder string, format Format, o Options) (*Trace, error) {
	if format != "" && format != gpx {
		return nil, fmt.Errorf("%s: %w", folder, wrong("movements-format", string(format), "gpx, for a folder"))
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.gpx*"))
	if err != nil {
		return nil, err
	}
	g := &gpxReader{o: o, t: &Trace{}, names: newNames()}
	for _, file := range files {
		if err := g.file(file); err != nil {
			return nil, err
		}
	}
	if len(g.names.list) == 0 {
		return nil, fmt.Errorf("%s: %w", folder, wrong("movements", "a folder",
			"a file, or a folder of GPX files with tracks"))
	}
	t := g.finish()
	t.Format = gpx
	t.notes([]counted{{len(files), "GPX files, on one clock"}})
	return t, nil
}

// file reads one file of a fleet.
func (g *gpxReader) file(path string) error {
	f, err := unpack.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := open(f, path)
	if err != nil {
		return err
	}
	g.path, g.inFile = nil, 0
	g.vessel, _, _ = strings.Cut(filepath.Base(path), ".gpx")
	return elements(&limited{r: text, left: maxText}, path, "gpx", g.start, g.end, nil)
}

// finish puts the clock's zero at the first point.
func (g *gpxReader) finish() *Trace {
	g.t.Names = g.names.list
	t := g.t.finish()
	shift := t.Begin
	for _, track := range t.tracks {
		for k := range track {
			track[k].t -= shift
		}
	}
	t.Begin, t.End = 0, t.End-shift
	if g.based {
		t.Origin = float64(g.base.UnixNano())/1e9 + shift
	}
	return t
}

// in tells whether an element is open whose path below the root is this.
func (g *gpxReader) in(path ...string) bool {
	if len(g.path) != len(path)+1 {
		return false
	}
	for k, name := range path {
		if g.path[k+1] != name {
			return false
		}
	}
	return true
}

func (g *gpxReader) start(e xml.StartElement) error {
	g.path = append(g.path, e.Name.Local)
	switch {
	case g.in("trk"):
		g.track, g.name = nil, ""
	case g.in("trk", "trkseg"):
		g.open = len(g.track)
	case g.in("trk", "trkseg", "trkpt"):
		g.timed = false
		lat, errLat := parseWithin("lat", attribute(e, "lat"), 90)
		lon, errLon := parseWithin("lon", attribute(e, "lon"), 180)
		g.point = knot{point: g.earth.at(lat, lon)}
		return firstOf(errLat, errLon)
	}
	return nil
}

func (g *gpxReader) end(_, text string) error {
	defer func() { g.path = g.path[:len(g.path)-1] }()
	switch {
	case g.in("trk", "name"):
		g.name = text
	case g.in("trk", "trkseg", "trkpt", "time"):
		return g.clock(text)
	case g.in("trk", "trkseg", "trkpt"):
		return g.endPoint()
	case g.in("trk", "trkseg"):
		if len(g.track) > g.open {
			last := g.track[len(g.track)-1]
			last.leaves = true
			g.track = append(g.track, last)
		}
	case g.in("trk"):
		if err := g.standsInTime(); err != nil {
			return err
		}
		g.endTrack()
	}
	return nil
}

// clock reads a time; one without a zone is UTC.
func (g *gpxReader) clock(text string) error {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		at, err = time.Parse("2006-01-02T15:04:05", text)
	}
	if err != nil || at.Year() < 1678 || at.Year() > 2261 {
		return wrong("time", text, "a date and time such as 2010-08-05T14:23:59Z")
	}
	if !g.based {
		g.based, g.base = true, at
	}
	g.point.t, g.timed = at.Sub(g.base).Seconds(), true
	return nil
}

func (g *gpxReader) endPoint() error {
	var err error
	switch {
	case !g.timed:
		err = wrong("time", "none", "a time for every point of a track (or skip-untimed)")
	case len(g.track) > 0 && g.point.t < g.track[len(g.track)-1].t:
		err = wrong("time", fmt.Sprintf("%v s before the point before", g.track[len(g.track)-1].t-g.point.t),
			"times that do not go back (or skip-untimed)")
	default:
		g.track = append(g.track, g.point)
		g.t.Report.Records++
		return nil
	}
	if !g.o.SkipUntimed {
		return err
	}
	g.t.Report.Skipped++
	return nil
}

// standsInTime refuses a track that goes from place to place in no time: its stamps are those of
// a file or device, not of the points.
func (g *gpxReader) standsInTime() error {
	far := 0.0
	for _, k := range g.track {
		if k.t != g.track[0].t {
			return nil
		}
		far = math.Max(far, exact.Hypot(k.x-g.track[0].x, k.y-g.track[0].y))
	}
	if far == 0 {
		return nil
	}
	return wrong("time", fmt.Sprintf("the same at points %.0f m apart", far), "times that rise along a track")
}

// endTrack makes a node of a track with points, called by its name if no other is.
func (g *gpxReader) endTrack() {
	if len(g.track) == 0 {
		return
	}
	name := g.name
	if g.vessel != "" {
		if name = g.vessel; g.inFile > 0 {
			name = g.vessel + " " + g.name
		}
		g.inFile++
	}
	for n := len(g.names.list) + 1; ; n++ {
		if _, taken := g.names.of[name]; name != "" && !taken {
			break
		}
		if name = fmt.Sprintf("%s (%d)", name, n); strings.HasPrefix(name, " (") {
			name = fmt.Sprintf("track %d", n)
		}
	}
	g.names.index(name)
	g.t.tracks = append(g.t.tracks, g.track)
}
