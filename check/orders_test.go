package check_test

import (
	"reflect"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/check"
	"caucus.example/caucus/registry"
)

// underOrders gives for each event algorithm of the registry what a search with some orders of deliveries finds on
// small networks, and what one with all finds.
func underOrders(t testing.TB, nodes int, visit func(name string, networks int, few, all *check.EventRow)) {
	t.Helper()
	for _, e := range registry.All {
		class, ok := map[caucus.Topology]check.Class{"": check.Connected, caucus.Ring: check.Rings,
			caucus.Tree: check.Trees, caucus.Complete: check.Complete,
			caucus.Hypercube: check.Cubes}[e.Spec.Needs.Topology]
		if e.Spec.Shape != caucus.ShapeEvents || !ok || e.Spec.Needs.Delay {
			continue
		}
		args, err := e.Spec.Resolve("", nil)
		if err != nil {
			t.Fatal(err)
		}
		one := check.Assignments{Strengths: []float64{1}, Lengths: []float64{1}}
		cfg := check.Config{Start: check.Clean, MaxStates: 1 << 20}
		for n := 1; n <= nodes && (n <= 3 || class != check.Connected); n++ {
			cfg.Networks = append(cfg.Networks, check.Networks(class, n, one)...)
		}
		row := func(cfg check.Config) *check.EventRow {
			rep, err := e.Check(t.Context(), args, cfg)
			if err != nil {
				t.Fatal(err)
			}
			return rep.Events
		}
		visit(e.Spec.Name, len(cfg.Networks), row(cfg), row(check.EveryOrder(cfg)))
	}
}

// With some orders of deliveries the report on every algorithm is that with all orders, but for the time that it took.
func TestSomeOrdersOfEveryAlgorithm(t *testing.T) {
	fewer := 0
	underOrders(t, 3, func(name string, _ int, few, all *check.EventRow) {
		if few.Configurations < all.Configurations {
			fewer++
		}
		few.Seconds, all.Seconds, few.Configurations, all.Configurations = 0, 0, 0, 0
		if few.Messages.Network != all.Messages.Network || !reflect.DeepEqual(few, all) {
			t.Errorf("%s: %+v\nin all orders %+v", name, few, all)
		}
	})
	if fewer < 15 {
		t.Errorf("only %d algorithms with fewer configurations", fewer)
	}
}

// How many configurations fewer orders are.
func BenchmarkOrders(b *testing.B) {
	for b.Loop() {
		underOrders(b, 4, func(name string, networks int, few, all *check.EventRow) {
			b.Logf("%-15s %3d networks %9d configurations of %9d, %6.2f s instead of %6.2f", name, networks,
				few.Configurations, all.Configurations, few.Seconds, all.Seconds)
		})
	}
}
