package agent

import (
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/network/format"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
)

// simulated is the periods from a crash of the leader until all name the next one for good, by the simulator with the
// timing of agents. It looks once a period, so that the periods come out longer, by half a one on average.
func simulated(t *testing.T, name string, seed uint64) float64 {
	t.Helper()
	g, _, err := format.Open(name, seed, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	strengths := make([]float64, g.Len())
	for i := range strengths {
		strengths[i] = float64(max(0, 10-i)) // as configs
	}
	random := caucus.NewRand(seed, "kill")
	crash := 40 + random.Float64()
	r, err := engine.NewRounds(election(t), &bounded.Spec, sim.Config{
		Graph: g, Strengths: strengths, Seed: seed, Timing: sim.Aligned, TwoWay: true, StableFor: 1000,
		Faults: []sim.Fault{
			{Kind: sim.Expiry, Rounds: 3}, {At: crash, Kind: sim.Crash, Nodes: []int{0}},
			{Kind: sim.Latency, Value: 0.01, Spread: 0.01}, // 0 to 2 ms of 100
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for range 120 {
		r.Step()
	}
	return float64(r.Result().SettledAt) - crash
}

// What is deployed is what is simulated: after a crash, agents in virtual time and the simulator with their timing name
// the next leader after the same time, as far as the simulator, which looks once a period, can tell.
func TestSimulatedAsDeployed(t *testing.T) {
	t.Parallel()
	for _, g := range floorGraphs {
		if g.name == "clique:30" || g.shuffle {
			continue // takes as long as all others; numbers nodes in another way
		}
		const seeds = 9
		var sims []float64
		for seed := range uint64(seeds) {
			sims = append(sims, simulated(t, g.name, seed))
		}
		real := median(floor(t, g.name, false, seeds, 0).named)
		if differs := median(sims) - 0.5 - real; differs < -0.75 || differs > 0.75 {
			t.Errorf("%s: %.2f periods simulated, less the half, %.2f of agents", g.name, median(sims)-0.5, real)
		} else {
			t.Logf("%s: %.2f periods simulated, less the half, %.2f of agents", g.name, median(sims)-0.5, real)
		}
	}
}
