package check

import (
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/graphs/saturation"
	"caucus.example/caucus/algo/graphs/yoyo"
	"caucus.example/caucus/algo/kit/restart"
)

// around puts the restart layer around an algorithm, with ticks as long as the bound on delays.
func around[S, M any](t *testing.T, algo caucus.Events[S, M], spec *caucus.Spec) *restart.Algorithm[S, M] {
	t.Helper()
	again, err := restart.New(algo, spec, restart.Config{Every: DelayBound, Patience: 4,
		Ports: restart.PortsFor(spec.Needs.Topology)})
	if err != nil {
		t.Fatal(err)
	}
	return again
}

func electMin(t *testing.T) saturation.Algorithm {
	t.Helper()
	algo, err := saturation.MinFromArgs(caucus.Args{})
	if err != nil {
		t.Fatal(err)
	}
	return algo
}

// Two nodes with the restart layer come to one leader that both name, with one initiator or two: after the crash of
// the leader the other one leads alone, and a message that is lost costs an epoch at most. It cannot wake who never
// hears of it, though: if the one initiator sends a single message (Yo-Yo does, Elect-Min sends two), crashes, and that
// message is lost, the other one sleeps on.
func TestRestartChecked(t *testing.T) {
	for _, faults := range []Faults{{}, {Crash: 1}, {Loss: 1}, {Crash: 1, Loss: 1}} {
		cfg := Config{Timed: true, Faults: faults}
		for name, row := range map[string]*EventRow{
			"elect-min": checked(t, around(t, electMin(t), &saturation.MinSpec), restart.SpecOf(&saturation.MinSpec),
				couple, cfg),
			"yo-yo": checked(t, around(t, yoyo.Algorithm{Prune: true}, &yoyo.Spec), restart.SpecOf(&yoyo.Spec), couple,
				cfg),
		} {
			unwoken := 0
			if name == "yo-yo" && faults == (Faults{Crash: 1, Loss: 1}) {
				unwoken = 2
			}
			if row.Promise != Lasts || row.Executions != 3 || row.Holds != 3-unwoken || row.Fails != unwoken {
				t.Errorf("%s with %v: %+v", name, faults, row)
			}
			if c := row.Counterexample; c != nil && c.Wrong != "nothing is left to happen, and 3 is not done" {
				t.Errorf("%s with %v:\n%s", name, faults, c.Table())
			}
		}
	}
}

// A layer that has no patience to lose: its nodes never count the ticks for which a leader has been silent. Without a
// fault all is well. With a crash no other epoch comes: shortest, 2 ticks on for ever after 3 has crashed before it
// woke. The simulator shows the same.
func TestRestartBroken(t *testing.T) {
	type state = restart.State[saturation.State]
	type msg = restart.Msg[saturation.Msg]
	algo := altered[state, msg]{Events: around(t, electMin(t), &saturation.MinSpec),
		out: func(_ *caucus.Local, s *state, _ *caucus.Outbox[msg]) { s.Age = 0 }}
	spec := restart.SpecOf(&saturation.MinSpec)
	if row := checked(t, algo, spec, couple, Config{Timed: true}); row.Holds != 3 {
		t.Fatalf("%+v", row)
	}
	cfg := Config{Timed: true, Faults: Faults{Crash: 1}}
	row := checked(t, algo, spec, couple, cfg)
	c := row.Counterexample
	if row.Fails == 0 || c == nil || c.Wrong != "2 is not done, again and again" || c.Loop == 0 {
		t.Fatalf("%+v\n%s", row, c.Table())
	}
	got, err := ReplayEvents(algo, spec, parse(t, couple), cfg, read(t, parse(t, couple), c.Script()))
	if err != nil || got.Wrong == "" || got.Table() != c.Table() {
		t.Errorf("%v\nthe checker shows\n%s\nthe simulator\n%+v", err, c.Table(), got)
	}
}
