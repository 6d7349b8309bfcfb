package scenario

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	linkfault "caucus.example/caucus/fault"
	"caucus.example/caucus/internal/energy"
	"caucus.example/caucus/sim"
	"github.com/google/go-cmp/cmp"
)

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"unknown field", "algo: bounded\ntopologi: ring:5",
			`s.yaml:2: unknown field "topologi"; did you mean "topology"?`},
		{"nothing near", "colour: blue",
			`s.yaml:1: unknown field "colour"; allowed: version, params, faults, walkers, name, algo, faithful, topology, name-attribute, weight-attribute, x-attribute, y-attribute, geographic, source, target, nodes-file, graph, where, without, min-gain, transit, lenient, layout, movements, movements-format, contact-duration, skip-untimed, arena, walls, range, move-every, moves, metric, radius, strength, ids, seed, graph-seed, timing, phases, rounds, stable-for, period, energy, initiators, delays, scheduler, fifo, channel, two-way, region, restart, replay, events, unsafe, workers, every, csv, samples, trace, diagram, map`},
		{"unknown fault field", "faults:\n  - kind: crash\n    nods: [a]",
			`s.yaml:3: unknown field "nods"; did you mean "nodes"?`},
		{"rate of loss", "faults:\n  - {kind: loss, rate: 110%}",
			`s.yaml:2: rate: found "110%", allowed: a share from 0 to 1, or 0% to 100%`},
		{"unknown kind", "faults:\n  - {kind: los}",
			`s.yaml:2: kind: found "los", allowed: crash, restart, join, leave, loss, duplication, delay, reordering, expiry, partition, heal, strength, corrupt, fake-leader, move; did you mean "loss"?`},
		{"no kind", "faults:\n  - at: 3", "s.yaml:2: a fault without a kind"},
		{"nodes needed", "faults:\n  - {at: 3, kind: crash}", "s.yaml:2: crash: needs nodes or leaders"},
		{"nodes and leaders", "faults:\n  - {kind: crash, nodes: [a], leaders: true}",
			"s.yaml:2: crash: nodes and leaders exclude each other"},
		{"way without nodes", "faults:\n  - {kind: loss, rate: 1, way: out}",
			"s.yaml:2: loss: way is of nodes that are listed"},
		{"wrong way", "faults:\n  - {kind: loss, rate: 1, nodes: [a], way: up}",
			`s.yaml:2: way: found "up", allowed: out, in`},
		{"field of another kind", "faults:\n  - {kind: heal, rate: 0.1}",
			"s.yaml:2: heal: takes no rate; it has the fields at, kind"},
		{"end before start", "faults:\n  - {at: 9, until: 9, kind: partition, nodes: [a]}",
			`s.yaml:2: until: found "9", allowed: a time in rounds > 9, when the fault begins`},
		{"negative time", "faults:\n  - {at: -1, kind: heal}",
			`s.yaml:2: at: found "-1", allowed: a time in rounds >= 0`},
		{"nodes is empty", "faults:\n  - {kind: join, nodes: []}",
			`s.yaml:2: nodes: found "a list", allowed: a list of node names`},
		{"faults is text", "faults: none", `s.yaml:1: faults: found "none", allowed: a list, one entry for each fault`},
		{"fault is text", "faults:\n  - crash",
			`s.yaml:2: fault: found "crash", allowed: fields such as at: 30, kind: crash, leaders: true`},
		{"version", "version: 2", `s.yaml:1: version: found "2", allowed: 1`},
		{"seed", "\n\nseed: -1", `s.yaml:3: seed: found "-1", allowed: a whole number from 0 to 18446744073709551615`},
		{"rounds", "rounds: 0",
			`s.yaml:1: rounds: found "0", allowed: a whole number from 1 to 1e15, such as 250, 10k or 1e6`},
		{"more than a machine counts", "rounds: 1e30",
			`s.yaml:1: rounds: found "1e30", allowed: a whole number from 1 to 1e15, such as 250, 10k or 1e6`},
		{"fraction", "stable-for: 2.5",
			`s.yaml:1: stable-for: found "2.5", allowed: a whole number from 0 to 1e15, such as 250, 10k or 1e6`},
		{"timing", "timing: fast",
			`s.yaml:1: timing: found "fast", allowed: sync, async, jittered, exponential, aligned`},
		{"unsafe", "unsafe: yes", `s.yaml:1: unsafe: found "yes", allowed: true, false`},
		{"map", "map: a.jpg",
			`s.yaml:1: map: found "a.jpg", allowed: a file name that ends in .svg, .png or .pdf, or - for standard output`},
		{"list for a scalar", "algo: [a, b]", `s.yaml:1: algo: found "a list", allowed: one value`},
		{"energy without unit", "energy:\n  send: 3",
			`s.yaml:2: energy send: found "3", allowed: a power from 0W to 1000W, such as 52.2mW`},
		{"unknown figure", "energy:\n  sned: 3W",
			`s.yaml:2: energy: found "sned", allowed: send, receive, idle, rate, overhead, handle; did you mean "send"?`},
		{"figure is a list", "energy:\n  send: [3W]", `s.yaml:2: send: found "a list", allowed: one value`},
		{"energy is a list", "energy: [3W]", `s.yaml:1: energy: found "a list", allowed: one value`},
		{"unknown radio", "energy: cc2400",
			`s.yaml:1: energy: found "cc2400", allowed: cc2420, or figures as in idle=20uW,rate=50kbit/s: send, receive, idle, rate, overhead, handle`},
		{"no value", "algo:\nseed: 1", `s.yaml:1: algo: found "", allowed: one value`},
		{"params is text", "params: radius=3",
			`s.yaml:1: params: found "radius=3", allowed: name: value for each parameter`},
		{"radius twice", "radius: 3\nparams:\n  radius: 4", "s.yaml:3: parameter radius is set twice"},
		{"radius twice, other order", "params:\n  radius: 4\nradius: 3", "s.yaml:3: parameter radius is set twice"},
		{"field twice", "seed: 1\nseed: 2", `s.yaml:2: mapping key "seed" already defined at [1:1]`},
		{"alias", "algo: &a bounded\nname: *a", "s.yaml:1: anchor is not used in scenarios"},
		{"two documents", "seed: 1\n---\nseed: 2", "s.yaml:3: a second document; a file holds one"},
		{"empty", "# nothing", "s.yaml: found no fields, allowed: name: value, such as topology: geant2012"},
		{"not a mapping", "- a", "s.yaml:1: found no fields, allowed: name: value, such as topology: geant2012"},
		{"deep", "params: " + strings.Repeat("[", 50) + strings.Repeat("]", 50), "s.yaml: nested 50 deep, allowed: 20"},
	} {
		_, err := Parse("s.yaml", []byte(c.text))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
	}
}

func TestResolveErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"algorithm", "algo: bouned\ntopology: ring:5", `s.yaml:1: algo: found "bouned", allowed: `},
		{"no topology", "algo: bounded",
			`s.yaml: topology: found "", allowed: a built-in name (geant2012), a generator (grid:20x50) or a file`},
		{"unknown topology", "\ntopology: geant2021", `s.yaml:2: topology: found "geant2021", allowed: `},
		{"node", "topology: abilene\nfaults:\n  - kind: crash\n    nodes:\n      - Seattle\n      - Denwer",
			`s.yaml:6: node "Denwer" does not exist; did you mean "Denver"?`},
		{"node unlike any", "topology: line:3\nfaults:\n  - {kind: crash, nodes: [7]}",
			`s.yaml:3: node "7" does not exist`},
		{"radius below 0", "topology: ring:5\nradius: -1",
			`s.yaml:2: radius: found "-1", allowed: a plain number > 0, or inf (metric hops has no unit)`},
		{"radius 0", "topology: ring:5\nradius: 0",
			`s.yaml:2: radius: found "0", allowed: a plain number > 0, or inf (metric hops has no unit)`},
		{"radius 0", "topology: ring:5\nradius: 0",
			`s.yaml:2: radius: found "0", allowed: a plain number > 0, or inf (metric hops has no unit)`},
		{"kilometres in hops", "topology: ring:5\nradius: 3km",
			`s.yaml:2: radius: found "3km", allowed: a plain number > 0, or inf (metric hops has no unit)`},
		{"kilometres in the plane", "topology: grid:3x3\nmetric: distance\nradius: 3km",
			`s.yaml:3: radius: found "3km", allowed: a plain number > 0, or inf (metric distance between planar coordinates, which have no unit)`},
		{"no unit on Earth", "topology: abilene\nradius: 3",
			`s.yaml:2: radius: found "3", allowed: a length > 0 in km or m, or inf (metric distance; metric hops takes plain numbers)`},
		{"time on Earth", "topology: abilene\nparams: {radius: 3ms}",
			`s.yaml:2: radius: found "3ms", allowed: a length > 0 in km or m, or inf (metric distance; metric hops takes plain numbers)`},
		{"parameter", "topology: ring:5\nparams:\n  heartbeats: 3",
			`s.yaml:3: parameter of bounded: found "heartbeats", allowed: radius, radius-cmp, order, clamp, hop-limit, heartbeat, nonce; did you mean "heartbeat"?`},
		{"parameter's value", "topology: ring:5\nparams:\n  heartbeat: 99",
			`s.yaml:3: heartbeat: found "99", allowed: an integer >= 0 and <= 15`},
		{"faithful", "topology: ring:5\nfaithful: book", `s.yaml:2: faithful: found "book", allowed: artefact, paper`},
		{"no weights", "topology: ring:5\nmetric: weight",
			`s.yaml:2: metric: found "weight", allowed: hops or distance: `},
		{"samples of events", "algo: as-far\ntopology: ring:5\nsamples: a.csv",
			`s.yaml:3: samples: found "a.csv", allowed: none: an event algorithm has no rounds to sample`},
		{"strength", "topology: ring:5\nstrength: beauty",
			`s.yaml:2: strength: found "beauty", allowed: degree, id, random, rank, attribute:NAME, fitness, fitness:battery=W,cpu=W,memory=W,load=W`},
		{"initiators", "algo: as-far\ntopology: ring:5\ninitiators: 6",
			`s.yaml:3: initiators: found "6", allowed: all, one, 1 to 5, or names of nodes with commas`},
		{"initiators of rounds", "topology: ring:5\ninitiators: 2",
			`s.yaml:2: initiators: found "2", allowed: all: only event algorithms have it, bounded runs in rounds`},
		{"fault after the last round",
			"topology: ring:5\nrounds: 30\nfaults:\n  - {at: 30, kind: crash, leaders: true}",
			`s.yaml:4: at: found "30", allowed: a time before 30: the run has no more rounds`},
		{"fault after the end", "algo: as-far\ntopology: ring:5\nrounds: 30\nfaults:\n  - {at: 30.5, kind: crash, " +
			"leaders: true}", `s.yaml:5: at: found "30.5", allowed: a time up to 30: then the run ends`},
		{"ghost that is a node", "topology: ring:5\nfaults:\n  - {kind: fake-leader, fake: 5, value: 9}",
			`s.yaml:3: fake: found "5", allowed: an ID that no node has: > 5`},
	} {
		s, err := Parse("s.yaml", []byte(c.text))
		if err == nil {
			_, err = s.Resolve()
		}
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
	}
}

// Figures on lines of their own, in text or as a flag are the same, and the resolved scenario can be read again.
func TestEnergy(t *testing.T) {
	if s, err := Parse("s.yaml", []byte("topology: ring:5\nenergy: {}")); err != nil {
		t.Error(err)
	} else if r, err := s.Resolve(); err != nil || r.Energy == nil || *r.Energy != energy.CC2420 {
		t.Errorf("energy without figures: %v %v", r, err)
	}
	for _, text := range []string{"energy:\n  idle: 20uW\n  rate: 50kbit/s", "energy: idle=20uW,rate=50kbit/s",
		"energy: {idle: 0.02mW, rate: 50kbit/s}"} {
		s, err := Parse("s.yaml", []byte("topology: ring:5\n"+text))
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		want := energy.CC2420
		want.Idle, want.Rate = 20e-6, 50e3
		if r.Energy == nil || r.Energy.String() != want.String() || !r.Config.Traffic {
			t.Errorf("%s: %v", text, r.Energy)
		}
		if again, err := Parse("again.yaml", []byte(r.YAML())); err != nil {
			t.Errorf("%v in\n%s", err, r.YAML())
		} else if same, err := again.Resolve(); err != nil || same.YAML() != r.YAML() {
			t.Errorf("%v: not the same again:\n%s", err, r.YAML())
		}
	}
}

// A flag wins over the file, and an error in it names no line of the file.
func TestFlagOverridesFile(t *testing.T) {
	s, err := Parse("s.yaml", []byte("topology: grid:2x3\nradius: 2\nseed: 3"))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Set("seed", "9"); err != nil {
		t.Fatal(err)
	}
	s.SetParam("radius", "1")
	r, err := s.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	if r.Config.Seed != 9 || r.Args.Number("radius") != 1 {
		t.Errorf("seed %d radius %g", r.Config.Seed, r.Args.Number("radius"))
	}
	s.Set("radius", "3km")
	if _, err := s.Resolve(); err == nil || !strings.HasPrefix(err.Error(), "radius: found") {
		t.Errorf("error of a flag: %v", err)
	}
}

func TestResolve(t *testing.T) {
	s, err := Parse("s.yaml", []byte(`
topology: abilene
radius: 1500000m   # = 1500 km
rounds: 10k
stable-for: 1e2
period: 200ms
timing: async
samples: out.csv
every: 5
faults:
  - {at: 2.5, until: 7, kind: loss, rate: 10%}
  - {at: 8, kind: loss, rate: 1, nodes: Denver, way: out}
  - {at: 30, kind: crash, nodes: Denver}
  - {at: 40, kind: restart, keep: true}
  - {at: 50, kind: fake-leader, nodes: [Seattle, Denver], fake: 12, value: 7}
`))
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	c := r.Config
	if r.Metric != "distance" || r.Args.Number("radius") != 1500 {
		t.Errorf("metric %s, radius %g", r.Metric, r.Args.Number("radius"))
	}
	if c.MaxRounds != 10_000 || c.StableFor != 100 || c.Period.Milliseconds() != 200 || c.Timing != sim.Asynchronous ||
		c.Every != 5 {
		t.Errorf("config %+v", c)
	}
	index := func(name string) int { id, _ := r.Names.ID(name); return int(id) - 1 }
	want := []sim.Fault{
		{At: 2.5, Until: 7, Kind: sim.Loss, Rate: 0.1},
		{At: 8, Kind: sim.Loss, Rate: 1, Nodes: []int{index("Denver")}, Way: linkfault.Out},
		{At: 30, Kind: sim.Crash, Nodes: []int{index("Denver")}},
		{At: 40, Kind: sim.Restart, Keep: true},
		{At: 50, Kind: sim.FakeLeader, Nodes: []int{index("Seattle"), index("Denver")}, Fake: 12, Value: 7},
	}
	if diff := cmp.Diff(want, c.Faults); diff != "" {
		t.Error(diff)
	}
}

// The YAML of a resolved scenario must resolve to the same run.
func TestYAMLRoundTrip(t *testing.T) {
	files, err := filepath.Glob("../../scenarios/*.yaml")
	if err != nil || len(files) < 3 {
		t.Fatalf("scenarios: %v %v", files, err)
	}
	for _, file := range files {
		s, err := Load(file)
		if err != nil {
			t.Fatal(err)
		}
		first, err := s.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse("again.yaml", []byte(first.YAML()))
		if err != nil {
			t.Fatalf("%v\n%s", err, first.YAML())
		}
		second, err := again.Resolve()
		if err != nil {
			t.Fatalf("%v\n%s", err, first.YAML())
		}
		if diff := cmp.Diff(first.Echo("v"), second.Echo("v")); diff != "" {
			t.Errorf("%s: %s", file, diff)
		}
		if diff := cmp.Diff(first.Config.Faults, second.Config.Faults); diff != "" {
			t.Errorf("%s: %s", file, diff)
		}
	}
}

func TestMissingFile(t *testing.T) {
	if _, err := Load("no-such.yaml"); !os.IsNotExist(err) {
		t.Errorf("error %v", err)
	}
}

// FuzzParse: no scenario, however broken, may panic, and what parses must be complete.
func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("../../scenarios/*.yaml")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	for _, text := range []string{"a: b: c", "{", "faults: [{kind: loss, rate: 1}]", "- - - -", "? a", "seed: !!int 3",
		"&a [*a]", "a: |\n  x", "\xff"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse("f.yaml", []byte(text))
		if (s == nil) == (err == nil) {
			t.Fatalf("scenario %v, error %v", s, err)
		}
		if err == nil && len(s.texts) != len(Settings) {
			t.Fatalf("%d settings of %d", len(s.texts), len(Settings))
		}
	})
}

// Real agents measure round-trip times: the scenario resolves, in milliseconds and without lengths.
func TestRoundTripTimes(t *testing.T) {
	s, err := Parse("s.yaml", []byte("topology: abilene\nmetric: rtt\nradius: 500us"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	if r.Args.Number("radius") != 0.5 || r.Config.Lengths != nil || r.Length(0.5) != "0.5ms" {
		t.Errorf("radius %g, lengths %v, written %s", r.Args.Number("radius"), r.Config.Lengths, r.Length(0.5))
	}
}

func TestAttributes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "net.csv")
	if err := os.WriteFile(file, []byte("a b 5 0.25\nb c 6 0.5\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s := New()
	for name, text := range map[string]string{"topology": file, "metric": "weight", "weight-attribute": "4"} {
		if err := s.Set(name, text); err != nil {
			t.Fatal(err)
		}
	}
	r, err := s.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]float64{0.25, 0.25, 0.5, 0.5}, r.Config.Lengths); diff != "" {
		t.Error(diff)
	}
}
