package experiment

import (
	"context"
	"testing"
	"time"
)

func TestScratch(t *testing.T) {
	m := NewMo(2, 1)
	for g := range 2 {
		st := time.Now()
		r, err := m.graph(context.Background(), g)
		if err != nil {
			t.Fatal(err)
		}
		t.Log(r.Depth, r.Edges, r.Drawn, time.Since(st))
		for i, v := range m.variants() {
			x := r.Runs[i]
			t.Log(v, x.Clean.Rounds, x.Fake.Rounds, x.Lost.Rounds, x.Clean.Bound, x.Fake.Bound, x.Clean.Lemmas, x.Fake.Lemmas, len(x.Clean.Agree))
		}
	}
}
