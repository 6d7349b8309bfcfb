package study

import (
	"context"
	"fmt"
	"math"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/ring"
	"caucus.example/caucus/algo/kit/ring/worst"
	"caucus.example/caucus/algo/rings/alltheway"
	"caucus.example/caucus/algo/rings/asfar"
	"caucus.example/caucus/algo/rings/control"
	"caucus.example/caucus/algo/rings/itairodeh"
	"caucus.example/caucus/algo/rings/minmaxplus"
	"caucus.example/caucus/algo/rings/stages"
	"caucus.example/caucus/algo/rings/stagesfbk"
	"caucus.example/caucus/algo/rings/stepwise"
	"caucus.example/caucus/algo/rings/unistages"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
)

// Rings counts the messages of all elections on rings, all nodes initiating, in lock step: on random rings and on those
// that are worst for one algorithm or another. Sizes are the powers of two from 8.
type Rings struct {
	MaxN  int    // largest size
	Rings int    // random rings of each size
	Seed  uint64 // of the rings and of the algorithms that draw
}

// Limits of Rings.
const (
	RingsLeastN = 8
	RingsMostN  = 1 << 16
)

// RingCost is what one algorithm costs on the rings of one size.
type RingCost struct {
	Random []int64 `json:"random"` // messages, by ring
	Made   []int64 `json:"made"`   // by order, see ringOrders
}

// ringFormula is a number of messages on a ring of n.
type ringFormula struct {
	text  string
	of    func(n float64) float64
	exact bool // not only the leading term
}

// ringCase is a row of the tables.
type ringCase struct {
	name     string
	oneWay   bool
	bound    ringFormula // no ring costs more; of nil: there is no bound
	mean     ringFormula // over random rings; of nil: not known
	constant bool        // all rings cost the same, so that one will do
	run      func(context.Context, sim.Config) (*sim.Result, error)
}

// runs is how a row is simulated.
func runs[S, M any](algo caucus.Events[S, M], spec *caucus.Spec) func(context.Context, sim.Config) (*sim.Result, error) {
	return func(ctx context.Context, cfg sim.Config) (*sim.Result, error) {
		return sim.RunEvents(ctx, algo, spec, cfg)
	}
}

func harmonicSum(n float64) float64 {
	h := 0.0
	for i := 1.0; i <= n; i++ {
		h += 1 / i
	}
	return h
}

// nlogn is a leading term.
func nlogn(factor float64, text string) ringFormula {
	return ringFormula{text, func(n float64) float64 { return factor * n * math.Log2(n) }, false}
}

func exactly(text string, of func(n float64) float64) ringFormula { return ringFormula{text, of, true} }

// ringCases lists the rows: first those of the table of two directions.
func ringCases() []ringCase {
	square := exactly("n²", func(n float64) float64 { return n * n })
	asFar := exactly("n(n+3)/2", func(n float64) float64 { return n * (n + 3) / 2 })
	asFarMean := exactly("n H_n + n", func(n float64) float64 { return n*harmonicSum(n) + n })
	steps := exactly("n(k+2)", func(n float64) float64 { return n * float64(worst.Steps(int(n))+2) })
	meeting := func(name string, oneWay bool, spec *caucus.Spec, make func(caucus.Args) (ring.Cycle, error)) ringCase {
		c, _ := make(caucus.Args{}) // without parameters there is nothing to refuse
		return ringCase{name: name, oneWay: oneWay, bound: steps, run: runs(c, spec)}
	}
	return []ringCase{
		{name: "all-the-way-bi", bound: square, mean: square, constant: true,
			run: runs(alltheway.Algorithm{Unlabelled: true}, &alltheway.Bidirectional)},
		{name: "as-far-bi", bound: asFar, run: runs(asfar.Algorithm{Way: asfar.ByFirstPort}, &asfar.Bidirectional)},
		{name: "prob-as-far", bound: asFar, mean: ringFormula{"0.707 n H_n + O(n)", func(n float64) float64 { return math.Sqrt2 / 2 * n * harmonicSum(n) }, false},
			run: runs(asfar.Algorithm{Way: asfar.Random}, &asfar.Probabilistic)},
		{name: "control (doubling)", bound: nlogn(7, "7 n log n + O(n)"), run: runs(control.Algorithm{Growth: 2}, &control.Spec)},
		{name: "control (tripling)", bound: nlogn(6.31, "6.31 n log n + O(n)"), run: runs(control.Algorithm{Growth: 3}, &control.Spec)},
		{name: "stages", bound: exactly("2n log n + 3n", func(n float64) float64 { return n * (2*math.Log2(n) + 3) }),
			run: runs(stages.Algorithm{}, &stages.Spec)},
		{name: "stages-fbk", bound: nlogn(1.89, "1.89 n log n + O(n)"), run: runs(stagesfbk.Algorithm{}, &stagesfbk.Spec)},
		meeting("alternate", false, &stepwise.AlternateSpec, stepwise.AlternateFromArgs),
		meeting("bi-min-max", false, &stepwise.BiMinMaxSpec, stepwise.BiMinMaxFromArgs),

		{name: "all-the-way", oneWay: true, bound: square, mean: square, constant: true, run: runs(alltheway.Algorithm{}, &alltheway.Spec)},
		{name: "as-far", oneWay: true, bound: asFar, mean: asFarMean, run: runs(asfar.Algorithm{}, &asfar.Spec)},
		{name: "uni-stages", oneWay: true, bound: exactly("2n log n + 2n", func(n float64) float64 { return n * (2*math.Log2(n) + 2) }),
			run: runs(unistages.Algorithm{}, &unistages.Spec)},
		meeting("uni-alternate", true, &stepwise.UniAlternateSpec, stepwise.UniAlternateFromArgs),
		meeting("min-max", true, &stepwise.MinMaxSpec, stepwise.MinMaxFromArgs),
		{name: "min-max-plus", oneWay: true, bound: nlogn(1.271, "1.271 n log n + O(n)"), run: runs(minmaxplus.Algorithm{}, &minmaxplus.Spec)},
		{name: "itai-rodeh", oneWay: true, bound: ringFormula{text: "none"}, run: runs(itairodeh.Algorithm{}, &itairodeh.Spec)},
	}
}

// ringOrder is an order of IDs that is worst for somebody.
type ringOrder struct {
	name string
	ids  func(n int) []caucus.ID
}

// ringOrders are tried with every algorithm, in the order of RingCost.Made.
var ringOrders = []ringOrder{
	{"increasing", worst.Increasing}, {"decreasing", worst.Decreasing}, {"halving", worst.Halving},
	worstFor(&stepwise.AlternateSpec, stepwise.AlternateFromArgs), worstFor(&stepwise.MinMaxSpec, stepwise.MinMaxFromArgs), worstFor(&stepwise.BiMinMaxSpec, stepwise.BiMinMaxFromArgs),
}

func worstFor(spec *caucus.Spec, make func(caucus.Args) (ring.Cycle, error)) ringOrder {
	c, _ := make(caucus.Args{}) // without parameters there is nothing to refuse
	return ringOrder{"for " + spec.Name, func(n int) []caucus.ID { return worst.Cycle(n, c) }}
}

func (r Rings) sizes() []int {
	var list []int
	for n := RingsLeastN; n <= r.MaxN; n *= 2 {
		list = append(list, n)
	}
	return list
}

// Sweep has one job for each algorithm and size, the largest first, since they take longest.
func (r Rings) Sweep(version string) *Sweep[RingCost] {
	return &Sweep[RingCost]{
		Name: "rings", Version: version, Jobs: len(ringCases()) * len(r.sizes()),
		Options: []Option{{"max-n", fmt.Sprint(r.MaxN)}, {"rings", fmt.Sprint(r.Rings)}, {"seed", fmt.Sprint(r.Seed)}},
		Run: func(ctx context.Context, job int) (RingCost, error) {
			c, n := r.job(job)
			cost, err := r.cost(ctx, c, n)
			if err != nil {
				err = fmt.Errorf("%s, n = %d: %w", c.name, n, err)
			}
			return cost, err
		},
	}
}

func (r Rings) job(job int) (ringCase, int) {
	cases, sizes := ringCases(), r.sizes()
	return cases[job%len(cases)], sizes[len(sizes)-1-job/len(cases)]
}

// cost runs one algorithm on the rings of one size. The random ones are the same for all algorithms.
func (r Rings) cost(ctx context.Context, c ringCase, n int) (out RingCost, err error) {
	g, err := network.Generate(fmt.Sprintf("ring:%d", n), 1)
	if err != nil {
		return out, err
	}
	count := func(list *[]int64, ids []caucus.ID, ring int) error {
		seed := caucus.NewRand(r.Seed, "rings run", uint64(n), uint64(ring))
		result, err := c.run(ctx, sim.Config{Graph: g, IDs: ids, Known: caucus.Known{Nodes: n}, Seed: seed.Uint64(), MaxEvents: math.MaxInt64})
		if err != nil {
			return err
		}
		*list = append(*list, result.Messages)
		return oneLeader(result, ids)
	}
	orders, rings := ringOrders, r.Rings
	if c.constant {
		orders, rings = orders[:1], 1
	}
	for _, o := range orders {
		if err := count(&out.Made, o.ids(n), -1); err != nil {
			return out, err
		}
	}
	for k := range rings {
		if err := count(&out.Random, randomIDs(r.Seed, n, k), k); err != nil {
			return out, err
		}
	}
	return out, nil
}

func randomIDs(seed uint64, n, ring int) []caucus.ID {
	ids := make([]caucus.ID, n)
	for i, k := range shuffled(caucus.NewRand(seed, "rings ids", uint64(n), uint64(ring)), n) {
		ids[i] = caucus.ID(k + 1)
	}
	return ids
}

// oneLeader makes sure that what was counted was an election.
func oneLeader(r *sim.Result, ids []caucus.ID) error {
	leaders := 0
	for i, o := range r.Outcomes {
		if o.Role == caucus.Leader {
			leaders++
		}
		if !o.Final || o.Leader != r.Outcomes[0].Leader {
			return fmt.Errorf("node %d ends with leader %d, final %t, node 0 with %d, on %v", i, o.Leader, o.Final, r.Outcomes[0].Leader, ids)
		}
	}
	if leaders != 1 || !r.Converged {
		return fmt.Errorf("%d leaders, finished %t, on %v", leaders, r.Converged, ids)
	}
	return nil
}
