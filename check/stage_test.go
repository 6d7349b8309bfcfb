package check

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/story"
)

// faulty is a configuration for brute force: what nodes hold and say, who has crashed, and how many were corrupted.
type faulty struct {
	cells   [3]held[cell, cell]
	gone    uint8
	corrupt int
}

// bruteFaults follows every execution of a small algorithm from a clean start, with faults at any moment, calling it
// for every step: whether every execution comes right after the last fault however the daemon picks, and the most steps
// from there.
func bruteFaults(algo caucus.Rounds[cell, cell], net *caucus.Network, d Daemon, most Faults) (configurations, steps int,
	ok bool) {
	n := net.Len()
	local := func(i int, s faulty) *caucus.Local {
		l := &caucus.Local{ID: net.IDs[i], Strength: 1}
		for _, j := range net.Nbr[net.Off[i]:net.Off[i+1]] {
			if s.gone&(1<<j) == 0 {
				l.Degree++
			}
		}
		return l
	}
	round := func(i int, s faulty) held[cell, cell] {
		var in caucus.Inbox[cell]
		for k := net.Off[i]; k < net.Off[i+1]; k++ {
			if j := net.Nbr[k]; s.gone&(1<<j) == 0 {
				in.Msgs, in.Dist = append(in.Msgs, s.cells[j].m), append(in.Dist, net.Dist[k])
			}
		}
		c := s.cells[i]
		c.m = algo.Round(local(i, s), &c.s, in)
		return c
	}
	outcome := func(i int, s faulty) caucus.Outcome {
		c := s.cells[i].s
		return algo.Outcome(local(i, s), &c)
	}
	// The least ID of each node's component of what is left, by following edges.
	right := func(s faulty) bool {
		for i := range n {
			if s.gone&(1<<i) != 0 {
				continue
			}
			reached, least := uint8(1<<i), net.IDs[i]
			for range n {
				for j := range n {
					for _, k := range net.Nbr[net.Off[j]:net.Off[j+1]] {
						if reached&(1<<j) != 0 && s.gone&(1<<k) == 0 {
							reached |= 1 << k
							least = min(least, net.IDs[k])
						}
					}
				}
			}
			want := caucus.Follower
			if least == net.IDs[i] {
				want = caucus.Leader
			}
			if o := outcome(i, s); o.Role != want || o.Leader != least {
				return false
			}
		}
		return true
	}
	moves := func(s faulty) (out []faulty) {
		for set := uint8(1); set < 1<<n; set++ {
			allowed := set&s.gone == 0
			for i := range n {
				for _, j := range net.Nbr[net.Off[i]:net.Off[i+1]] {
					allowed = allowed && (d != LocallyCentral || set&(1<<i|1<<j) != 1<<i|1<<j)
				}
			}
			if !allowed || d == Central && bits.OnesCount8(set) != 1 || d == Synchronous && set != (1<<n-1)&^s.gone {
				continue
			}
			to := s
			for i := range n {
				if set&(1<<i) != 0 {
					to.cells[i] = round(i, s)
				}
			}
			out = append(out, to)
		}
		return out
	}
	states, messages := algo.Domain(world(net, 1, 3))
	var values []held[cell, cell]
	for k := range states.Len * messages.Len {
		values = append(values, held[cell, cell]{states.At(k % states.Len), messages.At(k / states.Len)})
	}
	faults := func(s faulty) (out []faulty) {
		for i := range n {
			if s.gone&(1<<i) != 0 {
				continue
			}
			if bits.OnesCount8(s.gone) < most.Crash && n-bits.OnesCount8(s.gone) > 1 && outcome(i,
				s).Role == caucus.Leader {
				to := s
				to.gone |= 1 << i
				to.cells[i] = held[cell, cell]{}
				out = append(out, to)
			}
			for _, c := range values {
				if to := s; s.corrupt < most.Corrupt && c != s.cells[i] {
					to.corrupt++
					to.cells[i] = c
					out = append(out, to)
				}
			}
		}
		return out
	}
	var first faulty
	for i := range n {
		first.cells[i].s, first.cells[i].m = algo.Boot(local(i, first))
	}
	all, number, struck := []faulty{first}, map[faulty]int{first: 0}, map[int]bool{}
	var next [][]int
	id := func(s faulty) int {
		k, seen := number[s]
		if !seen {
			k = len(all)
			number[s], all = k, append(all, s)
		}
		return k
	}
	for k := 0; k < len(all); k++ {
		var list []int
		for _, to := range moves(all[k]) {
			list = append(list, id(to))
		}
		next = append(next, list)
		for _, to := range faults(all[k]) {
			struck[id(to)] = true
		}
	}
	wrong := make([]bool, len(all))
	for k, s := range all {
		wrong[k] = !right(s)
	}
	length := make([]int, len(all))
	for changed, rounds := true, 0; changed; rounds++ {
		changed = false
		for k, list := range next {
			for _, to := range list {
				if wrong[to] && !wrong[k] {
					wrong[k], changed = true, true
				}
			}
		}
	}
	ok = true
	for round := 0; round < 100; round++ {
		ok = true
		for k, list := range next {
			if !wrong[k] {
				continue
			}
			stuck := true
			for _, to := range list {
				if to != k {
					stuck = false
					if wrong[k] && length[k] < length[to]+1 {
						length[k], ok = length[to]+1, false
					}
				}
			}
			if stuck {
				return len(all), 0, false
			}
		}
		if ok {
			break
		}
	}
	for k := range struck {
		steps = max(steps, length[k])
	}
	return len(all), steps, ok
}

// With faults as steps the search agrees with brute force: on the number of configurations, the verdict and the most
// steps after the last fault.
func TestFaultsAsSteps(t *testing.T) {
	t.Parallel()
	fails, holds := 0, 0
	for _, c := range broken {
		if _, judge := c.algo.(caucus.Judge); judge {
			continue // these promise something else than the brute force of this test looks for
		}
		for _, net := range []*caucus.Network{parse(t, "2-3"), parse(t, "2-3 3-4"), parse(t, "3-2 2-4")} {
			for _, faults := range []Faults{{Crash: 1}, {Corrupt: 1}, {Crash: 1, Corrupt: 1}, {Crash: 2}} {
				for _, d := range Classical {
					if net.Len() == 3 && faults.Corrupt > 0 && d != LocallyCentral {
						continue // the many; all daemons have the others
					}
					rep := check2(t, c.algo, Config{Networks: []*caucus.Network{net}, Daemons: []Daemon{d},
						Start: Clean, Faults: faults})
					row := rep.Rows[0]
					size, steps, ok := bruteFaults(c.algo, net, d, faults)
					where := fmt.Sprintf("%s, %s, %s, %s", c.name, Describe(net), d, faults)
					if row.Networks != 1 || row.Configurations != int64(size) {
						t.Errorf("%s: %d networks, %d configurations, by brute force %d", where, row.Networks,
							row.Configurations, size)
					}
					if ok != (row.Unfair.Fails == 0) || ok && row.Steps.N != steps {
						t.Errorf("%s: holds %v in %d steps, by brute force %v in %d", where, row.Unfair.Fails == 0,
							row.Steps.N, ok, steps)
					}
					if ok {
						holds++
					} else {
						fails++
						checkFaultTrace(t, where, row.Unfair.Counterexample.Trace)
					}
				}
			}
		}
	}
	if fails < 10 || holds < 10 {
		t.Errorf("%d fail and %d hold: a test of both needs some of each", fails, holds)
	}
}

// checkFaultTrace looks at what a trace with faults claims: rows of faults come before the loop, and change the struck
// node only.
func checkFaultTrace(t *testing.T, where string, x *story.Story) {
	t.Helper()
	rows := x.Moments()
	for r, row := range rows {
		fault := slices.ContainsFunc(row.Steps, func(s story.Step) bool {
			return s.What == story.Crash || s.What == story.Corrupt || s.What == story.Lost
		})
		if fault && (x.Loop >= 0 && r > x.Loop || len(row.Steps) > 1 || r == 0) {
			t.Errorf("%s: a fault in row %d\n%s", where, r, x.Table())
		}
	}
}

// A forgotten filter works from a clean start, and fails after a crash: the shortest way there has the leader followed,
// and then gone. By hand: 3 follows 2, 2 crashes, 3 follows 2 over ever more hops through 4, for ever.
func TestCrashTrace(t *testing.T) {
	var forgotten caucus.Rounds[cell, cell]
	for _, b := range broken {
		if b.name == "forgotten filter" {
			forgotten = b.algo
		}
	}
	cfg := Config{Networks: []*caucus.Network{parse(t, "2-3 3-4")}, Daemons: []Daemon{Central}, Start: Clean}
	if row := check2(t, forgotten, cfg).Rows[0]; row.Unfair.Fails != 0 {
		t.Errorf("fails without a crash")
	}
	cfg.Faults.Crash = 1
	x := check2(t, forgotten, cfg).Rows[0].Fair.Counterexample
	if x == nil {
		t.Fatal("no counterexample")
	}
	want := `state: Lead/Hops; "says" is an export that differs from the state
step  node 2         node 3 (right: 3 leads)  node 4 (right: 3)
0       2 leads 2/0    3 leads 3/0              4 leads 4/0
1       2 leads 2/0  > 2 2/1 *                  4 leads 4/0
2       2 leads 2/0    2 2/1                  > 2 2/2 *
3       crashed        2 2/1                    2 2/2            fault: 2 crashes
4       crashed      > 2 2/3 *                  2 2/2
5       crashed        2 2/3                  > 2 2/3 *
and nothing changes any more, whoever acts
`
	if got := x.Trace.Table(); got != want {
		t.Errorf("shows\n%s", got)
	}
}

// impatient follows the least ID, and leads for ever once a message has failed to come.
type impatient struct{ fixture }

func (impatient) Round(l *caucus.Local, s *cell, in caucus.Inbox[cell]) cell {
	for k, m := range in.Msgs {
		switch {
		case s.Hops == 1 || in.Missed != nil && in.Missed[k] > 0:
			*s = cell{l.ID, 1}
		case m.Lead < s.Lead:
			s.Lead = m.Lead
		}
	}
	return *s
}

// A lost message shows where the receiver counts what has not come, and only there.
func TestLossAsStep(t *testing.T) {
	for _, c := range []struct {
		algo  caucus.Rounds[cell, cell]
		loss  int
		fails int
	}{{impatient{fixture{hops: 2}}, 0, 0}, {impatient{fixture{hops: 2}}, 1, 1}, {broken[0].algo, 2, 0}} {
		row := check2(t, c.algo, Config{Model: Messages, Start: Clean, Faults: Faults{Loss: c.loss}}).Rows[0]
		if row.Networks != 1 || row.Fair.Fails != c.fails {
			t.Errorf("%T, loss=%d: %+v", c.algo, c.loss, row)
		}
		if x := row.Fair.Counterexample; x != nil && !strings.HasPrefix(x.Trace.Script(), "messages; lost 3 from=2") {
			t.Errorf("%s", x.Trace.Table())
		}
	}
	_, err := Rounds(t.Context(), broken[0].algo,
		Config{Networks: []*caucus.Network{parse(t, "2-3")}, Faults: Faults{Loss: 1}})
	if err == nil || !strings.Contains(err.Error(), "message model") {
		t.Errorf("loss in the shared-state model: %v", err)
	}
}
