package mobility

import (
	"encoding/xml"
	"io"
	"slices"
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
}

// readFCD reads SUMO's floating car data: vehicles, persons and containers at time steps that rise. A node
// joins at the first step that has it and leaves at the first that has it no more.
func readFCD(r io.Reader, file string) (*Trace, error) {
	f := &fcdReader{t: &Trace{}, names: newNames()}
	err := elements(r, file, "fcd-export", f.start, f.end)
	if err != nil {
		return nil, err
	}
	f.t.Names = f.names.list
	return f.t.finish(), nil
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
