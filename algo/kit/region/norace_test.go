//go:build !race

package region_test

import (
	"math"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/algo/kit/over"
	"caucus.example/caucus/algo/kit/region"
)

// explored is the greatest network that every execution is explored of.
const explored = 3

// A round of election and service takes memory for what it has read, once for the election and once for the service.
// Under the race detector less stays on the stack.
func TestAllocations(t *testing.T) {
	election, err := bounded.New(bounded.Default(math.Inf(1)))
	if err != nil {
		t.Fatal(err)
	}
	algo := over.New[candidacy, candidacy](election, region.Region{})
	leader := caucus.Local{ID: 1, Strength: 11, Round: 1, Degree: 8}
	s, said := algo.Boot(&leader)
	in := caucus.Inbox[message]{Dist: make([]float64, 8)}
	for id := range caucus.ID(8) { // they follow it
		l := caucus.Local{ID: id + 2, Strength: float64(10 - id), Round: 1, Degree: 1}
		s, _ := algo.Boot(&l)
		in.Msgs = append(in.Msgs, algo.Round(&l, &s, caucus.Inbox[message]{Msgs: []message{said}, Dist: in.Dist[:1]}))
	}
	if a := testing.AllocsPerRun(50, func() { algo.Round(&leader, &s, in) }); a > 2 {
		t.Errorf("%g allocations a round", a)
	}
	if n := len(s.Above.Roster.Members()); n != 9 {
		t.Errorf("the leader knows %d members, not 9", n)
	}
}
