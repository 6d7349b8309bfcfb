package agent_test

import (
	"context"
	"fmt"
	"time"

	"caucus.example/caucus/agent"
	"caucus.example/caucus/algo/aggregate/bounded"
)

// Two nodes on the loopback interface, as two programs on two machines would embed one each: both follow the
// stronger one.
func Example() {
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
	defer stop()
	north, err := agent.Listen("127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	south, err := agent.Listen("127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	join := func(name string, strength float64, own, other agent.Transport) *agent.Agent {
		election, err := bounded.New(bounded.Default(10)) // one leader within ten hops
		if err != nil {
			panic(err)
		}
		node, err := agent.New(election, &bounded.Spec, agent.Config{
			Name: name, Strength: strength, Profile: "loopback",
			Transport: own, Peers: []agent.Peer{{Addr: other.Addr().String()}},
		})
		if err != nil {
			panic(err)
		}
		go node.Run(ctx)
		return node
	}
	join("north", 1, north, south)
	node := join("south", 2, south, north)
	for l := range node.Watch(ctx) {
		if l.Leads() {
			fmt.Println(l.Leader, "leads")
			break
		}
	}
	// Output: south leads
}

// Nodes that find each other by a name, over links whose length is what they lose.
func ExampleConfig() {
	cfg := agent.Config{Name: "pump", Metric: agent.ETX, Discover: agent.Discover{DNS: []string{"pumps.example:7400"}}}
	cfg, err := cfg.Resolve()
	fmt.Println(cfg.Period, cfg.Expiry, cfg.Discover.Every, err)
	// Output: 100ms 3 10s <nil>
}
