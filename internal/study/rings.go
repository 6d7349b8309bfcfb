package study

import (
	"context"
	"fmt"
	"math"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/ring"
	"caucus.example/caucus/algo/kit/ring/worst"
	"caucus.example/caucus/algo/rings/stepwise"
	"caucus.example/caucus/internal/jobs"
	"caucus.example/caucus/internal/results"
	"caucus.example/caucus/network"
	"caucus.example/caucus/registry"
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

// registered is how a row is simulated: as every command does it, with those parameters.
func registered(name string, params map[string]string) func(context.Context, sim.Config) (*sim.Result, error) {
	return func(ctx context.Context, cfg sim.Config) (*sim.Result, error) {
		e, err := registry.Get(name)
		if err != nil {
			return nil, err
		}
		args, err := e.Spec.Resolve("", params)
		if err != nil {
			return nil, err
		}
		return e.Simulate(ctx, args, cfg)
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
	meeting := func(name string, oneWay bool) ringCase {
		return ringCase{name: name, oneWay: oneWay, bound: steps, run: registered(name, nil)}
	}
	return []ringCase{
		{name: "all-the-way-bi", bound: square, mean: square, constant: true,
			run: registered("all-the-way-bi", nil)},
		{name: "as-far-bi", bound: asFar, run: registered("as-far-bi", nil)},
		{name: "prob-as-far", bound: asFar, mean: ringFormula{"0.707 n H_n + O(n)",
			func(n float64) float64 { return math.Sqrt2 / 2 * n * harmonicSum(n) }, false},
			run: registered("prob-as-far", nil)},
		{name: "control (doubling)", bound: nlogn(7, "7 n log n + O(n)"),
			run: registered("control", map[string]string{"growth": "2"})},
		{name: "control (tripling)", bound: nlogn(6.31, "6.31 n log n + O(n)"),
			run: registered("control", map[string]string{"growth": "3"})},
		{name: "stages", bound: exactly("2n log n + 3n", func(n float64) float64 { return n * (2*math.Log2(n) + 3) }),
			run: registered("stages", nil)},
		{name: "stages-fbk", bound: nlogn(1.89, "1.89 n log n + O(n)"), run: registered("stages-fbk", nil)},
		meeting("alternate", false),
		meeting("bi-min-max", false),

		{name: "all-the-way", oneWay: true, bound: square, mean: square, constant: true,
			run: registered("all-the-way", nil)},
		{name: "as-far", oneWay: true, bound: asFar, mean: asFarMean, run: registered("as-far", nil)},
		{name: "uni-stages", oneWay: true, bound: exactly("2n log n + 2n",
			func(n float64) float64 { return n * (2*math.Log2(n) + 2) }),
			run: registered("uni-stages", nil)},
		meeting("uni-alternate", true),
		meeting("min-max", true),
		{name: "min-max-plus", oneWay: true, bound: nlogn(1.271, "1.271 n log n + O(n)"),
			run: registered("min-max-plus", nil)},
		{name: "itai-rodeh", oneWay: true, bound: ringFormula{text: "none"}, run: registered("itai-rodeh", nil)},
	}
}

// ringOrder is an order of IDs that is worst for somebody.
type ringOrder struct {
	name string
	ids  func(n int) []caucus.ID
}

// ringOrders are tried with every algorithm.
var ringOrders = []ringOrder{
	{"increasing", worst.Increasing}, {"decreasing", worst.Decreasing}, {"halving", worst.Halving},
	worstFor(&stepwise.AlternateSpec, stepwise.AlternateFromArgs),
	worstFor(&stepwise.MinMaxSpec, stepwise.MinMaxFromArgs),
	worstFor(&stepwise.BiMinMaxSpec, stepwise.BiMinMaxFromArgs),
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

// Study has one job for each algorithm and size, the largest first, since they take longest.
func (r Rings) Study() *Study {
	return &Study{jobs.Batch{
		Name: "rings", Jobs: len(ringCases()) * len(r.sizes()),
		Options: jobs.List("max-n", r.MaxN, "rings", r.Rings, "seed", r.Seed),
		Run: func(ctx context.Context, job int) (results.Rows, error) {
			c, n := r.job(job)
			rows, err := r.cost(ctx, c, n)
			if err != nil {
				err = fmt.Errorf("%s, n = %d: %w", c.name, n, err)
			}
			return rows, err
		},
	}, r.find}
}

func (r Rings) job(job int) (ringCase, int) {
	cases, sizes := ringCases(), r.sizes()
	return cases[job%len(cases)], sizes[len(sizes)-1-job/len(cases)]
}

// cost runs one algorithm on the rings of one size, and gives the messages by the order of IDs, behind what the
// formulas say. The random rings are the same for all algorithms.
func (r Rings) cost(ctx context.Context, c ringCase, n int) (results.Rows, error) {
	g, err := network.Generate(fmt.Sprintf("ring:%d", n), 1)
	if err != nil {
		return nil, err
	}
	out := recorder{Row: results.Row{Series: c.name, Network: "ring", N: n, X: results.None}}
	for _, f := range []struct {
		name string
		ringFormula
	}{{"bound", c.bound}, {"mean by the formula", c.mean}} {
		if !f.exact {
			f.name += ", leading term"
		}
		if f.of != nil {
			out.add(f.name, f.of(float64(n)))
		}
	}
	count := func(ids []caucus.ID, ring int) error {
		seed := caucus.NewRand(r.Seed, "rings run", uint64(n), uint64(ring))
		result, err := c.run(ctx, sim.Config{Graph: g, IDs: ids, Known: caucus.Known{Nodes: n}, Seed: seed.Uint64(),
			MaxEvents: math.MaxInt64})
		if err != nil {
			return err
		}
		out.add("messages", float64(result.Messages))
		return oneLeader(result, ids)
	}
	orders, rings := ringOrders, r.Rings
	if c.constant {
		orders, rings = orders[:1], 1
	}
	for _, o := range orders {
		out.Network = o.name
		if err := count(o.ids(n), -1); err != nil {
			return nil, err
		}
	}
	out.Network = "random"
	for k := range rings {
		out.Seed = uint64(k + 1)
		if err := count(randomIDs(r.Seed, n, k), k); err != nil {
			return nil, err
		}
	}
	return out.rows, nil
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
			return fmt.Errorf("node %d ends with leader %d, final %t, node 0 with %d, on %v", i, o.Leader, o.Final,
				r.Outcomes[0].Leader, ids)
		}
	}
	if leaders != 1 || !r.Converged {
		return fmt.Errorf("%d leaders, finished %t, on %v", leaders, r.Converged, ids)
	}
	return nil
}
