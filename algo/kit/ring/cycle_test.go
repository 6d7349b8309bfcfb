package ring_test

import (
	"context"
	"fmt"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/ring"
	"caucus.example/caucus/algo/kit/ring/worst"
	"caucus.example/caucus/algo/rings/stepwise"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
)

var cycles = []struct {
	spec *caucus.Spec
	make func(caucus.Args) (ring.Cycle, error)
}{
	{&stepwise.AlternateSpec, stepwise.AlternateFromArgs}, {&stepwise.UniAlternateSpec, stepwise.UniAlternateFromArgs},
	{&stepwise.MinMaxSpec, stepwise.MinMaxFromArgs}, {&stepwise.BiMinMaxSpec, stepwise.BiMinMaxFromArgs},
}

// A ring of n rises from Steps(n) eliminating steps of n messages to n(k+2) with the last candidate's
// lap and the announcement; no random ring costs more.
func TestWorstIsAttained(t *testing.T) {
	for _, c := range cycles {
		algo, err := c.make(caucus.Args{})
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{3, 4, 5, 8, 12, 13, 20, 34, 64, 100} {
			g, err := network.Generate(fmt.Sprintf("ring:%d", n), 1)
			if err != nil {
				t.Fatal(err)
			}
			bound := int64(n * (worst.Steps(n) + 2))
			ids := worst.Cycle(n, algo)
			if len(ids) != n {
				t.Fatalf("%s: %d IDs for %d nodes", c.spec.Name, len(ids), n)
			}
			r, err := engine.RunEvents(context.Background(), algo, c.spec, sim.Config{Graph: g, IDs: ids})
			if err != nil {
				t.Fatal(err)
			}
			if r.Messages != bound {
				t.Errorf("%s n = %d: %d messages on %v, want %d", c.spec.Name, n, r.Messages, ids, bound)
			}
			rand := caucus.NewRand(uint64(n), "rings")
			for range 50 {
				for i := n - 1; i > 0; i-- {
					j := rand.IntN(i + 1)
					ids[i], ids[j] = ids[j], ids[i]
				}
				if r, err = engine.RunEvents(context.Background(), algo, c.spec,
					sim.Config{Graph: g, IDs: ids}); err != nil {
					t.Fatal(err)
				}
				if r.Messages > bound {
					t.Errorf("%s n = %d: %d messages on %v, at most %d", c.spec.Name, n, r.Messages, ids, bound)
				}
			}
		}
	}
}

// What is early is read later: a candidate in its first step, reading from the left, keeps what comes from the right,
// two messages at most; if it loses it passes both on to the left, in order. The fourth step uses the first rule again.
func TestUnread(t *testing.T) {
	c := ring.Cycle{{Out: caucus.Right}, {Out: caucus.Left}, {Out: caucus.Left}}
	l := &caucus.Local{ID: 5, Degree: 2, Labels: []caucus.Label{caucus.Left, caucus.Right}}
	for _, tc := range []struct {
		left caucus.ID
		role caucus.Role
		step uint16
		sent []caucus.Send[ring.Msg]
	}{
		{left: 3, role: caucus.Defeated, step: 1, sent: []caucus.Send[ring.Msg]{
			{Port: 0, Msg: ring.Msg{ID: 7}}, {Port: 0, Msg: ring.Msg{ID: 8}}}},
		{left: 6, role: caucus.Undecided, step: 1, sent: []caucus.Send[ring.Msg]{
			{Port: 0, Msg: ring.Msg{ID: 5}}, {Port: 0, Msg: ring.Msg{ID: 5}}, {Port: 1, Msg: ring.Msg{ID: 5}}}},
	} {
		var s ring.Candidate
		var out caucus.Outbox[ring.Msg]
		c.Wake(l, &s, true, &out)
		for _, id := range []caucus.ID{7, 8, 9} { // the third is one too many
			c.Receive(l, &s, 1, ring.Msg{ID: id}, &out)
		}
		out.Reset()
		c.Receive(l, &s, 0, ring.Msg{ID: tc.left}, &out)
		if s.Role != tc.role || s.Step != tc.step || fmt.Sprint(out.Sends) != fmt.Sprint(tc.sent) {
			t.Errorf("after %d from the left: %s in step %d sends %v, want %s in %d and %v", tc.left, s.Role, s.Step,
				out.Sends, tc.role, tc.step, tc.sent)
		}
	}
}
