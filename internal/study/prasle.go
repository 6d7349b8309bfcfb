package study

import (
	"context"
	"fmt"
	"strings"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/iot/prasle"
	"caucus.example/caucus/internal/energy"
	"caucus.example/caucus/internal/jobs"
	"caucus.example/caucus/internal/results"
	"caucus.example/caucus/network"
	"caucus.example/caucus/registry"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
)

// Prasle is the set-up of the measurements of PraSLE on five topologies: time, messages and energy of the reliable
// variant against size, K and T; success under loss of the three variants; recovery of the whole family. They are made
// in simulations, or on real sockets and in simulations of the same.
type Prasle struct {
	UDP        Start    // real agents, each with its own UDP socket, and Bounded Election beside the family; nil: none
	Topologies []string // of PrasleTopologies
	Sizes      []int    // nodes
	Runs       int      // of each point, with ranks and delays of their own
	Seed       uint64
	Delay      time.Duration // messages take up to this long, uniformly
	Rounds     string        // artefact or paper: see prasle.ReliableSpec
	Faulty     int           // nodes of the networks with loss and faults
	Round      time.Duration // of the agents under loss and faults
	Energy     energy.Model
}

// PrasleTopologies lists the topologies in the order in which they are shown.
var PrasleTopologies = []string{"line", "ring", "mesh", "tree", "clique"}

// T is the length of a round at which the published curves over size were taken.
const prasleT = 50 * time.Millisecond

// NewPrasle is what the paper has, with delays that it does not give.
func NewPrasle() Prasle {
	return Prasle{Topologies: PrasleTopologies, Sizes: []int{10, 20, 30, 40, 80}, Runs: 20, Seed: 1,
		Delay: 10 * time.Millisecond, Rounds: "artefact", Faulty: 20, Round: 20 * time.Millisecond,
		Energy: energy.CC2420}
}

// PrasleSpec is the generator of a topology of n nodes; the mesh is the squarest grid of exactly n.
func PrasleSpec(name string, n int) string {
	if name != "mesh" {
		return fmt.Sprintf("%s:%d", name, n)
	}
	rows := 1
	for r := 2; r*r <= n; r++ {
		if n%r == 0 {
			rows = r
		}
	}
	return fmt.Sprintf("grid:%dx%d", rows, n/rows)
}

// prasleNet is a network under test.
type prasleNet struct {
	Prasle
	name     string
	graph    *network.Graph
	diameter int
}

func (p Prasle) net(name string, n int) (*prasleNet, error) {
	g, err := network.Generate(PrasleSpec(name, n), 1)
	if err != nil {
		return nil, err
	}
	w := &prasleNet{Prasle: p, name: name, graph: g}
	for i := range g.Len() {
		w.diameter = max(w.diameter, network.Eccentricity(g, i))
	}
	return w, nil
}

// prasleAlgo is an algorithm that can be disturbed on real sockets and in simulations.
type prasleAlgo struct {
	title, algo string
	params      map[string]string
	early       bool // a fake minimum has to be there from the start: nobody listens once all have decided
}

// algos lists the family, and for real sockets Bounded Election to compare with.
func (w *prasleNet) algos() []prasleAlgo {
	list := []prasleAlgo{
		{title: "minfind", algo: "minfind"},
		{title: "prasle reliable", algo: "prasle-reliable", early: true},
		{title: "prasle unreliable", algo: "prasle", params: map[string]string{"variant": "unreliable"}},
		{title: "prasle hardened", algo: "prasle"},
		{title: "top-k", algo: "top-k"},
		{title: "wbs", algo: "wbs", early: true},
		{title: "brogo", algo: "brogo", early: true},
	}
	if w.name == "clique" {
		list = append(list, prasleAlgo{title: "bully", algo: "bully"})
	}
	if w.UDP != nil {
		list = append(list, prasleAlgo{title: "bounded", algo: "bounded"})
	}
	return list
}

// prasleTask is a job: one point of a curve, one rate of loss or one fault.
type prasleTask struct {
	*prasleNet
	prasleAlgo
	of         string        // size, k or t; loss; or a fault
	k          int           // 0: the least that all simulated runs succeed with
	t          time.Duration // of a curve
	rate       float64       // of loss
	deployable bool
}

// tasks lists the jobs: the curves, and then loss and faults.
func (p Prasle) tasks() (list []prasleTask, err error) {
	for _, name := range p.Topologies {
		for _, n := range p.Sizes {
			w, err := p.net(name, n)
			if err != nil {
				return nil, err
			}
			list = append(list, w.curves()...)
		}
	}
	for _, name := range p.Topologies {
		w, err := p.net(name, p.Faulty)
		if err != nil {
			return nil, err
		}
		list = append(list, w.troubles()...)
	}
	for k := range list {
		_, err := registry.Get(list[k].algo)
		list[k].deployable = p.UDP != nil && err == nil
	}
	return list, nil
}

// curves is the point over size with the best K, and those over K and over T at K = D + 3, which are the published ones
// on the ring of 40: on real sockets for the largest size up to 40 only.
func (w *prasleNet) curves() []prasleTask {
	s := w.algos()[1]
	list := []prasleTask{{prasleNet: w, prasleAlgo: s, of: "size", t: prasleT}}
	if w.UDP != nil && w.graph.Len() != w.largest() {
		return list
	}
	for k := 1; k <= 2*w.diameter+4; k += max(1, w.diameter/6) { // up to twice what the network needs
		list = append(list, prasleTask{prasleNet: w, prasleAlgo: s, of: "k", k: k, t: prasleT})
	}
	for times := range time.Duration(4) {
		list = append(list, prasleTask{prasleNet: w, prasleAlgo: s, of: "t", k: w.diameter + 3,
			t: (times + 1) * prasleT})
	}
	return list
}

// troubles is loss and faults.
func (w *prasleNet) troubles() []prasleTask {
	var list []prasleTask
	for _, s := range w.algos() {
		if !strings.HasPrefix(s.title, "prasle") {
			continue
		}
		for _, rate := range prasleLosses {
			list = append(list, prasleTask{prasleNet: w, prasleAlgo: s, of: "loss", rate: rate})
		}
	}
	for _, s := range w.algos() {
		for _, fault := range prasleFaults {
			list = append(list, prasleTask{prasleNet: w, prasleAlgo: s, of: fault})
		}
	}
	return list
}

// curved tells whether a job is a point of a curve.
func (t *prasleTask) curved() bool { return t.of == "size" || t.of == "k" || t.of == "t" }

// metric is the name of a quantity in the rows of a job.
func (t *prasleTask) metric(quantity string) string {
	switch {
	case t.curved():
		return quantity + " over " + t.of
	case t.of == "loss":
		return quantity + " under loss"
	}
	return quantity + ", " + t.of
}

// x is what the rows of a job are measured over.
func (t *prasleTask) x() float64 {
	switch t.of {
	case "size":
		return float64(t.graph.Len())
	case "k":
		return float64(t.k)
	case "t":
		return t.t.Seconds()
	case "loss":
		return t.rate
	}
	return results.None
}

// row is what the rows of a job on one kind of network, sim or udp, have in common.
func (t *prasleTask) row(net string) results.Row {
	return results.Row{Series: net + ": " + t.title, Network: t.name, N: t.graph.Len(), X: t.x()}
}

// Quantities of a run.
const (
	took     = iota // seconds until the last node decides, or rounds to recover
	sent            // messages
	received        // messages
	joules          // of a node
)

// prasleQuantities are measured along the curves. Of what ends badly there is none.
var prasleQuantities = []struct{ name, label string }{
	{"seconds", "seconds until the last node decides"}, {"messages", "messages sent"},
	{"received", "messages received"}, {"energy", "J a node"},
}

// recovering is the metric of the time after a fault.
const recovering = "rounds to recover"

// record adds the rows of a run that was made on one kind of network.
func (t *prasleTask) record(out *recorder, net string, run int, values [4]float64) {
	if out.Row = t.row(net); !t.curved() {
		out.Seed = uint64(run + 1)
		out.add(t.metric(recovering), values[took])
		return
	}
	for k, q := range prasleQuantities {
		out.Seed = uint64(run + 1)
		out.add(t.metric(q.name), values[k])
	}
}

// one adds the row of a number that is one for the whole job.
func (t *prasleTask) one(out *recorder, net, quantity string, value float64) {
	out.Row = t.row(net)
	out.add(t.metric(quantity), value)
}

// failedRun has nothing to measure.
var failedRun = [4]float64{results.None, results.None, results.None, results.None}

// Study has a job for each task. Real runs give never quite the same again, and jobs at the same time make each other
// late: few of them should run at a time.
func (p Prasle) Study() (*Study, error) {
	tasks, err := p.tasks()
	if err != nil {
		return nil, err
	}
	return &Study{jobs.Batch{
		Name: "prasle", Jobs: len(tasks), Options: p.options(),
		Run: func(ctx context.Context, job int) (results.Rows, error) {
			t, out := tasks[job], &recorder{}
			err := t.run(ctx, out)
			if err != nil && ctx.Err() == nil {
				err = fmt.Errorf("%s of %d, %s, %s: %w", t.name, t.graph.Len(), t.title, t.of, err)
			}
			return out.rows, err
		},
	}, func(r *Report) { p.find(r, tasks) }}, nil
}

func (p Prasle) options() []jobs.Option {
	sizes := strings.Trim(strings.ReplaceAll(fmt.Sprint(p.Sizes), " ", ","), "[]")
	list := jobs.List("net", "sim", "topologies", strings.Join(p.Topologies, ","), "sizes", sizes, "runs", p.Runs,
		"seed", p.Seed,
		"delay", "0.."+p.Delay.String(), "rounds", p.Rounds, "faulty", p.Faulty, "energy", p.Energy.String())
	if p.UDP != nil {
		list[0].Value = "udp"
		list = append(list, jobs.List("round", p.Round)...)
	}
	return list
}

// run measures, in simulations and for UDP on real sockets.
func (t *prasleTask) run(ctx context.Context, out *recorder) error {
	out.Row = results.Row{Series: "network", Network: t.name, N: t.graph.Len(), X: results.None}
	if t.of == "size" {
		out.add("edges", float64(t.graph.Edges()))
		out.add("diameter", float64(t.diameter))
	}
	switch {
	case t.curved():
		return t.point(ctx, out)
	case t.of == "loss" && t.UDP != nil:
		return t.lossUDP(ctx, out)
	case t.of == "loss":
		return t.loss(ctx, out)
	case t.UDP != nil:
		return t.recoveryUDP(ctx, out)
	}
	return t.recovery(ctx, out)
}

// point measures one K and T of the reliable variant.
func (t *prasleTask) point(ctx context.Context, out *recorder) (err error) {
	if t.k == 0 {
		if t.k, err = t.bestK(ctx); err != nil {
			return err
		}
		t.one(out, "sim", "K", float64(t.k))
	}
	record := func(run int, values [4]float64) { t.record(out, "sim", run, values) }
	if _, err = t.decisions(ctx, t.k, t.t, record); err != nil {
		return err
	}
	return t.measure(out, func(run int) (udpRun, error) { return t.decide(ctx, run) })
}

// bestK is the least K, up to the diameter, from which on all runs succeed at T = 0.05 s.
func (w *prasleNet) bestK(ctx context.Context) (int, error) {
	for k := w.diameter; k > 1; k-- {
		if failed, err := w.decisions(ctx, k-1, prasleT, func(int, [4]float64) {}); err != nil {
			return 0, err
		} else if failed > 0 {
			return k, nil
		}
	}
	return 1, nil
}

// ranks are drawn from 1 to 254, so that ties are likely; strengths are 255 less the rank. best is the node that should
// lead.
func (w *prasleNet) ranks(run int) (strengths []float64, best caucus.ID) {
	r := caucus.NewRand(w.Seed, "prasle ranks", uint64(w.graph.Len()), uint64(run))
	strengths = make([]float64, w.graph.Len())
	b := 0
	for i := range strengths {
		if strengths[i] = 255 - float64(1+r.IntN(254)); strengths[i] > strengths[b] {
			b = i
		}
	}
	return strengths, caucus.ID(b + 1)
}

// decisions simulates the runs of one K and T, and counts those in which not all nodes decide for the best.
func (w *prasleNet) decisions(ctx context.Context, k int, t time.Duration,
	tell func(run int, values [4]float64)) (failed int, err error) {
	algo, err := prasle.NewReliable(prasle.ReliableConfig{K: k, T: float64(t) / float64(w.Delay),
		Artefact: w.Rounds == "artefact"})
	if err != nil {
		return 0, err
	}
	for run := range w.Runs {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		strengths, best := w.ranks(run)
		r, err := engine.RunEvents(ctx, algo, &prasle.ReliableSpec, sim.Config{
			Graph: w.graph, Strengths: strengths, Seed: w.Seed + uint64(run), Period: w.Delay, Delays: sim.UniformDelay,
			Known: caucus.Known{Diameter: w.diameter}, SizeOf: payload,
		})
		if err != nil {
			return 0, err
		}
		if agreed(r, best) < w.graph.Len() {
			failed++
			tell(run, failedRun)
			continue
		}
		all := 0.0
		for _, x := range r.Received {
			all += float64(x)
		}
		n, seconds, messages := float64(w.graph.Len()), r.Time*w.Delay.Seconds(), float64(r.Messages)
		tell(run, [4]float64{seconds, messages, all, w.Energy.Joules(energy.Use{Seconds: seconds,
			Sent: messages / n, Received: all / n,
			Payload: float64(r.Bytes) / max(1, messages)})})
	}
	return failed, nil
}

// payload is the size of a rank in 1 byte and an ID of 2, in CBOR.
func payload(any) int { return 6 }

// agreed counts the nodes that follow a leader.
func agreed(r *sim.Result, leader caucus.ID) (n int) {
	for _, o := range r.Outcomes {
		if o.Leader == leader {
			n++
		}
	}
	return n
}
