package study

import (
	"context"
	"fmt"
	"strings"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/iot/prasle"
	"caucus.example/caucus/internal/energy"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
)

// Prasle is the set-up of the measurements of PraSLE on five topologies: time, messages and energy of the reliable
// variant against size, K and T; success under loss of the three variants; recovery of the whole family.
type Prasle struct {
	Topologies []string // of PrasleTopologies
	Sizes      []int    // nodes
	Runs       int      // of each point, with ranks and delays of their own
	Seed       uint64
	Delay      time.Duration // messages take up to this long, uniformly
	Rounds     string        // artefact or paper: see prasle.ReliableSpec
	Faulty     int           // nodes of the networks with loss and faults
	Energy     energy.Model
}

// PrasleTopologies lists the topologies in the order in which they are shown.
var PrasleTopologies = []string{"line", "ring", "mesh", "tree", "clique"}

// T is the length of a round at which the published curves over size were taken.
const prasleT = 50 * time.Millisecond

// NewPrasle is what the paper has, with delays that it does not give.
func NewPrasle() Prasle {
	return Prasle{Topologies: PrasleTopologies, Sizes: []int{10, 20, 30, 40, 80}, Runs: 20, Seed: 1,
		Delay: 10 * time.Millisecond, Rounds: "artefact", Faulty: 20, Energy: energy.CC2420}
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

// PrasleJob is what one job has measured: the points of one network, or its behaviour under loss and faults.
type PrasleJob struct {
	Topology string           `json:"topology"`
	Nodes    int              `json:"nodes"`
	Edges    int              `json:"edges"`
	Diameter int              `json:"diameter"`
	BestK    int              `json:"bestK,omitempty"` // the least K from which on all runs succeed at T = 0.05 s
	Points   []PraslePoint    `json:"points,omitempty"`
	Loss     []PrasleLoss     `json:"loss,omitempty"`
	Recovery []PrasleRecovery `json:"recovery,omitempty"`
}

// PraslePoint is the runs of one K and T. Failed runs are those in which not all nodes decide for the best; they are
// counted, and not part of the samples.
type PraslePoint struct {
	K        int       `json:"k"`
	T        float64   `json:"t"`       // seconds
	Of       string    `json:"of"`      // the curve that it belongs to: size, k or t
	Seconds  []float64 `json:"seconds"` // until the last node decides
	Sent     []float64 `json:"sent"`
	Received []float64 `json:"received"`
	Joules   []float64 `json:"joules"` // a node
	Failed   int       `json:"failed"`
	Late     int       `json:"late,omitempty"` // real runs in which the machine was late
}

func (p Prasle) options() []Option {
	sizes := strings.Trim(strings.ReplaceAll(fmt.Sprint(p.Sizes), " ", ","), "[]")
	return []Option{
		{"net", "sim"}, {"topologies", strings.Join(p.Topologies, ",")}, {"sizes", sizes}, {"runs", fmt.Sprint(p.Runs)}, {"seed", fmt.Sprint(p.Seed)},
		{"delay", "0.." + p.Delay.String()}, {"rounds", p.Rounds}, {"faulty", fmt.Sprint(p.Faulty)}, {"energy", p.Energy.String()},
	}
}

// Sweep has a job for each topology and size, and one more with faults for each topology.
func (p Prasle) Sweep(version string) *Sweep[PrasleJob] {
	points := len(p.Topologies) * len(p.Sizes)
	return &Sweep[PrasleJob]{
		Name: "prasle", Version: version, Jobs: points + len(p.Topologies), Options: p.options(),
		Run: func(ctx context.Context, job int) (PrasleJob, error) {
			if job < points {
				return p.points(ctx, p.Topologies[job/len(p.Sizes)], p.Sizes[job%len(p.Sizes)])
			}
			return p.faulty(ctx, p.Topologies[job-points])
		},
	}
}

// prasleNet is a network under test.
type prasleNet struct {
	Prasle
	name     string
	graph    *network.Graph
	diameter int
}

func (p Prasle) net(name string, n int) (*prasleNet, PrasleJob, error) {
	g, err := network.Generate(PrasleSpec(name, n), 1)
	if err != nil {
		return nil, PrasleJob{}, err
	}
	w := &prasleNet{Prasle: p, name: name, graph: g}
	for i := range g.Len() {
		w.diameter = max(w.diameter, network.Eccentricity(g, i))
	}
	return w, PrasleJob{Topology: name, Nodes: g.Len(), Edges: g.Edges(), Diameter: w.diameter}, nil
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

// points measures the curves: over size with the best K, over K, and over T at K = D + 3, which are the published ones
// on the ring of 40.
func (p Prasle) points(ctx context.Context, name string, n int) (PrasleJob, error) {
	w, out, err := p.net(name, n)
	if err != nil {
		return out, err
	}
	if out.BestK, err = w.bestK(ctx); err != nil {
		return out, err
	}
	type setting struct {
		of string
		k  int
		t  time.Duration
	}
	list := []setting{{"size", out.BestK, prasleT}}
	for _, k := range w.overK() {
		list = append(list, setting{"k", k, prasleT})
	}
	for _, t := range overT {
		list = append(list, setting{"t", w.diameter + 3, t})
	}
	for _, s := range list {
		pt, err := w.point(ctx, s.of, s.k, s.t)
		if err != nil {
			return out, err
		}
		out.Points = append(out.Points, pt)
	}
	return out, nil
}

// overT is the lengths of rounds of the curves over T.
var overT = []time.Duration{prasleT, 2 * prasleT, 3 * prasleT, 4 * prasleT}

// overK is the numbers of rounds of the curves over K: up to twice what the network needs.
func (w *prasleNet) overK() (list []int) {
	for k := 1; k <= 2*w.diameter+4; k += max(1, w.diameter/6) {
		list = append(list, k)
	}
	return list
}

// bestK is the least K, up to the diameter, from which on all runs succeed at T = 0.05 s.
func (w *prasleNet) bestK(ctx context.Context) (int, error) {
	for k := w.diameter; k > 1; k-- {
		if pt, err := w.point(ctx, "", k-1, prasleT); err != nil {
			return 0, err
		} else if pt.Failed > 0 {
			return k, nil
		}
	}
	return 1, nil
}

func (w *prasleNet) point(ctx context.Context, of string, k int, t time.Duration) (PraslePoint, error) {
	pt := PraslePoint{K: k, T: t.Seconds(), Of: of}
	algo, err := prasle.NewReliable(prasle.ReliableConfig{K: k, T: float64(t) / float64(w.Delay), Artefact: w.Rounds == "artefact"})
	if err != nil {
		return pt, err
	}
	for run := range w.Runs {
		if ctx.Err() != nil {
			return pt, ctx.Err()
		}
		strengths, best := w.ranks(run)
		r, err := sim.RunEvents(ctx, algo, &prasle.ReliableSpec, sim.Config{
			Graph: w.graph, Strengths: strengths, Seed: w.Seed + uint64(run), Period: w.Delay, Delays: sim.UniformDelay,
			Known: caucus.Known{Diameter: w.diameter}, SizeOf: payload,
		})
		if err != nil {
			return pt, err
		}
		if agreed(r, best) < w.graph.Len() {
			pt.Failed++
			continue
		}
		seconds, received := r.Time*w.Delay.Seconds(), int64(0)
		for _, x := range r.Received {
			received += x
		}
		pt.Seconds = append(pt.Seconds, seconds)
		pt.Sent, pt.Received = append(pt.Sent, float64(r.Messages)), append(pt.Received, float64(received))
		n := float64(w.graph.Len())
		pt.Joules = append(pt.Joules, w.Energy.Joules(energy.Use{Seconds: seconds, Sent: float64(r.Messages) / n, Received: float64(received) / n,
			Payload: float64(r.Bytes) / float64(max(1, r.Messages))}))
	}
	return pt, nil
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
