package stages_test

import (
	"math"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/ring/ringtest"
	"caucus.example/caucus/algo/kit/ring/worst"
	"caucus.example/caucus/algo/rings/stages"
	"caucus.example/caucus/sim"
)

func run(t *testing.T, ids []caucus.ID, cfg sim.Config) *sim.Result {
	t.Helper()
	return ringtest.Run(t, stages.Algorithm{}, &stages.Spec, ids, cfg)
}

// Every stage halves: log n of them at 2n messages, the last lap of 2n and the announcement of n.
func TestWorstIsAttained(t *testing.T) {
	for k := 2; k <= 10; k++ {
		n := 1 << k
		if r := run(t, worst.Halving(n), sim.Config{}); r.Messages != int64(2*n*k+3*n) || r.Kinds[1] != int64(n) {
			t.Errorf("n = %d: %d messages %v, want %d", n, r.Messages, r.Kinds, 2*n*k+3*n)
		}
	}
}

// Never more, for n that are no power of two either; on average 1.72, 1.61 times n log n at n = 128, 512.
func TestBound(t *testing.T) {
	for n, want := range map[int]float64{5: 0, 24: 0, 128: 1.72, 512: 1.61} {
		log, sum := math.Log2(float64(n)), 0.0
		const rings = 200
		for seed := range uint64(rings) {
			m := float64(run(t, ringtest.Shuffled(n, seed), sim.Config{}).Messages)
			if m > float64(n)*(2*log+3) {
				t.Errorf("n = %d, seed %d: %g messages", n, seed, m)
			}
			sum += m
		}
		if mean := sum / rings / log / float64(n); want > 0 && math.Abs(mean-want) > 0.04 {
			t.Errorf("n = %d: mean %.3f n log n, want %.2f", n, mean, want)
		}
	}
}

// A message of the next stage is kept until this one is read, whichever comes first.
func TestEarly(t *testing.T) {
	var a stages.Algorithm
	l := &caucus.Local{ID: 2, Degree: 2}
	var s stages.State
	var out caucus.Outbox[stages.Msg]
	a.Wake(l, &s, true, &out)
	out.Reset()
	for _, m := range []stages.Msg{{ID: 3, Stage: 2}, {ID: 5, Stage: 1}} { // the second overtaken by the first
		a.Receive(l, &s, 0, m, &out)
	}
	a.Receive(l, &s, 1, stages.Msg{ID: 4, Stage: 1}, &out)
	if s.Stage != 2 || len(out.Sends) != 2 {
		t.Fatalf("after stage 1: %+v, sends %v", s, out.Sends)
	}
	out.Reset()
	a.Receive(l, &s, 1, stages.Msg{ID: 1, Stage: 3}, &out)
	a.Receive(l, &s, 1, stages.Msg{ID: 1, Stage: 2}, &out)
	if s.Role != caucus.Defeated || len(out.Sends) != 1 || out.Sends[0].Port != 0 || out.Sends[0].Msg.Stage != 3 {
		t.Errorf("after stage 2: %+v, sends %v; want defeated and the message of stage 3 passed on", s, out.Sends)
	}
}
