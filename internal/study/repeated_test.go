package study

import (
	"context"
	"testing"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/iot/minfind"
	"caucus.example/caucus/algo/kit/rank"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
)

// However much is lost, what is repeated arrives: MinFind, which says everything once, reaches all of a line of 10.
// Without a loss nothing is repeated.
func TestRepeated(t *testing.T) {
	g, err := network.Generate("line:10", 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, rate := range []float64{0, 0.5, 0.9} {
		links := &repeated[minfind.State, rank.Pair]{Events: minfind.Algorithm{}, rate: rate, period: time.Second,
			random: caucus.NewRand(1, "test")}
		r, err := engine.RunEvents[minfind.State, rank.Pair](context.Background(), links, &minfind.Spec,
			sim.Config{Graph: g})
		if err != nil {
			t.Fatal(err)
		}
		if n := agreed(r, 1); n != 10 || (len(links.lost) > 0) != (rate > 0) {
			t.Errorf("loss %g: %d of 10 agree, %d messages lost", rate, n, len(links.lost))
		}
	}
}
