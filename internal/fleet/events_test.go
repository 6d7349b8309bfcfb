package fleet

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"caucus.example/caucus"
	"caucus.example/caucus/agent"
	"caucus.example/caucus/network"
	"caucus.example/caucus/registry"
	"caucus.example/caucus/registry/agents"
)

const (
	quickest = 25 * time.Millisecond // period
	// each with twice the period: a busy machine exceeds the delays that are promised, and then nothing else is
	attempts = 4
	expiry   = 10  // at twice as many periods without a turn a process takes itself for suspended
	patience = 400 // periods for what must happen, within one attempt
)

// trial is one fleet and what it has to do.
type trial struct {
	algo, network string
	leaders       []int // the nodes that are to lead, the second one after the first has been killed
	bad           bool  // links
	restart       int
}

func (c trial) String() string {
	return fmt.Sprintf("%s on %s, bad links %t, restart %d", c.algo, c.network, c.bad, c.restart)
}

// config of the fleet. The last node, which is at the edge of the network, is the strongest.
func (c trial) config(beat time.Duration) (Config, error) {
	g, err := network.Generate(c.network, 1)
	if err != nil {
		return Config{}, err
	}
	e, err := registry.Get(c.algo)
	if err != nil {
		return Config{}, err
	}
	diameter := network.FindComponents(g).Diameter(context.Background(), g, network.DiameterBudget)
	known := caucus.Known{Diameter: diameter.Hops, Delay: 6 * beat}
	var links map[string]string
	if c.bad {
		links = map[string]string{"loss": "20%", "delay": "10ms±5ms"}
		known.Delay = 10 * beat
	}
	params := map[string]string{}
	if c.algo == "prasle-reliable" { // all start together, so K need not cover the skew that its default allows for
		params["k"] = fmt.Sprint(known.Diameter + 2)
	}
	f := Config{New: func(cfg agent.Config) (*agent.Agent, error) {
		args, err := e.Spec.Resolve("", cfg.Params)
		if err != nil {
			return nil, err
		}
		return agents.Of(e, args, cfg)
	}}
	for i := range g.Len() {
		f.Agents = append(f.Agents, agent.Config{
			Group: "events", Name: fmt.Sprint("n", i+1), ID: caucus.ID(i + 1), Strength: float64(i),
			Algo: c.algo, Params: params, Period: beat, Expiry: expiry, Known: known, Link: links, Restart: c.restart,
		})
		var edges []Edge
		for k := g.Off[i]; k < g.Off[i+1]; k++ {
			edge := Edge{To: int(g.Nbr[k]), Length: 1}
			if g.Labels != nil {
				edge.Label = g.Labels[k]
			}
			edges = append(edges, edge)
		}
		f.Edges = append(f.Edges, edges)
	}
	return f, nil
}

// run tells what went wrong in the last attempt.
func (c trial) run() (err error) {
	for k := range attempts {
		if err = c.attempt(quickest << k); err == nil {
			break
		}
	}
	return err
}

func (c trial) attempt(beat time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience*beat)
	defer cancel()
	cfg, err := c.config(beat)
	if err != nil {
		return err
	}
	f, err := Start(ctx, cfg)
	if err != nil {
		return err
	}
	defer f.Stop()
	ids := make([]caucus.ID, len(cfg.Agents))
	for i := range ids {
		ids[i] = cfg.Agents[i].ID
	}
	view := NewView(ids)
	for k, leader := range c.leaders {
		if k > 0 {
			f.Kill(c.leaders[k-1] - 1)
			view.Apply(Change{Node: c.leaders[k-1] - 1, At: time.Now(), Ended: true})
		}
		if err := f.follow(ctx, view, leader); err != nil {
			return err
		}
	}
	return nil
}

// follow waits until all live nodes follow that node in one region, with a term.
func (f *Fleet) follow(ctx context.Context, view *View, leader int) error {
	for {
		select {
		case c := <-f.Changes():
			view.Apply(c)
			if r := view.Regions(); view.Agreed() && len(r) == 1 && r[0].Leader == leader-1 && r[0].Term > 0 {
				return nil
			}
		case <-ctx.Done():
			return fmt.Errorf("not all follow node %d: %+v", leader, view.Regions())
		}
	}
}

// runAll runs fleets side by side: most of their time they wait.
func runAll(t *testing.T, trials []trial) {
	defer goleak.VerifyNone(t)
	slots := make(chan bool, 10)
	var all sync.WaitGroup
	for _, c := range trials {
		slots <- true
		all.Go(func() {
			if err := c.run(); err != nil {
				t.Errorf("%v: %v", c, err)
			}
			<-slots
		})
	}
	all.Wait()
}

var networks = []string{"line:10", "ring:10", "grid:2x5", "tree:10", "clique:10"}

// Each of the IoT family as real agents, on each network that it is for with bad links, on some with good ones too.
func TestFamilyOnUDP(t *testing.T) {
	var trials []trial
	// those that wait first
	for _, algo := range []string{"wbs", "brogo", "prasle-reliable", "prasle", "top-k", "minfind", "bully"} {
		for _, bad := range []bool{true, false} {
			for _, network := range networks {
				if !bad && network != "grid:2x5" && network != "clique:10" {
					continue
				}
				c := trial{algo: algo, network: network, bad: bad, leaders: []int{10}}
				switch algo {
				case "wbs":
					c.leaders = []int{1} // of least ID
				case "prasle", "top-k":
					c.leaders = []int{10, 9}
				case "bully":
					c.leaders = []int{10, 9}
					if network != "clique:10" {
						continue
					}
				}
				trials = append(trials, c)
			}
		}
	}
	runAll(t, trials)
}

// The classics, on bad links: they end, and the leader, of least ID, is replaced only with the restart layer.
func TestClassicsOnUDP(t *testing.T) {
	runAll(t, []trial{
		{algo: "as-far", network: "ring:10", leaders: []int{1}, bad: true},
		{algo: "as-far", network: "ring:10", leaders: []int{1, 2}, bad: true, restart: 30},
		{algo: "stages", network: "ring:10", leaders: []int{1}, bad: true},
		{algo: "elect-min", network: "tree:10", leaders: []int{1}, bad: true},
		{algo: "yo-yo", network: "grid:2x5", leaders: []int{1}, bad: true},
		{algo: "yo-yo", network: "clique:10", leaders: []int{1, 2}, bad: true, restart: 30},
		{algo: "flood", network: "line:10", leaders: []int{1}, bad: true},
		{algo: "flood-changes", network: "ring:10", leaders: []int{1}, bad: true},
		{algo: "torus", network: "torus:3x4", leaders: []int{1}, bad: true},
		{algo: "hyper-elect", network: "hypercube:3", leaders: []int{1}, bad: true},
		{algo: "minfind", network: "grid:2x5", leaders: []int{10, 9}, bad: true, restart: 30},
	})
}
