package network

import (
	"fmt"
	"math"
	"slices"

	"caucus.example/caucus/internal/exact"
)

// Place gives coordinates to every node. A node without any is put at the mean of its
// located neighbours; that is repeated outwards, so a chain without coordinates
// gathers at its located end. placed lists the nodes so put. Geographic means are
// taken on the sphere. The cost is linear. The graph itself is not changed. It is an error if a
// whole component has no located node, or a coordinate is out of range.
func Place(g *Graph) (x, y []float64, placed []int32, err error) {
	n := g.Len()
	x, y = make([]float64, n), make([]float64, n)
	located := make([]bool, n)
	var last []int32 // the nodes located in the round before
	for i := range n {
		if !g.Located(i) {
			continue
		}
		if err := g.checkPosition(i); err != nil {
			return nil, nil, nil, err
		}
		x[i], y[i], located[i] = g.X[i], g.Y[i], true
		last = append(last, int32(i))
	}
	found := len(last)
	asked := make([]bool, n)
	for len(last) > 0 {
		from := len(placed)
		for _, i := range last {
			for _, j := range g.Neighbours(int(i)) {
				if !located[j] && !asked[j] {
					asked[j] = true
					x[j], y[j] = g.meanPosition(int(j), located, x, y)
					placed = append(placed, j)
				}
			}
		}
		last = placed[from:]
		for _, i := range last {
			located[i] = true // only now: a round sees the coordinates of the rounds before
		}
	}
	if found+len(placed) < n {
		i := slices.Index(located, false)
		return nil, nil, nil, fmt.Errorf("node %q has no coordinates, and neither has any node that it is connected to",
			g.NodeName(i))
	}
	slices.Sort(placed)
	return x, y, placed, nil
}

// meanPosition is the mean of the located neighbours of node i, of which there is one at least.
func (g *Graph) meanPosition(i int, located []bool, x, y []float64) (meanX, meanY float64) {
	var at mean
	for _, j := range g.Neighbours(i) {
		if located[j] {
			at.add(x[j], y[j], g.Geographic)
		}
	}
	return at.value(g.Geographic)
}

func (g *Graph) checkPosition(i int) error {
	x, y := g.X[i], g.Y[i]
	switch {
	case g.Geographic && (math.Abs(y) > 90 || math.Abs(x) > 360):
		return fmt.Errorf("node %q lies at longitude %g, latitude %g; allowed: -360 to 360 and -90 to 90 degrees",
			g.NodeName(i), x, y)
	case math.IsInf(x, 0) || math.IsInf(y, 0):
		return fmt.Errorf("node %q lies at %g, %g; coordinates must be finite", g.NodeName(i), x, y)
	}
	return nil
}

// mean gathers points of the plane, or of the sphere as unit vectors.
type mean struct {
	count   float64
	x, y, z float64
}

func (m *mean) add(x, y float64, geographic bool) {
	m.count++
	if !geographic {
		m.x, m.y = m.x+x, m.y+y
		return
	}
	sinLon, cosLon := exact.Sincos(x / 360)
	sinLat, cosLat := exact.Sincos(y / 360)
	m.x, m.y, m.z = m.x+float64(cosLat*cosLon), m.y+float64(cosLat*sinLon), m.z+sinLat
}

func (m *mean) value(geographic bool) (x, y float64) {
	if !geographic {
		return m.x / m.count, m.y / m.count
	}
	return exact.Atan2(m.y, m.x) * 180 / math.Pi, exact.Atan2(m.z, exact.Hypot(m.x, m.y)) * 180 / math.Pi
}
