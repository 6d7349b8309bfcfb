package check

import (
	"math"
	"slices"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/internal/columns"
)

// What a node may plausibly hold is the same on a network whose nodes have been asked for on others before, the numbers
// included; and it is made once for all that are alike.
func TestPlausibleLettersAreShared(t *testing.T) {
	e, err := bounded.New(bounded.Config{Radius: 2})
	if err != nil {
		t.Fatal(err)
	}
	none := func(int, int) bool { return false }
	fresh := func() *letterings {
		return &letterings{most: math.MaxInt, stop: func() bool { return false }, of: map[string]*lettering{}}
	}
	letters := func(net *caucus.Network, known *letterings) [][]pair {
		a, err := inNumbers(columns.OfRounds(e), known)
		if err != nil {
			t.Fatal(err)
		}
		y, err := newSystem(a, net)
		if err != nil {
			t.Fatal(err)
		}
		list, err := y.plausible(world(net, 1, 2), maxPlausible, none)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	shared := fresh()
	nets := Networks(Connected, 3, Assignments{Strengths: []float64{1}, Lengths: []float64{1}})
	for _, net := range nets {
		if a, b := letters(net, shared), letters(net, fresh()); !slices.EqualFunc(a, b, slices.Equal) || len(a[0]) < 9 {
			t.Errorf("%s: %v, alone %v", Describe(net), a, b)
		}
	}
	if len(nets) != 4 || len(shared.of) != 6 { // three IDs, at one edge or two
		t.Errorf("%d networks, %d nodes", len(nets), len(shared.of))
	}
}
