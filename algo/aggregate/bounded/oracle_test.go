package bounded_test

import (
	"testing"

	"caucus.example/caucus"
	"pgregory.net/rapid"
)

// The oracle that the checker goes by is the peeling of the tests, which is written apart from it.
func TestExpectIsPeeling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawCase(t)
		net := &caucus.Network{Strengths: d.strengths, Off: d.g.Off, Nbr: d.g.Nbr, Dist: d.g.Weight}
		for i := range d.g.Len() {
			net.IDs = append(net.IDs, caucus.ID(i+1))
		}
		lead, dist := peel(d.g, d.c, d.e.Length, d.strengths)
		for i, o := range d.e.Expect(net) {
			if o.Leader != lead[i] || o.Distance != dist[i] || (o.Role == caucus.Leader) != (o.Leader == net.IDs[i]) {
				t.Fatalf("%s\nnode %d: %+v, by peeling %d at %g", d.describe(), i+1, o, lead[i], dist[i])
			}
		}
	})
}
