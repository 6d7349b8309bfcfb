package engine_test

import (
	"context"
	"fmt"

	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
)

// A line of six nodes elects within two hops; in round 20 every leader crashes.
func ExampleRun() {
	line, err := network.Generate("line:6", 1)
	if err != nil {
		panic(err)
	}
	election, err := bounded.New(bounded.Default(2)) // a radius of two hops
	if err != nil {
		panic(err)
	}
	result, err := engine.Run(context.Background(), election, &bounded.Spec, sim.Config{
		Graph:     line,
		Strengths: []float64{1, 5, 2, 3, 4, 6},
		StableFor: 20,
		Faults:    []sim.Fault{{At: 20, Kind: sim.Crash, Leaders: true}},
	})
	if err != nil {
		panic(err)
	}
	for i, o := range result.Outcomes {
		if result.Live[i] {
			fmt.Printf("node %d: %v of %d at distance %g\n", i+1, o.Role, o.Leader, o.Distance)
		}
	}
	// Output:
	// node 1: leader of 1 at distance 0
	// node 3: follower of 5 at distance 2
	// node 4: follower of 5 at distance 1
	// node 5: leader of 5 at distance 0
}
