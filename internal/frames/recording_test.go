package frames

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/story"
)

// trace runs a scenario and writes its trace into a file.
func trace(t *testing.T, scenario string) string {
	t.Helper()
	q := Request{Scenario: scenario}
	p, err := q.Prepare()
	if err != nil {
		t.Fatal(err)
	}
	g := p.Config.Graph
	names := story.Names{Node: func(i int) string { return p.Names.Name(caucus.ID(i + 1)) },
		ID: func(id caucus.ID) string { return p.Names.Name(p.Place(id)) }}
	if p.Config.Moving == nil {
		names.Port = func(i, port int) string { return names.Node(int(g.Nbr[g.Off[i]+port])) }
	}
	var b bytes.Buffer
	w := story.NewWriter(&b, true, names, &story.Story{Scenario: scenario})
	p.Config.Around, p.Config.Watch = true, func(x *story.Step) bool { w.Write(x); return true }
	r, err := p.Entry.Simulate(t.Context(), p.Args, p.Config)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(&story.Step{Time: float64(r.Rounds), What: story.End, Number: uint64(r.Messages)})
	file := filepath.Join(t.TempDir(), "run.jsonl")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

const (
	torn = "version: 1\nalgo: bounded\ntopology: geant2012\nradius: 1500 km\nrounds: 50\nstable-for: 0\n" +
		"ids: random\nfaults:\n  - {at: 20, kind: crash, leaders: true}\n" +
		"  - {at: 30, kind: fake-leader, nodes: [CH, IT], fake: 999, value: 99}\n"
	walk = "version: 1\nalgo: bounded\narena: 200x200\nrange: 60\nradius: 120\nrounds: 40\nstable-for: 0\nwalkers:\n" +
		"  - {nodes: 40, motion: levy, speed: 3}\n"
)

// From its trace a page is told the same as from the run: who leads whom, which way, since when, where nodes are, who
// stops and which ghost is followed.
func TestRecordedIsAsRun(t *testing.T) {
	for _, s := range []string{torn, walk} {
		q := Request{Scenario: s}
		stream, err := q.Recorded(trace(t, s))
		if err != nil {
			t.Fatal(err)
		}
		live, recorded := told(t, q), apart(stream)
		for _, kind := range []byte{frameChanges, framePlaces} {
			for k := range min(len(live[kind]), len(recorded[kind])) {
				if !bytes.Equal(live[kind][k], recorded[kind][k]) {
					t.Fatalf("frame %d of kind %d: %x, recorded %x", k, kind, live[kind][k], recorded[kind][k])
				}
			}
			if len(live[kind]) != len(recorded[kind]) || len(live[frameChanges]) < 10 {
				t.Fatalf("%d frames of kind %d, recorded %d", len(live[kind]), kind, len(recorded[kind]))
			}
		}
		if a, b := ended(t, live), ended(t, recorded); a.Rounds != b.Rounds || a.Settled != b.Settled ||
			a.Messages != b.Messages || a.Converged != b.Converged ||
			a.Charts["messages"][len(a.Charts["messages"])-2] != b.Charts["messages"][len(b.Charts["messages"])-2] {
			t.Errorf("ends %+v, recorded %+v", a, b)
		}
	}
}

// What is wrong with a trace is said with its place.
func TestDamagedRecording(t *testing.T) {
	file := trace(t, torn)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(whole), "\n")
	for name, c := range map[string]struct{ text, want string }{
		"cut":      {strings.Join(lines[:30], ""), `:30: found no step "end"`},
		"half":     {strings.Join(lines[:30], "") + lines[30][:20], ":31: line: found"},
		"no head":  {strings.Join(lines[1:], ""), ":1: schema"},
		"longer":   {string(whole) + lines[5], "after the step \"end\""},
		"stranger": {strings.Replace(string(whole), `"node":"CH"`, `"node":"XX"`, 1), `node: found "XX"`},
		"word":     {strings.Replace(string(whole), `"role":"leader"`, `"role":"king"`, 1), `role: found "king"`},
		"back":     {strings.Join(lines[:80], "") + lines[1], "time: found \"0\", allowed: a round from"},
		"far":      {lines[0] + `{"time":1e300,"event":"act","node":"CH"}`, "allowed: a round from 0 to 10000"},
		"leader":   {lines[0] + `{"time":0,"event":"act","node":"CH","role":"leader","leader":"QQ"}`, `leader: found "QQ"`},
		"event":    {lines[0] + `{"time":0,"event":"acts","node":"CH"}`, `did you mean "act"`},
	} {
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		q := Request{Scenario: torn}
		if _, err := q.Recorded(file); err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}
