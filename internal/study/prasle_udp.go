package study

import (
	"context"
	"fmt"
	"strings"
	"time"

	"caucus.example/caucus/registry"
)

// PrasleUDP is the measurements of Prasle on real sockets, each beside a simulation of the same: the curves over size,
// those over K and T for the largest size up to 40, success under loss and recovery from faults of all that can be
// deployed.
type PrasleUDP struct {
	Prasle
	Round time.Duration // of the agents under loss and faults
}

// NewPrasleUDP measures on real sockets what p measures simulated, with the rounds of the profile for one machine.
func NewPrasleUDP(p Prasle) PrasleUDP { return PrasleUDP{p, 20 * time.Millisecond} }

const (
	udpExpiry     = 3  // rounds without a datagram until a neighbour is dropped, as in the profiles
	udpLossExpiry = 16 // under loss: half of the datagrams are not a reason
	udpSimulated  = 5  // simulated runs for each real one
	udpAgain      = 3  // times that a run is made again in which the machine was late
)

// UDPJob is one point of a curve, one rate of loss or one fault: real runs and simulated ones.
type UDPJob struct {
	Topology string  `json:"topology"`
	Nodes    int     `json:"nodes"`
	Algo     string  `json:"algo"`
	Of       string  `json:"of"` // size, k or t; loss; or a fault
	K        int     `json:"k,omitempty"`
	T        float64 `json:"t,omitempty"` // seconds
	Rate     float64 `json:"rate,omitempty"`

	Edges      int       `json:"edges"`
	Diameter   int       `json:"diameter"`
	Deployable bool      `json:"deployable"`
	UDP        UDPSample `json:"udp"`
	Sim        UDPSample `json:"sim"`
}

// UDPSample is runs of one kind. The slices have one value for each run that ended well, parallel.
type UDPSample struct {
	Runs int `json:"runs"`
	// seconds until the last node has decided; rounds until the network has recovered; empty under loss
	Took     []float64 `json:"took"`
	Sent     []float64 `json:"sent,omitempty"`
	Received []float64 `json:"received,omitempty"`
	Joules   []float64 `json:"joules,omitempty"`
	Well     int       `json:"well"`               // runs that ended well; the others are in no mean
	Later    int       `json:"later,omitempty"`    // simulated under loss: runs that have ended well one round later
	Jittered []float64 `json:"jittered,omitempty"` // simulated: what Took would be if rounds lasted 0.9 to 1.1 periods
	// runs in which this machine was late by more than a round, however often they were made again
	Late   int     `json:"late,omitempty"`
	Again  int     `json:"again,omitempty"`  // runs that were made again for that
	Timers float64 `json:"timers,omitempty"` // mean lateness of a timer, in seconds
}

// udpAlgo is an algorithm that can be disturbed on real sockets and in simulations.
type udpAlgo struct {
	name, algo string
	params     map[string]string
	early      bool // a fake minimum has to be there from the start: nobody listens once all have decided
}

// udpAlgos lists the family, and Bounded Election to compare with.
func (w *prasleNet) udpAlgos() []udpAlgo {
	list := []udpAlgo{
		{name: "minfind", algo: "minfind"},
		{name: "prasle reliable", algo: "prasle-reliable", early: true},
		{name: "prasle unreliable", algo: "prasle", params: map[string]string{"variant": "unreliable"}},
		{name: "prasle hardened", algo: "prasle"},
		{name: "top-k", algo: "top-k"},
		{name: "wbs", algo: "wbs", early: true},
		{name: "brogo", algo: "brogo", early: true},
	}
	if w.name == "clique" {
		list = append(list, udpAlgo{name: "bully", algo: "bully"})
	}
	return append(list, udpAlgo{name: "bounded", algo: "bounded"})
}

// udpTask is a job and what it needs.
type udpTask struct {
	UDPJob
	udpAlgo
	net *prasleNet
}

// tasks lists the jobs with what they are, and no results.
func (p PrasleUDP) tasks() ([]udpTask, error) {
	var list []udpTask
	for _, name := range p.Topologies {
		for _, n := range p.Sizes {
			w, _, err := p.net(name, n)
			if err != nil {
				return nil, err
			}
			list = append(list, p.curves(w)...)
		}
	}
	for _, name := range p.Topologies {
		w, _, err := p.net(name, p.Faulty)
		if err != nil {
			return nil, err
		}
		list = append(list, w.troubles()...)
	}
	return list, nil
}

// curves is the point over size with the least K that all simulated runs succeed with and, for the largest size up to
// 40, those over K and T.
func (p PrasleUDP) curves(w *prasleNet) []udpTask {
	s := w.udpAlgos()[1]
	list := []udpTask{w.task(s, UDPJob{Of: "size", T: prasleT.Seconds()})}
	if w.graph.Len() != p.largest() {
		return list
	}
	for _, k := range w.overK() {
		list = append(list, w.task(s, UDPJob{Of: "k", K: k, T: prasleT.Seconds()}))
	}
	for _, t := range overT {
		list = append(list, w.task(s, UDPJob{Of: "t", K: w.diameter + 3, T: t.Seconds()}))
	}
	return list
}

// troubles is loss and faults.
func (w *prasleNet) troubles() []udpTask {
	var list []udpTask
	for _, s := range w.udpAlgos() {
		if !strings.HasPrefix(s.name, "prasle") {
			continue
		}
		for _, rate := range prasleLosses {
			list = append(list, w.task(s, UDPJob{Of: "loss", Rate: rate}))
		}
	}
	for _, s := range w.udpAlgos() {
		for _, fault := range prasleFaults {
			list = append(list, w.task(s, UDPJob{Of: fault}))
		}
	}
	return list
}

func (w *prasleNet) task(s udpAlgo, j UDPJob) udpTask {
	e, err := registry.Get(s.algo)
	j.Topology, j.Nodes, j.Edges, j.Diameter = w.name, w.graph.Len(), w.graph.Edges(), w.diameter
	j.Algo, j.Deployable = s.name, err == nil && e.Agent != nil
	return udpTask{j, s, w}
}

// Sweep has a job for each point of a curve, each rate of loss and each fault. Real runs give never quite the same
// again, and jobs at the same time make each other late: few of them should run at a time.
func (p PrasleUDP) Sweep(version string) (*Sweep[UDPJob], error) {
	tasks, err := p.tasks()
	if err != nil {
		return nil, err
	}
	return &Sweep[UDPJob]{
		Name: "prasle", Version: version, Jobs: len(tasks), Options: p.options(),
		Run: func(ctx context.Context, job int) (UDPJob, error) {
			t := tasks[job]
			err := t.run(ctx, p.Round)
			if err != nil && ctx.Err() == nil {
				err = fmt.Errorf("%s of %d, %s, %s: %w", t.Topology, t.Nodes, t.Algo, t.Of, err)
			}
			return t.UDPJob, err
		},
	}, nil
}

func (p PrasleUDP) options() []Option {
	list := p.Prasle.options()
	list[0].Value = "udp"
	return append(list, Option{"round", p.Round.String()})
}

// Estimate is how long the real runs take about, one after the other, if none has to be made again.
func (p PrasleUDP) Estimate() (time.Duration, error) {
	tasks, err := p.tasks()
	if err != nil {
		return 0, err
	}
	var sum time.Duration
	for _, t := range tasks {
		if t.Deployable {
			sum += time.Duration(p.Runs) * t.lasts(p.Round)
		}
	}
	return sum, nil
}

// lasts is about what a real run takes: what does not recover is waited for longest.
func (t *udpTask) lasts(round time.Duration) time.Duration {
	w, rounds := t.net, 0
	switch t.Of {
	case "size", "k", "t":
		rounds, round = t.K+3, time.Duration(t.T*float64(time.Second))
		if t.K == 0 {
			rounds += w.diameter
		}
	case "loss":
		rounds = w.deadline()
	default:
		rounds = 2*w.diameter + w.rest() + w.horizon()
		if t.Of == "heal" {
			rounds += w.quiet()
		}
	}
	return time.Duration(rounds) * round
}

func (t *udpTask) run(ctx context.Context, round time.Duration) error {
	switch t.Of {
	case "size", "k", "t":
		return t.point(ctx)
	case "loss":
		return t.loss(ctx, round)
	}
	return t.recovery(ctx, round)
}
