package registry

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/check"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
)

// pairs are networks of a kind, the second with eight times the nodes or more.
var pairs = [][2]string{{"star:64", "star:768"}, {"clique:12", "clique:96"}, {"ring:32", "ring:256"},
	{"line:32", "line:256"}, {"grid:6x6", "grid:17x17"}, {"torus:6x6", "torus:17x17"}, {"hypercube:5", "hypercube:8"}}

// What an event algorithm copies grows no faster than its events, whatever the degree: of the larger network it may be
// twice as much for each event, node and edge (what grows by doubling is 1.5 times). A list of bytes by neighbour that
// is copied at every message makes it more.
func TestNothingIsCopiedAtEveryMessage(t *testing.T) { grows(t, "bytes", 2, bytesOf) }

// What an event algorithm does grows no faster either: the statements of it and of what algorithms share, counted in
// a program that is built to count them. All take at most 1.3 times as many for each event, node and edge of the
// larger network; one that reads its list of neighbours at every message takes more, also where it soon finds what it
// looks for.
func TestNoListIsReadAtEveryMessage(t *testing.T) {
	if text := os.Getenv(oneElection); text != "" {
		name, network, _ := strings.Cut(text, " ")
		electionOf(t, name, network)
		return
	}
	folder := t.TempDir()
	program := filepath.Join(folder, "counts")
	if out, err := exec.Command("go", "test", "-c", "-vet=off", "-covermode=count", "-coverpkg=../algo/...", "-o",
		program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	grows(t, "statements", 1.5, func(t *testing.T, name, network string) int64 {
		counts := filepath.Join(folder, "counts.out")
		run := exec.Command(program, "-test.run", "^"+t.Name()+"$", "-test.coverprofile", counts)
		run.Env = append(os.Environ(), oneElection+"="+name+" "+network)
		if out, err := run.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return statements(t, counts)
	})
}

// oneElection is a variable of the environment that names an algorithm and a network.
const oneElection = "CAUCUS_ONE_ELECTION"

// statements adds up how often those of a profile of coverage were run: its lines end in a number of statements that
// stand together and how often they were.
func statements(t *testing.T, profile string) (sum int64) {
	t.Helper()
	data, err := os.ReadFile(profile)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var place string
		var number, times int64
		if _, err := fmt.Sscan(line, &place, &number, &times); err == nil {
			sum += number * times
		}
	}
	return sum
}

// grows holds that an election takes for each event, node and edge at most so many times as much on the second of each
// pair of networks as on the first.
func grows(t *testing.T, what string, most float64, takes func(t *testing.T, name, network string) int64) {
	t.Helper()
	for _, e := range All {
		if e.Spec.Shape != caucus.ShapeEvents {
			continue
		}
		ran := false
		for _, pair := range pairs {
			var each [2]float64
			for k, network := range pair {
				if work := electionOf(t, e.Spec.Name, network); work > 0 {
					each[k] = float64(takes(t, e.Spec.Name, network)) / work
				}
			}
			ran = ran || each[1] > 0
			if each[1] > most*each[0] {
				t.Errorf("%s: %.1f %s for each event, node and edge of %s, %.1f of %s", e.Spec.Name, each[0], what,
					pair[0], each[1], pair[1])
			}
		}
		if !ran {
			t.Errorf("%s ran on no network", e.Spec.Name)
		}
	}
}

// bytesOf is what an election allocates.
func bytesOf(t *testing.T, name, network string) int64 {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	electionOf(t, name, network)
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// electionOf carries out an election, and gives how many events, nodes and edges it had; 0 where the algorithm does not
// take the network.
func electionOf(t *testing.T, name, text string) float64 {
	t.Helper()
	e, err := Get(name)
	if err != nil {
		t.Fatal(err)
	}
	args, err := e.Spec.Resolve("", nil)
	if err != nil {
		t.Fatal(err)
	}
	g, err := network.Generate(text, 1)
	if err != nil {
		t.Fatal(err)
	}
	r := simulated(t, &e, args, g)
	if r == nil {
		return 0
	}
	return float64(r.Events) + float64(g.Len()) + float64(g.Edges())
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
			r := simulated(t, &e, args, g)
			if r == nil {
				continue
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

// simulated carries out an election; nil where the algorithm does not take the network.
func simulated(t *testing.T, e *Entry, args caucus.Args, g *network.Graph) *sim.Result {
	t.Helper()
	const most = 3_000_000 // events: no bound below is larger
	cfg := sim.Config{Graph: g, Seed: 1, MaxEvents: most, MaxRounds: 1_000_000, StableFor: 20, Workers: 1}
	cfg.Known.Nodes, cfg.Known.Diameter, cfg.Known.Delay = g.Len(), g.Len(), 2e9
	premises := network.Premises{Graph: g, Known: cfg.Known}
	if premises.Unmet(e.Spec) != nil {
		return nil
	}
	r, err := e.Simulate(t.Context(), args, cfg)
	if err != nil {
		t.Fatalf("%s: %v", e.Spec.Name, err)
	}
	if r.Events >= most {
		t.Fatalf("%s does not end within %d events", e.Spec.Name, most)
	}
	return r
}
