package region_test

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/algo/aggregate/decay"
	"caucus.example/caucus/algo/aggregate/mo"
	"caucus.example/caucus/algo/aggregate/sparse"
	"caucus.example/caucus/algo/aggregate/waves"
	"caucus.example/caucus/algo/algotest"
	"caucus.example/caucus/algo/iot/prasle"
	"caucus.example/caucus/algo/kit/over"
	"caucus.example/caucus/algo/kit/region"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"pgregory.net/rapid"
)

// publishing gives node 1 a directive from some round on.
type publishing[S, M any] struct {
	caucus.Rounds[S, M]
	word *caucus.Word
}

func (p publishing[S, M]) Round(l *caucus.Local, s *S, in caucus.Inbox[M]) M {
	if l.ID == 1 {
		knowing := *l
		knowing.Word = *p.word
		return p.Rounds.Round(&knowing, s, in)
	}
	return p.Rounds.Round(l, s, in)
}

type (
	candidacy = bounded.Candidacy
	state     = over.State[candidacy, region.Report]
	message   = over.Msg[candidacy, region.Report]
)

// line is a line of nodes of which the first is the strongest: node i+1 has strength n-i.
func line(t *testing.T, n int, word *caucus.Word, faults []sim.Fault) *engine.Rounds[state, message] {
	t.Helper()
	g, err := network.Generate("line:"+strconv.Itoa(n), 1)
	if err != nil {
		t.Fatal(err)
	}
	e, err := bounded.New(bounded.Default(math.Inf(1)))
	if err != nil {
		t.Fatal(err)
	}
	cfg := sim.Config{Graph: g, Workers: 1, Faults: faults}
	for i := range n {
		cfg.Strengths = append(cfg.Strengths, float64(n-i))
	}
	algo := publishing[state, message]{over.New[candidacy, candidacy](e, region.Region{}), word}
	r, err := engine.NewRounds[state, message](algo, &bounded.Spec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

func members(r *engine.Rounds[state, message], node int) []region.Member {
	report := r.State(node).Above
	return report.Roster.Members()
}

func ids(list []region.Member) (out []caucus.ID) {
	for _, m := range list {
		out = append(out, m.ID)
	}
	return out
}

// A line of 5 with the leader at one end. Its candidacy is at the far end after 4 rounds, and every node has its place
// in that same round; 4 rounds later the leader has all of them. A directive takes 4 rounds the other way.
func TestLineOfFive(t *testing.T) {
	var word caucus.Word
	r := line(t, 5, &word, nil)
	for round := 1; round <= 8; round++ {
		r.Step()
		if got := len(members(r, 0)); (got == 5) != (round == 8) {
			t.Errorf("round %d: the leader knows %d members", round, got)
		}
		if got := r.State(4).At.Hops; (got == 4) != (round >= 4) {
			t.Errorf("round %d: node 5 stands at %d hops", round, got)
		}
	}
	report := r.State(0).Above
	want := []region.Member{{ID: 1, Strength: 5}, {ID: 2, Strength: 4, Hops: 1}, {ID: 3, Strength: 3, Hops: 2},
		{ID: 4, Strength: 2, Hops: 3}, {ID: 5, Strength: 1, Hops: 4}}
	if !slices.Equal(members(r, 0), want) {
		t.Errorf("roster %v", members(r, 0))
	}
	if f := report.Figures; f.Count != 5 || f.Sum != 15 || f.Min != 1 || f.Max != 5 || f.Mean() != 3 {
		t.Errorf("figures %+v", f)
	}
	word = caucus.Word{Version: 1, Digest: 77}
	r.Step() // the leader's own round
	for round := 1; round <= 4; round++ {
		r.Step()
		if got := r.State(4).Above.Word; (got == word) != (round == 4) {
			t.Errorf("round %d after: node 5 has %v", round, got)
		}
	}
}

// Node 4 of a line of 4 dies: it stands 3 hops from the leader. Its neighbour hears nothing of it for the expiry of 3
// rounds, and 2 rounds later the leader knows. Then node 2 dies and takes node 3 away.
func TestWhoIsGoneIsOut(t *testing.T) {
	crash := func(node int, at float64) sim.Fault { return sim.Fault{Kind: sim.Crash, At: at, Nodes: []int{node}} }
	r := line(t, 4, new(caucus.Word), []sim.Fault{{Kind: sim.Expiry, Rounds: 3}, crash(3, 10), crash(1, 30)})
	out := 0
	for round := 1; round <= 40; round++ {
		r.Step()
		roster := ids(members(r, 0))
		if round > 10 && out == 0 && !slices.Contains(roster, 4) {
			out = round
		}
		if round == 30 && !slices.Equal(roster, []caucus.ID{1, 2, 3}) ||
			round == 40 && !slices.Equal(roster, []caucus.ID{1}) {
			t.Errorf("round %d: %v", round, roster)
		}
	}
	if out == 0 || out > 10+3+3 {
		t.Errorf("node 4 is out of the roster in round %d", out)
	}
	if left := r.State(2); left.At.Lead != 3 || len(members(r, 2)) != 1 {
		t.Errorf("node 3 alone: %+v", left)
	}
}

// Property: above each election, from corrupt messages everywhere, every leader ends with exactly those who follow it,
// each once, on networks, lengths and strengths at random.
func TestRostersAreExact(t *testing.T) {
	of(t, "bounded", must(bounded.New(bounded.Default(3))))
	of(t, "mo", must(mo.New(mo.Config{K: 2})))
	of(t, "waves", waves.Waves{})
	of(t, "sparse", must(sparse.New(sparse.Config{Grain: 3, Uids: sparse.Negated})))
	of(t, "prasle", must(prasle.New(prasle.Config{Patience: 3})))
	of(t, "decay", must(decay.New(decay.Config{Lifetime: 20})))
}

func must[A any](algo A, err error) A {
	if err != nil {
		panic(err)
	}
	return algo
}

func of[S, M any](t *testing.T, name string, below caucus.Rounds[S, M]) {
	t.Run(name, func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) { exact(t, over.New[S, M](below, region.Region{})) })
	})
}

func exact[S, M any](t *rapid.T, algo caucus.Rounds[over.State[S, region.Report], over.Msg[M, region.Report]]) {
	n := rapid.IntRange(1, 12).Draw(t, "n")
	cfg := sim.Config{Graph: algotest.Network(t, n, 0, 1), Workers: 1, Seed: 2, Unsafe: true,
		Timing: rapid.SampledFrom([]sim.Timing{sim.Synchronous, sim.Asynchronous}).Draw(t, "timing")}
	for range n {
		cfg.Strengths = append(cfg.Strengths, float64(rapid.IntRange(0, 5).Draw(t, "strength")))
	}
	r, err := engine.NewRounds(algo, &bounded.Spec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	r.Step()
	id := rapid.Map(rapid.IntRange(1, n+2), func(i int) caucus.ID { return caucus.ID(i) })
	for i := range n {
		wrong := region.Report{Figures: region.Figures{Count: 9, Sum: math.NaN()},
			Roster: region.Roster{{ID: id.Draw(t, "ghost"), Strength: 9}}}
		_, m := algo.Boot(&caucus.Local{ID: caucus.ID(i + 1), Strength: cfg.Strengths[i]})
		m.At = over.Place{Node: m.At.Node, Lead: id.Draw(t, "lead"), Parent: id.Draw(t, "parent"),
			Hops: uint16(rapid.IntRange(0, 3).Draw(t, "hops"))}
		m.Above = wrong
		r.Inject(i, r.State(i), m)
	}
	for range 150 { // the elections need at most a good hundred with 12 nodes, and the tree 24
		r.Step()
	}
	followers := map[caucus.ID][]region.Member{}
	for i, o := range r.Outcomes() {
		m := region.Member{ID: caucus.ID(i + 1), Strength: cfg.Strengths[i], Hops: r.State(i).At.Hops}
		followers[o.Leader] = append(followers[o.Leader], m)
	}
	for i, o := range r.Outcomes() {
		if o.Role != caucus.Leader {
			continue
		}
		want := followers[o.Leader]
		slices.SortFunc(want, func(a, b region.Member) int {
			return cmp.Or(cmp.Compare(b.Strength, a.Strength), cmp.Compare(a.ID, b.ID))
		})
		if got := r.State(i).Above; !slices.Equal(got.Roster.Members(), want) || got.Figures.Members() != len(want) {
			t.Fatalf("leader %d: %+v, want %v", i+1, got, want)
		}
	}
}
