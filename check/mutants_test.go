package check

import (
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/algo/aggregate/mo"
	"caucus.example/caucus/algo/aggregate/waves"
	"caucus.example/caucus/algo/iot/prasle"
)

// mutant is an algorithm of rounds with a mistake around it: in what it reads, or in what becomes of its round.
type mutant[S, M any] struct {
	caucus.Rounds[S, M]
	in  func(l *caucus.Local, in *caucus.Inbox[M])
	out func(l *caucus.Local, old S, s *S, says *M)
}

func (a mutant[S, M]) Round(l *caucus.Local, s *S, in caucus.Inbox[M]) M {
	own := caucus.Inbox[M]{Msgs: append([]M{}, in.Msgs...), Dist: append([]float64{}, in.Dist...), Missed: in.Missed}
	if a.in != nil {
		a.in(l, &own)
	}
	old := *s
	says := a.Rounds.Round(l, s, own)
	if a.out != nil {
		a.out(l, old, s, &says)
	}
	return says
}

// The oracle, judge and counters are the algorithm's, so that what is right stays right.
func (a mutant[S, M]) Expect(n *caucus.Network) []caucus.Outcome {
	if o, ok := a.Rounds.(caucus.Oracle); ok {
		return o.Expect(n)
	}
	return nil
}

// slip is a mistake, and why nothing comes of it if nothing does.
type slip[S, M any] struct {
	name     string
	in       func(l *caucus.Local, in *caucus.Inbox[M])
	out      func(l *caucus.Local, old S, s *S, says *M)
	survives string
}

// slips are those that any algorithm may have whose states are its messages.
func slips[S any]() []slip[S, S] {
	return []slip[S, S]{
		{name: "as it is", survives: "no mistake"},
		{name: "hears nobody", in: func(_ *caucus.Local, in *caucus.Inbox[S]) { in.Msgs, in.Dist = nil, nil }},
		{name: "overlooks its last neighbour", in: func(_ *caucus.Local, in *caucus.Inbox[S]) {
			if n := len(in.Msgs); n > 0 {
				in.Msgs, in.Dist = in.Msgs[:n-1], in.Dist[:n-1]
			}
		}},
		{name: "keeps its old state", out: func(_ *caucus.Local, old S, s *S, says *S) { *s, *says = old, old }},
		{name: "says its old state for ever", out: func(_ *caucus.Local, old S, _ *S, says *S) { *says = old },
			survives: "it says a round later what it holds, which is as good as a slower neighbour"},
		{name: "hears all twice", in: func(_ *caucus.Local, in *caucus.Inbox[S]) {
			in.Msgs, in.Dist = append(in.Msgs, in.Msgs...), append(in.Dist, in.Dist...)
		}, survives: "the best of a set does not depend on how often it is there"},
	}
}

// killed tells whether the checker finds anything wrong on some network of up to three nodes.
func killed[S, M any](t *testing.T, algo caucus.Rounds[S, M], x slip[S, M], cfg Config) bool {
	t.Helper()
	cfg.Daemons, cfg.Ghosts, cfg.Counter, cfg.Workers = []Daemon{Synchronous, Central}, 1, 1, 1
	for n := 1; n <= 3; n++ {
		cfg.Networks = Networks(Connected, n, Assignments{Strengths: []float64{1, 2}[:min(2, 4-n)],
			Lengths: []float64{1}})
		rep, err := Rounds(t.Context(), mutant[S, M]{algo, x.in, x.out}, cfg)
		if err != nil {
			t.Fatalf("%s: %v", x.name, err)
		}
		for _, row := range rep.Rows {
			if row.Undecided > 0 {
				t.Errorf("%s: %s", x.name, row.Why)
			}
			if row.Fair.Fails > 0 || row.Closed < row.Networks {
				return true
			}
		}
	}
	return false
}

func kill[S any](t *testing.T, name string, algo caucus.Rounds[S, S], cfg Config, own ...slip[S, S]) {
	t.Helper()
	for _, x := range append(slips[S](), own...) {
		if got := killed(t, algo, x, cfg); got != (x.survives == "") {
			t.Errorf("%s, %s: killed %v; %s", name, x.name, got, x.survives)
		}
	}
}

// each changes every message that is read.
func each[M any](change func(l *caucus.Local, m *M)) func(*caucus.Local, *caucus.Inbox[M]) {
	return func(l *caucus.Local, in *caucus.Inbox[M]) {
		for k := range in.Msgs {
			change(l, &in.Msgs[k])
		}
	}
}

// ofLengths changes every length.
func ofLengths[M any](change func(d float64) float64) func(*caucus.Local, *caucus.Inbox[M]) {
	return func(_ *caucus.Local, in *caucus.Inbox[M]) {
		for k := range in.Dist {
			in.Dist[k] = change(in.Dist[k])
		}
	}
}

// Mistakes in algorithms of rounds are found on at most three nodes, or are none; each that survives says why.
func TestMutantsAreKilled(t *testing.T) {
	election, err := bounded.New(bounded.Config{Radius: 2})
	if err != nil {
		t.Fatal(err)
	}
	type bid = bounded.Candidacy
	kill(t, "bounded", election, Config{Start: Clean},
		slip[bid, bid]{name: "comparison turned", in: each(func(_ *caucus.Local, m *bid) { m.Val = -m.Val })},
		slip[bid, bid]{name: "tie dropped: strengths alone decide", in: each(func(l *caucus.Local, m *bid) {
			if m.Val == -l.Strength {
				m.Lead = caucus.None
			}
		})},
		slip[bid, bid]{name: "length not added", in: ofLengths[bid](func(float64) float64 { return 1e-9 })},
		slip[bid, bid]{name: "length added twice", in: ofLengths[bid](func(d float64) float64 { return 2 * d })},
		slip[bid, bid]{name: "distance not passed on",
			out: func(_ *caucus.Local, _ bid, s, says *bid) { s.Dist, says.Dist = 0, 0 }})
	tree, err := mo.New(mo.Config{K: 1})
	if err != nil {
		t.Fatal(err)
	}
	kill(t, "mo", tree, Config{Start: Clean},
		slip[mo.Bid, mo.Bid]{name: "reach not set",
			out: func(_ *caucus.Local, _ mo.Bid, s, says *mo.Bid) { s.Reach, says.Reach = 0, 0 }},
		slip[mo.Bid, mo.Bid]{name: "depth forgotten",
			out: func(_ *caucus.Local, _ mo.Bid, s, says *mo.Bid) { s.Depth, says.Depth = 0, 0 }})
	kill(t, "waves", waves.Waves{}, Config{Start: Clean},
		slip[waves.Place, waves.Place]{name: "colour never turned",
			out: func(_ *caucus.Local, _ waves.Place, s, says *waves.Place) { s.Blocked, says.Blocked = true, true }},
		slip[waves.Place, waves.Place]{name: "level not passed on",
			out: func(_ *caucus.Local, _ waves.Place, s, says *waves.Place) { s.Level, says.Level = 0, 0 }})
	flood, err := prasle.New(prasle.Config{Unreliable: true, Patience: 3})
	if err != nil {
		t.Fatal(err)
	}
	kill(t, "prasle", flood, Config{Start: Clean},
		slip[prasle.Claim, prasle.Claim]{name: "comparison turned",
			in: each(func(_ *caucus.Local, m *prasle.Claim) { m.Leader.Rank = -m.Leader.Rank })})
}
