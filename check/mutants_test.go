package check_test

import (
	"math"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/check"
	"caucus.example/caucus/registry"
)

// mutant is an algorithm of rounds with a mistake around it: in what it reads, or in what becomes of its round.
type mutant[S, M any] struct {
	caucus.Rounds[S, M]
	says func(s S) M
	tame func(s *S)
	slip[S, M]
	self caucus.Local // whose round it is; the checker has one worker
	read reads[S, M]
}

// slip is a mistake, and why nothing comes of it if nothing does.
type slip[S, M any] struct {
	name     string
	in       func(r *reads[S, M])
	out      func(l *caucus.Local, old S, s *S)
	late     bool // says what it held before
	survives string
}

// reads is what a node is about to read, all of it its own copy.
type reads[S, M any] struct {
	l   *caucus.Local
	s   *S
	in  caucus.Inbox[M]
	own M // what the node has said last
}

func (a *mutant[S, M]) Round(l *caucus.Local, s *S, in caucus.Inbox[M]) M {
	old, r := *s, &a.read
	a.self = *l
	r.l, r.s, r.own = &a.self, s, a.says(*s)
	r.in = caucus.Inbox[M]{Msgs: append(r.in.Msgs[:0], in.Msgs...), Dist: append(r.in.Dist[:0], in.Dist...)}
	if a.slip.in != nil {
		a.slip.in(r)
	}
	a.Rounds.Round(r.l, s, r.in)
	if a.out != nil {
		a.out(l, old, s)
	}
	if a.tame != nil {
		a.tame(s)
	}
	if a.late {
		return a.says(old)
	}
	return a.says(*s)
}

// What is right is the algorithm's word, so that it stays right.
func (a *mutant[S, M]) Expect(n *caucus.Network) []caucus.Outcome {
	if o, ok := a.Rounds.(caucus.Oracle); ok {
		return o.Expect(n)
	}
	return nil
}

func (a *mutant[S, M]) Right(n *caucus.Network, o []caucus.Outcome) bool { return n.Right(a.Rounds, o) }

// beating is a mutant with counters of which only differences matter.
type beating[S, M any] struct {
	*mutant[S, M]
	caucus.Relative[S, M]
}

// subject is an algorithm to be spoilt, and where the checker looks at it: it is right in all of these.
type subject[S, M any] struct {
	name   string // in the list
	algo   caucus.Rounds[S, M]
	says   func(s S) M // what a node says in a state
	tame   func(s *S)  // keeps counters finite that a mistake lets run away; nil: none does
	places []check.Config
	slips  []slip[S, M]
	immune map[string]string // why what is a mistake elsewhere is none here, by name
	hops   bool              // reads no lengths
	names  bool              // reads no strengths
}

func (a subject[S, M]) of() string { return a.name }

// kill holds that each mistake is found, or says why not.
func (a subject[S, M]) kill(t *testing.T) {
	t.Helper()
	slips, names := append(generic[S, M](), a.slips...), map[string]bool{}
	slips = append(slips, ofLengths[S, M](a.hops)...)
	slips = append(slips, ofStrengths[S, M](a.names)...)
	for _, x := range slips {
		if names[x.name] {
			t.Errorf("%s: %q stands there twice", a.name, x.name)
		}
		names[x.name] = true
		if why := a.immune[x.name]; why != "" {
			x.survives = why
		}
		if got := a.killed(t, x); got != (x.survives == "") {
			t.Errorf("%s, %s: killed %v; %s", a.name, x.name, got, x.survives)
		}
	}
	for name := range a.immune {
		if !names[name] {
			t.Errorf("%s: no mistake is called %q", a.name, name)
		}
	}
}

// killed tells whether the checker finds anything wrong.
func (a subject[S, M]) killed(t *testing.T, x slip[S, M]) bool {
	t.Helper()
	m := &mutant[S, M]{Rounds: a.algo, says: a.says, tame: a.tame, slip: x}
	var algo caucus.Rounds[S, M] = m
	if r, ok := a.algo.(caucus.Relative[S, M]); ok {
		algo = beating[S, M]{m, r}
	}
	for _, place := range a.places {
		for _, net := range place.Networks { // one by one: the first that shows it is enough
			cfg := place
			cfg.Networks = []*caucus.Network{net}
			rep, err := check.Rounds(t.Context(), algo, cfg)
			if err != nil {
				t.Fatalf("%s, %s: %v", a.name, x.name, err)
			}
			for _, row := range rep.Rows {
				if row.Fair.Fails > 0 || row.Hopeless() > 0 {
					return true
				}
			}
			for _, row := range rep.Rows {
				if row.Undecided > 0 {
					t.Errorf("%s, %s: %s", a.name, x.name, row.Why)
				}
			}
		}
	}
	return false
}

// generic are mistakes that any algorithm may have.
func generic[S, M any]() []slip[S, M] {
	type mistake = slip[S, M]
	type reading = reads[S, M]
	return []mistake{
		{name: "as it is", survives: "no mistake"},
		{name: "hears nobody", in: func(r *reading) { r.in = caucus.Inbox[M]{} }},
		{name: "overlooks its first neighbour", in: func(r *reading) {
			if len(r.in.Msgs) > 0 {
				r.in.Msgs, r.in.Dist = r.in.Msgs[1:], r.in.Dist[1:]
			}
		}},
		{name: "overlooks its last neighbour", in: func(r *reading) {
			if n := len(r.in.Msgs); n > 0 {
				r.in.Msgs, r.in.Dist = r.in.Msgs[:n-1], r.in.Dist[:n-1]
			}
		}},
		{name: "keeps its old state", out: func(_ *caucus.Local, old S, s *S) { *s = old }},
		{name: "says what it held before", late: true,
			survives: "it says a round later what it holds, which is as good as a slower neighbour"},
		{name: "takes its own last word for a neighbour's", in: func(r *reading) {
			r.in.Msgs, r.in.Dist = append(r.in.Msgs, r.own), append(r.in.Dist, 0)
		}},
		{name: "hears all twice", in: func(r *reading) {
			r.in.Msgs, r.in.Dist = append(r.in.Msgs, r.in.Msgs...), append(r.in.Dist, r.in.Dist...)
		}, survives: "the best of a set does not depend on how often it is there"},
	}
}

// ofLengths are mistakes with the lengths of edges, of an algorithm that reads them.
func ofLengths[S, M any](hops bool) []slip[S, M] {
	every := func(change func(d, first float64) float64) func(*reads[S, M]) {
		return func(r *reads[S, M]) {
			for k := len(r.in.Dist) - 1; k >= 0; k-- {
				r.in.Dist[k] = change(r.in.Dist[k], r.in.Dist[0])
			}
		}
	}
	if hops {
		return []slip[S, M]{{name: "lengths are no numbers", survives: "counts hops, and reads no length",
			in: every(func(float64, float64) float64 { return math.NaN() })}}
	}
	return []slip[S, M]{
		{name: "lengths not added", in: every(func(float64, float64) float64 { return 0 })},
		{name: "lengths added twice", in: every(func(d, _ float64) float64 { return 2 * d })},
		{name: "all edges as long as the first", in: every(func(_, first float64) float64 { return first })},
	}
}

// ofStrengths are mistakes with a node's own strength, of an algorithm that reads it.
func ofStrengths[S, M any](names bool) []slip[S, M] {
	is := func(x float64) func(*reads[S, M]) {
		return func(r *reads[S, M]) { r.l.Strength = x }
	}
	if names {
		return []slip[S, M]{{name: "its strength is no number", survives: "reads no strength", in: is(math.NaN())}}
	}
	return []slip[S, M]{
		{name: "does not know its own strength", in: is(1)},
		{name: "takes itself for the weakest", in: is(0)},
	}
}

// each changes every message that is read.
func each[S, M any](change func(l *caucus.Local, m *M)) func(*reads[S, M]) {
	return func(r *reads[S, M]) {
		for k := range r.in.Msgs {
			change(r.l, &r.in.Msgs[k])
		}
	}
}

// after changes what becomes of a round.
func after[S any](change func(s *S)) func(*caucus.Local, S, *S) {
	return func(_ *caucus.Local, _ S, s *S) { change(s) }
}

// itself is what a node says whose state is its message.
func itself[S any](s S) S { return s }

// small are all networks of up to so many nodes with the given strengths and lengths.
func small(most int, strengths, lengths []float64) (list []*caucus.Network) {
	for n := 1; n <= most; n++ {
		all := check.Assignments{Strengths: strengths, Lengths: lengths}
		list = append(list, check.Networks(check.Connected, n, all)...)
	}
	return list
}

var (
	one, oneTwo = []float64{1}, []float64{1, 2}
	twoDaemons  = []check.Daemon{check.Synchronous, check.Central}
	keepsTime   = []check.Daemon{check.Synchronous, check.Phased, check.Paced}
)

// mixed have unequal strengths or unequal lengths, the last both.
var mixed = append(append(small(3, oneTwo, one), small(3, one, oneTwo)...),
	must(check.Parse("2-3:1 3-4:2 strengths=1,1,2")))

// from is a place to look at: small networks, and where executions begin.
func from(start check.Start, crashes, counter int, daemons []check.Daemon,
	networks []*caucus.Network) check.Config {
	return check.Config{Networks: networks, Daemons: daemons, Start: start, Ghosts: 1, Counter: counter, Workers: 1,
		Faults: check.Faults{Crash: crashes}, MaxStates: 1 << 17}
}

// Mistakes in algorithms of rounds are found on at most three nodes, or are none; each that survives says why.
func TestMutantsAreKilled(t *testing.T) {
	t.Parallel()
	spoilt := map[string]bool{}
	for _, s := range []interface {
		of() string
		kill(t *testing.T)
	}{plainBounded(t), beatingBounded(t), ofMo(t), ofWaves(), ofRecursive(t), ofSparse(t), ofGradient(t), ofCollect(t),
		ofDecay(t), floodingPrasle(t), hardenedPrasle(t), ofTopK(t)} {
		spoilt[s.of()] = true
		t.Run(s.of(), func(t *testing.T) {
			t.Parallel()
			s.kill(t)
		})
	}
	for _, e := range registry.All {
		if e.Spec.Shape == caucus.ShapeRounds && !spoilt[e.Spec.Name] {
			t.Errorf("%s has no mutants", e.Spec.Name)
		}
	}
}
