package engine

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/sim"
	"go.uber.org/goleak"
)

func TestConfigRefused(t *testing.T) {
	edge := func(x float64) []float64 { return []float64{1, 1, x, x} }
	for _, c := range []struct {
		cfg  sim.Config
		want string
	}{
		{sim.Config{}, `topology: found "no nodes"`},
		{sim.Config{Graph: path(t, 3), Strengths: []float64{1, math.NaN(), 2}},
			`strength of node 2: found "NaN", allowed: a finite number >= 0`},
		{sim.Config{Graph: path(t, 3), Strengths: []float64{1, 2, -1}}, `strength of node 3: found "-1"`},
		{sim.Config{Graph: path(t, 3), Strengths: []float64{1}}, "1 strengths for 3 nodes"},
		{sim.Config{Graph: path(t, 3), IDs: []caucus.ID{1, 0, 2}}, "node 2 has ID 0"},
		{sim.Config{Graph: path(t, 3), IDs: []caucus.ID{5, 6, 5}},
			"bounded assumes distinct IDs; nodes 1 and 3 both have ID 5"},
		{sim.Config{Graph: path(t, 3), Lengths: edge(0)},
			`length of the edge between 2 and 3: found "0", allowed: a finite length > 0`},
		{sim.Config{Graph: path(t, 3), Lengths: edge(math.NaN())}, `length of the edge between 2 and 3: found "NaN"`},
		{sim.Config{Graph: path(t, 3), Lengths: edge(-1), Unsafe: true},
			`length of the edge between 2 and 3: found "-1"`},
		{sim.Config{Graph: path(t, 3), Lengths: edge(math.Inf(1))}, `length of the edge between 2 and 3: found "+Inf"`},
		{sim.Config{Graph: path(t, 3), Lengths: []float64{1}}, "1 edge lengths for 4 ends of edges"},
		{sim.Config{Graph: path(t, 3), Positions: true}, "need a network with coordinates"},
		{sim.Config{Graph: path(t, 3), Timing: "soon"},
			`timing: found "soon", allowed: sync, async, jittered, exponential`},
		{sim.Config{Graph: path(t, 3), MaxRounds: -1}, `max rounds: found "-1"`},
	} {
		_, err := NewRounds(election(t, bounded.Default(3)), &bounded.Spec, c.cfg)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v\nwant %s", err, c.want)
		}
	}
	for _, unsafe := range []sim.Config{{Graph: path(t, 3), Lengths: edge(0)},
		{Graph: path(t, 3), IDs: []caucus.ID{5, 6, 5}}} {
		unsafe.Unsafe = true
		e, err := NewRounds(election(t, bounded.Default(3)), &bounded.Spec, unsafe)
		if err != nil {
			t.Errorf("unsafe run refused: %v", err)
			continue
		}
		e.Close()
	}
}

// A period allocates nothing once it is calm, in any timing, with any number of workers; and
// closing ends the workers.
func TestNoAllocationNoLeak(t *testing.T) {
	defer goleak.VerifyNone(t)
	g := geometric(t, 3000)
	for _, timing := range []sim.Timing{sim.Synchronous, sim.Asynchronous, sim.Jittered, sim.Exponential} {
		for _, workers := range []int{1, 3} {
			e, err := NewRounds(election(t, bounded.Default(5)), &bounded.Spec,
				sim.Config{Graph: g, Positions: true, Strengths: benchStrengths(3000), Timing: timing, Workers: workers,
					StableFor: 3})
			if err != nil {
				t.Fatal(err)
			}
			e.Step()
			if a := testing.AllocsPerRun(20, e.Step); a != 0 {
				t.Errorf("%s, %d workers: %g allocations a period", timing, workers, a)
			}
			e.Close()
		}
	}
}

// Distances by position are those of a list of lengths.
func TestPositions(t *testing.T) {
	g := geometric(t, 600)
	lengths := make([]float64, len(g.Nbr))
	for i := range g.Len() {
		for k := g.Off[i]; k < g.Off[i+1]; k++ {
			lengths[k] = math.Sqrt((g.X[i]-g.X[g.Nbr[k]])*(g.X[i]-g.X[g.Nbr[k]]) +
				(g.Y[i]-g.Y[g.Nbr[k]])*(g.Y[i]-g.Y[g.Nbr[k]]))
		}
	}
	for _, timing := range []sim.Timing{sim.Synchronous, sim.Asynchronous} {
		for _, faults := range [][]sim.Fault{nil, {{At: 5, Kind: sim.Crash, Leaders: true}}} {
			cfg := sim.Config{Graph: g, Strengths: benchStrengths(600), Timing: timing, StableFor: 10, Faults: faults}
			var hashes []uint64
			for _, list := range []bool{false, true} {
				cfg.Positions, cfg.Lengths = !list, nil
				if list {
					cfg.Lengths = lengths
				}
				r, err := Run(context.Background(), election(t, bounded.Default(0.2)), &bounded.Spec, cfg)
				if err != nil {
					t.Fatal(err)
				}
				hashes = append(hashes, r.TraceHash)
			}
			if hashes[0] != hashes[1] {
				t.Errorf("%s: traces by position and by list differ", timing)
			}
		}
	}
}

// Samples of the path of 7: rounds 1 to 3 change 6, 4 and 2 leaders, then none; instability counts the
// changes of the last 10 rounds, a tenth each.
func TestSamples(t *testing.T) {
	r, err := Run(context.Background(), election(t, bounded.Default(3)), &bounded.Spec,
		sim.Config{Graph: path(t, 7), Strengths: []float64{9, 1, 2, 3, 4, 5, 6}, Every: 1, StableFor: 12,
			SizeOf: func(any) int { return 10 }})
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for k, s := range r.Samples {
		recent := 0
		for _, p := range r.Samples[max(0, k-9) : k+1] {
			recent += p.Changes
		}
		if want := float64(recent) / 70; s.Instability != want || s.Live != 7 || s.Round != k+1 ||
			s.Messages != int64(12*(k+1)) || s.Bytes != 10*s.Messages {
			t.Errorf("round %d: %+v, want instability %g and 12 messages of 10 bytes a round", k+1, s, want)
		}
		total += s.Changes
	}
	last := r.Samples[len(r.Samples)-1]
	if last.Leaders != 2 || last.Regions != 2 || last.Instability != 0 || r.Samples[2].Changes == 0 ||
		r.Samples[3].Changes != 0 {
		t.Errorf("samples %+v", r.Samples)
	}
	if total == 0 {
		t.Error("nobody changed its leader")
	}
	want := []sim.Region{{Leader: 1, Leads: true, Members: 4, Radius: 3}, {Leader: 7, Leads: true, Members: 3,
		Radius: 2}}
	if got := sim.Regions(r.Outcomes); !slices.Equal(got, want) {
		t.Errorf("regions %+v, want %+v", got, want)
	}
}

// An interrupted run gives what there is.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cfg := sim.Config{Graph: path(t, 7), Progress: func(rounds int) {
		if rounds == 5 {
			cancel()
		}
	}}
	r, err := Run(ctx, election(t, bounded.Default(3)), &bounded.Spec, cfg)
	if !errors.Is(err, context.Canceled) || r == nil || r.Rounds != 5 || r.Converged {
		t.Errorf("%+v, %v; want the result of 5 rounds", r, err)
	}
}

// A stable run does not stop before its schedule has been carried out.
func TestStableWaitsForFaults(t *testing.T) {
	r, err := Run(context.Background(), election(t, bounded.Default(3)), &bounded.Spec,
		sim.Config{Graph: path(t, 7), StableFor: 5,
			Faults: []sim.Fault{{At: 40, Until: 60, Kind: sim.Loss, Rate: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Rounds < 65 || !r.Converged {
		t.Errorf("stopped after %d rounds, converged %v", r.Rounds, r.Converged)
	}
}
