package worst

import (
	"slices"
	"testing"

	"caucus.example/caucus"
)

func TestOrders(t *testing.T) {
	for name, c := range map[string]struct{ got, want []caucus.ID }{
		"increasing": {Increasing(4), []caucus.ID{1, 2, 3, 4}},
		"decreasing": {Decreasing(4), []caucus.ID{4, 3, 2, 1}},
		// Divided by 2: place 0 always, 4 twice, 2 and 6 once.
		"halving": {Halving(8), []caucus.ID{1, 5, 3, 6, 2, 7, 4, 8}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
}

// F = 2, 3, 5, 8, 13.
func TestSteps(t *testing.T) {
	for n, want := range map[int]int{1: 0, 2: 1, 3: 2, 4: 2, 5: 3, 7: 3, 8: 4, 12: 4, 13: 5, 64: 8} {
		if got := Steps(n); got != want {
			t.Errorf("n = %d: %d steps, want %d", n, got, want)
		}
		if fibonacci(Steps(n)) > n || fibonacci(Steps(n)+1) <= n {
			t.Errorf("n = %d: F of %d steps is %d", n, Steps(n), fibonacci(Steps(n)))
		}
	}
}
