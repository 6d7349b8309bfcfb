package registry

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/check"
	"caucus.example/caucus/network"
	"caucus.example/caucus/story"
)

// Whatever the checker finds about any algorithm of the event shape, with each kind of fault, from anywhere and with
// messages that overtake each other, happens in the simulator step by step.
func TestEventCounterexamplesInSimulator(t *testing.T) {
	count, loops := 0, 0
	for _, e := range All {
		if e.Spec.Shape != caucus.ShapeEvents {
			continue
		}
		nets := smallNetworks(t, e.Spec.Needs.Topology)
		args, err := e.Spec.Resolve("", nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, cfg := range []check.Config{
			{Start: check.Clean}, {Start: check.Clean, Reorder: true}, {Start: check.Anywhere, Ghosts: 1},
			{Start: check.Clean, Faults: check.Faults{Crash: 1}},
			{Start: check.Clean, Faults: check.Faults{Loss: 1}, Reorder: true},
			{Start: check.Clean, Faults: check.Faults{Corrupt: 1}},
		} {
			cfg.Networks, cfg.MaxStates, cfg.Counter = nets, 1<<11, 2
			rep, err := e.Check(t.Context(), args, cfg)
			if err != nil && strings.Contains(err.Error(), "does not follow") {
				t.Error(err)
			}
			if err != nil || rep.Events.Counterexample == nil {
				continue
			}
			want := rep.Events.Counterexample
			net, err := check.Parse(want.Network)
			if err != nil {
				t.Fatal(err)
			}
			if nets[0].Labels != nil && net.Labels == nil {
				net = nets[0] // labels of a hypercube are not written
			}
			s, err := story.Parse(want.Script(), func(name string) (int, bool) {
				id, err := strconv.Atoi(name)
				i := slices.Index(net.IDs, caucus.ID(id))
				return i, err == nil && i >= 0
			})
			if err != nil {
				t.Fatal(err)
			}
			got, err := e.Replay(args, net, cfg, s)
			if err != nil {
				t.Errorf("%s, %+v: %v\n%s\n%s", e.Spec.Name, cfg.Faults, err, want.Script(), want.Table())
				continue
			}
			count++
			if want.Loop >= 0 {
				loops++
				got.Wrong = want.Wrong // what goes on for ever there is what the graph of the checker says
			}
			if got.Wrong == "" || got.Table() != want.Table() || got.Script() != want.Script() {
				t.Errorf("%s, %+v:\n%s\nthe checker shows\n%s\nthe simulator\n%s", e.Spec.Name, cfg.Faults,
					want.Script(), want.Table(), got.Table())
			}
		}
	}
	if count < 60 {
		t.Errorf("only %d counterexamples", count)
	}
	t.Logf("%d counterexamples, %d of them endless", count, loops)
}

func smallNetworks(t *testing.T, class caucus.Topology) []*caucus.Network {
	one := check.Assignments{Strengths: []float64{1}, Lengths: []float64{1}}
	switch class {
	case caucus.Ring:
		return check.Networks(check.Rings, 3, one)
	case caucus.Hypercube:
		g, err := network.Generate("hypercube:1", 1)
		if err != nil {
			t.Fatal(err)
		}
		return []*caucus.Network{check.FromGraph(g, nil)}
	case caucus.Mesh, caucus.Torus:
		return nil // nine nodes are too many for this test
	}
	return append(check.Networks(check.Connected, 2, one), check.Networks(check.Trees, 3, one)...)
}
