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

// layout places every node: by its coordinates, at the mean of its placed
// neighbours if it has none, and by a layout of springs (a circle when the graph
// is too large for that) if no node has any. The result depends only on the graph.
func layout(g *topology.Graph) (places []place, aspect float64) {
	places = make([]place, g.Len())
	found := 0
	for i := range places {
		if g.Located(i) {
			places[i] = place{g.X[i], g.Y[i], true}
			found++
		}
	}
	switch {
	case found == 0 && g.Len() <= forceNodes:
		springs(g, places)
	case found == 0:
		circle(places)
	default:
		if g.Geographic {
			project(places)
		}
		fillGaps(g, places)
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
		if p.known {
			lons = append(lons, p.x)
			south, north = math.Min(south, p.y), math.Max(north, p.y)
		}
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

// fillGaps places the nodes without coordinates at the mean of their placed neighbours, from
// the placed ones outwards; what no path leads to goes to the lower left corner.
func fillGaps(g *topology.Graph, places []place) {
	done := make([]bool, len(places))
	for i, p := range places {
		done[i] = p.known
	}
	for again := true; again; {
		again = false
		next := append([]bool(nil), done...)
		for i := range places {
			if done[i] {
				continue
			}
			x, y, k := 0.0, 0.0, 0.0
			for _, j := range g.Neighbours(i) {
				if done[j] {
					x, y, k = x+places[j].x, y+places[j].y, k+1
				}
			}
			if k > 0 {
				places[i] = place{x / k, y / k, false}
				next[i], again = true, true
			}
		}
		done = next
	}
	apart(places, done)
}

// apart moves nodes that the mean put on top of one another or on a neighbour a little
// aside, each in its own direction.
func apart(places []place, done []bool) {
	west, south, east, north := bounds(places, done)
	step := math.Max(math.Max(east-west, north-south), 1e-9) / 40
	turn := 0.0
	for i := range places {
		switch {
		case places[i].known:
		case !done[i]:
			places[i].x, places[i].y = west+turn*step, south-2*step
			turn++
		default:
			angle := turn * 2.399963 // the golden angle never repeats a direction
			places[i].x += step * math.Cos(angle)
			places[i].y += step * math.Sin(angle)
			turn++
		}
	}
}

func bounds(places []place, count []bool) (west, south, east, north float64) {
	west, south, east, north = math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for i, p := range places {
		if count == nil || count[i] {
			west, east = math.Min(west, p.x), math.Max(east, p.x)
			south, north = math.Min(south, p.y), math.Max(north, p.y)
		}
	}
	return west, south, east, north
}

// fit scales the places into the unit square and gives width/height of the whole, kept within
// 1/4 and 4 so that a line of nodes still makes a picture.
func fit(places []place) float64 {
	if len(places) == 0 {
		return 1
	}
	west, south, east, north := bounds(places, nil)
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
