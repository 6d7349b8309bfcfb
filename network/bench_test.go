package network

import (
	"context"
	"runtime"
	"testing"

	"caucus.example/caucus"
)

// BenchmarkGeometric makes random geometric graphs of mean degree 10. bytes/node is
// what the finished graph holds.
func BenchmarkGeometric(b *testing.B) {
	for _, c := range []struct{ name, spec string }{
		{"1e4", "rgg:n=1e4,degree=10"}, {"1e5", "rgg:n=1e5,degree=10"}, {"1e6", "rgg:n=1e6,degree=10"},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			var g *Graph
			for b.Loop() {
				var err error
				if g, err = Generate(c.spec, 1); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(g.Len())*float64(b.N)/b.Elapsed().Seconds(), "nodes/s")
			b.ReportMetric(float64(8*cap(g.Off)+4*cap(g.Nbr)+16*cap(g.X))/float64(g.Len()), "bytes/node")
			runtime.KeepAlive(g)
		})
	}
}

func BenchmarkDiameter(b *testing.B) {
	mesh := func(b *testing.B) *Graph { return readMesh(b) }
	for _, c := range []struct {
		name string
		make func(b *testing.B) *Graph
	}{
		{"4elt", mesh},
		{"rgg1e4", func(b *testing.B) *Graph { return generate(b, "rgg:n=1e4,degree=10", 1) }},
		{"rgg1e5", func(b *testing.B) *Graph { return generate(b, "rgg:n=1e5,degree=10", 1) }},
		{"torus200x250", func(b *testing.B) *Graph { return generate(b, "torus:200x250", 1) }},
		{"ws5e4", func(b *testing.B) *Graph { return generate(b, "ws:n=5e4,k=6,p=0.1", 1) }},
		{"ba1e4", func(b *testing.B) *Graph { return generate(b, "ba:n=1e4,m=3", 1) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			g := c.make(b)
			components := FindComponents(g)
			b.ReportAllocs()
			for b.Loop() {
				components.Diameter(context.Background(), g, DiameterBudget)
			}
			b.ReportMetric(float64(g.Len())*float64(b.N)/b.Elapsed().Seconds(), "nodes/s")
		})
	}
}

func BenchmarkRelabel(b *testing.B) {
	g := generate(b, "rgg:n=1e6,degree=10", 1)
	rand := caucus.NewRand(1, "bench")
	shuffled := Relabel(g, shuffle(g.Len(), rand.IntN))
	for b.Loop() {
		order, err := SpatialOrder(shuffled)
		if err != nil {
			b.Fatal(err)
		}
		Relabel(shuffled, order)
	}
	b.ReportMetric(float64(g.Len())*float64(b.N)/b.Elapsed().Seconds(), "nodes/s")
}
