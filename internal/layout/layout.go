// Package layout says where a picture has the nodes of a network, and how files of pictures are called. It draws
// nothing, so that a page that draws by itself need not bring what does.
package layout

import (
	"math"
	"sort"

	"caucus.example/caucus/network"
)

// Place is where a node is drawn, in the unit square, y upwards, aspect kept.
type Place struct {
	X, Y  float64
	Known bool // from the topology, not from the layout
}

// Sprung is the largest graph that is drawn by a layout of springs, which takes its time.
const Sprung = 600

// Projection is how a geographic network was laid out: a point of the earth lies at ((longitude·Shrink − West)/Scale,
// (latitude − South)/Scale), with longitudes up to Cut a turn later. All in degrees but for Shrink.
type Projection struct {
	Cut    float64 `json:"cut"`
	Shrink float64 `json:"shrink"`
	West   float64 `json:"west"`
	South  float64 `json:"south"`
	Scale  float64 `json:"scale"`
}

// Of places every node: by its coordinates, those without as network.Place does.
// A network, or a component of one, without any coordinates gets a layout of springs, or a circle when it is
// too large for that. The result depends only on the graph.
func Of(g *network.Graph) (places []Place, aspect float64) {
	places, aspect, _ = lay(g)
	return places, aspect
}

// lay is Of, and tells how; the chart is nil unless the network is geographic.
func lay(g *network.Graph) (places []Place, aspect float64, chart *Projection) {
	places = make([]Place, g.Len())
	x, y, guessed, err := network.Place(g)
	switch {
	case err != nil && g.Len() <= Sprung:
		x, y := network.Springs(g, 1)
		for i := range places {
			places[i] = Place{X: x[i], Y: y[i]}
		}
	case err != nil:
		circle(places)
	default:
		for i := range places {
			places[i] = Place{x[i], y[i], true}
		}
		for _, i := range guessed {
			places[i].Known = false
		}
		if g.Geographic {
			chart = project(places)
		}
		apart(places)
	}
	aspect, west, south, high := fit(places)
	if chart != nil {
		chart.West, chart.South, chart.Scale = west, south, high
	}
	return places, aspect, chart
}

// Places gives every node the place at which a map has it, y from 0 to 1 upwards, x in the same unit; and of a
// geographic network the chart.
func Places(g *network.Graph) (x, y []float32, chart *Projection) {
	places, aspect, chart := lay(g)
	for _, p := range places {
		x, y = append(x, float32(p.X*aspect)), append(y, float32(p.Y))
	}
	return x, y, chart
}

// project is the equirectangular projection that keeps shapes at the middle
// latitude. Longitudes are cut where the network leaves the widest gap, so that
// one across the Pacific stays in one piece.
func project(places []Place) *Projection {
	var lons []float64
	south, north := math.Inf(1), math.Inf(-1)
	for _, p := range places {
		lons = append(lons, p.X)
		south, north = math.Min(south, p.Y), math.Max(north, p.Y)
	}
	sort.Float64s(lons)
	cut, gap := math.Inf(-1), lons[0]+360-lons[len(lons)-1]
	for i := 1; i < len(lons); i++ {
		if d := lons[i] - lons[i-1]; d > gap {
			cut, gap = lons[i-1], d
		}
	}
	shrink := math.Cos((south + north) / 2 * math.Pi / 180)
	for i := range places {
		if places[i].X <= cut {
			places[i].X += 360
		}
		places[i].X *= shrink
	}
	return &Projection{Cut: math.Max(cut, -360), Shrink: shrink} // JSON has no infinity
}

// apart moves the nodes that were placed at the mean of others a little aside, each in its
// own direction, so that they do not cover one another.
func apart(places []Place) {
	west, south, east, north := bounds(places)
	step := math.Max(math.Max(east-west, north-south), 1e-9) / 40
	turn := 0.0
	for i := range places {
		if places[i].Known {
			continue
		}
		angle := turn * 2.399963 // the golden angle never repeats a direction
		places[i].X += step * math.Cos(angle)
		places[i].Y += step * math.Sin(angle)
		turn++
	}
}

func bounds(places []Place) (west, south, east, north float64) {
	west, south, east, north = math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, p := range places {
		west, east = math.Min(west, p.X), math.Max(east, p.X)
		south, north = math.Min(south, p.Y), math.Max(north, p.Y)
	}
	return west, south, east, north
}

// fit scales the places into the unit square and gives width/height of the whole, kept within
// 1/4 and 4 so that a line of nodes still makes a picture, and where the square was: its lower left corner and height.
func fit(places []Place) (aspect, left, low, high float64) {
	if len(places) == 0 {
		return 1, 0, 0, 1
	}
	west, south, east, north := bounds(places)
	w, h := east-west, north-south
	size := math.Max(math.Max(w, h), 1e-9)
	w, h = math.Max(w, size/4), math.Max(h, size/4)
	for i := range places {
		places[i].X = (places[i].X - (west+east)/2 + w/2) / w
		places[i].Y = (places[i].Y - (south+north)/2 + h/2) / h
	}
	return w / h, (west+east)/2 - w/2, (south+north)/2 - h/2, h
}

func circle(places []Place) {
	for i := range places {
		angle := 2 * math.Pi * float64(i) / float64(len(places))
		places[i].X, places[i].Y = math.Sin(angle), math.Cos(angle)
	}
}
