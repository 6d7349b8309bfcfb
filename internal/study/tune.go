package study

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"caucus.example/caucus/algo/iot/prasle"
	"caucus.example/caucus/fault"
	"caucus.example/caucus/internal/energy"
	"caucus.example/caucus/internal/jobs"
	"caucus.example/caucus/internal/results"
	"caucus.example/caucus/network"
)

// Tune looks, by simulation, for the fewest rounds K of a length T in which PraSLE elects on a network in at least
// a share of all runs, for one T after the other.
//
// A run of the hardened or unreliable variant succeeds if all nodes follow the best after K rounds of each, and in the
// hardened one stay with it for the patience·(K+2) rounds after that, in which a dead leader is noticed: so that a live
// one is not taken for dead. One of the reliable variant succeeds if all nodes decide for the best.
type Tune struct {
	Variant  string           // of TuneVariants
	Graph    *network.Graph   // connected
	Topology string           // what it is called, and GraphSeed what it was generated with
	Diameter int              // in hops, at least 1
	Strength string           // source of the strengths, drawn anew for each run if it is random
	Links    fault.Conditions // loss, delay and jitter, of each link and direction; the rest is not looked at
	Success  float64          // share to be reached, more than 0 and less than 1
	Periods  []time.Duration  // lengths T of a round, rising
	Runs     int              // of one K and T at most
	Seed     uint64
	Energy   energy.Model

	GraphSeed uint64
}

// TuneAlgorithms are the algorithms of these variants: the first has the first two, the second the third.
var TuneAlgorithms = []string{"prasle", "prasle-reliable"}

// TuneVariant finds a variant by its name or that of its algorithm.
func TuneVariant(name string) (string, bool) {
	switch {
	case slices.Contains(TuneVariants, name):
		return name, true
	case name == TuneAlgorithms[0]:
		return TuneVariants[0], true
	}
	return TuneVariants[2], name == TuneAlgorithms[1]
}

// TuneVariants lists the variants.
var TuneVariants = []string{"hardened", "unreliable", "reliable"}

// tuneConfidence is with which probability all lower bounds of a K and T hold that are looked at on the way to a
// verdict, and so for the upper ones: whatever the truth, only one of them can lead to a wrong verdict.
const tuneConfidence = 0.99

// patience of the hardened variant.
const tunePatience = 3

// TunePeriods are lengths of a round worth trying with a delay, from a quarter to ten times as long, in steps of 1, 2
// and 5.
func TunePeriods(delay time.Duration) (list []time.Duration) {
	if delay = max(delay, time.Millisecond); delay == time.Millisecond {
		delay = 4 * time.Millisecond // agents have no rounds of less than a millisecond
	}
	for unit := time.Millisecond; unit <= 10*delay; unit *= 10 {
		for _, times := range []time.Duration{1, 2, 5} {
			if t := times * unit; 4*t >= delay && t <= min(10*delay, time.Hour) {
				list = append(list, t)
			}
		}
	}
	return list
}

// TuneRuns is how many runs a K and T may need for a verdict: four times as many as prove it without a failure.
func TuneRuns(success float64) int {
	return int(min(4*math.Ceil(math.Log((1-tuneConfidence)/16)/math.Log(success)), 1e9))
}

// looks are the numbers of runs after which there may be a verdict. The confidence is shared among them, so that
// stopping at the first does not spoil it.
func (u Tune) looks() (list []int) {
	for n := 64; n < u.Runs; n *= 2 {
		list = append(list, n)
	}
	return append(list, u.Runs)
}

// Verdict says whether a K and T reach the share.
type Verdict string

// Verdicts.
const (
	Sufficient   Verdict = "sufficient"   // the lower bound does
	Insufficient Verdict = "insufficient" // the upper bound does not
	Undecided    Verdict = "undecided"    // the runs are used up
	Promising    Verdict = "promising"    // not insufficient at first sight, and not looked at any further
)

// TunePoint is what the runs of one K and T have shown. All but the first five describe the runs that succeeded, and
// are 0 if none did.
type TunePoint struct {
	K         int     `json:"k"`
	Runs      int     `json:"runs"`
	Succeeded int     `json:"succeeded"`
	Low       float64 `json:"low"` // bounds of the probability of success
	High      float64 `json:"high"`
	Verdict   Verdict `json:"verdict"`
	Seconds   float64 `json:"seconds"`  // mean time until the last node follows, or decides for, the best
	P95       float64 `json:"p95"`      // of these times
	Messages  float64 `json:"messages"` // sent in K rounds, or until all have decided
	Joules    float64 `json:"joules"`   // of a node, meanwhile
}

// TunePeriod is what was found for one T.
type TunePeriod struct {
	T        float64     `json:"t"`      // seconds; 0: not done
	Expiry   int         `json:"expiry"` // of neighbours, in rounds
	Most     int         `json:"most"`   // K beyond which none was tried
	Least    int         `json:"least"`  // least sufficient K; 0: none
	Monotone bool        `json:"monotone"`
	Points   []TunePoint `json:"points"` // by K
}

// Options are all that the results depend on.
func (u Tune) Options() []jobs.Option {
	periods := make([]string, len(u.Periods))
	for k, t := range u.Periods {
		periods[k] = t.String()
	}
	return jobs.List("algo", u.Variant, "topology", u.Topology,
		"nodes", u.Graph.Len(), "edges", u.Graph.Edges(), "diameter", u.Diameter,
		"strength", u.Strength, "loss", percent(u.Links.Loss), "delay", u.latency(), "success", percent(u.Success),
		"confidence", percent(tuneConfidence),
		"periods", strings.Join(periods, ","), "runs", u.Runs, "seed", u.Seed, "graph-seed", u.GraphSeed, "energy",
		u.Energy.String())
}

func (u Tune) latency() string {
	if u.Links.Jitter > 0 {
		return u.Links.Delay.String() + "±" + u.Links.Jitter.String()
	}
	return u.Links.Delay.String()
}

func percent(x float64) string { return number(round12(100*x)) + "%" }

// round12 takes away what a multiplication has added at the end of a number.
func round12(x float64) float64 { return math.Round(x*1e12) / 1e12 }

// Batch has a job for each T.
func (u Tune) Batch() *jobs.Batch {
	return &jobs.Batch{Name: "tune", Options: u.Options(), Jobs: len(u.Periods),
		Run: func(ctx context.Context, job int) (results.Rows, error) {
			p, err := u.search(ctx, u.Periods[job])
			if err != nil {
				return nil, err
			}
			return u.rows(&p), nil
		}}
}

// Metrics of what was found of a T, over nothing, and over K.
const (
	tuneT, tuneExpiry, tuneMost = "T in seconds", "expiry", "greatest K tried"
	tuneLeast, tuneMonotone     = "least sufficient K", "more is better"
	tuneRuns, tuneSucceeded     = "runs", "succeeded"
	tuneLow, tuneHigh           = "share, at least", "share, at most"
	tuneSeconds, tuneP95        = "seconds", "seconds, 95th percentile"
	tuneMessages, tuneJoules    = "messages", "J a node"
)

// rows has what was found of a T.
func (u Tune) rows(p *TunePeriod) results.Rows {
	out := recorder{Row: results.Row{Series: fmt.Sprintf("T = %v", p.length()), Network: u.Topology, N: u.Graph.Len(),
		X: results.None}}
	out.add(tuneT, p.T)
	out.add(tuneExpiry, float64(p.Expiry))
	out.add(tuneMost, float64(p.Most))
	out.add(tuneLeast, float64(p.Least))
	out.add(tuneMonotone, map[bool]float64{true: 1}[p.Monotone])
	for _, pt := range p.Points {
		out.X = float64(pt.K)
		out.add(tuneRuns, float64(pt.Runs))
		out.add(tuneSucceeded, float64(pt.Succeeded))
		out.add(tuneLow, pt.Low)
		out.add(tuneHigh, pt.High)
		if pt.Succeeded > 0 {
			out.add(tuneSeconds, pt.Seconds)
			out.add(tuneP95, pt.P95)
			out.add(tuneMessages, pt.Messages)
			out.add(tuneJoules, pt.Joules)
		}
	}
	return out.rows
}

// read is the reverse of rows.
func (u Tune) read(rows results.Rows) (p TunePeriod) {
	for _, w := range widen(rows) {
		whole := func(metric string) int { return int(w.of[metric]) }
		if math.IsNaN(w.X) {
			p = TunePeriod{T: w.of[tuneT], Expiry: whole(tuneExpiry), Most: whole(tuneMost), Least: whole(tuneLeast),
				Monotone: whole(tuneMonotone) == 1}
			continue
		}
		pt := TunePoint{K: int(w.X), Runs: whole(tuneRuns), Succeeded: whole(tuneSucceeded), Low: w.of[tuneLow],
			High:    w.of[tuneHigh],
			Seconds: w.of[tuneSeconds], P95: w.of[tuneP95], Messages: w.of[tuneMessages], Joules: w.of[tuneJoules]}
		pt.Verdict = u.verdict(&pt)
		p.Points = append(p.Points, pt)
	}
	return p
}

// verdict is what the runs of a K and T say.
func (u Tune) verdict(pt *TunePoint) Verdict {
	switch {
	case pt.Low >= u.Success:
		return Sufficient
	case pt.High < u.Success:
		return Insufficient
	case pt.Runs == u.Runs:
		return Undecided
	}
	return Promising
}

// need is about how many rounds an election takes: each hop the delay and half a round, and as often as messages are
// lost again.
func (u Tune) need(t time.Duration) int {
	hop := 1 + float64(u.Links.Delay+u.Links.Jitter)/float64(t)
	return 8 + int(float64(u.Diameter)*hop/(1-u.Links.Loss))
}

const (
	// below is how many K under the least sufficient one are looked at for one that is sufficient all the same.
	below = 8
	// glance is how many runs the first sight takes.
	glance = 512
)

// search finds the least K for a T.
func (u Tune) search(ctx context.Context, t time.Duration) (TunePeriod, error) {
	out := TunePeriod{T: t.Seconds(), Expiry: u.expiry(t), Most: min(u.Diameter+4*u.need(t), prasle.MaxHops)}
	if u.Diameter > out.Most {
		return out, fmt.Errorf("the diameter, %d, is more than the greatest K, %d", u.Diameter, out.Most)
	}
	trials := map[int]*tuneTrial{}
	p := probes{u.Diameter, func(k int, thorough bool) (Verdict, error) {
		if trials[k] == nil {
			e, err := u.election(k, t, out.Expiry)
			if err != nil {
				return "", err
			}
			trials[k] = &tuneTrial{tuneElection: e, point: TunePoint{K: k, Verdict: Promising}}
		}
		return trials[k].judge(ctx, thorough)
	}}
	var err error
	if out.Least, out.Monotone, err = p.search(out.Most); err != nil {
		return out, err
	}
	for _, k := range slices.Sorted(maps.Keys(trials)) {
		out.Points = append(out.Points, trials[k].result())
	}
	return out, nil
}

// probes looks for the least sufficient K from the diameter on. A judge that need not be thorough only tells what is
// insufficient at first sight.
type probes struct {
	diameter int
	judge    func(k int, thorough bool) (Verdict, error)
}

// search goes by the rule that success grows with K: it finds the least K that is not insufficient at first sight, and
// from there the least sufficient one; 0 if there is none up to most. Whether the rule holds is seen from the 8 values
// of K below and the one above: where one does not fit, monotone is false, and a lesser K is taken.
func (p *probes) search(most int) (least int, monotone bool, err error) {
	promising := func(k int) (bool, error) {
		v, err := p.judge(k, false)
		return v != Insufficient, err
	}
	enough := func(k int) (bool, error) {
		v, err := p.judge(k, true)
		return v == Sufficient, err
	}
	least, err = first(p.diameter, most, promising)
	if least > 0 && err == nil {
		least, err = first(least, most, enough)
	}
	if least == 0 || err != nil {
		return 0, true, err
	}
	monotone = true
	for k := least - 1; k >= max(p.diameter, least-below); k-- {
		if good, err := promising(k); err != nil {
			return 0, false, err
		} else if !good {
			continue
		}
		if good, err := enough(k); err != nil {
			return 0, false, err
		} else if good {
			monotone = false
			least = k
		}
	}
	if least < most {
		good, err := promising(least + 1)
		return least, monotone && good, err
	}
	return least, monotone, nil
}

// first finds the first K from one to another that is good, supposing that all after a good one are; 0 if the last is
// not good. The distance from the start doubles until one is, and it is then enclosed.
func first(from, to int, good func(k int) (bool, error)) (int, error) {
	under, k := from-1, from
	for step := 1; ; step *= 2 {
		ok, err := good(k)
		if err != nil {
			return 0, err
		}
		if ok {
			break
		}
		if k >= to {
			return 0, nil
		}
		under, k = k, min(k+step, to)
	}
	for k-under > 1 {
		middle := (k + under) / 2
		ok, err := good(middle)
		if err != nil {
			return 0, err
		}
		if ok {
			k = middle
		} else {
			under = middle
		}
	}
	return k, nil
}

// expiry is after how many rounds of silence a neighbour is dropped: so many that this happens in fewer than a tenth of
// the runs that may fail, somewhere in the network, and never because delays vary.
func (u Tune) expiry(t time.Duration) int {
	least := 3 + int(math.Ceil(2*float64(u.Links.Jitter)/float64(t)))
	if u.Links.Loss == 0 {
		return least
	}
	rounds := float64((1 + tunePatience) * u.need(t))
	dropped := (1 - u.Success) / 10 / (2 * float64(max(1, u.Graph.Edges())) * rounds)
	return min(1000, max(least, int(math.Ceil(math.Log(dropped)/math.Log(u.Links.Loss)))))
}
