package scenario

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caucus.example/caucus/network"
)

const inField = "arena: 100x50\nrange: 10\nradius: 30\n"

func TestMovingErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"no speed", inField + "walkers:\n  - {nodes: 5, motion: levy}", "s.yaml:5: walkers: motion levy needs speed"},
		{"no nodes", inField + "walkers:\n  - {motion: still}", "s.yaml:5: walkers: need nodes and motion"},
		{"none", inField + "walkers:\n  - {nodes: 0, motion: still}",
			`s.yaml:5: nodes: found "0", allowed: a whole number from 1`},
		{"no such motion", inField + "walkers:\n  - {nodes: 5, motion: levi, speed: 1}",
			`s.yaml:5: motion: found "levi", allowed: still, levy, waypoint; did you mean "levy"?`},
		{"field of another motion", inField + "walkers:\n  - {nodes: 5, motion: levy, speed: 1, pause: 3}",
			"s.yaml:5: walkers: motion levy takes no pause"},
		{"unknown field", inField + "walkers:\n  - {nodes: 5, motion: still, sped: 1}",
			`s.yaml:5: unknown field "sped"; did you mean "speed"?`},
		{"two speeds", inField + "walkers:\n  - {nodes: 5, motion: levy, speed: 1..2}",
			`s.yaml:5: speed: found "1..2", allowed: one speed, or for waypoint SLOWEST..FASTEST`},
		{"falling speeds", inField + "walkers:\n  - {nodes: 5, motion: waypoint, speed: 2..1}",
			`s.yaml:5: speed: found "2..1"`},
		{"box of three", inField + "walkers:\n  - {nodes: 5, motion: still, box: [1, 2, 3]}",
			`s.yaml:5: box: found "a list", allowed: [x, y, x, y]: two corners`},
		{"box outside", inField + "walkers:\n  - {nodes: 5, motion: still, box: [0, 0, 100, 51]}",
			`place: found "box 0,0 to 100,51", allowed: a box inside the arena`},
		{"columns", inField + "walkers:\n  - {nodes: 5, motion: still, lattice: [0, 0, 1, 1.5]}",
			`s.yaml:5: lattice: found "a list", allowed: [x, y, step, columns]`},
		{"two places", inField + "walkers:\n  - {nodes: 5, motion: still, box: [0,0,1,1], lattice: [0,0,1,2]}",
			"s.yaml:5: walkers: box and lattice exclude each other"},
		{"walkers are no list", inField + "walkers: 5",
			`s.yaml:4: walkers: found "5", allowed: a list, one entry for each group`},
		{"no range", "arena: 1x1\nwalkers:\n  - {nodes: 5, motion: still}", `range: found "", allowed: a length > 0`},
		{"no arena", "range: 1\nwalkers:\n  - {nodes: 5, motion: still}", `arena: found "", allowed: WIDTHxHEIGHT`},
		{"arena", "arena: 1by1\nrange: 1\nwalkers:\n  - {nodes: 5, motion: still}",
			`s.yaml:1: arena: found "1by1", allowed: WIDTHxHEIGHT`},
		{"two networks", inField + "topology: ring:5\nwalkers:\n  - {nodes: 5, motion: still}",
			"topology and walkers exclude each other: each is a network"},
		{"degree", inField + "strength: degree\nwalkers:\n  - {nodes: 5, motion: still}",
			`s.yaml:4: strength: found "degree", allowed: id, random: degrees change while nodes move`},
		{"weights", inField + "metric: weight\nwalkers:\n  - {nodes: 5, motion: still}",
			`s.yaml:4: metric: found "weight", allowed: distance, hops, on a network that moves`},
		{"no trace", "movements: none.gpx\nrange: 5", "s.yaml:1: open none.gpx"},
		{"format not told", "movements: moving_test.go\nrange: 5",
			"s.yaml:1: moving_test.go:1: movements-format: found \"\""},
		{"no such format", "movements: list.txt\nmovements-format: csv", `s.yaml:2: movements-format: found "csv"`},
		{"layout of what moves", inField + "layout: spring:1\nwalkers:\n  - {nodes: 5, motion: still}",
			`s.yaml:4: layout: found "spring:1", allowed: none: the places of a network that moves are its own`},
		{"arena that stands still", "topology: ring:5\narena: 10x10",
			`s.yaml:2: arena: found "10x10", allowed: none: a topology stands still`},
		{"range that stands still", "topology: ring:5\nrange: 10",
			`s.yaml:2: range: found "10", allowed: none: a topology stands still`},
		{"walls that stand still", "topology: ring:5\nwalls: slide",
			`s.yaml:2: walls: found "slide", allowed: nothing else than stop: a topology stands still`},
		{"phases of all at once", "topology: geant2012\nphases: x",
			`s.yaml:2: phases: found "x", allowed: nothing else than random: in synchronous rounds all nodes run at once; timing async has phases`},
		{"layout", "topology: ba:n=5,m=1\nlayout: springs:1",
			`s.yaml:2: layout: found "springs:1", allowed: spring:LENGTH`},
		{"layout of places", "topology: geant2012\nlayout: spring:1", `s.yaml:2: layout: found "spring:1"`},
		{"phases without places", "topology: ba:n=5,m=1\nphases: x\ntiming: async",
			`s.yaml:2: phases: found "x", allowed: random: the nodes have no places`},
		{"value and source", "topology: ring:5\nfaults:\n  - {at: 1, kind: strength, value: 1, source: id}",
			"s.yaml:3: strength: value and source exclude each other"},
		{"no source", "topology: ring:5\nfaults:\n  - {at: 1, kind: strength, source: ids}",
			`s.yaml:3: strength: found "ids", allowed: degree, id, random, rank, attribute:NAME, fitness, fitness:battery=W,cpu=W,memory=W,load=W`},
	} {
		s, err := Parse("s.yaml", []byte(c.text))
		if err == nil {
			_, err = s.Resolve()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
	}
}

// Walkers and traces resolve to networks of as many nodes, in the metric and with the strengths that suit them; the
// echo of a scenario is the same scenario.
func TestMoving(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "met.txt"), []byte("a b 0 20\nb c 5 9\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text     string
		nodes    int
		metric   network.Metric
		strength string
		names    string
	}{
		{inField + "walkers:\n  - {nodes: 5, motion: levy, speed: 2, box: [0, 0, 9, 9]}\n  - {nodes: 4, motion: " +
			"still, lattice: [1, 1, 2, 2]}", 9, network.MetricDistance, "id", "9"},
		{inField + "metric: hops\nstrength: random\nwalkers:\n  - {nodes: 5, motion: waypoint, speed: 1..2, pause: 3}",
			5, network.MetricHops, "random", "5"},
		{inField + "walkers:\n  - {nodes: 5, motion: still, box: [0, 0, 9, 9]}\nfaults:\n  - {at: 3, kind: move, " +
			"nodes: [2, 3], x: 4.5, y: 0}", 5, network.MetricDistance, "id", "5"},
		{"movements: met.txt\nmovements-format: intervals\nradius: 3", 3, network.MetricHops, "id", "c"},
	} {
		s, err := Parse(filepath.Join(dir, "s.yaml"), []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		if g := r.Config.Graph; g.Len() != c.nodes || r.Metric != c.metric || r.Strength != c.strength ||
			g.NodeName(c.nodes-1) != c.names {
			t.Errorf("%d nodes, metric %s, strength %s, last node %s\nof %s", g.Len(), r.Metric, r.Strength,
				g.NodeName(c.nodes-1), c.text)
		}
		again, err := Parse(filepath.Join(dir, "again.yaml"), []byte(r.YAML()))
		if err != nil {
			t.Fatalf("%v in\n%s", err, r.YAML())
		}
		second, err := again.Resolve()
		if err != nil {
			t.Fatalf("%v in\n%s", err, r.YAML())
		}
		if r.YAML() != second.YAML() {
			t.Errorf("%s\nbecomes\n%s", r.YAML(), second.YAML())
		}
	}
}

// Strengths that change: by the source, for the nodes named or for all, random ones drawn anew each time.
func TestStrengthSchedule(t *testing.T) {
	s, err := Parse("s.yaml", []byte("topology: line:4\nstrength: random\nfaults:\n"+
		"  - {at: 1, kind: strength, source: id}\n  - {at: 2, kind: strength, source: random}\n  - {at: 3, kind: "+
		"strength, source: random}\n  - {at: 4, kind: strength, nodes: [2], value: 7}"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	f := r.Config.Faults
	if !slices.Equal(f[0].Values, []float64{1, 2, 3, 4}) || f[3].Values != nil || f[3].Value != 7 {
		t.Errorf("%+v", f)
	}
	if slices.Equal(f[1].Values, f[2].Values) || slices.Equal(f[1].Values, r.Config.Strengths) {
		t.Error("the same random strengths again")
	}
}

// Phases by place: the leftmost node runs first.
func TestPhasesByPlace(t *testing.T) {
	s, err := Parse("s.yaml", []byte(inField+
		"phases: x\ntiming: async\nwalkers:\n  - {nodes: 4, motion: still, lattice: [5, 5, 2, 4]}"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0, 1. / 3, 2. / 3, 1} { // the last is just below 1
		if got := r.Config.Phases[i]; got > want || got < want-1e-9 || got >= 1 {
			t.Errorf("node %d runs at %g of the period, want %g", i, got, want)
		}
	}
}
