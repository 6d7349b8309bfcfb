package registry

import (
	"context"
	"math"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/iot/prasle"
	"caucus.example/caucus/algo/iot/topk"
	"caucus.example/caucus/algo/kit/rank"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
)

// The longest messages are as long as Spec.Cost says.
func TestIoTSizes(t *testing.T) {
	sizeOf := func(name string) func(any) int {
		e, err := Get(name)
		if err != nil {
			t.Fatal(err)
		}
		return e.SizeOf
	}
	longest := rank.Pair{Rank: -1 / 3., ID: math.MaxUint64}
	if n := sizeOf("prasle")(&prasle.Claim{Leader: longest, Epoch: math.MaxUint32, Age: math.MaxUint16}); n != 28 {
		t.Errorf("prasle: %d bytes", n)
	}
	for k := range topk.Most + 1 {
		var v topk.View
		for i := range k {
			v.Best[i] = topk.Entry{Node: longest, Age: math.MaxUint16}
		}
		if n := sizeOf("top-k")(&v); n != 58+16*k {
			t.Errorf("top-k, k = %d: %d bytes", k, n)
		}
	}
}

// K below the diameter is refused in both shapes, by whatever starts a run, but not in an unsafe one.
func TestDemands(t *testing.T) {
	g, err := network.Generate("line:9", 1)
	if err != nil {
		t.Fatal(err)
	}
	for name, param := range map[string]string{"prasle": "k", "prasle-reliable": "k", "top-k": "hops"} {
		e, err := Get(name)
		if err != nil {
			t.Fatal(err)
		}
		for k, ok := range map[string]bool{"7": false, "8": true} {
			args, err := e.Spec.Resolve("", map[string]string{param: k})
			if err != nil {
				t.Fatal(err)
			}
			cfg := sim.Config{Graph: g, Known: caucus.Known{Diameter: 8}, MaxRounds: 100, StableFor: 20}
			refused := func(err error) bool {
				return err != nil && strings.Contains(err.Error(),
					"at least the diameter, 8")
			}
			if _, err := e.Simulate(context.Background(), args, cfg); ok && err != nil || !ok && !refused(err) {
				t.Errorf("%s, %s = %s: %v", name, param, k, err)
			}
			if e.Start != nil {
				r, err := e.Start(args, cfg)
				if ok && err != nil || !ok && !refused(err) {
					t.Errorf("%s, %s = %s, start: %v", name, param, k, err)
				}
				if err == nil {
					r.Close()
				}
			}
			cfg.Unsafe = true
			if _, err := e.Simulate(context.Background(), args, cfg); err != nil {
				t.Errorf("%s, %s = %s, unsafe: %v", name, param, k, err)
			}
		}
	}
}
