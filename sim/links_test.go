package sim_test

import (
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/algo/rings/asfar"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
)

// A line of three whose strongest is at the right end. What the middle node sends to the left is lost: the left node
// never hears of the strongest, and the other two do. The same fault in the other direction changes nothing for it.
func TestFaultOfOneDirectionOfOneLink(t *testing.T) {
	g, err := network.Generate("line:3", 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, timing := range []sim.Timing{sim.Synchronous, sim.Asynchronous} {
		for link, want := range map[[2]int]caucus.ID{{1, 0}: 1, {0, 1}: 3} {
			election, err := bounded.New(bounded.Default(5))
			if err != nil {
				t.Fatal(err)
			}
			r, err := sim.Run(t.Context(), election, &bounded.Spec, sim.Config{Graph: g, Strengths: []float64{1, 2, 3}, Timing: timing,
				StableFor: 30, Faults: []sim.Fault{{Kind: sim.Loss, Rate: 1, Links: [][2]int{link}}}})
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Outcomes[0].Leader; got != want || r.Outcomes[1].Leader != 3 {
				t.Errorf("%s, %v lost: node 1 follows %d, want %d; node 2 follows %d", timing, link, got, want, r.Outcomes[1].Leader)
			}
		}
	}
}

// As Far on a one-way ring of which one link loses everything elects nobody; in the direction that is not used
// nothing is lost.
func TestFaultOfALinkForEvents(t *testing.T) {
	g, err := network.Generate("ring:4", 1)
	if err != nil {
		t.Fatal(err)
	}
	elected := map[[2]int]bool{}
	for _, link := range [][2]int{{1, 2}, {2, 1}} {
		r, err := sim.RunEvents(t.Context(), asfar.Algorithm{}, &asfar.Spec, sim.Config{Graph: g,
			Faults: []sim.Fault{{Kind: sim.Loss, Rate: 1, Links: [][2]int{link}}}})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range r.Outcomes {
			elected[link] = elected[link] || o.Role == caucus.Leader
		}
	}
	if elected[[2]int{1, 2}] == elected[[2]int{2, 1}] {
		t.Errorf("a leader with each direction lost: %v; one of them should matter", elected)
	}
	if _, err := sim.RunEvents(t.Context(), asfar.Algorithm{}, &asfar.Spec, sim.Config{Graph: g,
		Faults: []sim.Fault{{Kind: sim.Crash, Links: [][2]int{{0, 1}}}}}); err == nil {
		t.Error("a crash of links was accepted")
	}
}
