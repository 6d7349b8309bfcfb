package check

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/graphs/flood"
	"caucus.example/caucus/algo/graphs/yoyo"
	"caucus.example/caucus/algo/iot/bully"
	"caucus.example/caucus/algo/iot/minfind"
	"caucus.example/caucus/algo/iot/wbs"
	"caucus.example/caucus/algo/kit/rank"
	"caucus.example/caucus/algo/kit/ring"
	"caucus.example/caucus/algo/rings/asfar"
	"caucus.example/caucus/algo/rings/itairodeh"
	"caucus.example/caucus/algo/rings/stages"
)

// altered is an algorithm of the event shape with one thing changed: before a handler sees its message, and after it.
type altered[S, M any] struct {
	caucus.Events[S, M]
	in  func(l *caucus.Local, s *S, m *M) (drop bool)
	out func(l *caucus.Local, s *S, out *caucus.Outbox[M])
}

func (a altered[S, M]) Wake(l *caucus.Local, s *S, initiator bool, out *caucus.Outbox[M]) {
	a.Events.Wake(l, s, initiator, out)
	a.after(l, s, out)
}

func (a altered[S, M]) Receive(l *caucus.Local, s *S, port int, m M, out *caucus.Outbox[M]) {
	if a.in == nil || !a.in(l, s, &m) {
		a.Events.Receive(l, s, port, m, out)
		a.after(l, s, out)
	}
}

func (a altered[S, M]) Timer(l *caucus.Local, s *S, timer int, out *caucus.Outbox[M]) {
	a.Events.Timer(l, s, timer, out)
	a.after(l, s, out)
}

func (a altered[S, M]) after(l *caucus.Local, s *S, out *caucus.Outbox[M]) {
	if a.out != nil {
		a.out(l, s, out)
	}
}

// Expect is the algorithm's own.
func (a altered[S, M]) Expect(n *caucus.Network) []caucus.Outcome {
	if o, ok := a.Events.(caucus.Oracle); ok {
		return o.Expect(n)
	}
	return nil
}

// Messages is the algorithm's own.
func (a altered[S, M]) Messages(n *caucus.Network, initiators int) int {
	if b, ok := a.Events.(caucus.Budgeter); ok {
		return b.Messages(n, initiators)
	}
	return 0
}

// Origin is the algorithm's own; there are no counters without one.
func (a altered[S, M]) Origin(s *S, m *M) uint64 {
	if r, ok := a.Events.(caucus.RelativeEvents[S, M]); ok {
		return r.Origin(s, m)
	}
	return math.MaxUint64
}

// Rebase is the algorithm's own.
func (a altered[S, M]) Rebase(s *S, m *M, origin uint64) {
	a.Events.(caucus.RelativeEvents[S, M]).Rebase(s, m, origin)
}

func checked[S, M any](t *testing.T, algo caucus.Events[S, M], spec *caucus.Spec, network string,
	cfg Config) *EventRow {
	t.Helper()
	cfg.Networks, cfg.Workers, cfg.MaxStates = []*caucus.Network{parse(t, network)}, max(1, cfg.Workers), 1<<18
	rep, err := Events(t.Context(), algo, spec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return rep.Events
}

const (
	couple   = "2-3"
	row3     = "2-3 3-4"
	circle3  = "2-3 3-4 4-2 right=2>3"
	triangle = "2-3 3-4 4-2"
)

// Every mistake is found, with the counterexample that it makes: in states with slices, with draws, in time, and in
// results that are not known to be final.
func TestBrokenByFamily(t *testing.T) {
	for _, c := range brokenEvents(t, couple, row3, circle3, Config{}) {
		x := c.row.Counterexample
		if c.row.Fails == 0 || x == nil || !strings.Contains(x.Wrong, c.wrong) {
			t.Errorf("%s: %+v, %+v; should say %q", c.name, c.row, x, c.wrong)
			continue
		}
		if unsafe := strings.Contains(c.wrong, "leaders at"); unsafe != (c.row.Unsafe > 0) {
			t.Errorf("%s: %d unsafe", c.name, c.row.Unsafe)
		}
		if loops := strings.Contains(x.Wrong, "never") ||
			strings.Contains(x.Wrong, "again"); loops != (x.Loop >= 0 && x.Loop < x.Length()) {
			t.Errorf("%s: repeats from step %d of\n%s", c.name, x.Loop, x.Table())
		}
	}
}

type brokenEvent struct {
	name  string
	row   *EventRow
	wrong string
}

// brokenEvents checks mistakes, each on the network of its kind.
func brokenEvents(t *testing.T, couple, row3, circle3 string, cfg Config) []brokenEvent {
	t.Helper()
	return []brokenEvent{
		{"wrong comparison", checked(t, altered[minfind.State, rank.Pair]{Events: minfind.Algorithm{},
			in: func(l *caucus.Local, s *minfind.State, m *rank.Pair) bool {
				if s.Best.Less(*m) && m.ID != l.ID {
					s.Best = *m
				}
				return true
			}}, &minfind.Spec, couple, cfg), "promised is"},
		{"forgotten forward", checked(t, altered[stages.State, stages.Msg]{Events: stages.Algorithm{},
			out: func(_ *caucus.Local, s *stages.State, out *caucus.Outbox[stages.Msg]) {
				if s.Role == caucus.Follower {
					out.Reset()
				}
			}}, &stages.Spec, circle3, cfg), "is not done"},
		{"forgotten vote", checked(t, altered[yoyo.State, yoyo.Msg]{Events: yoyo.Algorithm{Prune: true},
			in: func(l *caucus.Local, _ *yoyo.State, m *yoyo.Msg) bool {
				return l.ID == 2 && m.Kind == yoyo.Vote
			}}, &yoyo.Spec, row3, cfg), "is not done"},
		{"dropped tie rule", checked(t, altered[itairodeh.State, itairodeh.Msg]{Events: itairodeh.Algorithm{},
			in: func(_ *caucus.Local, _ *itairodeh.State, m *itairodeh.Msg) bool {
				m.Twin = false
				return false
			}}, &itairodeh.Spec, circle3, cfg), "2 leaders at a time"},
		{"one side of the coin", checked(t, altered[itairodeh.State, itairodeh.Msg]{Events: itairodeh.Algorithm{},
			out: func(_ *caucus.Local, s *itairodeh.State, out *caucus.Outbox[itairodeh.Msg]) {
				for k := range out.Sends {
					if m := &out.Sends[k].Msg; m.Kind == ring.Elect && m.Hops == 1 {
						s.Lot, m.Lot = 1, 1
					}
				}
			}}, &itairodeh.Spec, circle3, cfg), "it never ends"},
		{"too short a wait", checked(t, altered[flood.State, flood.Msg]{Events: flood.Algorithm{Changes: true},
			out: func(_ *caucus.Local, _ *flood.State, out *caucus.Outbox[flood.Msg]) {
				for k := range out.Alarms {
					out.Alarms[k].After -= 3 * DelayBound / 2
				}
			}}, &flood.ChangesSpec, couple, cfg), "2 leaders at a time"},
		{"too short a unit", checked(t, wbs.Algorithm{Unit: 0.5}, &wbs.Spec, row3, cfg), "2 lead"},
		{"no heartbeat", checked(t, altered[bully.State, bully.Msg]{Events: newBully(t),
			in: func(_ *caucus.Local, _ *bully.State, m *bully.Msg) bool {
				return m.Kind == bully.Coordinator || m.Kind == bully.Beat
			}}, &bully.Spec, couple, cfg), "again and again"},
	}
}

func newBully(t *testing.T) bully.Algorithm {
	t.Helper()
	b, err := bully.New(bully.Config{Heartbeat: 1, Patience: 1})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// On networks that are too large a hunt finds every mistake that shows in an execution that ends, the same one each
// time and with any number of workers. Where all is right it finds nothing, and says what it has met.
func TestHuntEvents(t *testing.T) {
	const row12 = "2-3 3-4 4-5 5-6 6-7 7-8 8-9 9-10 10-11 11-12 12-13"
	const circle12 = row12 + " 13-2 right=2>3"
	var first []string
	for _, cfg := range []Config{{Walks: 200}, {Walks: 200, Workers: 2}} {
		var found []string
		for _, c := range brokenEvents(t, row12, row12, circle12, cfg) {
			x := c.row.Counterexample
			switch endless := strings.Contains(c.wrong, "again") || strings.Contains(c.wrong, "never"); {
			case endless && (x != nil || c.row.Undecided == 0):
				t.Errorf("%s: %+v", c.name, c.row)
			case endless, c.name == "too short a wait": // for news that takes as long as it can on all 22 hops
			case x == nil || c.row.Hunted != 1 || c.row.Fails != 1 || c.row.Hunt.Networks != 0:
				t.Errorf("%s: %+v", c.name, c.row)
			default:
				found = append(found, x.Script())
			}
		}
		if len(found) != 5 || first != nil && !slices.Equal(first, found) {
			t.Errorf("%d found, different from before or not: %q", len(found), found)
		}
		first = found
	}
	for _, e := range []*EventRow{checked(t, minfind.Algorithm{}, &minfind.Spec, row12, Config{Walks: 100}),
		checked(t, asfar.Algorithm{}, &asfar.Spec, circle12, Config{Walks: 100}),
		checked(t, wbs.Algorithm{}, &wbs.Spec, row12, Config{Walks: 100}),
		checked(t, yoyo.Algorithm{Prune: true}, &yoyo.Spec, row12, Config{Walks: 100})} {
		if h := e.Hunt; e.Fails != 0 || e.Undecided != 4095 || h.Walks != 100 || h.Met < 1000 || h.Steps < 20 {
			t.Errorf("%+v", e)
		}
	}
}

// The leader tells twice, and all pass it on twice: right, but beyond the theorem.
func TestBeyondTheMessages(t *testing.T) {
	twice := altered[asfar.State, asfar.Msg]{Events: asfar.Algorithm{},
		out: func(l *caucus.Local, s *asfar.State, out *caucus.Outbox[asfar.Msg]) {
			if s.Role == caucus.Leader {
				out.Sends = append(out.Sends, out.Sends...)
			}
		}}
	e := checked(t, twice, &asfar.Spec, circle3, Config{})
	if e.Fails != 0 || e.Beyond == 0 || e.Bound != 9 || e.Messages.N != 10 {
		t.Errorf("%+v", e)
	}
	if e = checked(t, asfar.Algorithm{}, &asfar.Spec, "2-3 3-4 4-2 right=2>4", Config{}); e.Beyond != 0 ||
		e.Messages.N > e.Bound {
		t.Errorf("as it is: %+v", e)
	}
}

// What the published classics promise of a faultless network only: a crash or a lost message stops them, and never
// makes two leaders; a corrupt state makes them end wrong. Bully elects again, but for the last message of a term.
func TestFaultsOfEvents(t *testing.T) {
	for _, c := range []struct {
		name   string
		faults Faults
		row    *EventRow
		stops  bool
		step   string
	}{
		{name: "as-far", faults: Faults{Crash: 1}, row: checked(t, asfar.Algorithm{}, &asfar.Spec, circle3,
			Config{Faults: Faults{Crash: 1}}), stops: true, step: "crashes"},
		{name: "as-far", faults: Faults{Loss: 1}, row: checked(t, asfar.Algorithm{}, &asfar.Spec, circle3,
			Config{Faults: Faults{Loss: 1}}), stops: true, step: "is lost"},
		{name: "as-far", faults: Faults{Corrupt: 1}, row: checked(t, asfar.Algorithm{}, &asfar.Spec, circle3,
			Config{Faults: Faults{Corrupt: 1}, Ghosts: 1}), stops: true, step: "is corrupted"},
		{name: "bully", faults: Faults{Crash: 1},
			row: checked(t, newBully(t), &bully.Spec, couple, Config{Faults: Faults{Crash: 1}})},
		{name: "bully", faults: Faults{Loss: 1},
			row: checked(t, newBully(t), &bully.Spec, couple, Config{Faults: Faults{Loss: 1}})},
	} {
		e := c.row
		if (e.Fails > 0) != c.stops || e.Unsafe > 0 || e.Undecided > 0 {
			t.Errorf("%s with %s: %+v", c.name, c.faults, e)
			continue
		}
		if c.stops && (e.Counterexample == nil || !strings.Contains(e.Counterexample.Table(), c.step)) {
			t.Errorf("%s with %s: no step %q in\n%s", c.name, c.faults, c.step, e.Counterexample.Table())
		}
	}
}

// From any states MinFind keeps a minimum that never was, and from a clean start it does not.
func TestFakeMinimum(t *testing.T) {
	for start, fails := range map[Start]int{Clean: 0, Anywhere: 3} {
		e := checked(t, minfind.Algorithm{}, &minfind.Spec, couple, Config{Start: start, Ghosts: 1})
		if e.Fails != fails || e.Undecided != 0 {
			t.Errorf("%s: %+v", start, e)
		}
	}
	e := checked(t, minfind.Algorithm{}, &minfind.Spec, couple, Config{Faults: Faults{Corrupt: 1}, Ghosts: 1})
	ghost := func(o caucus.Outcome) bool { return o.Leader == 1 }
	if x := e.Counterexample; x == nil || !slices.ContainsFunc(x.Outcomes, ghost) ||
		!strings.HasPrefix(x.Wrong, "nothing is left to happen") {
		t.Errorf("one corrupt node: %+v", e)
	}
}

// Timers are rounded up to ticks; what is added to the bound is what the bound lacks of whole ticks.
func TestTicks(t *testing.T) {
	for d, want := range map[time.Duration]int64{0: 0, -1: 0, 1: 1, tick: 1, tick + 1: 2, DelayBound: 2,
		DelayBound + DelayBound/64: 2, 2*DelayBound + DelayBound/2: 5} {
		if got := ticksOf(d); got != want {
			t.Errorf("%v: %d ticks, want %d", d, got, want)
		}
	}
	for d, want := range map[time.Duration]bool{0: true, DelayBound / 2: true, DelayBound: true,
		DelayBound + DelayBound/64: true, 5 * DelayBound / 2: true, 1: false, 19 * DelayBound / 10: false} {
		if even(d) != want {
			t.Errorf("%v: even %t", d, !want)
		}
	}
	if it := item(77, 12); valueOf(it) != 77 || leftOf(it) != 12 {
		t.Errorf("item %d", it)
	}
}

// Where a crash cuts the network in two, each part has its leader: that is not two leaders at a time.
func TestLeadersOfParts(t *testing.T) {
	if e := checked(t, flood.Algorithm{Changes: true}, &flood.ChangesSpec, row3,
		Config{Faults: Faults{Crash: 1}}); e.Unsafe > 0 || e.Holds+e.Fails != 7 {
		t.Errorf("%+v", e)
	}
}

// What goes wrong before a limit is reached is a violation. What is not looked at before Ctrl-C is undecided.
func TestFoundBeforeTheLimit(t *testing.T) {
	lost := Config{Networks: []*caucus.Network{parse(t, circle3)}, Faults: Faults{Loss: 1}, MaxStates: 30, Workers: 1}
	rep, err := Events(t.Context(), asfar.Algorithm{}, &asfar.Spec, lost)
	if err != nil {
		t.Fatal(err)
	}
	if e := rep.Events; e.Cut == 0 || e.Fails < e.Cut || e.Fails+e.Holds+e.Undecided != 7 || e.Counterexample == nil {
		t.Errorf("%+v", e)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if rep, err = Events(ctx, asfar.Algorithm{}, &asfar.Spec, lost); err == nil || rep == nil ||
		rep.Events.Executions != 7 || rep.Events.Undecided == 0 {
		t.Errorf("%+v, %v", rep, err)
	}
}

// A unit of 1.9 bounds is too short for news that takes two. Rounded up to two it would do, which must not be the
// verdict.
func TestUnevenTimers(t *testing.T) {
	for unit, says := range map[float64]string{1.9: "3.8 times the bound", 2: ""} {
		_, err := Events(t.Context(), wbs.Algorithm{Unit: unit}, &wbs.Spec,
			Config{Networks: []*caucus.Network{parse(t, "2-4 4-3")}, Workers: 1})
		if (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%v: %v", unit, err)
		}
	}
}
