package network

import (
	"math"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/exact"
)

// MaxSprings is the largest graph that Springs places: it looks at every pair of nodes in every pass.
const MaxSprings = 4000

// Springs places nodes as Fruchterman and Reingold do (Software: Practice and Experience, 1991):
// neighbours pull with the square of their distance over length, all nodes push with the square of length over
// their distance, so that two neighbours alone would rest at length (> 0). The nodes start on a circle
// with a little noise of a fixed seed, and their steps shrink; a weak pull to the middle keeps components
// together. The result depends only on the graph.
func Springs(g *Graph, length float64) (x, y []float64) {
	const passes = 100
	n := g.Len()
	x, y = make([]float64, n), make([]float64, n)
	radius := length * math.Sqrt(float64(n)) / 2
	r := caucus.NewRand(1, "layout")
	for i := range n {
		sin, cos := exact.Sincos(float64(i) / float64(n))
		x[i] = float64(radius * (sin + float64(0.1*(r.Float64()-0.5))))
		y[i] = float64(radius * (cos + float64(0.1*(r.Float64()-0.5))))
	}
	s := springs{g: g, x: x, y: y, fx: make([]float64, n), fy: make([]float64, n), length: length, radius: radius}
	for pass := range passes {
		s.push()
		s.pull()
		s.step(0.3 * radius * (1 - float64(pass)/passes))
	}
	return x, y
}

// springs are the forces of one pass.
type springs struct {
	g              *Graph
	x, y, fx, fy   []float64
	length, radius float64
}

// push drives every two nodes apart, and pulls each weakly to the middle.
func (s *springs) push() {
	for i := range s.x {
		s.fx[i], s.fy[i] = float64(-0.1*s.x[i]), float64(-0.1*s.y[i])
	}
	square, least := s.length*s.length, 1e-6*s.radius*s.radius
	for i := range s.x {
		// Slices of one length, and no max, which looks for NaN: half the time.
		x := s.x[:i]
		y, ox, oy := s.y[:len(x)], s.fx[:len(x)], s.fy[:len(x)]
		xi, yi, fx, fy := s.x[i], s.y[i], 0.0, 0.0
		for j := range x {
			dx, dy := xi-x[j], yi-y[j]
			apart := float64(dx*dx) + float64(dy*dy)
			if apart < least {
				apart = least
			}
			f := square / apart
			dx, dy = float64(dx*f), float64(dy*f)
			fx, fy = fx+dx, fy+dy
			ox[j] -= dx
			oy[j] -= dy
		}
		s.fx[i] += fx
		s.fy[i] += fy
	}
}

// pull draws neighbours together.
func (s *springs) pull() {
	for i := range s.x {
		for _, j := range s.g.Neighbours(i) {
			dx, dy := s.x[j]-s.x[i], s.y[j]-s.y[i]
			f := exact.Hypot(dx, dy) / s.length
			s.fx[i] += float64(dx * f)
			s.fy[i] += float64(dy * f)
		}
	}
}

// step moves every node along its force, by longest at most.
func (s *springs) step(longest float64) {
	for i := range s.x {
		f := max(exact.Hypot(s.fx[i], s.fy[i]), 1e-9*s.length)
		part := min(f, longest) / f
		s.x[i] += float64(s.fx[i] * part)
		s.y[i] += float64(s.fy[i] * part)
	}
}
