package layout

import (
	"math"
	"testing"

	"caucus.example/caucus/network"
	"caucus.example/caucus/network/format"
)

// On the equirectangular map a degree of longitude is cos(latitude) as wide as one of latitude is high:
// a square of 2 degrees around 60° north is half as wide as high. Across the date line, 179° east and 179°
// west lie 2 degrees apart.
func TestProjection(t *testing.T) {
	for _, lons := range [][2]float64{{10, 12}, {179, -179}} {
		g, _, err := network.Build(4, []network.Edge{{A: 0, B: 1}, {A: 1, B: 2}, {A: 2, B: 3}})
		if err != nil {
			t.Fatal(err)
		}
		g.X, g.Y, g.Geographic = []float64{lons[0], lons[1], lons[1], lons[0]}, []float64{59, 59, 61, 61}, true
		places, aspect := Of(g)
		if math.Abs(aspect-0.5) > 1e-9 {
			t.Errorf("%v: aspect %g, want cos 60° = 0.5", lons, aspect)
		}
		if !(places[0].X < places[1].X) || !(places[0].Y < places[3].Y) {
			t.Errorf("%v: west is not left or north not up: %+v", lons, places)
		}
		// What is told of the projection leads each node to its place.
		x, y, p := Places(g)
		for i := range x {
			lon := g.X[i]
			if lon <= p.Cut {
				lon += 360
			}
			u, v := (lon*p.Shrink-p.West)/p.Scale, (g.Y[i]-p.South)/p.Scale
			if math.Abs(u-float64(x[i])) > 1e-5 || math.Abs(v-float64(y[i])) > 1e-5 {
				t.Errorf("%v: node %d is at %g, %g and would be at %g, %g", lons, i, x[i], y[i], u, v)
			}
		}
	}
}

// Every layout fits the unit square, whatever the graph has for coordinates.
func TestLayoutFits(t *testing.T) {
	for _, what := range []string{"line:1", "line:2", "ring:7", "star:5", "clique:6", "ba:n=30,m=2", "er:n=40,m=20",
		"er:n=700,m=900", "geant2012"} {
		g, _, err := format.Open(what, 1, format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		places, aspect := Of(g)
		if !(aspect >= 0.25 && aspect <= 4) {
			t.Errorf("%s: aspect %g", what, aspect)
		}
		for i, p := range places {
			if !(p.X >= -1e-9 && p.X <= 1+1e-9 && p.Y >= -1e-9 && p.Y <= 1+1e-9) {
				t.Fatalf("%s: node %d at %g, %g", what, i, p.X, p.Y)
			}
		}
	}
}
