package mobility

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/exact"
)

// Group is a number of nodes that start and move alike.
type Group struct {
	N      int // >= 0
	Place  Place
	Motion Motion
}

// Config says how nodes walk.
type Config struct {
	Arena  Arena
	Range  float64 // nodes hear each other up to this distance, > 0
	Period float64 // seconds between two moves of a node, > 0
	Seed   uint64
	Phases []float64 // by node, in [0, 1): when in its period it moves; nil: drawn
	Groups []Group   // numbered on from each other: the first group has nodes 0 to N-1
	Jumps  []Jump    // by time
}

// Jump puts a node somewhere else at a time; if it walks, it goes on from there.
type Jump struct {
	At   float64 // seconds
	Node int
	X, Y float64
}

// Walk is a [Net] of nodes that walk in an arena. A node stands still between its moves, one each
// period at a random phase of its own.
type Walk struct {
	cfg     Config
	around  vicinity
	at      []point
	said    []fix
	walkers []walker
	past    []past
	order   []int32   // nodes that move, by phase
	phase   []float64 // of the nodes in order, in [0, period)
	next    int       // of order
	cycle   float64
	jumped  int // of the jumps
}

type walker struct {
	motion  Motion
	rand    caucus.Rand
	towards point   // unit vector
	left    float64 // of the leg
	speed   float64
	pause   float64 // seconds at the end of the leg
	rest    float64 // the pause ends at this time
}

// past holds the last places of a node, the newest at index last.
type past struct {
	fixes [4]fix
	last  uint8
}

// before gives the place at time t, at most as far back as the node's last three moves.
func (p *past) before(t float64) point {
	k := p.last
	for range len(p.fixes) - 1 {
		if p.fixes[k].t <= t {
			break
		}
		k = (k - 1) % uint8(len(p.fixes))
	}
	return p.fixes[k].point
}

func (p *past) add(f fix) {
	p.last = (p.last + 1) % uint8(len(p.fixes))
	p.fixes[p.last] = f
}

// NewWalk places the nodes at time 0. The error is a *caucus.FieldError.
func NewWalk(cfg Config) (*Walk, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	n := cfg.nodes()
	w := &Walk{
		cfg: cfg, at: make([]point, n), said: allSilent(n), walkers: make([]walker, n), past: make([]past, n),
	}
	step := 0.0
	for _, g := range cfg.Groups {
		step = max(step, g.Motion.fastest()*cfg.Period)
	}
	w.around = newVicinity(n, cfg.Arena, cfg.Range, step)
	i := 0
	for _, g := range cfg.Groups {
		for k := range g.N {
			w.place(i, k, g)
			i++
		}
	}
	w.schedule()
	w.around.relist(w.at)
	return w, nil
}

func (c *Config) nodes() int {
	n := 0
	for _, g := range c.Groups {
		n += g.N
	}
	return n
}

func (c *Config) check() error {
	err := firstOf(within("width", c.Arena.Width, 0), within("height", c.Arena.Height, 0),
		c.Arena.check(), within("range", c.Range, 1e-9), within("period", c.Period, 1e-6))
	for _, j := range c.Jumps {
		if err == nil {
			err = firstOf(inside("x", j.X, c.Arena.Width), inside("y", j.Y, c.Arena.Height))
		}
	}
	if c.Phases != nil && len(c.Phases) != c.nodes() && err == nil {
		err = caucus.Wrong("phases", len(c.Phases), "one for each node")
	}
	for _, x := range c.Phases {
		if !(x >= 0 && x < 1) && err == nil {
			err = caucus.Wrong("phases", x, "0 <= phase < 1")
		}
	}
	for _, g := range c.Groups {
		if err != nil {
			return err
		}
		switch {
		case g.N < 0 || g.N > math.MaxInt32-c.nodes():
			err = caucus.Wrong("nodes", strconv.Itoa(g.N), "0 to 2147483647 in all")
		case g.Place == nil:
			err = caucus.Wrong("place", "nothing", "Box, Lattice or Spots")
		case g.Motion == nil:
			err = caucus.Wrong("motion", "nothing", "Still, Levy or Waypoint")
		case g.N > 0:
			err = firstOf(g.Place.check(g.N, c.Arena), g.Motion.check())
		}
	}
	return err
}

func (w *Walk) place(i, k int, g Group) {
	rand := caucus.NewRand(w.cfg.Seed, "mobility place", uint64(i))
	w.at[i] = g.Place.at(k, &rand)
	w.walkers[i] = walker{motion: g.Motion, rand: caucus.NewRand(w.cfg.Seed, "mobility walk", uint64(i))}
	for f := range w.past[i].fixes {
		w.past[i].fixes[f] = fix{math.Inf(-1), w.at[i]}
	}
}

// schedule gives each moving node its phase. As all have the same period, their order
// of the first period is that of all.
func (w *Walk) schedule() {
	phase := make([]float64, w.Len())
	for i := range w.walkers {
		if _, still := w.walkers[i].motion.(Still); !still {
			rand := caucus.NewRand(w.cfg.Seed, "mobility phase", uint64(i))
			phase[i] = w.cfg.Period * rand.Float64()
			if w.cfg.Phases != nil {
				phase[i] = w.cfg.Period * w.cfg.Phases[i]
			}
			w.order = append(w.order, int32(i))
		}
	}
	slices.SortStableFunc(w.order, func(a, b int32) int { return cmp.Compare(phase[a], phase[b]) })
	for _, i := range w.order {
		w.phase = append(w.phase, phase[i])
	}
}

// Len gives the number of nodes.
func (w *Walk) Len() int { return len(w.at) }

// Present is always true: nodes walk, they do not leave.
func (w *Walk) Present(int) bool { return true }

// Position gives the place of node i at the time of the last Advance.
func (w *Walk) Position(i int) (x, y float64) { return w.at[i].x, w.at[i].y }

// String describes the walk for an echo of options.
func (w *Walk) String() string {
	return fmt.Sprintf("walk of %d nodes (%d moving) in %g×%g, range %g", w.Len(), len(w.order), w.cfg.Arena.Width,
		w.cfg.Arena.Height, w.cfg.Range)
}

// inside refuses a place outside the arena.
func inside(field string, v, wall float64) error {
	if !(v >= 0 && v <= wall) {
		return caucus.Wrong(field, v, fmt.Sprintf("from 0 to %g: the node is in the arena", wall))
	}
	return nil
}

// Advance performs all moves up to and including time to.
func (w *Walk) Advance(to float64) {
	for ; w.jumped < len(w.cfg.Jumps) && w.cfg.Jumps[w.jumped].At <= to; w.jumped++ {
		j := w.cfg.Jumps[w.jumped]
		w.walk(j.At)
		w.jump(j)
	}
	w.walk(to)
	if w.around.jumped {
		w.around.relist(w.at)
	}
}

func (w *Walk) jump(j Jump) {
	w.walkers[j.Node].left = 0
	w.stand(j.Node, point{j.X, j.Y}, j.At)
	w.around.jump()
}

// walk performs the moves of nodes that walk.
func (w *Walk) walk(to float64) {
	for len(w.order) > 0 {
		t := w.phase[w.next] + float64(w.cycle*w.cfg.Period)
		if !(t <= to) || t > math.MaxFloat64 {
			return
		}
		w.move(int(w.order[w.next]), t)
		if w.next++; w.next == len(w.order) {
			w.next = 0
			w.cycle++
			w.around.turn(w.at)
		}
	}
}

func (w *Walk) move(i int, t float64) {
	k, from := &w.walkers[i], w.at[i]
	if t < k.rest {
		return
	}
	if k.left <= 0 {
		k.motion.leg(k, from, w.cfg.Arena)
		if w.cfg.Arena.Walls == Slide {
			k.bend(from, w.cfg.Arena)
		}
	}
	length := min(k.speed*w.cfg.Period, k.left)
	step := point{float64(k.towards.x * length), float64(k.towards.y * length)}
	part := w.cfg.Arena.upTo(from, step)
	if k.left -= length; part < 1 {
		k.left = 0
	}
	if k.left <= 0 {
		k.rest = t + k.pause
	}
	w.stand(i, w.cfg.Arena.clamp(point{from.x + float64(part*step.x), from.y + float64(part*step.y)}), t)
}

// stand puts a node at a place from a time on.
func (w *Walk) stand(i int, at point, t float64) {
	w.at[i] = at
	w.past[i].add(fix{t, at})
	w.around.moved(i, at)
}

// bend turns a leg that starts at a wall and leads into it.
func (k *walker) bend(from point, a Arena) {
	to := a.along(from, point{from.x + float64(k.left*k.towards.x), from.y + float64(k.left*k.towards.y)})
	if k.left = exact.Hypot(to.x-from.x, to.y-from.y); k.left > 0 {
		k.towards = point{(to.x - from.x) / k.left, (to.y - from.y) / k.left}
	}
}

// Neighbours gives whom node i hears; see [Net]. Where i was when a neighbour spoke is
// known for i's last three moves, which is enough for rounds at least every two periods. It is written so that no
// branch depends on a distance or on who moved first, which are as good as random.
func (w *Walk) Neighbours(i int, _ float64, row []int32, dist []float64) ([]int32, []float64) {
	here, square := w.at[i], w.cfg.Range*w.cfg.Range
	past := &w.past[i]
	last, before := past.fixes[past.last], past.fixes[(past.last-1)%uint8(len(past.fixes))]
	places := [2]point{before.point, here}
	start, first := len(row), len(dist)
	may, row := w.around.of(i, here, row)
	row, dist = slices.Grow(row, len(may))[:start+len(may)], slices.Grow(dist, len(may))[:first+len(may)]
	found, lengths, kept := row[start:], dist[first:], 0
	for _, j := range may {
		said, now := w.said[j], w.at[j]
		there := places[one(said.t >= last.t)]
		if said.t < before.t {
			there = past.before(said.t)
		}
		found[kept], lengths[kept] = j, exact.Hypot(here.x-said.x, here.y-said.y)
		kept += one(near(here, now, square)) & one(near(there, said.point, square)) & one(int(j) != i)
	}
	return row[:start+kept], dist[:first+kept]
}

// one is 1 for true.
func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Spoke says that node i broadcast at time now.
func (w *Walk) Spoke(i int, now float64) {
	w.said[i] = fix{now, w.at[i]}
	w.around.spoken++
}

// Silence forgets what node i last said.
func (w *Walk) Silence(i int) { w.said[i] = silent }
