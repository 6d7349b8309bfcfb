package study

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/iot/prasle"
	"caucus.example/caucus/internal/energy"
	"caucus.example/caucus/internal/results"
	"caucus.example/caucus/network"
	"caucus.example/caucus/registry"
	"caucus.example/caucus/sim"
)

// tuneTrial is the runs of one K and T so far.
type tuneTrial struct {
	*tuneElection
	point            TunePoint
	took             []float64 // seconds of those that succeeded
	messages, joules float64   // of these
}

// judge runs elections until there is a verdict; a glance stops earlier. Run number r has the same strengths, phases
// and delays for every K.
func (x *tuneTrial) judge(ctx context.Context, thorough bool) (Verdict, error) {
	pt, looks := &x.point, x.looks()
	alpha := (1 - tuneConfidence) / float64(len(looks))
	for _, n := range looks {
		if pt.Verdict != Promising || !thorough && n > glance {
			break
		}
		if n <= pt.Runs {
			continue
		}
		for ; pt.Runs < n; pt.Runs++ {
			r, err := x.run(ctx, pt.Runs)
			if err != nil {
				return "", err
			}
			if r.succeeded {
				x.took = append(x.took, r.seconds)
				x.messages, x.joules = x.messages+r.messages, x.joules+r.joules
			}
		}
		pt.Succeeded = len(x.took)
		pt.Low, pt.High = lowerBound(pt.Succeeded, n, alpha), upperBound(pt.Succeeded, n, alpha)
		pt.Verdict = x.verdict(pt)
	}
	return pt.Verdict, nil
}

// result is the point with what the successful runs took.
func (x *tuneTrial) result() TunePoint {
	pt := x.point
	if n := len(x.took); n > 0 {
		slices.Sort(x.took)
		pt.Seconds, pt.P95 = results.MeanOf(x.took).Value, x.took[int(math.Ceil(0.95*float64(n)))-1]
		pt.Messages, pt.Joules = x.messages/float64(n), x.joules/float64(n)
	}
	return pt
}

// tuneElection is one K and T, ready to run.
type tuneElection struct {
	Tune
	k       int
	entry   registry.Entry
	args    caucus.Args
	config  sim.Config
	payload float64 // bytes of a message, 0 before the first run
}

// tuneRun is how an election went.
type tuneRun struct {
	succeeded        bool
	seconds          float64
	messages, joules float64
}

// Params are the parameters of the algorithm for a K and T.
func (u Tune) Params(k int, t time.Duration) map[string]string {
	if u.Variant == "reliable" {
		return map[string]string{"k": fmt.Sprint(k), "t": number(float64(t) / float64(u.bound()))}
	}
	if u.Variant == "unreliable" {
		return map[string]string{"variant": u.Variant, "k": fmt.Sprint(k)}
	}
	return map[string]string{"variant": u.Variant, "k": fmt.Sprint(k), "patience": fmt.Sprint(tunePatience)}
}

// Algo is the name of the algorithm.
func (u Tune) Algo() string {
	if u.Variant == "reliable" {
		return prasle.ReliableSpec.Name
	}
	return prasle.Spec.Name
}

// bound is how long a message takes at most.
func (u Tune) bound() time.Duration { return u.Links.Delay + u.Links.Jitter }

func (u Tune) election(k int, t time.Duration, expiry int) (*tuneElection, error) {
	e := &tuneElection{Tune: u, k: k, config: sim.Config{Graph: u.Graph, Workers: 1}}
	var err error
	if e.entry, err = registry.Get(u.Algo()); err != nil {
		return nil, err
	}
	if e.args, err = e.entry.Spec.Resolve("", u.Params(k, t)); err != nil {
		return nil, err
	}
	if u.Links.Loss > 0 {
		e.config.Faults = append(e.config.Faults, sim.Fault{Kind: sim.Loss, Rate: u.Links.Loss})
	}
	if u.Variant == "reliable" {
		e.asEvents()
		return e, nil
	}
	e.config.Timing, e.config.Period, e.config.Traffic = sim.Asynchronous, t, true
	e.config.Faults = append(e.config.Faults, sim.Fault{Kind: sim.Expiry, Rounds: expiry})
	if u.bound() > 0 {
		e.config.Faults = append(e.config.Faults,
			sim.Fault{Kind: sim.Latency, Value: float64(u.Links.Delay) / float64(t),
				Spread: float64(u.Links.Jitter) / float64(t)})
	}
	e.config.MaxRounds = k
	if u.Variant == "hardened" {
		algo, err := prasle.New(prasle.Config{K: k, Patience: tunePatience})
		if err != nil {
			return nil, err
		}
		e.config.MaxRounds += algo.Limit(caucus.Known{})
	}
	return e, nil
}

// asEvents sets delays up for the events engine: all alike, or uniform around the mean.
func (e *tuneElection) asEvents() {
	c := &e.config
	c.Known.Diameter, c.Known.Delay = e.Diameter, e.bound()
	if c.Period = e.Links.Delay; e.Links.Jitter > 0 {
		c.Period, c.Delays = 2*e.Links.Jitter, sim.UniformDelay
		c.Least = float64(e.Links.Delay-e.Links.Jitter) / float64(c.Period)
	}
}

func (e *tuneElection) run(ctx context.Context, number int) (out tuneRun, err error) {
	c := e.config
	r := caucus.NewRand(e.Seed, "tune", uint64(number))
	c.Seed = r.Uint64()
	if c.Strengths, err = network.Strengths(e.Graph, e.Strength, r.Uint64()); err != nil {
		return out, err
	}
	if e.payload == 0 {
		c.SizeOf = e.entry.SizeOf
	}
	result, err := e.entry.Simulate(ctx, e.args, c)
	if err != nil {
		return out, err
	}
	if e.payload == 0 {
		e.payload = float64(result.Bytes) / float64(max(1, result.Messages))
	}
	best := 0
	for i, s := range c.Strengths {
		if s > c.Strengths[best] {
			best = i
		}
	}
	// How long the election takes in periods, and its share of all that was simulated.
	took, lasts, share := result.Time, result.Time, 1.0
	reliable := e.Variant == "reliable"
	if !reliable {
		took, lasts, share = float64(result.SettledAt), float64(e.k), float64(e.k)/float64(result.Rounds)
	}
	out.succeeded = agreed(result, caucus.ID(best+1)) == e.Graph.Len() && (took <= lasts)
	out.seconds, out.messages = took*c.Period.Seconds(), share*float64(result.Messages)
	received, n := 0.0, float64(e.Graph.Len())
	for _, x := range result.Received {
		received += share * float64(x)
	}
	out.joules = e.Energy.Joules(energy.Use{Seconds: lasts * c.Period.Seconds(), Sent: out.messages / n,
		Received: received / n, Payload: e.payload})
	return out, nil
}
