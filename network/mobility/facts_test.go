package mobility

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const shared = "../../../shared/data"

// fact is what the data folder says of one trace.
type fact struct {
	Format   Format
	Nodes    int
	Setdest  int             `json:"setdest_commands"`
	Initial  int             `json:"nodes_with_initial_position"`
	Waypoint int             `json:"waypoints"`
	Records  int             `json:"records"`
	Objects  int             `json:"moving_objects"`
	Start    int             `json:"present_from_start"`
	Gone     int             `json:"gone_before_end"`
	Tracks   int             `json:"tracks"`
	Empty    int             `json:"empty_segments"`
	Points   int             `json:"track_points"`
	Untimed  int             `json:"points_without_time"`
	Rises    bool            `json:"times_never_decrease"`
	Duration float64         `json:"duration_s"`
	Pairs    int             `json:"distinct_pairs"`
	Total    float64         `json:"total_contact_time"`
	First    json.RawMessage `json:"t_first"`
	Last     json.RawMessage `json:"t_last"`
	Begins   float64         `json:"it_begins_at"`
	Quiet    float64         `json:"longest_time_without_any_contact"`
	Box      []float64       `json:"bounding_box"`
}

func facts(t *testing.T) map[string]fact {
	text, err := os.ReadFile(filepath.Join(shared, "facts.json"))
	if err != nil {
		t.Skipf("the shared data folder is absent: %v", err)
	}
	all, traces := map[string]json.RawMessage{}, map[string]fact{}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	for path, raw := range all {
		if name, ok := strings.CutPrefix(path, "traces/"); ok {
			var f fact
			if err := json.Unmarshal(raw, &f); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			if f.Format == "bonn" {
				f.Format = bonnMotion
			}
			if f.Format != "k7" {
				traces[name] = f
			}
		}
	}
	return traces
}

func TestFacts(t *testing.T) {
	for name, f := range facts(t) {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(shared, "traces", name)
			trace, err := Open(path, f.Format, Options{})
			if f.Format == gpx && (f.Untimed > 0 || !f.Rises) {
				if err == nil || !strings.Contains(err.Error(), name+":") || !strings.Contains(err.Error(), "time") {
					t.Fatalf("error %v", err)
				}
				trace, err = Open(path, f.Format, Options{SkipUntimed: true})
				if f.Duration > 0 && f.Duration < 0.001 { // what is left has one time, but not one place
					if err == nil || !strings.Contains(err.Error(), "times that rise along a track") {
						t.Errorf("error %v", err)
					}
					return
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			checkFacts(t, f, trace)
		})
	}
}

func checkFacts(t *testing.T, f fact, trace *Trace) {
	equal := func(what string, got, want any) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	number := func(raw json.RawMessage) (v float64) {
		if err := json.Unmarshal(raw, &v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	r := trace.Report
	switch f.Format {
	case ns2Moves:
		equal("nodes", len(trace.Names), f.Nodes)
		equal("commands", r.Records, f.Setdest)
		min, max := bounds(trace.tracks)
		// Never outside the box of places and destinations.
		if min.x < f.Box[0]-1e-6 || min.y < f.Box[1]-1e-6 || max.x > f.Box[2]+1e-6 || max.y > f.Box[3]+1e-6 {
			t.Errorf("box %v %v, want %v", min, max, f.Box)
		}
	case bonnMotion:
		equal("nodes", len(trace.Names), f.Nodes)
		equal("waypoints", r.Records, f.Waypoint)
		equal("end", trace.End, number(f.Last))
		min, max := bounds(trace.tracks)
		equal("box", [4]float64{min.x, min.y, max.x, max.y}, [4]float64(f.Box))
	case fcd:
		equal("nodes", len(trace.Names), f.Objects)
		equal("records", r.Records, f.Records)
		equal("begin", trace.Begin, number(f.First))
		equal("end", trace.End, number(f.Last))
		equal("from the start", present(t, trace, trace.Begin), f.Start)
		equal("at the end", present(t, trace, trace.End), f.Objects-f.Gone)
	case gpx:
		if r.Skipped == 0 { // else there may be tracks without any time
			equal("nodes", len(trace.Names), f.Tracks-f.Empty)
		}
		equal("points", r.Records+r.Skipped, f.Points)
		if f.Rises {
			equal("skipped", r.Skipped, f.Untimed)
			if math.Abs(trace.End-f.Duration) > 1e-3 {
				t.Errorf("duration %v, want %v", trace.End, f.Duration)
			}
			var first string
			json.Unmarshal(f.First, &first)
			at, err := time.Parse(time.RFC3339, first)
			if err != nil {
				at, err = time.Parse("2006-01-02T15:04:05", first)
			}
			if err != nil || math.Abs(trace.Origin-float64(at.UnixNano())/1e9) > 1e-3 {
				t.Errorf("origin %f, want %v (%v)", trace.Origin, first, err)
			}
		}
	case tij, ijt, Intervals:
		equal("nodes", len(trace.Names), f.Nodes)
		equal("records", r.Records, f.Records)
		equal("origin", trace.Origin, number(f.First))
		pairs, total := map[[2]int32]bool{}, 0.0
		for _, c := range met(trace) {
			pairs[[2]int32{c.a, c.b}] = true
			total += c.end - c.start
		}
		equal("pairs", len(pairs), f.Pairs)
		if f.Format == Intervals {
			equal("end", trace.Origin+trace.End, number(f.Last))
			equal("contact time", total, f.Total)
		}
	}
}

func present(t *testing.T, trace *Trace, at float64) int {
	net, err := trace.Net(100)
	if err != nil {
		t.Fatal(err)
	}
	net.Advance(at)
	n := 0
	for i := range net.Len() {
		if net.Present(i) {
			n++
		}
	}
	return n
}

// open reads a sample of a folder of formats that hold traces.
func sample(t *testing.T, name string) (*Trace, json.RawMessage) {
	dir := filepath.Join(shared, "formats", filepath.Dir(name))
	text, err := os.ReadFile(filepath.Join(dir, "facts.json"))
	if err != nil {
		t.Skipf("the shared data folder is absent: %v", err)
	}
	var all []json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(shared, "formats", name)
	if filepath.Base(name) == "." {
		path = dir
	}
	trace, err := Open(path, "", Options{})
	if err != nil {
		t.Fatal(err)
	}
	return trace, all[0]
}

// edgesAt counts who meets whom at a time of the file's own clock.
func edgesAt(t *testing.T, trace *Trace, at, reach float64) int {
	net, err := trace.Net(reach)
	if err != nil {
		t.Fatal(err)
	}
	now := at - trace.Origin
	net.Advance(now)
	ends := 0
	for i := range net.Len() {
		net.Spoke(i, now)
	}
	for i := range net.Len() {
		if net.Present(i) {
			row, _ := net.Neighbours(i, now, nil, nil)
			ends += len(row)
		}
	}
	return ends / 2
}

func TestSampleContacts(t *testing.T) {
	for _, name := range []string{"one-conn/haggle-intel.tsv", "crawdad-contacts/imote-exp1.dat"} {
		trace, raw := sample(t, name)
		var f struct {
			Nodes, Contacts int
			Start, End      float64
			EdgesAt         [][2]float64 `json:"edges_at"`
			Inclusive       [][2]float64 `json:"edges_at_end_inclusive"`
		}
		if err := json.Unmarshal(raw, &f); err != nil {
			t.Fatal(err)
		}
		if len(trace.Names) != f.Nodes || trace.Report.Records != f.Contacts || trace.Origin != f.Start ||
			math.Abs(trace.Origin+trace.End-f.End) > 1 {
			t.Errorf("%s: %d nodes, %d contacts, %g to %g; want %+v", name, len(trace.Names), trace.Report.Records,
				trace.Origin,
				trace.Origin+trace.End, f)
		}
		for _, e := range append(f.EdgesAt, f.Inclusive...) {
			if got := edgesAt(t, trace, e[0], 0); got != int(e[1]) {
				t.Errorf("%s: %d edges at %g, want %g", name, got, e[0], e[1])
			}
		}
	}
}

func TestSampleFleet(t *testing.T) {
	trace, raw := sample(t, "gpx-fleet/.")
	var f struct {
		Nodes     int
		Positions int
		At        [][]json.RawMessage `json:"contact_graph_at"`
	}
	if err := json.Unmarshal(raw, &f); err != nil {
		t.Fatal(err)
	}
	if len(trace.Names) != f.Nodes || trace.Names[0] != "boat1" || trace.Report.Records != f.Positions {
		t.Errorf("%d nodes %v, %d points; want %d, %d", len(trace.Names), trace.Names, trace.Report.Records, f.Nodes,
			f.Positions)
	}
	for _, row := range f.At {
		var when string
		var reach float64
		var graph struct{ Edges int }
		for k, v := range []any{&when, &reach, &graph} {
			if err := json.Unmarshal(row[k], v); err != nil {
				t.Fatal(err)
			}
		}
		at, err := time.Parse(time.RFC3339, when)
		if err != nil {
			t.Fatal(err)
		}
		if got := edgesAt(t, trace, float64(at.Unix()), reach); got != graph.Edges {
			t.Errorf("%s within %g: %d edges, want %d", when, reach, got, graph.Edges)
		}
	}
}

// TestDetectsFacts: the content alone tells the format of every real trace, but of one that only its name tells.
func TestDetectsFacts(t *testing.T) {
	for name, f := range facts(t) {
		trace, err := Open(filepath.Join(shared, "traces", name), "", Options{SkipUntimed: true})
		if err != nil && !strings.Contains(err.Error(), "rise along a track") && f.Points != 1 {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil && trace.Format != f.Format {
			t.Errorf("%s: read as %s, want %s", name, trace.Format, f.Format)
		}
	}
}
