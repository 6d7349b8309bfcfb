package check

import (
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/algo/rings/asfar"
	"caucus.example/caucus/fault"
	"caucus.example/caucus/story"
)

// from lists links by the IDs of their ends, of which the first is 2: from the first to the second, from the third to
// the fourth.
func from(ends ...int) []fault.Links {
	var only [][2]int
	for k := 0; k < len(ends); k += 2 {
		only = append(only, [2]int{ends[k] - 2, ends[k+1] - 2})
	}
	return []fault.Links{{Only: only}}
}

// One link of any network of up to three nodes carries one way only, from any state: 3 does not hear 2. Without the
// two-way rule some network is wrong for ever, and shortest of all is that 2 follows 3, the stronger, which cannot tell
// that it has a follower. With the rule every network comes right under every daemon: 2 and 3 are no neighbours.
func TestOneWayLink(t *testing.T) {
	algo, err := bounded.New(bounded.Config{Radius: 2})
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Mute: from(2, 3), Workers: 1, Ghosts: 1, Counter: 1, Daemons: []Daemon{Synchronous, Central}}
	for n := 2; n <= 3; n++ {
		strengths := []float64{1, 2}[:4-n]
		cfg.Networks = append(cfg.Networks, Networks(Connected, n,
			Assignments{Strengths: strengths, Lengths: []float64{1}})...)
	}
	for _, cfg.TwoWay = range []bool{false, true} {
		rep, err := Rounds(t.Context(), algo, cfg)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rep.Rows {
			if row.Undecided > 0 || cfg.TwoWay == (row.Fair.Fails > 0) || cfg.TwoWay == (row.Closed < row.Networks) {
				t.Errorf("two-way %v: %+v", cfg.TwoWay, row)
			}
			if c := row.Fair.Counterexample; c != nil {
				last := c.Trace.Outcomes
				if c.Network != "2-3:1 strengths=1,2" || story.OutcomeText(last[0]) != "3@1" ||
					story.OutcomeText(last[1]) != "3 leads" {
					t.Errorf("%s\n%s", c.Network, c.Trace.Table())
				}
				net := cfg.Heard(parse(t, c.Network))
				if got, err := Replay(algo, net, read(t, net, c.Trace.Script())); err != nil || got.Wrong == "" ||
					got.Table() != c.Trace.Table() {
					t.Errorf("in the simulator: %v, %+v", err, got)
				}
			}
		}
	}
}

// As-Far sends round the ring 2, 3, 4 in this direction only. What happens to links of the other direction does not
// matter to it. Over 2 -> 3 the messages of all initiators have to pass, since a leader is who gets its own back: with
// nothing carried there, or one of them lost, all 7 sets of initiators fail.
func TestLinksOfEvents(t *testing.T) {
	against, along := from(3, 2, 4, 3, 2, 4), from(2, 3)
	for _, c := range []struct {
		cfg   Config
		fails int
	}{
		{Config{Mute: against}, 0}, {Config{Mute: along}, 7},
		{Config{Faults: Faults{Loss: 1}, Lossy: against}, 0}, {Config{Faults: Faults{Loss: 1}, Lossy: along}, 7},
		{Config{Faults: Faults{Loss: 1}, Lossy: from(2, 3, 2, 4)}, 7},
		{Config{Faults: Faults{Loss: 1}, Lossy: from(2, 3, 4, 3)}, 7},
	} {
		row := checked(t, asfar.Algorithm{}, &asfar.Spec, circle3, c.cfg)
		if row.Fails != c.fails || row.Holds != 7-c.fails {
			t.Errorf("%+v: %+v", c.cfg, row)
		}
		x := row.Counterexample
		if x == nil {
			continue
		}
		got, err := ReplayEvents(asfar.Algorithm{}, &asfar.Spec, parse(t, circle3), c.cfg,
			read(t, parse(t, circle3), x.Script()))
		if err != nil || got.Table() != x.Table() {
			t.Errorf("%+v, in the simulator: %v\n%s", c.cfg, err, x.Table())
		}
	}
}

// In the message model only what a lossy direction carries may be lost. Node 2 leads whatever it hears, so it may lose
// all that 3 says; 3 leads for ever once a message has failed to come, so one of 2 must not be lost.
func TestLossyLink(t *testing.T) {
	lossy := impatient{fixture{hops: 2}}
	cfg := Config{Networks: []*caucus.Network{parse(t, "2-3")}, Model: Messages, Start: Clean, Faults: Faults{Loss: 2},
		Workers: 1}
	cfg.Lossy = from(3, 2)
	if row := check2(t, lossy, cfg).Rows[0]; row.Fair.Holds != 1 {
		t.Errorf("%+v", row)
	}
	cfg.Lossy = from(2, 3)
	x := check2(t, lossy, cfg).Rows[0].Fair.Counterexample
	if x == nil || strings.Count(x.Trace.Script(), "lost 3 from=2") != strings.Count(x.Trace.Script(), "lost") {
		t.Errorf("%+v", x)
	}
}

// A mute direction in the message model, where the least ID wins. What 3 says does not come to 2: 3 follows 2, which
// cannot tell that it has a follower, and that is wrong for ever. With the two-way rule neither is the other's
// neighbour, and each leads; so they do without it where 3 does not hear 2, since 2 follows nobody.
func TestOneWayMessages(t *testing.T) {
	algo := broken[0].algo
	for _, c := range []struct {
		mute   []fault.Links
		twoWay bool
		holds  int
	}{{from(3, 2), false, 0}, {from(3, 2), true, 1}, {from(2, 3), false, 1}, {from(2, 3), true, 1}} {
		cfg := Config{Networks: []*caucus.Network{parse(t, "2-3")}, Model: Messages, Start: Clean, Workers: 1,
			Mute: c.mute, TwoWay: c.twoWay}
		row := check2(t, algo, cfg).Rows[0]
		if row.Undecided > 0 || row.Fair.Holds != c.holds {
			t.Errorf("%+v: %+v", c, row)
		}
		x := row.Fair.Counterexample
		if c.holds == 0 && (x == nil || story.OutcomeText(x.Trace.Outcomes[1]) != "2" ||
			!strings.HasPrefix(x.Trace.Script(), "messages")) {
			t.Errorf("%+v: %+v", c, x)
		}
	}
	// what nodes come to is what they come to where a step reads what its neighbours say
	for _, mute := range [][]fault.Links{from(2, 3), from(3, 2), from(3, 4), from(4, 3)} {
		for _, b := range broken {
			cfg := Config{Networks: []*caucus.Network{parse(t, "2-3 3-4")}, Daemons: []Daemon{Central}, Start: Clean,
				Workers: 1, Mute: mute}
			shared := check2(t, b.algo, cfg).Rows[0]
			cfg.Model = Messages
			if row := check2(t, b.algo, cfg).Rows[0]; row.Undecided == 0 && row.Fair.Holds > shared.Fair.Holds {
				t.Errorf("%s, %v: right in messages, and wrong in the shared model", b.name, mute)
			}
		}
	}
}
