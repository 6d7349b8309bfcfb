package registry

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"syscall"
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

// What an event algorithm reads grows no faster either: on a star of 16 times the nodes a message may take six times
// the processor time (caches take twice, what grows with log n 1.3 times). A list of neighbours that is read at every
// message takes sixteen times as long or more. The least of some tries counts, since other programs run.
func TestNoListIsReadAtEveryMessage(t *testing.T) {
	const small, large, most = 4000, 64000, 6
	for _, e := range All {
		if e.Spec.Shape != caucus.ShapeEvents {
			continue
		}
		args, err := e.Spec.Resolve("", nil)
		if err != nil {
			t.Fatal(err)
		}
		a, b := math.Inf(1), math.Inf(1)
		for range 5 {
			x, errA := eachOf(t, &e, args, "star", small)
			y, errB := eachOf(t, &e, args, "star", large)
			if errors.Join(errA, errB) != nil {
				break // a network that the algorithm does not take
			}
			if a, b = min(a, x.seconds), min(b, y.seconds); b <= most*a {
				break
			}
		}
		if b > most*a {
			t.Errorf("%s: %.2g s for each message, node and edge of a star of %d nodes, %.2g s of %d", e.Spec.Name, a,
				small, b, large)
		}
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

func eachOf(t *testing.T, e *Entry, args caucus.Args, kind string, n int) (each, error) {
	t.Helper()
	g, err := network.Generate(fmt.Sprintf("%s:%d", kind, n), 1)
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	since := processorTime()
	r, err := simulated(t, e, args, g)
	if err != nil {
		return each{}, err
	}
	took := processorTime() - since
	runtime.ReadMemStats(&after)
	work := float64(r.Messages + int64(n) + int64(g.Edges()))
	return each{float64(after.TotalAlloc-before.TotalAlloc) / work, took.Seconds() / work}, nil
}

func simulated(t *testing.T, e *Entry, args caucus.Args, g *network.Graph) (*sim.Result, error) {
	cfg := sim.Config{Graph: g, Seed: 1, MaxEvents: 2_000_000, MaxRounds: 1_000_000, StableFor: 20, Workers: 1}
	cfg.Known.Nodes, cfg.Known.Diameter, cfg.Known.Delay = g.Len(), g.Len(), 2e9
	return e.Simulate(t.Context(), args, cfg)
}

// processorTime is what this program has taken of all processors.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
