package check

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/story"
)

// Every mistake is found under every daemon where it shows, from any state or from a clean start, and nowhere else; and
// each counterexample really ends as it says.
func TestBrokenAlgorithms(t *testing.T) {
	for _, c := range broken {
		for _, d := range Daemons {
			for _, start := range []Start{Anywhere, Clean} {
				r := check2(t, c.algo, Config{Daemons: []Daemon{d}, Start: start})
				fails := slices.Contains(c.fails, d) && (start == Anywhere || c.clean)
				row := r.Rows[0]
				if (row.Fair.Fails == 1) != fails || row.Fair.Holds+row.Fair.Fails != 1 {
					t.Errorf("%s, %s, %s: %+v, should fail: %v", c.name, d, start, row.Fair, fails)
				}
				if !fails {
					continue
				}
				x := row.Fair.Counterexample
				if x == nil || x.Trace == nil {
					t.Fatalf("%s, %s, %s: no counterexample", c.name, d, start)
				}
				checkTrace(t, c.name, d, start, x.Trace)
			}
		}
	}
}

// checkTrace looks at what a trace claims: it returns to an earlier row or stands still, in between every node acts or
// has nothing to do, and it is wrong somewhere on the way round.
func checkTrace(t *testing.T, name string, d Daemon, start Start, x *story.Story) {
	t.Helper()
	rows := x.Moments()
	last, loop := len(rows)-1, x.Loop
	if loop < 0 {
		loop = last
	}
	same := func(a, b *story.Step) bool {
		return a.After.Plain() == b.After.Plain() && a.Says.Plain() == b.Says.Plain()
	}
	for i := range x.IDs {
		if !same(&rows[loop].Now[i], &rows[last].Now[i]) {
			t.Errorf("%s, %s, %s: does not come back\n%s", name, d, start, x.Table())
		}
	}
	for r, row := range rows[1:] {
		if d == Central && len(row.Steps) != 1 || len(row.Steps) == 0 {
			t.Errorf("%s, %s, %s: %v act\n%s", name, d, start, row.Steps, x.Table())
		}
		for i := range x.IDs {
			acts := slices.ContainsFunc(row.Steps, func(s story.Step) bool {
				return s.What == story.Act &&
					s.Node == i
			})
			if !acts && !same(&row.Now[i], &rows[r].Now[i]) {
				t.Errorf("%s, %s, %s: %d changes without acting\n%s", name, d, start, x.IDs[i], x.Table())
			}
		}
	}
	if x.Wanted == nil {
		return
	}
	for _, row := range rows[loop:] {
		for i, c := range row.Now {
			if story.OutcomeText(c.Outcome) != story.OutcomeText(x.Wanted[i]) {
				return
			}
		}
	}
	t.Errorf("%s, %s, %s: nothing is wrong\n%s", name, d, start, x.Table())
}

// The shortest traces, by hand. A forgotten filter: both follow the ghost 1 over reach hops, and nothing changes. A
// dropped tie rule: both lead, both stand back, both lead.
func TestShortestTraces(t *testing.T) {
	for _, c := range []struct {
		name string
		rows int
		loop int
	}{{"forgotten filter", 1, -1}, {"stale own value", 1, -1}, {"dropped tie rule", 3, 0}} {
		for _, b := range broken {
			if b.name != c.name {
				continue
			}
			x := check2(t, b.algo, Config{Daemons: []Daemon{Synchronous}}).Rows[0].Fair.Counterexample.Trace
			if x.Length() != c.rows-1 || x.Loop != c.loop {
				t.Errorf("%s:\n%s", c.name, x.Table())
			}
		}
	}
	x := check2(t, newIndependent(false), Config{Daemons: []Daemon{Synchronous},
		Start: Clean}).Rows[0].Fair.Counterexample.Trace
	if want := "0       2 leads 2/0      3 leads 3/0\n1     > - 2/1 *        > - 3/1 *\n"; !strings.Contains(x.Table(),
		want) || !strings.HasSuffix(x.Table(), "and on as from step 0, for ever\n") {
		t.Errorf("table:\n%s", x.Table())
	}
}

func TestVolatileIsRefused(t *testing.T) {
	f := fixture{hops: 2, rule: least(smaller, true, false), reads: true}
	for _, start := range []Start{Anywhere, Clean} {
		_, err := Rounds(context.Background(), f, Config{Networks: []*caucus.Network{parse(t, "2-3")}, Start: start})
		if !errors.Is(err, errVolatile) {
			t.Errorf("%s: error %v", start, err)
		}
	}
}
