package study

import (
	"context"
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/iot/prasle"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
)

// prasleLosses are the loss rates.
var prasleLosses = []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5}

// deadline is the rounds after which agreement is asked for under loss: half as many again as the diameter, and three.
// The reliable variant has as many for its K and may take longer.
func (w *prasleNet) deadline() int { return 3 * (w.diameter + 2) / 2 }

// Metrics of runs under loss.
const (
	agreeing      = "share of runs that agree"
	agreeingLater = "share of runs that agree a round later"
	lossRuns      = "runs"
)

// loss measures the runs that end in agreement on the best while messages are lost, in lock-step, one round a delay.
func (t *prasleTask) loss(ctx context.Context, out *recorder) error {
	success, runs := 0, 5*t.Runs
	for run := range runs {
		strengths, best := t.ranks(run)
		cfg := sim.Config{Graph: t.graph, Strengths: strengths, Seed: t.Seed + uint64(run),
			Known: caucus.Known{Diameter: t.diameter}, Workers: 1}
		if t.rate > 0 {
			cfg.Faults = []sim.Fault{{Kind: sim.Loss, Rate: t.rate}}
		}
		var r *sim.Result
		var err error
		if t.title == "prasle reliable" {
			algo, e := t.deadlineReliable()
			if e != nil {
				return e
			}
			r, err = engine.RunEvents(ctx, algo, &prasle.ReliableSpec, cfg)
		} else {
			cfg.MaxRounds = t.deadline()
			r, err = t.simulate(ctx, cfg)
		}
		if err != nil {
			return err
		}
		if agreed(r, best) == t.graph.Len() {
			success++
		}
	}
	t.one(out, "sim", agreeing, float64(success)/float64(runs))
	t.one(out, "sim", lossRuns, float64(runs))
	return nil
}

// recovery measures the rounds until all live nodes follow the right leader for good.
func (t *prasleTask) recovery(ctx context.Context, out *recorder) error {
	for run := range t.Runs {
		rounds, err := t.scene(run).play(ctx, t.disturbed)
		if err != nil {
			return err
		}
		t.record(out, "sim", run, [4]float64{orNone(rounds)})
	}
	return nil
}

// deadlineReliable is the reliable variant with the deadline for its K.
func (w *prasleNet) deadlineReliable() (*prasle.Reliable, error) {
	return prasle.NewReliable(prasle.ReliableConfig{K: w.deadline(), T: 1})
}

var prasleFaults = []string{"crash", "fake", "partition", "heal"}

// disturbance is what happens at a time, in rounds.
type disturbance struct {
	fault string
	at    int
	until int // of a partition; 0: for ever
	crash int // node that crashes
	cut   []int
}

// The ghost is better than all nodes, whose IDs are from 2.
const (
	ghost         caucus.ID = 1
	ghostStrength float64   = 1000
)

// asFault is what the engines call it.
func (d *disturbance) asFault() sim.Fault {
	f := sim.Fault{At: float64(d.at), Until: float64(d.until)}
	switch d.fault {
	case "crash":
		f.Kind, f.Nodes = sim.Crash, []int{d.crash}
	case "fake":
		f.Kind, f.Nodes, f.Fake, f.Value = sim.FakeLeader, []int{0}, ghost, ghostStrength
	default:
		f.Kind, f.Nodes = sim.Partition, d.cut
	}
	return f
}

// contender is how an algorithm is run and disturbed.
type contender func(ctx context.Context, cfg sim.Config, d disturbance) (*sim.Result, error)

// disturbed is a run with a fault of the engine.
func (t *prasleTask) disturbed(ctx context.Context, cfg sim.Config, d disturbance) (*sim.Result, error) {
	cfg.Faults = []sim.Fault{d.asFault()}
	return t.simulate(ctx, cfg)
}

// scene is a network that has long been at rest and what then happens to it.
type scene struct {
	cfg   sim.Config
	d     disturbance
	after int         // recovery counts from this round
	right []caucus.ID // whom each node is to follow in the end; None: it does not matter
}

func (t *prasleTask) scene(run int) scene {
	n, fault := t.graph.Len(), t.of
	strengths, _ := t.ranks(run)
	best := 0
	for i := range strengths {
		strengths[i] += float64(n-i) / 1000 // no ties: the order by rank is that of the IDs' as well
		if t.algo == "wbs" {
			strengths[i] = float64(n - i) // it knows IDs only
		}
		if strengths[i] > strengths[best] {
			best = i
		}
	}
	s := scene{cfg: sim.Config{Graph: t.graph, Strengths: strengths, Seed: t.Seed + uint64(run),
		Known: caucus.Known{Diameter: t.diameter}, Workers: 1}}
	for i := range n {
		s.cfg.IDs = append(s.cfg.IDs, ghost+1+caucus.ID(i))
	}
	s.d = disturbance{fault: fault, at: 10 * (n + 10), crash: best}
	if at := t.ends(); fault == "fake" && at > 0 {
		s.d.at = at
	}
	s.after = s.d.at
	if fault == "partition" || fault == "heal" {
		for i := range n / 2 {
			s.d.cut = append(s.d.cut, i)
		}
		if fault == "heal" {
			s.d.until = 2 * s.d.at
			s.after = s.d.until
		}
	}
	s.cfg.MaxRounds = max(s.after, 10*(n+10)) + 10*(n+10)
	s.right = s.follow(t.right(strengths, s.d, fault))
	if fault == "crash" {
		s.right[best] = caucus.None
	}
	return s
}

// ends is a round before an algorithm that ends has ended, in which it can still be lied to; 0: it goes on for ever.
func (t *prasleTask) ends() int {
	switch t.algo {
	case "prasle-reliable":
		return 1
	case "brogo":
		return 2*(t.diameter+1) + 1
	}
	return 0
}

// follow gives the IDs of nodes.
func (s *scene) follow(nodes []int) []caucus.ID {
	ids := make([]caucus.ID, len(nodes))
	for i, k := range nodes {
		ids[i] = s.cfg.IDs[k]
	}
	return ids
}

// play gives the rounds until all is right again; never if it does not get so.
func (s scene) play(ctx context.Context, c contender) (int, error) {
	r, err := c(ctx, s.cfg, s.d)
	if err != nil {
		return 0, err
	}
	for i, leader := range s.right {
		if leader != caucus.None && r.Outcomes[i].Leader != leader {
			return never, nil
		}
	}
	return max(0, r.SettledAt-s.after), nil
}

// right gives for every node the one that it should follow in the end: the best that it can reach.
func (w *prasleNet) right(strengths []float64, d disturbance, fault string) []int {
	n := w.graph.Len()
	part := make([]int, n)
	for i := range part {
		part[i] = -1
	}
	for i := range n {
		if part[i] >= 0 {
			continue
		}
		part[i] = i
		for queue := []int{i}; len(queue) > 0; {
			u := queue[0]
			queue = queue[1:]
			for _, v := range w.graph.Nbr[w.graph.Off[u]:w.graph.Off[u+1]] {
				apart := fault == "partition" && slices.Contains(d.cut, u) != slices.Contains(d.cut, int(v)) ||
					fault == "crash" && (u == d.crash || int(v) == d.crash)
				if !apart && part[v] < 0 {
					part[v] = i
					queue = append(queue, int(v))
				}
			}
		}
	}
	best := map[int]int{}
	for i := range n {
		if b, ok := best[part[i]]; !ok || strengths[i] > strengths[b] {
			best[part[i]] = i
		}
	}
	out := make([]int, n)
	for i := range n {
		out[i] = best[part[i]]
	}
	return out
}
