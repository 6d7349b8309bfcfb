package registry

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"testing"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/check"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
)

// What an event algorithm copies grows no faster than its messages times log n, whatever the degree: eight times the
// nodes may take at most three times the bytes for each message, node and edge (log 512 is 1.5 times log 64; as much
// again for what grows by doubling). A list of neighbours that is copied at every message takes eight times.
func TestNothingIsCopiedAtEveryMessage(t *testing.T) {
	for _, e := range All {
		if e.Spec.Shape != caucus.ShapeEvents {
			continue
		}
		args, err := e.Spec.Resolve("", nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []string{"star", "clique", "ring", "line"} {
			small, large := 64, 512
			if kind == "clique" {
				small, large = 16, 128
			}
			x, errA := eachOf(t, &e, args, kind, small)
			y, errB := eachOf(t, &e, args, kind, large)
			if errors.Join(errA, errB) != nil {
				continue // a network that the algorithm does not take
			}
			if a, b := x.bytes, y.bytes; b > 3*a {
				t.Errorf("%s on %s: %.0f bytes for each message, node and edge with %d nodes, %.0f with %d",
					e.Spec.Name, kind, a, small, b, large)
			}
		}
	}
}

// What an event algorithm reads grows no faster either: growth is what a message, node or edge of a star of 64,000
// takes, beside one of 4,000. Caches make it two, what grows with log n 1.3; a list of neighbours that is read at every
// message makes it sixteen or more.
func BenchmarkReadingOfLists(b *testing.B) {
	for _, e := range All {
		args, err := e.Spec.Resolve("", nil)
		if err != nil {
			b.Fatal(err)
		}
		if e.Spec.Shape != caucus.ShapeEvents {
			continue
		}
		if _, err := eachOf(b, &e, args, "star", 8); err != nil {
			continue // a network that the algorithm does not take
		}
		b.Run(e.Spec.Name, func(b *testing.B) {
			small, large := math.Inf(1), math.Inf(1)
			for b.Loop() {
				x, errA := eachOf(b, &e, args, "star", 4000)
				y, errB := eachOf(b, &e, args, "star", 64000)
				if err := errors.Join(errA, errB); err != nil {
					b.Fatal(err)
				}
				small, large = min(small, x.seconds), min(large, y.seconds)
			}
			b.ReportMetric(large/small, "growth")
		})
	}
}

// boundOf is what an algorithm says of its messages on n nodes and m edges, without what is of lower order, where no
// formula comes with it (caucus.Budgeter).
var boundOf = map[string]func(n, m float64) float64{
	"prasle-reliable": func(n, m float64) float64 { return 2 * m * n }, // O(D·deg·n)
	"minfind":         func(n, m float64) float64 { return n * m },
	"flood":           func(n, m float64) float64 { return 2 * m * n },
	"bully":           func(n, _ float64) float64 { return n*n + 30*n }, // with heartbeats until it counts as stable
	"mesh":            func(n, _ float64) float64 { return 10 * n },
	"torus":           func(n, _ float64) float64 { return 7 * n },
	"flood-changes":   func(n, m float64) float64 { return n * m },
	"yo-yo":           func(n, m float64) float64 { return 2 * m * math.Log2(n) },
	"prob-as-far":     func(n, _ float64) float64 { return n * n },
	"control":         func(n, _ float64) float64 { return 7 * n * math.Log2(n) },
	"min-max-plus":    func(n, _ float64) float64 { return 1.271*n*math.Log2(n) + 2*n },
	"itai-rodeh":      func(n, _ float64) float64 { return 4 * n * math.Log2(n) }, // on average
}

// No event algorithm sends more than its own bound times log n, nor has more to do than that: a message, a wake-up or a
// timer is an event each.
func TestMessagesWithinTheirBounds(t *testing.T) {
	networks := []string{"star:4", "star:128", "clique:4", "clique:128", "ring:4", "ring:128", "line:4", "line:128",
		"grid:3x3", "grid:11x11", "torus:3x3", "torus:11x11", "hypercube:2", "hypercube:7"}
	for _, e := range All {
		if e.Spec.Shape != caucus.ShapeEvents {
			continue
		}
		args, err := e.Spec.Resolve("", nil)
		if err != nil {
			t.Fatal(err)
		}
		ran := 0
		for _, text := range networks {
			g, err := network.Generate(text, 1)
			if err != nil {
				t.Fatal(err)
			}
			r, err := simulated(t, &e, args, g)
			if err != nil {
				continue // a network that the algorithm does not take
			}
			ran++
			n, bound := float64(g.Len()), float64(e.Budget(args, check.FromGraph(g, nil), g.Len()))
			if f := boundOf[e.Spec.Name]; f != nil {
				bound = f(n, float64(g.Edges()))
			}
			most := bound * math.Log2(n)
			if float64(r.Messages) > most || float64(r.Events) > 2*(most+n) {
				t.Errorf("%s on %s: %d messages and %d events, with a bound of %.0f", e.Spec.Name, text, r.Messages,
					r.Events, bound)
			}
		}
		if ran < 2 {
			t.Errorf("%s ran on %d networks", e.Spec.Name, ran)
		}
	}
}

// each is what a run takes for each of its messages, nodes and edges.
type each struct{ bytes, seconds float64 }

func eachOf(t testing.TB, e *Entry, args caucus.Args, kind string, n int) (each, error) {
	t.Helper()
	g, err := network.Generate(fmt.Sprintf("%s:%d", kind, n), 1)
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	since := time.Now()
	r, err := simulated(t, e, args, g)
	if err != nil {
		return each{}, err
	}
	took := time.Since(since)
	runtime.ReadMemStats(&after)
	work := float64(r.Messages + int64(n) + int64(g.Edges()))
	return each{float64(after.TotalAlloc-before.TotalAlloc) / work, took.Seconds() / work}, nil
}

func simulated(t testing.TB, e *Entry, args caucus.Args, g *network.Graph) (*sim.Result, error) {
	cfg := sim.Config{Graph: g, Seed: 1, MaxEvents: 2_000_000, MaxRounds: 1_000_000, StableFor: 20, Workers: 1}
	cfg.Known.Nodes, cfg.Known.Diameter, cfg.Known.Delay = g.Len(), g.Len(), 2e9
	return e.Simulate(t.Context(), args, cfg)
}
