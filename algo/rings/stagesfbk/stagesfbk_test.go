package stagesfbk_test

import (
	"fmt"
	"math"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/ring"
	"caucus.example/caucus/algo/kit/ring/ringtest"
	"caucus.example/caucus/algo/kit/ring/worst"
	"caucus.example/caucus/algo/rings/stagesfbk"
	"caucus.example/caucus/sim"
)

func run(t *testing.T, ids []caucus.ID, cfg sim.Config) *sim.Result {
	t.Helper()
	return ringtest.Run(t, stagesfbk.Algorithm{}, &stagesfbk.Spec, ids, cfg)
}

// Every stage has 2n IDs under way, but the last, at whose end the announcement may stop one of two: this
// tells how many stages there were. In each but the last at most n votes; at most a third survives, but of two
// candidates one.
func TestStageCost(t *testing.T) {
	for _, n := range []int{3, 4, 9, 27, 64, 81, 100} {
		orders := [][]caucus.ID{worst.Increasing(n), worst.Decreasing(n), worst.Halving(n)}
		for seed := range uint64(300) {
			orders = append(orders, ringtest.Shuffled(n, seed))
		}
		for _, ids := range orders {
			r := run(t, ids, sim.Config{})
			elect, notify, votes := r.Kinds[0], r.Kinds[1], r.Kinds[2]
			stages := (elect + int64(2*n) - 1) / int64(2*n)
			if elect < (2*stages-1)*int64(n) || notify != int64(n) || votes > (stages-1)*int64(n) {
				t.Fatalf("n = %d: %d IDs, %d votes, %d announcements on %v", n, elect, votes, notify, ids)
			}
			if most := math.Floor(math.Log(float64(n))/math.Log(3)+1e-9) + 2; float64(stages) > most {
				t.Fatalf("n = %d: %d stages, at most %g, on %v", n, stages, most, ids)
			}
		}
	}
}

// What can come late or early at a candidate.
func TestOrderOfVotes(t *testing.T) {
	const left, right = 0, 1
	elect := func(id caucus.ID) [2]caucus.ID { return [2]caucus.ID{id} }
	vote := func(id caucus.ID) [2]caucus.ID { return [2]caucus.ID{0, id} }
	type event struct {
		port int
		is   [2]caucus.ID // an ID, or a vote for one
	}
	for name, c := range map[string]struct {
		events []event
		role   caucus.Role
		sent   string
	}{
		"vote before the other ID": {
			[]event{{left, elect(8)}, {left, vote(5)}, {right, elect(9)}, {right, vote(5)}}, caucus.Undecided,
			"[{0 elect 5} {1 elect 5}]"},
		"next ID on the side that has voted waits": {
			[]event{{left, elect(8)}, {right, elect(9)}, {left, vote(5)}, {left, elect(3)}}, caucus.Undecided, "[]"},
		"and is passed on once the other side denies its vote": {
			[]event{{left, elect(8)}, {right, elect(9)}, {left, vote(5)}, {left, elect(3)}, {right, elect(4)}},
			caucus.Defeated, "[{1 elect 3} {0 elect 4}]"},
		"or is read in the next stage": {
			[]event{{left, elect(8)}, {right, elect(9)}, {left, vote(5)}, {left, elect(3)}, {right, vote(5)}},
			caucus.Undecided, "[{0 elect 5} {1 elect 5}]"},
		"no vote for one who has beaten both": {
			[]event{{left, elect(8)}, {right, elect(9)}}, caucus.Undecided, "[]"},
		"the smaller of two gets the vote": {
			[]event{{left, elect(3)}, {right, elect(4)}}, caucus.Defeated, "[{0 vote 3}]"},
		"the only rival gets it on both sides": {
			[]event{{left, elect(3)}, {right, elect(3)}}, caucus.Defeated, "[{0 vote 3} {1 vote 3}]"},
		"a vote that comes after the defeat is dropped": {
			[]event{{left, elect(8)}, {right, elect(9)}, {left, elect(7)}, {right, vote(5)}}, caucus.Defeated,
			"[{1 elect 7}]"},
	} {
		var a stagesfbk.Algorithm
		l := &caucus.Local{ID: 5, Degree: 2}
		var s stagesfbk.State
		var out caucus.Outbox[ring.Msg]
		a.Wake(l, &s, true, &out)
		out.Reset()
		for _, e := range c.events {
			m := ring.Msg{Kind: ring.Elect, ID: e.is[0]}
			if e.is[1] != 0 {
				m = ring.Msg{Kind: stagesfbk.Vote, ID: e.is[1]}
			}
			a.Receive(l, &s, e.port, m, &out)
		}
		sent := []string{}
		for _, m := range out.Sends {
			sent = append(sent, fmt.Sprintf("{%d %s %d}", m.Port, stagesfbk.Spec.Kinds[m.Msg.Kind], m.Msg.ID))
		}
		if s.Role != c.role || fmt.Sprint(sent) != c.sent {
			t.Errorf("%s: %s, sends %v; want %s, %s", name, s.Role, sent, c.role, c.sent)
		}
	}
}
