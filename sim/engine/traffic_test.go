package engine

import (
	"context"
	"math"
	"slices"
	"testing"

	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/sim"
)

// A path of three for 10 rounds: the node in the middle sends on 2 links in each, and what is sent in the last round
// nobody reads; but everybody reads the first words of round 0. The last node is down from 4 on.
func TestTraffic(t *testing.T) {
	for _, c := range []struct {
		name           string
		faults         []sim.Fault
		sent, received []int64
		up             []float64
	}{
		{"none", nil, []int64{10, 20, 10}, []int64{10, 20, 10}, []float64{10, 10, 10}},
		{"crash", []sim.Fault{{At: 4, Kind: sim.Crash, Nodes: []int{2}}}, []int64{10, 20, 4}, []int64{10, 10 + 5, 4},
			[]float64{10, 10, 4}},
		{"crash and restart", []sim.Fault{{At: 4, Kind: sim.Crash, Nodes: []int{2}}, {At: 6, Kind: sim.Restart,
			Nodes: []int{2}}},
			[]int64{10, 20, 8}, []int64{10, 10 + 5 + 4, 8}, []float64{10, 10, 8}},
		{"all lost but the first words", []sim.Fault{{Kind: sim.Loss, Rate: 1}}, []int64{10, 20, 10}, []int64{1, 2, 1},
			[]float64{10, 10, 10}},
		{"late by 2.5 rounds", []sim.Fault{{Kind: sim.Latency, Value: 2.5}}, []int64{10, 20, 10},
			[]int64{1 + 6, 2 * (1 + 6), 1 + 6}, []float64{10, 10, 10}},
	} {
		e := listen(t, sim.Config{Graph: path(t, 3), Faults: c.faults, Seed: 1, Traffic: true})
		for range 10 {
			e.Step()
		}
		r := e.Result()
		if !slices.Equal(r.Sent, c.sent) || !slices.Equal(r.Received, c.received) || !slices.Equal(r.Up, c.up) {
			t.Errorf("%s: sent %v, received %v, up %v\nwant %v, %v, %v", c.name, r.Sent, r.Received, r.Up, c.sent,
				c.received, c.up)
		}
	}
}

// Of 0.3 lost, 0.7 come, in every timing and on a network that moves as well; what is sent adds up to the messages.
func TestTrafficUnderLoss(t *testing.T) {
	moving, fixed := still(t, 80, 1)
	for name, cfg := range map[string]sim.Config{"moving": moving, "fixed": fixed} {
		for _, timing := range []sim.Timing{sim.Synchronous, sim.Asynchronous, sim.Jittered} {
			cfg.Timing, cfg.Traffic, cfg.MaxRounds, cfg.Faults = timing, true, 100, []sim.Fault{{Kind: sim.Loss,
				Rate: 0.3}}
			r, err := Run(context.Background(), election(t, bounded.Default(4)), &bounded.Spec, cfg)
			if err != nil {
				t.Fatal(err)
			}
			sent, received := int64(0), int64(0)
			for i := range r.Sent {
				sent, received = sent+r.Sent[i], received+r.Received[i]
			}
			share := float64(received) / float64(sent)
			if sent != r.Messages || math.Abs(share-0.7) > 0.02 && !(timing == sim.Jittered && name == "moving") {
				t.Errorf("%s, %s: %d of %d messages, %.3f received", name, timing, sent, r.Messages, share)
			}
		}
	}
}
