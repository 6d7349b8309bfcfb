package scenario

import (
	"context"
	"testing"

	"caucus.example/caucus"
)

// Nodes are told what the algorithm needs them to know, and no more.
func TestKnown(t *testing.T) {
	for _, c := range []struct {
		text string
		want caucus.Known
	}{
		{"algo: flood\ntopology: grid:4x7", caucus.Known{Diameter: 9}},
		{"algo: flood\ntopology: line:1", caucus.Known{Diameter: 1}},
		// a line is measured whatever its size
		{"algo: flood\ntopology: line:60000", caucus.Known{Diameter: 59999}},
		{"algo: yo-yo-plain\ntopology: ring:9", caucus.Known{Nodes: 9}},
		{"algo: yo-yo\ntopology: ring:9", caucus.Known{}},
	} {
		s, err := Parse("s.yaml", []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Resolve()
		if err != nil || r.Config.Known != c.want {
			t.Errorf("%q: %+v, %v; want %+v", c.text, r.Config.Known, err, c.want)
		}
		if c.want.Diameter > 100 {
			continue
		}
		if end, err := r.Entry.Simulate(context.Background(), r.Args, r.Config); err != nil || !end.Converged ||
			end.Outcomes[0].Leader != 1 {
			t.Errorf("%q: %+v, %v", c.text, end, err)
		}
	}
}
