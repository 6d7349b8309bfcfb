package registry

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"caucus.example/caucus/algo/kit/region"
	"caucus.example/caucus/internal/wire"
	"caucus.example/caucus/network"
	"caucus.example/caucus/registry/internal/aggregate"
	"caucus.example/caucus/registry/internal/entry"
	"caucus.example/caucus/registry/internal/iot"
	"caucus.example/caucus/sim"
)

// The longest message of every election with a full roster above it fits into a datagram, and is read back as it was;
// all but that of recursive, which nearly fills one alone.
func TestFullRostersFit(t *testing.T) {
	for _, r := range slices.Concat(aggregate.Rounds, iot.Rounds) {
		if r.Spec.Name == "recursive" {
			continue
		}
		sum := r.Region(region.Region{})
		codec, err := wire.CodecOf(sum.Message)
		if err != nil {
			t.Fatal(err)
		}
		message, again := reflect.New(sum.Message), reflect.New(sum.Message)
		wire.Fill(message.Elem())
		b, err := codec.Encode(message.Interface())
		if err != nil {
			t.Errorf("%s: %v", r.Spec.Name, err)
			continue
		}
		if err := codec.Decode(b, again.Interface()); err != nil ||
			!reflect.DeepEqual(message.Interface(), again.Interface()) {
			t.Errorf("%s: read back, %v: %+v", r.Spec.Name, err, again)
		}
		t.Logf("%s: %d bytes", r.Spec.Name, len(b))
	}
}

// A service above changes nothing below it: every election has the same outcomes, in as many rounds.
func TestRegionsChangeNoElection(t *testing.T) {
	g, err := network.Generate("grid:4x3", 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range slices.Concat(aggregate.Rounds, iot.Rounds) {
		var results [2]*sim.Result
		for k, e := range []Entry{entry.OfRounds(r), entry.OfRounds(r).Region(region.Region{})} {
			args, err := e.Spec.Resolve("", nil)
			if err != nil {
				t.Fatal(err)
			}
			cfg := sim.Config{Graph: g, Strengths: []float64{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, Seed: 4, Workers: 1,
				Timing: sim.Asynchronous, StableFor: 30, MaxRounds: 300}
			if results[k], err = e.Simulate(context.Background(), args, cfg); err != nil {
				t.Fatal(r.Spec.Name, err)
			}
		}
		if a, b := results[0], results[1]; !reflect.DeepEqual(a.Outcomes, b.Outcomes) || a.Rounds != b.Rounds {
			t.Errorf("%s: %+v, with its regions %+v", r.Spec.Name, a, b)
		}
	}
}
