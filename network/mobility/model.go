package mobility

import (
	"fmt"
	"strconv"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/exact"
)

// maxLength bounds coordinates and lengths, so that squares and products stay finite.
const maxLength = 1e9

// Arena is a rectangle from (0, 0) to (Width, Height) with walls that no node passes.
type Arena struct {
	Width, Height float64
	Walls         Walls
}

// touch is how near to a wall counts as at it.
const touch = 1e-9

// Walls is what a wall does to a node that walks into it.
type Walls string

// Walls.
const (
	Stop  Walls = "stop"  // the node ends its leg there, as with ""
	Slide Walls = "slide" // the leg ends there; a leg that starts at a wall and leads into it goes along it instead
)

// upTo gives the part (0 to 1) of the step from inside the arena that a node can go before a wall.
func (a Arena) upTo(from, step point) float64 {
	return min(axis(from.x, step.x, a.Width), axis(from.y, step.y, a.Height))
}

func axis(from, step, wall float64) float64 {
	switch to := from + step; {
	case to < 0:
		return -from / step
	case to > wall:
		return (wall - from) / step
	}
	return 1
}

func (a Arena) check() error {
	switch a.Walls {
	case "", Stop, Slide:
		return nil
	}
	return caucus.Wrong("walls", string(a.Walls), "stop, slide")
}

// along bends the way from a place at a wall, if it leads into the wall, so that it goes along it.
func (a Arena) along(from, to point) point {
	if from.x <= touch && to.x < 0 || from.x >= a.Width-touch && to.x > a.Width {
		to.x = from.x
	}
	if from.y <= touch && to.y < 0 || from.y >= a.Height-touch && to.y > a.Height {
		to.y = from.y
	}
	return to
}

func (a Arena) clamp(p point) point {
	return point{min(max(p.x, 0), a.Width), min(max(p.y, 0), a.Height)}
}

// Place is where a group of nodes starts: [Box], [Lattice] or [Spots].
type Place interface {
	at(k int, rand *caucus.Rand) point
	check(n int, a Arena) error
}

// Box places nodes uniformly in [MinX, MaxX) × [MinY, MaxY).
type Box struct{ MinX, MinY, MaxX, MaxY float64 }

func (b Box) at(_ int, rand *caucus.Rand) point {
	x := b.MinX + float64(rand.Float64()*(b.MaxX-b.MinX))
	return point{x, b.MinY + float64(rand.Float64()*(b.MaxY-b.MinY))}
}

func (b Box) check(_ int, a Arena) error {
	if !(0 <= b.MinX && b.MinX <= b.MaxX && b.MaxX <= a.Width && 0 <= b.MinY && b.MinY <= b.MaxY &&
		b.MaxY <= a.Height) {
		return caucus.Wrong("place", fmt.Sprintf("box %v,%v to %v,%v", b.MinX, b.MinY, b.MaxX, b.MaxY),
			"a box inside the arena")
	}
	return nil
}

// Lattice places node k of its group at (X + Step·(k mod Columns), Y + Step·(k div Columns)).
type Lattice struct {
	X, Y, Step float64
	Columns    int
}

func (l Lattice) at(k int, _ *caucus.Rand) point {
	return point{l.X + float64(l.Step*float64(k%l.Columns)), l.Y + float64(l.Step*float64(k/l.Columns))}
}

func (l Lattice) check(n int, a Arena) error {
	if l.Columns < 1 {
		return caucus.Wrong("columns", strconv.Itoa(l.Columns), "1 or more")
	}
	for _, k := range []int{0, min(n, l.Columns) - 1, n - 1} {
		if p := l.at(k, nil); a.clamp(p) != p {
			return caucus.Wrong("place", fmt.Sprintf("node %d of the lattice at %v,%v", k, p.x, p.y),
				"a lattice inside the arena")
		}
	}
	return nil
}

// Spots places each node of its group by itself.
type Spots struct{ X, Y []float64 }

func (s Spots) at(k int, _ *caucus.Rand) point { return point{s.X[k], s.Y[k]} }

func (s Spots) check(n int, a Arena) error {
	if len(s.X) != n || len(s.Y) != n {
		return caucus.Wrong("place", fmt.Sprintf("%d spots", min(len(s.X), len(s.Y))), fmt.Sprintf("%d", n))
	}
	for k := range n {
		if p := s.at(k, nil); a.clamp(p) != p {
			return caucus.Wrong("place", fmt.Sprintf("node %d at %v,%v", k, p.x, p.y), "a place inside the arena")
		}
	}
	return nil
}

// Motion is how a group of nodes moves: [Still], [Levy] or [Waypoint].
type Motion interface {
	// leg draws a new leg of the walk, from a place.
	leg(w *walker, from point, a Arena)
	fastest() float64 // length units a second, at most
	check() error
}

// Still nodes do not move.
type Still struct{}

func (Still) leg(*walker, point, Arena) {}
func (Still) fastest() float64          { return 0 }
func (Still) check() error              { return nil }

// Levy is a Lévy walk: straight paths in uniform directions whose lengths are Pareto
// distributed, P(length > l) = (Scale/l)^Shape for l >= Scale. At the end of a path, and at a
// wall, the node draws a new path, at the next of its moves.
type Levy struct {
	Speed        float64 // length units a second, >= 0
	Scale, Shape float64 // > 0
}

func (l Levy) leg(w *walker, _ point, _ Arena) {
	sin, cos := exact.Sincos(w.rand.Float64())
	w.towards = point{cos, sin}
	w.left = l.path(1 - w.rand.Float64())
	w.speed = l.Speed
}

// path gives the length of a path that a share u (0 < u <= 1) of the paths exceed.
func (l Levy) path(u float64) float64 { return float64(l.Scale * exact.Pow(u, -1/l.Shape)) }

func (l Levy) fastest() float64 { return l.Speed }

func (l Levy) check() error {
	return firstOf(within("speed", l.Speed, 0), within("scale", l.Scale, 1e-9), within("shape", l.Shape, 1e-3))
}

// Waypoint is the random waypoint walk: to a uniform place of the arena at a speed
// uniform in [MinSpeed, MaxSpeed], then a pause of Pause seconds.
type Waypoint struct{ MinSpeed, MaxSpeed, Pause float64 }

func (m Waypoint) leg(w *walker, from point, a Arena) {
	to := point{float64(w.rand.Float64() * a.Width), float64(w.rand.Float64() * a.Height)}
	w.left = exact.Hypot(to.x-from.x, to.y-from.y)
	w.towards = point{(to.x - from.x) / w.left, (to.y - from.y) / w.left}
	w.speed = m.MinSpeed + float64(w.rand.Float64()*(m.MaxSpeed-m.MinSpeed))
	w.pause = m.Pause
	if w.left == 0 {
		w.towards = point{}
	}
}

func (m Waypoint) fastest() float64 { return m.MaxSpeed }

func (m Waypoint) check() error {
	return firstOf(within("min-speed", m.MinSpeed, 1e-9), within("max-speed", m.MaxSpeed, m.MinSpeed),
		within("pause", m.Pause, 0))
}

// within refuses a value that is not from least to maxLength.
func within(field string, v, least float64) error {
	if v >= least && v <= maxLength {
		return nil
	}
	return caucus.Wrong(field, strconv.FormatFloat(v, 'g', -1, 64), fmt.Sprintf("%g to %g", least, maxLength))
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
