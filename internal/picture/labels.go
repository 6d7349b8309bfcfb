package picture

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// box is a rectangle on the page.
type box struct{ x0, y0, x1, y1 vg.Length }

func (a box) overlap(b box) float64 {
	w := math.Min(float64(a.x1), float64(b.x1)) - math.Max(float64(a.x0), float64(b.x0))
	h := math.Min(float64(a.y1), float64(b.y1)) - math.Max(float64(a.y0), float64(b.y0))
	if w <= 0 || h <= 0 {
		return 0
	}
	return w * h
}

// outside is the area of a that lies outside b.
func (a box) outside(b box) float64 {
	return float64(a.x1-a.x0)*float64(a.y1-a.y0) - a.overlap(b)
}

// labeller places labels one after the other, each beside its point where it
// covers least of what is there already.
type labeller struct {
	page   box
	nodes  []box
	labels []box
}

// sides are the places beside a point in the order of preference: right, left, above, below, and
// the corners.
var sides = [][2]float64{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}}

// put gives the box for a label of the given size beside a disc; false if
// every place there costs more than the limit.
func (l *labeller) put(at vg.Point, disc, w, h vg.Length, limit float64) (box, bool) {
	var best box
	least := math.Inf(1)
	for k, ring := 0, vg.Length(1); ring <= 3; k++ {
		if k == len(sides) {
			k, ring = 0, ring+1
			continue
		}
		dx, dy := vg.Length(sides[k][0]), vg.Length(sides[k][1])
		gap := disc + 1 + (ring-1)*h*0.8
		if dx != 0 && dy != 0 {
			gap *= 0.75
		}
		cx := at.X + dx*(gap+w/2)
		cy := at.Y + dy*(gap+h/2)
		b := box{cx - w/2, cy - h/2, cx + w/2, cy + h/2}
		if cost := l.cost(b) + 0.5*float64(k) + 8*float64(ring); cost < least {
			best, least = b, cost
		}
	}
	if least > limit {
		return best, false
	}
	l.labels = append(l.labels, best)
	return best, true
}

// cost counts the area covered, other labels and the edge of the page more than
// nodes.
func (l *labeller) cost(b box) float64 {
	cost := 100 * b.outside(l.page)
	for _, n := range l.nodes {
		cost += 2 * b.overlap(n)
	}
	for _, n := range l.labels {
		cost += 20 * b.overlap(n)
	}
	return cost
}
