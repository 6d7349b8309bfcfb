package restart_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/graphs/mesh"
	"caucus.example/caucus/algo/graphs/saturation"
	"caucus.example/caucus/algo/graphs/yoyo"
	"caucus.example/caucus/algo/kit/restart"
	"caucus.example/caucus/algo/rings/asfar"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"pgregory.net/rapid"
)

type fatal interface{ Fatal(...any) }

var allDelays = []sim.Delays{sim.UnitDelay, sim.UniformDelay, sim.ExponentialDelay}

// patience in periods. Exponential delays have no bound, but few of them in a row are that long.
func patience(d sim.Delays) int {
	if d == sim.ExponentialDelay {
		return 60
	}
	return 12
}

func run[S, M any](t fatal, algo caucus.Events[S, M], spec *caucus.Spec, cfg sim.Config) *sim.Result {
	layer, err := restart.New(algo, spec, restart.Config{Every: time.Second, Patience: patience(cfg.Delays),
		Ports: restart.PortsFor(spec.Needs.Topology)})
	if err != nil {
		t.Fatal(err)
	}
	r, err := engine.RunEvents(context.Background(), layer, restart.SpecOf(spec), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func runAsFar(t fatal, cfg sim.Config) *sim.Result {
	return run(t, asfar.Algorithm{}, &asfar.Spec, cfg)
}

func runElectMin(t fatal, cfg sim.Config) *sim.Result {
	algo, err := saturation.MinFromArgs(caucus.Args{})
	if err != nil {
		t.Fatal(err)
	}
	return run(t, algo, &saturation.MinSpec, cfg)
}

func runYoYo(t fatal, cfg sim.Config) *sim.Result {
	algo, err := yoyo.FromArgs(caucus.Args{})
	if err != nil {
		t.Fatal(err)
	}
	return run(t, algo, &yoyo.Spec, cfg)
}

// agree fails unless in every connected part of what runs exactly one node leads, that of the
// least ID, and all follow it.
func agree(t interface{ Fatalf(string, ...any) }, g *network.Graph, r *sim.Result) {
	least := make([]caucus.ID, g.Len()) // of the node's part
	for i := range least {
		if r.Live[i] && least[i] == 0 {
			stack := []int{i} // of all nodes of the part, i has the least ID
			for len(stack) > 0 {
				k := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				least[k] = caucus.ID(i + 1)
				for _, j := range g.Neighbours(k) {
					if r.Live[j] && least[j] == 0 {
						stack = append(stack, int(j))
					}
				}
			}
		}
	}
	for i, o := range r.Outcomes {
		if !r.Live[i] {
			continue
		}
		if leads := o.Role == caucus.Leader; o.Leader != least[i] || leads != (least[i] == caucus.ID(i+1)) {
			t.Fatalf("node %d ends as %s of %d, the least ID of its part is %d", i+1, o.Role, o.Leader, least[i])
		}
	}
}

func generate(t fatal, spec string) *network.Graph {
	g, err := network.Generate(spec, 3)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// After the leader has crashed the rest elects the next one: a broken ring by turning messages round, a
// tree or graph without the dead ports. Once it runs again, it is elected again. Node 1 is the one that crashes only if
// it has led before.
func TestLeaderCrash(t *testing.T) {
	for _, c := range []struct {
		name string
		net  string
		run  func(fatal, sim.Config) *sim.Result
	}{
		{"as-far", "ring:3", runAsFar}, {"as-far", "ring:16", runAsFar},
		{"elect-min", "line:9", runElectMin}, {"elect-min", "tree:24", runElectMin},
		{"elect-min", "star:7", runElectMin},
		{"yo-yo", "er:n=20,p=0.3", runYoYo}, {"yo-yo", "clique:6", runYoYo}, {"yo-yo", "line:9", runYoYo},
	} {
		for _, delays := range allDelays {
			t.Run(fmt.Sprint(c.name, " ", c.net, " ", delays), func(t *testing.T) {
				g := generate(t, c.net)
				cfg := sim.Config{Graph: g, Seed: 4, Delays: delays, MaxRounds: 20000,
					StableFor: 300 + 5*patience(delays)}
				cfg.Faults = []sim.Fault{{At: 700, Kind: sim.Crash, Leaders: true}}
				crashed := c.run(t, cfg)
				agree(t, g, crashed)
				until := 700 + 16*(patience(delays)+g.Len())
				if crashed.Live[0] || crashed.SettledAt < 700 || crashed.SettledAt > until {
					t.Errorf("node 1 runs: %v; settled at %d, the leader crashed at 700", crashed.Live[0],
						crashed.SettledAt)
				}
				cfg.Faults = append(cfg.Faults, sim.Fault{At: float64(until), Kind: sim.Restart})
				again := c.run(t, cfg)
				agree(t, g, again)
				if !again.Live[0] || again.SettledAt < until {
					t.Errorf("node 1 runs: %v; settled at %d, it started again at %d", again.Live[0], again.SettledAt,
						until)
				}
			})
		}
	}
}

// Property: any crashes, restarts and a time of loss, before, during and after an election: in the end each
// connected part has one leader, its least ID, and knows it. A ring in two or more pieces has one in each piece, a node
// that is left alone leads itself.
func TestEndsWithLeaders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.IntRange(0, 2).Draw(t, "algorithm")
		net := []string{"ring:", "tree:", "er:p=0.3,n="}[kind] + fmt.Sprint(rapid.IntRange(3, 10).Draw(t, "n"))
		g := generate(t, net)
		if network.CheckConnected(g) != nil {
			return
		}
		cfg := sim.Config{Graph: g, Seed: rapid.Uint64().Draw(t, "seed"), MaxRounds: 60000, StableFor: 2000,
			Delays: rapid.SampledFrom(allDelays).Draw(t, "delays")}
		for range rapid.IntRange(0, 4).Draw(t, "faults") {
			f := sim.Fault{At: float64(rapid.IntRange(0, 300).Draw(t, "at")),
				Nodes: []int{rapid.IntRange(0, g.Len()-1).Draw(t, "node")}}
			switch f.Kind = rapid.SampledFrom([]sim.FaultKind{sim.Crash, sim.Crash, sim.Restart, sim.Loss}).Draw(t,
				"kind"); f.Kind {
			case sim.Loss:
				f.Nodes, f.Rate, f.Until = nil, 0.3, 400
			case sim.Crash:
				f.Leaders = rapid.Bool().Draw(t, "leaders")
				if f.Leaders {
					f.Nodes = nil
				}
			}
			cfg.Faults = append(cfg.Faults, f)
		}
		r := []func(fatal, sim.Config) *sim.Result{runAsFar, runElectMin, runYoYo}[kind](t, cfg)
		if !r.Converged {
			t.Fatalf("still changing at %g", r.Time)
		}
		agree(t, g, r)
	})
}

// A node that is left alone leads soon: epochs that began side by side around it, each of them larger than the one
// before, have not made it wait for a hundred times its patience of 60.
func TestEpochsSideBySide(t *testing.T) {
	g := generate(t, "ring:12")
	cfg := sim.Config{Graph: g, MaxRounds: 60000, StableFor: 10000, Delays: sim.ExponentialDelay, Faults: []sim.Fault{
		{At: 0, Kind: sim.Crash, Leaders: true}, {At: 1, Kind: sim.Crash, Nodes: []int{1}},
		{At: 85, Kind: sim.Crash, Nodes: []int{3}}, {At: 145, Kind: sim.Crash, Leaders: true}}}
	r := runAsFar(t, cfg)
	agree(t, g, r)
	if limit := 145 + 4*60; r.SettledAt > limit {
		t.Errorf("settled at %d, the last fault was at 145, and %d is patience enough", r.SettledAt, limit)
	}
}

// Without faults and with patience enough, there is no second epoch: the algorithm sends what it always sends.
func TestNoFaultNoEpoch(t *testing.T) {
	g := generate(t, "ring:4")
	r := runAsFar(t, sim.Config{Graph: g, MaxRounds: 500, StableFor: 100})
	// 4·5/2 + 4 = 14, as in package asfar; ideal time 8 is less than the patience
	if got := r.Kinds[asfar.Elect] + r.Kinds[asfar.Notify]; got != 14 || r.Kinds[2] != 0 {
		t.Errorf("%d messages of the algorithm and %d detours, want 14 and 0", got, r.Kinds[2])
	}
}

// Handlers accept any state and message of the domain.
func TestAnyState(t *testing.T) {
	layer, err := restart.New(asfar.Algorithm{}, &asfar.Spec,
		restart.Config{Every: 1, Patience: 4, Ports: restart.Wrap})
	if err != nil {
		t.Fatal(err)
	}
	states, msgs := layer.Domain(&caucus.World{IDs: []caucus.ID{1, 2, 7}, Counter: 2})
	rapid.Check(t, func(t *rapid.T) {
		s := states.At(rapid.Uint64Range(0, states.Len-1).Draw(t, "state"))
		l := caucus.Local{ID: 2, Degree: 2, Labels: []caucus.Label{caucus.Left, caucus.Right},
			Now: time.Duration(rapid.IntRange(0, 50).Draw(t, "now"))}
		var out caucus.Outbox[restart.Msg[asfar.Msg]]
		for range rapid.IntRange(1, 5).Draw(t, "calls") {
			l.Now += time.Duration(rapid.IntRange(0, 20).Draw(t, "pause"))
			switch rapid.IntRange(0, 2).Draw(t, "handler") {
			case 0:
				layer.Wake(&l, &s, rapid.Bool().Draw(t, "initiator"), &out)
			case 1:
				layer.Receive(&l, &s, rapid.IntRange(0, 1).Draw(t, "port"),
					msgs.At(rapid.Uint64Range(0, msgs.Len-1).Draw(t, "message")), &out)
			case 2:
				layer.Timer(&l, &s, rapid.IntRange(0, 1<<18).Draw(t, "timer"), &out)
			}
			for _, v := range out.Sends {
				if v.Port < 0 || v.Port > 1 {
					t.Fatalf("sends on port %d of 2", v.Port)
				}
			}
			layer.Outcome(&l, &s)
		}
	})
}

func TestRefused(t *testing.T) {
	good := restart.Config{Every: 1, Patience: 4}
	for want, c := range map[string]struct {
		spec *caucus.Spec
		cfg  restart.Config
	}{
		"every":                  {&asfar.Spec, restart.Config{Patience: 4}},
		"patience":               {&asfar.Spec, restart.Config{Every: 1, Patience: 3}},
		"relies on the topology": {&mesh.Spec, good},
		"known beforehand":       {&yoyo.PlainSpec, good},
	} {
		if _, err := restart.New(asfar.Algorithm{}, c.spec, c.cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want one with %q", err, want)
		}
	}
}

// It matters only which heartbeat of a leader comes later: with the same number added to that of a node and to that of
// a message, a node does the same with the message, but for that number.
func TestHeartbeatsAreRelative(t *testing.T) {
	layer, err := restart.New(asfar.Algorithm{}, &asfar.Spec, restart.Config{Every: time.Second, Patience: 12,
		Ports: restart.Wrap})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		l := caucus.Local{ID: 2, Degree: 2, Rand: caucus.NewRand(1, "a")}
		leader := rapid.SampledFrom([]caucus.ID{caucus.None, 1, 3})
		beat, shift := rapid.Uint64Range(1, 4), rapid.Uint64Range(0, 1000).Draw(t, "shift")
		held, said := leader.Draw(t, "held"), leader.Draw(t, "said")
		holds, says := beat.Draw(t, "holds"), beat.Draw(t, "says")
		var texts [2]string
		for k := range texts {
			s, m := layer.Boot(&l), restart.Msg[asfar.Msg]{Kind: restart.Beat, Leader: said, Beat: says}
			s.Leader, s.Beat = held, holds
			var out caucus.Outbox[restart.Msg[asfar.Msg]]
			if k == 1 {
				layer.Rebase(&s, nil, -shift)
				layer.Rebase(nil, &m, -shift)
			}
			layer.Receive(&l, &s, 0, m, &out)
			if k == 1 {
				layer.Rebase(&s, nil, shift)
			}
			for i := range out.Sends {
				if k == 1 {
					layer.Rebase(nil, &out.Sends[i].Msg, shift)
				}
			}
			texts[k] = fmt.Sprintf("%+v %+v", s, out)
		}
		if texts[0] != texts[1] {
			t.Fatalf("%s\nwith %d more: %s", texts[0], shift, texts[1])
		}
	})
}
