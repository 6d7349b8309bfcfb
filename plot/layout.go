package plot

import (
	"math"
	"sort"

	"caucus"
	"caucus/topology"
)

// place is where a node is drawn, in the unit square, y upwards, aspect kept.
type place struct {
	x, y  float64
	known bool // from the topology, not from the layout
}

// forceNodes is the largest graph that the force layout draws: it looks at every
// pair of nodes in every pass.
const forceNodes = 600

// layout places every node: by its coordinates, those without as topology.Place does.
// A network, or a component of one, without any coordinates gets a layout of springs, or a circle when it is
// too large for that. The result depends only on the graph.
func layout(g *topology.Graph) (places []place, aspect float64) {
	places = make([]place, g.Len())
	x, y, guessed, err := topology.Place(g)
	switch {
	case err != nil && g.Len() <= forceNodes:
		springs(g, places)
	case err != nil:
		circle(places)
	default:
		for i := range places {
			places[i] = place{x[i], y[i], true}
		}
		for _, i := range guessed {
			places[i].known = false
		}
		if g.Geographic {
			project(places)
		}
		apart(places)
	}
	return places, fit(places)
}

// project is the equirectangular projection that keeps shapes at the middle
// latitude. Longitudes are cut where the network leaves the widest gap, so that
// one across the Pacific stays in one piece.
func project(places []place) {
	var lons []float64
	south, north := math.Inf(1), math.Inf(-1)
	for _, p := range places {
		lons = append(lons, p.x)
		south, north = math.Min(south, p.y), math.Max(north, p.y)
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
		if places[i].x <= cut {
			places[i].x += 360
		}
		places[i].x *= shrink
	}
}

// apart moves the nodes that were placed at the mean of others a little aside, each in its
// own direction, so that they do not cover one another.
func apart(places []place) {
	west, south, east, north := bounds(places)
	step := math.Max(math.Max(east-west, north-south), 1e-9) / 40
	turn := 0.0
	for i := range places {
		if places[i].known {
			continue
		}
		angle := turn * 2.399963 // the golden angle never repeats a direction
		places[i].x += step * math.Cos(angle)
		places[i].y += step * math.Sin(angle)
		turn++
	}
}

func bounds(places []place) (west, south, east, north float64) {
	west, south, east, north = math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, p := range places {
		west, east = math.Min(west, p.x), math.Max(east, p.x)
		south, north = math.Min(south, p.y), math.Max(north, p.y)
	}
	return west, south, east, north
}

// fit scales the places into the unit square and gives width/height of the whole, kept within
// 1/4 and 4 so that a line of nodes still makes a picture.
func fit(places []place) float64 {
	if len(places) == 0 {
		return 1
	}
	west, south, east, north := bounds(places)
	w, h := east-west, north-south
	size := math.Max(math.Max(w, h), 1e-9)
	w, h = math.Max(w, size/4), math.Max(h, size/4)
	for i := range places {
		places[i].x = (places[i].x - (west+east)/2 + w/2) / w
		places[i].y = (places[i].y - (south+north)/2 + h/2) / h
	}
	return w / h
}

func circle(places []place) {
	for i := range places {
		angle := 2 * math.Pi * float64(i) / float64(len(places))
		places[i].x, places[i].y = math.Sin(angle), math.Cos(angle)
	}
}

// springs is the layout of Fruchterman and Reingold (1991): neighbours pull, all nodes
// push, and the steps shrink. It starts from a circle with a little noise of a
// fixed seed.
func springs(g *topology.Graph, places []place) {
	const passes = 300
	n := len(places)
	circle(places)
	r := caucus.NewRand(1, "layout")
	for i := range places {
		places[i].x += 0.1 * (r.Float64() - 0.5)
		places[i].y += 0.1 * (r.Float64() - 0.5)
	}
	rest := 2 / math.Sqrt(float64(max(n, 1)))
	force := make([]place, n)
	for pass := range passes {
		for i := range force {
			// A weak pull to the middle keeps components together.
			force[i] = place{x: -0.1 * places[i].x, y: -0.1 * places[i].y}
		}
		for i := range places {
			for j := range i {
				dx, dy := places[i].x-places[j].x, places[i].y-places[j].y
				push := rest * rest / math.Max(dx*dx+dy*dy, 1e-6)
				force[i].x, force[i].y = force[i].x+dx*push, force[i].y+dy*push
				force[j].x, force[j].y = force[j].x-dx*push, force[j].y-dy*push
			}
			for _, j := range g.Neighbours(i) {
				dx, dy := places[j].x-places[i].x, places[j].y-places[i].y
				pull := math.Hypot(dx, dy) / rest
				force[i].x, force[i].y = force[i].x+dx*pull, force[i].y+dy*pull
			}
		}
		longest := 0.3 * (1 - float64(pass)/passes)
		for i := range places {
			length := math.Max(math.Hypot(force[i].x, force[i].y), 1e-9)
			step := math.Min(length, longest) / length
			places[i].x += force[i].x * step
			places[i].y += force[i].y * step
		}
	}
}
