package network

import (
	"fmt"
	"testing"
)

// TestWideLooks: a step from more nodes than fit into the caches takes more of a budget than one from few.
func TestWideLooks(t *testing.T) {
	for _, c := range []struct{ leaves, look int }{{wideFront, 1}, {wideFront + 1, wideLooks}} {
		g, err := Generate(fmt.Sprintf("star:%d", c.leaves+1), 1)
		if err != nil {
			t.Fatal(err)
		}
		b := newBroad(g.Len())
		b.run(t.Context(), g, []int32{0})
		if want := c.leaves * (1 + c.look); b.looks != want {
			t.Errorf("%d leaves: %d looks, want %d", c.leaves, b.looks, want)
		}
	}
}
