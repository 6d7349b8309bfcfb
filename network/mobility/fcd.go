package mobility

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"

	"caucus.example/caucus/internal/exact"
)

// fcdReader builds a trace from the time steps of a file.
type fcdReader struct {
	t      *Trace
	names  *names
	now    float64
	step   int     // counts time steps, from 1
	inside bool    // a time step
	seen   []int   // the last step that had the node
	active []int32 // nodes that were there in the last step

	geo      string  // why places are degrees; "" for metres
	planar   bool    // some place is none in degrees
	min, max point   // of all places
	speeds   float64 // sum of the speeds that the file says …
	moved    float64 // … and of what nodes moved by then, a second
}

// readFCD reads SUMO's floating car data: vehicles, persons and containers at time steps that rise. A node
// joins at the first step that has it and leaves at the first that has it no more. Places are degrees if the options or
// the file's own options say so, or if they can be and nodes move far less by them than their speeds say.
func readFCD(r io.Reader, file string, o Options) (*Trace, error) {
	f := &fcdReader{t: &Trace{}, names: newNames(), min: point{math.Inf(1), math.Inf(1)},
		max: point{math.Inf(-1), math.Inf(-1)}}
	if o.Geographic {
		f.geo = "as declared"
	}
	err := elements(r, file, "fcd-export", f.start, f.end, func(text string) {
		if fcdGeo.MatchString(text) {
			f.geo = "as the file's option fcd-output.geo says"
		}
	})
	if err != nil {
		return nil, err
	}
	f.t.Names = f.names.list
	if err := f.project(file); err != nil {
		return nil, err
	}
	return f.t.finish(), nil
}

var fcdGeo = regexp.MustCompile(`<fcd-output\.geo\s+value="(?:true|1|yes|on)"`)

// project makes metres of degrees, if that is what places are.
func (f *fcdReader) project(file string) error {
	if f.geo == "" && !f.planar && f.min.x <= f.max.x {
		small := f.max.x-f.min.x < 2 && f.max.y-f.min.y < 2 // metres: no road is that short
		if f.speeds > 0 && f.moved < f.speeds/100 && f.moved > 0 || f.speeds == 0 && small {
			f.geo = "since they can be, and nodes would hardly move by metres"
		}
	}
	if f.geo == "" {
		return nil
	}
	if f.planar {
		return atLine(file, 1, wrong("places", fmt.Sprintf("x to %g, y to %g", f.max.x, f.max.y),
			"degrees: x from -180 to 180, y from -90 to 90"))
	}
	var earth projection
	for _, track := range f.t.tracks {
		for k := range track {
			track[k].point = earth.at(track[k].y, track[k].x)
		}
	}
	f.t.Report.Notes = append(f.t.Report.Notes, "places taken as degrees, "+f.geo+", and projected to metres")
	return nil
}

// measure keeps what tells degrees from metres.
func (f *fcdReader) measure(p point, before *knot, speed string) {
	f.planar = f.planar || math.Abs(p.x) > 180 || math.Abs(p.y) > 90
	f.min = point{math.Min(f.min.x, p.x), math.Min(f.min.y, p.y)}
	f.max = point{math.Max(f.max.x, p.x), math.Max(f.max.y, p.y)}
	if v, ok := finite(speed); ok && before != nil && !before.leaves && f.now > before.t {
		f.speeds += v
		f.moved += exact.Hypot(p.x-before.x, p.y-before.y) / (f.now - before.t)
	}
}

func (f *fcdReader) start(e xml.StartElement) error {
	switch e.Name.Local {
	case "timestep":
		now, err := parseTime("time", attribute(e, "time"))
		switch {
		case err != nil:
			return err
		case f.step > 0 && now <= f.now:
			return wrong("time", attribute(e, "time"), "later than the step before")
		}
		f.now, f.inside = now, true
		f.step++
	case "vehicle", "person", "container":
		if !f.inside {
			return wrong("element", e.Name.Local, "inside a timestep only")
		}
		return f.record(e)
	}
	return nil
}

func (f *fcdReader) record(e xml.StartElement) error {
	id := attribute(e, "id")
	if id == "" {
		return wrong("id", id, "a name")
	}
	x, errX := parsePlace("x", attribute(e, "x"))
	y, errY := parsePlace("y", attribute(e, "y"))
	if err := firstOf(errX, errY); err != nil {
		return err
	}
	i := f.names.index(id)
	if int(i) == len(f.seen) {
		f.seen = append(f.seen, 0)
		f.t.tracks = append(f.t.tracks, nil)
	}
	switch f.seen[i] {
	case f.step:
		return wrong("id", id, "once in a time step")
	case f.step - 1:
		if f.step == 1 {
			f.active = append(f.active, i)
		}
	default:
		f.active = append(f.active, i)
	}
	f.seen[i] = f.step
	var before *knot
	if track := f.t.tracks[i]; len(track) > 0 {
		before = &track[len(track)-1]
	}
	f.measure(point{x, y}, before, attribute(e, "speed"))
	f.t.tracks[i] = append(f.t.tracks[i], knot{t: f.now, point: point{x, y}})
	f.t.Report.Records++
	return nil
}

// end lets the nodes leave that a time step does not have.
func (f *fcdReader) end(name, _ string) error {
	if name != "timestep" {
		return nil
	}
	f.inside = false
	f.active = slices.DeleteFunc(f.active, func(i int32) bool {
		if f.seen[i] == f.step {
			return false
		}
		track := f.t.tracks[i]
		f.t.tracks[i] = append(track, knot{t: f.now, point: track[len(track)-1].point, leaves: true})
		return true
	})
	return nil
}
