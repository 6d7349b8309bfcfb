package study

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/iot/prasle"
	"caucus.example/caucus/algo/kit/rank"
	"caucus.example/caucus/internal/energy"
	"caucus.example/caucus/network"
	"caucus.example/caucus/registry"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
)

const (
	udpExpiry     = 3  // rounds without a datagram until a neighbour is dropped, as in the profiles
	udpLossExpiry = 16 // under loss: half of the datagrams are not a reason
	udpSimulated  = 5  // simulated runs for each real one
	udpAgain      = 3  // times that a run is made again in which the machine was late
)

// patience is for how long the algorithms with ages believe in a leader that is gone, in rounds.
func (w *prasleNet) patience() int { return 3 * (w.diameter + 2) }

// quiet is how long nothing may change until a network counts as settled for good: longer than any patience.
func (w *prasleNet) quiet() int { return w.patience() + 10 }

// rest is how long a network is left alone between agreement and the fault, so that ages and terms are everywhere what
// they stay.
func (w *prasleNet) rest() int { return w.diameter + 5 }

// horizon is how many rounds may pass from a fault until "never". The patience of Bully, which cliques have, grows with
// the rank.
func (w *prasleNet) horizon() int {
	if w.name == "clique" {
		return 2*w.patience() + 80
	}
	return 2*w.patience() + 20
}

// ghostLife is for how many rounds the ghost of an event algorithm stays, which has to get to know its neighbour before
// it can say anything, or (wbs) waits. That of an algorithm of rounds says all with its first datagram.
func (w *prasleNet) ghostLife() int { return w.diameter + 12 }

// events tells whether the algorithm is one of events: its messages take up to a round on the way, since its timers are
// made for that.
func (t *prasleTask) events() bool {
	e, err := registry.Get(t.algo)
	return err == nil && e.Spec.Shape == caucus.ShapeEvents
}

// trial gives the set-up of the real runs with rounds of a length.
func (t *prasleTask) trial(run int, round time.Duration) Trial {
	x := Trial{Algo: t.algo, Params: t.params, Period: round, Expiry: udpExpiry, Graph: t.graph,
		Known: caucus.Known{Diameter: t.diameter, Delay: round},
		Links: map[string]string{"seed": fmt.Sprint(t.Seed + uint64(run))}}
	if t.events() {
		x.Links["delay"] = fmt.Sprintf("%v±%v", round/2, round/2)
	}
	return x
}

// rank gives the nodes the strengths of a run and IDs in their order, and tells which is best.
func (x *Trial) rank(w *prasleNet, run int) (best caucus.ID) {
	x.Strengths, best = w.ranks(run)
	for i := range x.Strengths {
		x.IDs = append(x.IDs, caucus.ID(i+1))
	}
	return best
}

// udpRun is a real run.
type udpRun struct {
	well   bool
	values [4]float64 // as of a simulated one
	late   bool
	timers float64 // mean lateness of a timer, in seconds
}

// end takes over what the lab knows of how the machine did: it was late if a round or one of the timers beside them was
// by more than a round.
func (r *udpRun) end(ctx context.Context, l *lab, round time.Duration) (sum Count, err error) {
	sum, err = l.traffic(ctx)
	r.late, r.timers = l.late || l.pulse.worst.Load() > int64(round), l.pulse.mean()
	return sum, err
}

// Metrics of the real runs of a job.
const (
	// in which this machine was late by more than a round, however often they were made again
	lateRuns  = "late runs"
	againRuns = "runs made again" // for that
	timersAre = "mean lateness of a timer in seconds"
)

// measure makes the real runs, those in which the machine was late again, a few times. Every other run counts, and in
// the means those that ended well.
func (t *prasleTask) measure(out *recorder, one func(run int) (udpRun, error)) error {
	if !t.deployable {
		return nil
	}
	timers, late, again, well := 0.0, 0, 0, 0
	for run := range t.Runs {
		r, err := one(run)
		for tries := 0; err == nil && r.late && tries < udpAgain; tries++ {
			again++
			r, err = one(run)
		}
		if err != nil {
			return err
		}
		timers += (r.timers - timers) / float64(run+1)
		if r.late {
			late++
		}
		if r.well {
			well++
		} else {
			r.values = failedRun
		}
		if t.of != "loss" {
			t.record(out, "udp", run, r.values)
		}
	}
	if t.of == "loss" {
		t.one(out, "udp", agreeing, float64(well)/float64(t.Runs))
		t.one(out, "udp", lossRuns, float64(t.Runs))
	}
	t.one(out, "udp", lateRuns, float64(late))
	t.one(out, "udp", againRuns, float64(again))
	t.one(out, "udp", timersAre, timers)
	return nil
}

// decide is a real run until all nodes have decided. Messages travel for up to as long as in the simulation.
func (t *prasleTask) decide(ctx context.Context, run int) (r udpRun, err error) {
	w, length := t.prasleNet, t.t
	x := t.trial(run, length)
	x.Params = map[string]string{"k": fmt.Sprint(t.k), "t": fmt.Sprint(float64(length) / float64(w.Delay)),
		"rounds": w.Rounds}
	x.Links["delay"] = fmt.Sprintf("%v±%v", w.Delay/2, w.Delay/2)
	// Agents refuse a K below the diameter that they know, and measuring what it leads to is the point.
	x.Known = caucus.Known{Diameter: min(t.k, w.diameter), Delay: w.Delay}
	best := x.rank(w, run)
	l, err := x.open(ctx, t.UDP)
	if err != nil {
		return r, err
	}
	defer l.close()
	limit := time.Duration(2*(t.k+3))*length + 5*time.Second
	if err := l.watch(ctx, l.began.Add(limit), l.decided); err != nil {
		return r, err
	}
	r.values[took] = l.lastChange().Sub(l.began).Seconds()
	r.well = l.decided() && l.right(following(best, len(x.Strengths)))
	// Snapshots of the counters are taken once a round.
	if err := l.watch(ctx, time.Now().Add(length*3/2), nil); err != nil {
		return r, err
	}
	sum, err := r.end(ctx, l, length)
	r.values[sent], r.values[received] = float64(sum.MessagesSent), float64(sum.MessagesReceived)
	n := float64(len(x.Strengths))
	r.values[joules] = w.Energy.Joules(energy.Use{Seconds: r.values[took], Sent: float64(sum.Sent) / n,
		Received: float64(sum.Received) / n,
		Payload:  float64(sum.SentBytes) / float64(max(1, sum.Sent))})
	return r, err
}

// following is everybody after one leader.
func following(leader caucus.ID, n int) []caucus.ID {
	return slices.Repeat([]caucus.ID{leader}, n)
}

// lossUDP measures how many runs end in agreement while datagrams are lost.
func (t *prasleTask) lossUDP(ctx context.Context, out *recorder) error {
	var well [2]float64 // at the deadline; later
	runs := udpSimulated * t.Runs
	for run := range runs {
		for more := range 2 {
			if agree, err := t.simulateLoss(ctx, run, t.deadline()+more); err != nil {
				return err
			} else if agree {
				well[more]++
			}
		}
	}
	t.one(out, "sim", agreeing, well[0]/float64(runs))
	t.one(out, "sim", agreeingLater, well[1]/float64(runs))
	t.one(out, "sim", lossRuns, float64(runs))
	return t.measure(out, func(run int) (udpRun, error) { return t.lose(ctx, run) })
}

// lose is a real run under loss, until the deadline or, for those that end, until they have.
func (t *prasleTask) lose(ctx context.Context, run int) (r udpRun, err error) {
	w, round := t.prasleNet, t.Round
	x := t.trial(run, round)
	x.Expiry = udpLossExpiry
	x.Links["loss"] = fmt.Sprint(t.rate)
	best := x.rank(w, run)
	limit := w.deadline()
	if t.events() {
		x.Params = map[string]string{"k": fmt.Sprint(w.deadline())}
		limit *= 4
	}
	l, err := x.open(ctx, t.UDP)
	if err != nil {
		return r, err
	}
	defer l.close()
	if err := l.watch(ctx, l.began.Add(time.Duration(limit)*round), l.decided); err != nil {
		return r, err
	}
	r.well = l.right(following(best, len(x.Strengths)))
	_, err = r.end(ctx, l, round)
	return r, err
}

// recoveryUDP measures how the algorithm comes back after a fault.
func (t *prasleTask) recoveryUDP(ctx context.Context, out *recorder) error {
	c := t.inAgentsTime(sim.Asynchronous)
	err := t.simulateRecovery(ctx, c, func(run int, rounds float64) { t.record(out, "sim", run, [4]float64{rounds}) })
	if err == nil && !t.events() {
		err = t.simulateRecovery(ctx, t.inAgentsTime(sim.Jittered),
			func(_ int, rounds float64) { t.one(out, "sim", jitteredRounds, rounds) })
	}
	if err != nil {
		return err
	}
	return t.measure(out, func(run int) (udpRun, error) {
		s, err := t.sceneUDP(run)
		if err != nil {
			return udpRun{}, err
		}
		return t.suffer(ctx, s, run, t.Round)
	})
}

// jitteredRounds is what the rounds would be if they lasted 0.9 to 1.1 periods.
const jitteredRounds = recovering + " with jitter"

// simulateRecovery tells the rounds of each run; none if it does not recover.
func (t *prasleTask) simulateRecovery(ctx context.Context, c contender, tell func(run int, rounds float64)) error {
	for run := range udpSimulated * t.Runs {
		s, err := t.sceneUDP(run)
		if err != nil {
			return err
		}
		rounds, err := s.play(ctx, c)
		if err != nil {
			return err
		}
		tell(run, orNone(rounds))
	}
	return nil
}

// suffer is a real run with a fault.
func (t *prasleTask) suffer(ctx context.Context, s scene, run int, round time.Duration) (r udpRun, err error) {
	w := t.prasleNet
	x := t.trial(run, round)
	if t.of == "fake" && t.events() { // the simulated one puts the lie into the ear of the node
		if err := s.haunt(); err != nil {
			return r, err
		}
	}
	x.Graph, x.Strengths, x.IDs = s.cfg.Graph, s.cfg.Strengths, s.cfg.IDs
	if n := w.graph.Len(); x.Graph.Len() > n {
		x.Ghosts = []int{n}
	}
	rounds := func(n int) time.Duration { return time.Duration(n) * round }
	l, err := x.open(ctx, t.UDP)
	if err != nil {
		return r, err
	}
	defer l.close()
	fault, ready, err := t.strike(ctx, l, s, run, rounds)
	if err != nil {
		return r, err
	}
	if ready {
		since, well, err := l.settle(ctx, s.right, rounds(w.quiet()), rounds(w.horizon()))
		if err != nil {
			return r, err
		}
		// whole rounds, as the simulator counts
		r.values[took] = math.Ceil(max(0, since.Sub(fault).Seconds()) / round.Seconds())
		r.well = well
	}
	_, err = r.end(ctx, l, round)
	return r, err
}

// strike lets a network come to rest and the fault happen, and tells when it did; ready is false if there was no
// agreement before.
func (t *prasleTask) strike(ctx context.Context, l *lab, s scene, run int,
	rounds func(int) time.Duration) (at time.Time, ready bool, err error) {
	w := t.prasleNet
	follow := func(fault string) []caucus.ID { return s.follow(w.right(s.cfg.Strengths, s.d, fault)) }
	if t.of == "fake" && t.early { // before those that end have ended
		err = l.haunt(ctx, rounds(w.ghostLife()))
		return time.Now(), true, err
	}
	if _, ready, err = l.settle(ctx, follow(""), rounds(w.rest()), rounds(w.horizon()+w.rest())); err != nil || !ready {
		return at, ready, err
	}
	r := caucus.NewRand(w.Seed, "prasle fault", uint64(run))
	// of a round, so that the fault is as likely at any time of it
	part := time.Duration(r.Float64() * float64(rounds(1)))
	if err = l.watch(ctx, time.Now().Add(part), nil); err != nil {
		return at, false, err
	}
	at = time.Now()
	switch t.of {
	case "crash":
		l.agents.Kill(s.d.crash)
	case "fake":
		if t.events() {
			err = l.haunt(ctx, rounds(w.ghostLife()))
			at = time.Now()
		} else {
			err = l.haunt(ctx, 0)
		}
	case "partition":
		err = l.agents.Partition(s.d.cut)
	case "heal":
		if err = l.agents.Partition(s.d.cut); err != nil {
			break
		}
		// Not everybody gets there.
		if _, _, err = l.settle(ctx, follow("partition"), rounds(w.quiet()), rounds(w.horizon())); err == nil {
			at = time.Now()
			err = l.agents.Heal()
		}
	}
	return at, true, err
}

// inAgentsTime is the algorithm in the simulator, in the agents' time: rounds with a phase of each node, with jitter or
// without, or messages that take as long as those of the real runs.
func (t *prasleTask) inAgentsTime(timing sim.Timing) contender {
	if t.events() {
		return t.disturbed
	}
	return func(ctx context.Context, cfg sim.Config, d disturbance) (*sim.Result, error) {
		f := sim.Fault{At: float64(d.at), Until: float64(d.until), Kind: sim.Partition, Nodes: d.cut}
		switch d.fault {
		case "crash":
			f.Kind, f.Nodes = sim.Crash, []int{d.crash}
		case "fake": // the last node is a ghost: it speaks once
			f.Kind, f.Nodes = sim.Join, []int{cfg.Graph.Len() - 1}
			cfg.Faults = append(cfg.Faults, sim.Fault{Kind: sim.Crash, At: f.At + 1, Nodes: f.Nodes})
		}
		cfg.Faults = append(cfg.Faults, f, sim.Fault{Kind: sim.Expiry, Rounds: udpExpiry})
		cfg.Timing = timing
		return t.simulate(ctx, cfg)
	}
}

func (t *prasleTask) simulate(ctx context.Context, cfg sim.Config) (*sim.Result, error) {
	e, args, err := named(t.algo, t.params)
	if err != nil {
		return nil, err
	}
	return e.Simulate(ctx, args, cfg)
}

// sceneUDP is the network of a run, in the simulator.
func (t *prasleTask) sceneUDP(run int) (scene, error) {
	s := t.scene(run)
	if t.events() {
		s.cfg.Delays = sim.UniformDelay
		return s, nil
	}
	s.cfg.MaxRounds = s.after + t.horizon()
	if t.of == "fake" {
		return s, s.haunt()
	}
	return s, nil
}

// haunt adds a ghost to the network, a neighbour of the first node alone.
func (s *scene) haunt() error {
	g := s.cfg.Graph
	n := g.Len()
	edges := []network.Edge{{A: 0, B: int32(n), W: math.NaN()}}
	for i := range n {
		for _, j := range g.Neighbours(i) {
			if int(j) > i {
				edges = append(edges, network.Edge{A: int32(i), B: j, W: math.NaN()})
			}
		}
	}
	haunted, _, err := network.Build(n+1, edges)
	s.cfg.Graph = haunted
	s.cfg.Strengths = append(slices.Clone(s.cfg.Strengths), ghostStrength)
	s.cfg.IDs = append(slices.Clone(s.cfg.IDs), ghost)
	return err
}

// simulateLoss is a simulated run under loss up to a deadline.
func (t *prasleTask) simulateLoss(ctx context.Context, run, deadline int) (bool, error) {
	w := t.prasleNet
	strengths, best := w.ranks(run)
	cfg := sim.Config{Graph: w.graph, Strengths: strengths, Seed: w.Seed + uint64(run),
		Known: caucus.Known{Diameter: w.diameter}, Workers: 1}
	var r *sim.Result
	var err error
	if t.events() {
		cfg.Delays = sim.UniformDelay
		algo, e := w.deadlineReliable()
		if e != nil {
			return false, e
		}
		links := &repeated[prasle.Node, rank.Pair]{Events: algo, rate: t.rate, period: time.Second,
			random: caucus.NewRand(cfg.Seed, "repeated")}
		r, err = engine.RunEvents[prasle.Node, rank.Pair](ctx, links, &prasle.ReliableSpec, cfg)
	} else {
		cfg.MaxRounds, cfg.Timing = deadline, sim.Asynchronous
		cfg.Faults = []sim.Fault{{Kind: sim.Expiry, Rounds: udpLossExpiry}}
		if t.rate > 0 {
			cfg.Faults = append(cfg.Faults, sim.Fault{Kind: sim.Loss, Rate: t.rate})
		}
		r, err = t.simulate(ctx, cfg)
	}
	return err == nil && agreed(r, best) == w.graph.Len(), err
}

// Estimate is how long the real runs take about, one after the other, if none has to be made again.
func (p Prasle) Estimate() (sum time.Duration, err error) {
	tasks, err := p.tasks()
	for _, t := range tasks {
		if t.deployable {
			sum += time.Duration(p.Runs) * t.lasts()
		}
	}
	return sum, err
}

// lasts is about what a real run takes: what does not recover is waited for longest.
func (t *prasleTask) lasts() time.Duration {
	rounds, round := 0, t.Round
	switch t.of {
	case "size", "k", "t":
		if rounds, round = t.k+3, t.t; t.k == 0 {
			rounds += t.diameter
		}
	case "loss":
		rounds = t.deadline()
	default:
		rounds = 2*t.diameter + t.rest() + t.horizon()
		if t.of == "heal" {
			rounds += t.quiet()
		}
	}
	return time.Duration(rounds) * round
}
