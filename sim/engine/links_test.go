package engine_test

import (
	"testing"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/algo/rings/asfar"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
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
			r, err := engine.Run(t.Context(), election, &bounded.Spec,
				sim.Config{Graph: g, Strengths: []float64{1, 2, 3}, Timing: timing,
					StableFor: 30, Faults: []sim.Fault{{Kind: sim.Loss, Rate: 1, Links: [][2]int{link}}}})
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Outcomes[0].Leader; got != want || r.Outcomes[1].Leader != 3 {
				t.Errorf("%s, %v lost: node 1 follows %d, want %d; node 2 follows %d", timing, link, got, want,
					r.Outcomes[1].Leader)
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
		r, err := engine.RunEvents(t.Context(), asfar.Algorithm{}, &asfar.Spec, sim.Config{Graph: g,
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
	if _, err := engine.RunEvents(t.Context(), asfar.Algorithm{}, &asfar.Spec, sim.Config{Graph: g,
		Faults: []sim.Fault{{Kind: sim.Crash, Links: [][2]int{{0, 1}}}}}); err == nil {
		t.Error("a crash of links was accepted")
	}
}

// hearer tells, as leader, how strong a node is when its timer fires, and as parent how many messages came.
type hearer struct{}

type heard struct{ strength, came int }

func (hearer) Boot(l *caucus.Local) heard { return heard{strength: int(l.Strength)} }
func (hearer) Wake(l *caucus.Local, s *heard, _ bool, out *caucus.Outbox[int]) {
	out.After(time.Second, 0)
}
func (hearer) Receive(_ *caucus.Local, s *heard, _ int, _ int, _ *caucus.Outbox[int]) { s.came++ }
func (hearer) Timer(l *caucus.Local, s *heard, _ int, out *caucus.Outbox[int]) {
	s.strength = int(l.Strength)
	out.SendAll(l.Degree, -1, 1)
	if l.Now < 9*time.Second {
		out.After(time.Second, 0)
	}
}
func (hearer) Outcome(_ *caucus.Local, s *heard) caucus.Outcome {
	return caucus.Outcome{Leader: caucus.ID(s.strength), Distance: float64(s.came)}
}
func (hearer) Kind(*int) int { return 0 }
func (hearer) Domain(*caucus.World) (caucus.Values[heard], caucus.Values[int]) {
	return caucus.Values[heard]{}, caucus.Values[int]{}
}

// Two nodes send each other a message at each of the seconds 1 to 9, which takes a second.
func TestFaultsOfEvents(t *testing.T) {
	g, err := network.Generate("line:2", 1)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		faults         []sim.Fault
		came, strength int // of node 1, whose strength is 5 at the start
	}{
		"none": {nil, 9, 5},
		// without 3, 4, 5
		"partition": {[]sim.Fault{{At: 2.5, Until: 5.5, Kind: sim.Partition, Nodes: []int{0}}}, 6, 5},
		"partition and heal": {[]sim.Fault{{At: 2.5, Kind: sim.Partition, Nodes: []int{1}}, {At: 4.5, Kind: sim.Heal}},
			7, 5},
		"strength":         {[]sim.Fault{{At: 3.5, Kind: sim.Strength, Nodes: []int{0}, Value: 8}}, 9, 8},
		"the other leaves": {[]sim.Fault{{At: 4.5, Kind: sim.Leave, Nodes: []int{1}}}, 4, 5},
		"the other joins":  {[]sim.Fault{{At: 4.5, Kind: sim.Join, Nodes: []int{1}}}, 5, 5}, // sends at 5.5 to 9.5
		"strength, crash, restart": {[]sim.Fault{{At: 2, Kind: sim.Strength, Nodes: []int{0}, Value: 7},
			{At: 3.5, Kind: sim.Crash, Nodes: []int{0}}, {At: 4.25, Kind: sim.Restart, Nodes: []int{0}}}, 6, 7},
	} {
		r, err := engine.RunEvents(t.Context(), hearer{}, nil,
			sim.Config{Graph: g, Strengths: []float64{5, 6}, Faults: c.faults})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if o := r.Outcomes[0]; int(o.Distance) != c.came || int(o.Leader) != c.strength {
			t.Errorf("%s: %g messages came, want %d; strength %d, want %d", name, o.Distance, c.came, o.Leader,
				c.strength)
		}
	}
}
