package scenario

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"caucus.example/caucus/sim"
)

// rooted is a random geometric graph; what is said of it comes before its faults.
const rooted = "topology: 'rgg:n=40,degree=8,connected'\nstrength: degree\nrounds: 60\nstable-for: 0\n"

func resolved(t *testing.T, text string) *Run {
	t.Helper()
	s, err := Parse("x.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return r
}

func resultOf(t *testing.T, r *Run) *sim.Result {
	t.Helper()
	x, err := r.Entry.Simulate(t.Context(), r.Args, r.Config)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// Whether the network of a random geometric graph stands still or has nodes that could be put elsewhere, the same
// happens under every fault and several at once, as long as none is.
func TestUprootedAlike(t *testing.T) {
	const lost, late = "{at: 3, kind: loss, rate: 0.5, until: 40}, ", "{at: 3, kind: delay, rounds: 2, until: 40}, "
	for _, faults := range []string{"{at: 10, kind: crash, leaders: true}",
		"{at: 10, kind: loss, rate: 0.3, until: 40}", "{at: 10, kind: delay, rounds: 2}",
		"{at: 10, kind: partition, nodes: ['1', '2', '3'], until: 20}",
		"{at: 10, kind: duplication, rate: 0.5, rounds: 2}", "{at: 10, kind: heal}",
		"{at: 10, kind: fake-leader, nodes: ['7'], fake: 999, value: 99}",
		"{at: 10, kind: corrupt, nodes: ['7']}", "{at: 10, kind: leave, nodes: ['7']}",
		"{at: 10, kind: expiry, rounds: 3}", "{at: 10, kind: strength, nodes: ['7'], value: 100}",
		"{at: 10, kind: loss, rate: 1, links: [1->2]}", "{at: 10, kind: reordering, rate: 0.5, rounds: 2}",
		"{at: 0, kind: fake-leader, nodes: ['7'], fake: 999, value: 99}", "{at: 10, kind: corrupt}",
		lost + "{at: 10, kind: fake-leader, nodes: ['7'], fake: 999, value: 99}", late + "{at: 10, kind: corrupt}",
		lost + "{at: 10, kind: partition, nodes: ['1', '2', '3'], until: 20}",
		late + "{at: 10, kind: partition, nodes: ['1', '2', '3'], until: 20}",
		lost + "{at: 10, kind: leave, nodes: ['5', '7']}, {at: 13, kind: join, nodes: ['5', '7']}",
		late + "{at: 10, kind: crash, nodes: ['5', '7']}, {at: 13, kind: restart, keep: true}",
		lost + "{at: 10, kind: crash, nodes: ['5', '7']}, {at: 25, kind: restart}",
	} {
		for _, timing := range []string{"sync", "async", "async\nphases: x", "jittered"} {
			for _, run := range []string{"algo: bounded\nmetric: distance", "algo: recursive", "algo: prasle",
				"algo: gradient"} {
				text := fmt.Sprintf("%s%s\ntiming: %s\nfaults: [%s]\n", rooted, run, timing, faults)
				still, moving := resolved(t, text), resolved(t, text)
				if still.Rooted() != "" {
					if timing != "jittered" || !slices.ContainsFunc(still.Config.Faults, ofLinks) {
						t.Errorf("%s\n%s", text, still.Rooted())
					}
					continue
				}
				if err := moving.uproot(); err != nil {
					t.Fatal(err)
				}
				if a, b := resultOf(t, still), resultOf(t, moving); a.TraceHash != b.TraceHash {
					t.Errorf("%s\nthe trace is %x, and %x where nodes could move", text, a.TraceHash, b.TraceHash)
				}
			}
		}
	}
}

// A node that is put far from those that it heard follows who is there, and one that comes back is as before; before
// its move the same has happened.
func TestStandingNodesMove(t *testing.T) {
	still := resolved(t, rooted+"radius: 2\n")
	g := still.Config.Graph
	far := 0
	for i := range g.Len() {
		if x, y := g.X[i]-g.X[0], g.Y[i]-g.Y[0]; x*x+y*y > 0.5 {
			far = i
		}
	}
	moved := resolved(t, rooted+fmt.Sprintf("radius: 2\nfaults: [{at: 30, kind: move, nodes: ['1'], x: %v, y: %v}]\n",
		g.X[far], g.Y[far]))
	before := resolved(t, rooted+"radius: 2\n")
	before.Config.MaxRounds, moved.Config.MaxRounds = 30, 30
	if a, b := resultOf(t, before), resultOf(t, moved); a.TraceHash != b.TraceHash {
		t.Error("before the move something else has happened")
	}
	if again := resolved(t, moved.YAML()); resultOf(t, again).TraceHash == resultOf(t, still).TraceHash ||
		!strings.Contains(moved.Echo("")[0], fmt.Sprintf("edges=%d", g.Edges())) {
		t.Errorf("told as\n%s%s", moved.YAML(), moved.Echo(""))
	}
	moved.Config.MaxRounds = 60
	was, is := resultOf(t, still).Outcomes, resultOf(t, moved).Outcomes
	if was[0].Leader == is[0].Leader || is[0].Leader != is[far].Leader {
		t.Errorf("node 1 followed %v, where it is now %v, and those there %v", was[0].Leader, is[0].Leader,
			is[far].Leader)
	}
}

// Where nodes cannot be put elsewhere, the error says why.
func TestMoveRefused(t *testing.T) {
	for _, c := range [][2]string{
		{"topology: ring:8", "links do not follow from places here"},
		{"topology: ring:8\nalgo: as-far", "a fixed number of ports"},
		{"topology: 'rgg:n=40,degree=8,connected'\nalgo: flood", "a fixed number of ports"},
		{"topology: 'rgg:n=40,degree=8'\ntiming: aligned", "timing aligned"},
		{"topology: 'rgg:n=40,degree=8'\ntwo-way: true", "two-way"},
	} {
		text := c[0] + "\nfaults: [{at: 3, kind: move, nodes: ['1'], x: 0.5, y: 0.5}]\n"
		s, err := Parse("x.yaml", []byte(text))
		if err == nil {
			_, err = s.Resolve()
		}
		if err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s: %v, want %s", text, err, c[1])
		}
	}
	s, _ := Parse("x.yaml", []byte(rooted+"faults: [{at: 3, kind: move, nodes: ['1'], x: 1.5, y: 0.5}]\n"))
	if _, err := s.Resolve(); err == nil || !strings.Contains(err.Error(), "from 0 to 1: the node is in the arena") {
		t.Error(err)
	}
}
