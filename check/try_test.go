package check

import (
	"context"
	"fmt"
	"testing"

	"caucus/algo/bounded"
)

func TestTry(t *testing.T) {
	for _, c := range []struct {
		n       int
		lengths []float64
		cfg     bounded.Config
	}{
		{2, []float64{1}, bounded.Config{Radius: 2, DistFirst: true}},
		{2, []float64{0}, bounded.Config{Radius: 2, DistFirst: true}},
		{3, []float64{1}, bounded.Config{Radius: 2, DistFirst: true}},
		{3, []float64{1, 2}, bounded.Config{Radius: 3}},
		{4, []float64{1}, bounded.Config{Radius: 2}},
	} {
		e, err := bounded.New(c.cfg)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Rounds(context.Background(), e, Config{Ghosts: 1, Networks: Networks(Connected, c.n, Assignments{[]float64{1, 2}, c.lengths})})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range r.Rows {
			fmt.Printf("%d %v %+v\n", c.n, c.lengths, row)
			for _, claim := range []Claim{row.Fair, row.Unfair} {
				if claim.Counterexample != nil {
					fmt.Println(claim.Counterexample.Network)
					fmt.Println(claim.Counterexample.Trace.Table())
				}
			}
		}
	}
}
