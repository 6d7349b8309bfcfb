package mobility

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"caucus.example/caucus"
)

// edgeSetup is the published one of mobile and fixed devices.
func edgeSetup(seed uint64) Config {
	return Config{Arena: Arena{Width: 1200, Height: 1200}, Range: 100, Period: 1, Seed: seed, Groups: []Group{
		{975, Box{80, 80, 1110, 1110}, Levy{2, 100, 1}},
		{36, Lattice{227.14, 227.14, 147.144, 6}, Still{}},
	}}
}

func mustWalk(t testing.TB, cfg Config) *Walk {
	t.Helper()
	w, err := NewWalk(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// A node at (9, 5) that steps (4, 0) in a 10-wide arena meets the wall after a quarter;
// from (1, 1), a step of (-2, -4) meets y = 0 after a quarter, before x = 0 after half.
func TestWalls(t *testing.T) {
	for _, c := range []struct {
		from, step point
		part       float64
	}{
		{point{9, 5}, point{4, 0}, 0.25},
		{point{1, 1}, point{-2, -4}, 0.25},
		{point{10, 5}, point{1, 0}, 0},
		{point{5, 5}, point{5, 5}, 1},
	} {
		if got := (Arena{Width: 10, Height: 10}).upTo(c.from, c.step); got != c.part {
			t.Errorf("from %v step %v: %v, want %v", c.from, c.step, got, c.part)
		}
	}
}

func TestCollisionEndsThePath(t *testing.T) {
	w := mustWalk(t, Config{Arena: Arena{Width: 10, Height: 10}, Range: 1, Period: 1,
		Groups: []Group{{1, Lattice{9, 5, 1, 1}, Levy{4, 100, 1}}}})
	w.walkers[0].towards, w.walkers[0].left, w.walkers[0].speed = point{1, 0}, 100, 4
	w.move(0, 0.5)
	if x, y := w.Position(0); x != 10 || y != 5 {
		t.Errorf("at %v,%v, want the wall 10,5", x, y)
	}
	if w.walkers[0].left != 0 {
		t.Errorf("path has %v left after the wall", w.walkers[0].left)
	}
}

// P(length > l) = (100/l)^1: half of the paths exceed 200, a tenth 1000.
func TestParetoQuantiles(t *testing.T) {
	l := Levy{2, 100, 1}
	const n = 20000
	for _, q := range []struct{ length, share float64 }{{100, 1}, {200, 0.5}, {400, 0.25}, {1000, 0.1}} {
		above := 0.0
		for i := range n {
			w := walker{rand: caucus.NewRand(7, "pareto", uint64(i))}
			l.leg(&w, point{}, Arena{})
			if w.left >= q.length {
				above++
			}
		}
		if e := math.Sqrt(q.share * (1 - q.share) / n); math.Abs(above/n-q.share) > 4*e {
			t.Errorf("share above %v: %v, want %v ± %v", q.length, above/n, q.share, e)
		}
	}
	if got := (Levy{2, 100, 2}).path(0.25); got != 200 { // 100 · 0.25^(-1/2)
		t.Errorf("path exceeded by a quarter: %v, want 200", got)
	}
}

func TestWaypointGoesStraightAndRests(t *testing.T) {
	w := mustWalk(t, Config{Arena: Arena{Width: 100, Height: 100}, Range: 1, Period: 1,
		Groups: []Group{{1, Box{0, 0, 100, 100}, Waypoint{3, 3, 5}}}})
	k, still := &w.walkers[0], 0
	for s := 1.0; s <= 400; s++ {
		x, y := w.Position(0)
		left := k.left
		w.Advance(s)
		gone := math.Hypot(w.at[0].x-x, w.at[0].y-y)
		if gone == 0 {
			still++
			continue
		}
		if left > 0 && math.Abs(gone-min(3, left)) > 1e-9 {
			t.Fatalf("second %v: went %v with %v left", s, gone, left)
		}
	}
	if still == 0 {
		t.Error("never paused")
	}
}

func TestSameSeedSamePlaces(t *testing.T) {
	a, b, c := mustWalk(t, edgeSetup(1)), mustWalk(t, edgeSetup(1)), mustWalk(t, edgeSetup(2))
	a.Advance(100)
	c.Advance(100)
	for s := range 1001 { // in other steps
		b.Advance(float64(s) / 10)
	}
	if !slices.Equal(a.at, b.at) {
		t.Error("same seed, other places")
	}
	if slices.Equal(a.at, c.at) {
		t.Error("other seed, same places")
	}
	if x, y := a.Position(1010); math.Abs(x-962.86) > 1e-9 || math.Abs(y-962.86) > 1e-9 {
		t.Errorf("last fixed node at %v,%v", x, y)
	}
}

// A node that is put somewhere else is there from that time on, and not before; one that walks goes on from there, with
// the steps that it would have made.
func TestJumps(t *testing.T) {
	cfg := Config{Arena: Arena{Width: 100, Height: 100}, Range: 10, Period: 1, Groups: []Group{
		{2, Lattice{10, 10, 50, 2}, Still{}}, {1, Box{50, 50, 50, 50}, Levy{1, 100, 1}}},
		Jumps: []Jump{{2.5, 1, 15, 10}, {2.5, 2, 80, 20}}}
	w := mustWalk(t, cfg)
	hears := func(at float64) int {
		w.Advance(at)
		w.Spoke(1, at)
		row, _ := w.Neighbours(0, at, nil, nil)
		return len(row)
	}
	if hears(2.4) != 0 || hears(2.5) != 1 {
		t.Error("node 0 hears node 1 before it is there, or not then")
	}
	if x, y := w.Position(2); x != 80 || y != 20 {
		t.Errorf("the walker is at %g, %g", x, y)
	}
	w.Advance(5.5) // three steps of its own
	if x, y := w.Position(2); math.Abs(math.Hypot(x-80, y-20)-3) > 1e-9 {
		t.Errorf("the walker is at %g, %g, not three steps away", x, y)
	}
}

// The message of j at t = 0 reached i at distance 3; i's edge is measured to where j was.
func TestEdgeLengthIsToWhereTheNeighbourSpoke(t *testing.T) {
	w := mustWalk(t, Config{Arena: Arena{Width: 100, Height: 100}, Range: 10, Period: 1,
		Groups: []Group{{2, Lattice{10, 10, 3, 2}, Levy{1, 100, 1}}}})
	if row, _ := w.Neighbours(0, 0, nil, nil); len(row) != 0 {
		t.Fatalf("hears %v before anybody spoke", row)
	}
	w.Spoke(1, 0)
	jump := func(i int, x, y, t float64) {
		w.jump(Jump{At: t, Node: i, X: x, Y: y})
		w.around.relist(w.at)
	}
	jump(1, 18, 10, 0.2)
	jump(0, 10, 14, 0.3)
	row, dist := w.Neighbours(0, 0.4, nil, nil)
	if len(row) != 1 || row[0] != 1 || dist[0] != 5 { // (10,14) to (13,10)
		t.Errorf("hears %v at %v, want node 1 at 5", row, dist)
	}
	jump(1, 30, 10, 0.5)
	if row, _ := w.Neighbours(0, 0.6, nil, nil); len(row) != 0 {
		t.Error("hears a node out of range")
	}
	w.Spoke(1, 0.6) // nobody in range
	jump(1, 18, 10, 0.7)
	if row, _ := w.Neighbours(0, 0.8, nil, nil); len(row) != 0 {
		t.Error("hears what was said out of range")
	}
	w.Spoke(1, 0.9)
	if row, _ := w.Neighbours(0, 1, nil, nil); len(row) != 1 {
		t.Error("does not hear the neighbour")
	}
	w.Silence(1)
	if row, _ := w.Neighbours(0, 1, nil, nil); len(row) != 0 {
		t.Error("hears a silenced node")
	}
}

func TestGridFindsWhatBruteForceFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := Config{
			Arena: Arena{Width: rapid.Float64Range(1, 1000).Draw(t, "width"),
				Height: rapid.Float64Range(0, 300).Draw(t, "height")},
			Range:  rapid.Float64Range(0.1, 400).Draw(t, "range"),
			Period: 1, Seed: rapid.Uint64().Draw(t, "seed"),
		}
		box := Box{0, 0, cfg.Arena.Width, cfg.Arena.Height}
		fast := rapid.SampledFrom([]float64{1, 5, 40}).Draw(t, "speed")
		cfg.Groups = []Group{{20, box, Levy{fast, 10, 1}}, {10, box, Waypoint{1, fast, 2}}, {5, box, Still{}}}
		for k := range rapid.IntRange(0, 3).Draw(t, "jumps") {
			cfg.Jumps = append(cfg.Jumps, Jump{At: 3 * float64(k+1), Node: 34 - k, X: cfg.Arena.Width})
		}
		w, err := NewWalk(cfg)
		if err != nil {
			t.Fatal(err)
		}
		now := 0.0
		for range 40 {
			now += rapid.Float64Range(0, 1).Draw(t, "dt")
			w.Advance(now)
			for i := range w.Len() {
				w.Spoke(i, now)
			}
			for i := range w.Len() {
				var want []int32
				for j := range w.Len() {
					if i != j && near(w.at[i], w.at[j], cfg.Range*cfg.Range) {
						want = append(want, int32(j))
					}
				}
				got, dist := w.Neighbours(i, now, nil, nil)
				if len(dist) != len(got) {
					t.Fatal("row and dist differ in length")
				}
				if !slices.Equal(got, want) {
					t.Fatalf("node %d at %v: %v, want %v", i, now, got, want)
				}
				if w.cfg.Arena.clamp(w.at[i]) != w.at[i] {
					t.Fatalf("node %d outside: %v", i, w.at[i])
				}
			}
		}
	})
}

// Few nodes are sorted by digits, many by comparing.
func TestSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{1, 63, 64, 65, 4096, 300_000}).Draw(t, "nodes")
		v := vicinity{grid: grid{spot: make([]spot, n)}}
		got := rapid.SliceOfN(rapid.Int32Range(0, int32(n-1)), 0, 140).Draw(t, "list")
		want := slices.Sorted(slices.Values(got))
		if v.sort(got); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

// Two nodes walk towards each other, 4 in a second, in a range of 100. Lists last for 3 seconds: they have whoever is
// within 124. At 2.5 s the first has gone three times and the second twice, from 119 to 99.
func TestListsHoldWhoeverMayComeNear(t *testing.T) {
	w := mustWalk(t, Config{Arena: Arena{Width: 1000, Height: 100}, Range: 100, Period: 1, Phases: []float64{0.1, 0.9},
		Groups: []Group{{2, Lattice{100, 50, 119, 2}, Levy{4, 100, 1}}}})
	if w.around.periods != 3 {
		t.Fatalf("lists last for %d periods", w.around.periods)
	}
	for i := range w.walkers {
		k := &w.walkers[i]
		k.towards, k.left, k.speed = point{float64(1 - 2*i), 0}, 1000, 4
	}
	for _, c := range []struct {
		at    float64
		hears int
	}{{2, 0}, {2.5, 1}, {3, 1}} {
		w.Advance(c.at)
		w.Spoke(1, c.at)
		if row, _ := w.Neighbours(0, c.at, nil, nil); len(row) != c.hears {
			t.Errorf("at %g s: %v, in places %v", c.at, row, w.at)
		}
	}
}

// Where everybody hears everybody, lists would grow with the square of the nodes.
func TestNoListsInACrowd(t *testing.T) {
	const n = 2*mostListed + 2
	w := mustWalk(t, Config{Arena: Arena{Width: 10, Height: 10}, Range: 20, Period: 1,
		Groups: []Group{{n, Box{0, 0, 10, 10}, Levy{0.1, 100, 1}}}})
	for second := range 5 {
		now := float64(second)
		w.Advance(now)
		for i := range n {
			w.Spoke(i, now)
		}
		if row, _ := w.Neighbours(0, now, nil, nil); len(row) != n-1 || w.around.list != nil {
			t.Fatalf("at %g s node 0 hears %d of %d, %d are listed", now, len(row), n-1, len(w.around.list))
		}
	}
}

// Where nodes move much more often than they speak, lists would be made for nobody; places where a jump ends are found
// without them, too.
func TestNoListsForTheSilent(t *testing.T) {
	w := mustWalk(t, Config{Arena: Arena{Width: 1000, Height: 1000}, Range: 100, Period: 1,
		Groups: []Group{{9, Lattice{900, 900, 10, 3}, Levy{2, 100, 1}}}, Jumps: []Jump{{At: 65, Node: 8, X: 1, Y: 1}}})
	for _, now := range []float64{0, 60, 70} {
		w.Advance(now)
		for i := range w.Len() {
			w.Spoke(i, now)
		}
		if w.around.periods > 0 != (now == 0) {
			t.Errorf("at %g s lists for %d periods", now, w.around.periods)
		}
	}
	if row, _ := w.Neighbours(8, 70, nil, nil); len(row) > 0 {
		t.Errorf("%v are heard from far away", row)
	}
}

// Searches of the grid take no memory, even where few of those in a cell are near.
func TestNeighboursTakeNoMemory(t *testing.T) {
	for _, speed := range []float64{0, 20} { // with lists, and without
		w := mustWalk(t, Config{Arena: Arena{Width: 3000, Height: 3000}, Range: 100, Period: 1, Groups: []Group{
			{1, Lattice{100, 100, 1, 1}, Still{}},
			{200, Box{190, 190, 199, 199}, Levy{speed, 100, 1}}}})
		w.Advance(0)
		row, dist := w.Neighbours(0, 0, nil, nil)
		if a := testing.AllocsPerRun(20, func() { row, dist = w.Neighbours(0, 0, row[:0], dist[:0]) }); a > 0 {
			t.Errorf("speed %g: %g allocations", speed, a)
		}
	}
}

// The same by delivery: who was in range when j spoke keeps its message, and hears it if j
// is in range at its own round. Rounds are one a second, each node at a phase of its own.
func TestWalkersHearWhatWasDelivered(t *testing.T) {
	const n = 60
	w := mustWalk(t, Config{Arena: Arena{Width: 60, Height: 60}, Range: 15, Period: 1, Seed: 3,
		Groups: []Group{{n, Box{0, 0, 60, 60}, Levy{9, 10, 1}}}})
	rand := caucus.NewRand(3, "phases")
	phase, order := make([]float64, n), make([]int, n)
	for i := range n {
		phase[i], order[i] = rand.Float64(), i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(phase[a], phase[b]) })
	var got [n][n]bool // whom the message of j reached
	var from [n]point
	strayed := 0
	for second := range 30 {
		for _, i := range order {
			now := float64(second) + phase[i]
			w.Advance(now)
			want := map[int32]float64{}
			for j := range n {
				switch here := near(w.at[i], w.at[j], 15*15); {
				case j != i && here && got[j][i]:
					want[int32(j)] = math.Hypot(w.at[i].x-from[j].x, w.at[i].y-from[j].y)
				case j != i && here != got[j][i] && second > 0:
					strayed++
				}
			}
			row, dist := w.Neighbours(i, now, nil, nil)
			if len(row) != len(want) {
				t.Fatalf("node %d at %v hears %v, want %v", i, now, row, want)
			}
			for k, j := range row {
				if d, ok := want[j]; !ok || math.Abs(d-dist[k]) > 1e-12 {
					t.Fatalf("node %d at %v hears %d at %v, want %v", i, now, j, dist[k], want)
				}
			}
			w.Spoke(i, now)
			from[i] = w.at[i]
			for j := range n {
				got[i][j] = near(w.at[i], w.at[j], 15*15)
			}
		}
	}
	if strayed < 100 {
		t.Errorf("only %d times did a node come or go between", strayed)
	}
}

func TestRefusals(t *testing.T) {
	good := edgeSetup(1)
	for name, spoil := range map[string]func(c *Config){
		"range":   func(c *Config) { c.Range = 0 },
		"width":   func(c *Config) { c.Arena.Width = math.NaN() },
		"period":  func(c *Config) { c.Period = -1 },
		"speed":   func(c *Config) { c.Groups = []Group{{1, Box{}, Levy{-1, 1, 1}}} },
		"place":   func(c *Config) { c.Groups = []Group{{1, Box{0, 0, 2000, 1}, Still{}}} },
		"columns": func(c *Config) { c.Groups = []Group{{1, Lattice{}, Still{}}} },
		"motion":  func(c *Config) { c.Groups = []Group{{N: 1, Place: Box{}}} },
		"nodes":   func(c *Config) { c.Groups = []Group{{N: -1}} },
		"x":       func(c *Config) { c.Jumps = []Jump{{X: 1201}} },
		"y":       func(c *Config) { c.Jumps = []Jump{{Y: -1}} },
	} {
		cfg := good
		spoil(&cfg)
		_, err := NewWalk(cfg)
		if f, ok := err.(*caucus.FieldError); !ok || f.Field != name {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNoAllocation(t *testing.T) {
	w := mustWalk(t, edgeSetup(1))
	row, dist := make([]int32, 0, 1024), make([]float64, 0, 1024)
	now := 0.0
	if a := testing.AllocsPerRun(1000, func() {
		now += 0.01
		w.Advance(now)
		i := int(now*100) % w.Len()
		row, dist = w.Neighbours(i, now, row[:0], dist[:0])
		w.Spoke(i, now)
	}); a != 0 {
		t.Errorf("%v allocations a round", a)
	}
}

// crowd is the mobile set-up at the same density with any number of nodes.
func crowd(n int) Config {
	side := math.Sqrt(float64(n)/1011) * 1200
	return Config{Arena: Arena{Width: side, Height: side}, Range: 100, Period: 1,
		Groups: []Group{{n, Box{0, 0, side, side}, Levy{2, 100, 1}}}}
}

func BenchmarkMoves(b *testing.B) {
	for _, n := range []int{1000, 10000, 100000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			w := mustWalk(b, crowd(n))
			for b.Loop() { // a move each
				w.Advance(math.Nextafter(w.phase[len(w.phase)-1]+w.cycle, math.Inf(1)))
			}
			b.ReportMetric(float64(b.N*n)/b.Elapsed().Seconds(), "moves/s")
		})
	}
}

func BenchmarkNeighbours(b *testing.B) {
	for _, n := range []int{1000, 10000, 100000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			w := mustWalk(b, crowd(n))
			w.Advance(5)
			for i := range n {
				w.Spoke(i, 5)
			}
			row, dist, i, found := []int32(nil), []float64(nil), 0, 0
			for b.Loop() {
				row, dist = w.Neighbours(i, 5, row[:0], dist[:0])
				found += len(row)
				i = (i + 1) % n
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "queries/s")
			b.ReportMetric(float64(found)/float64(b.N), "neighbours")
		})
	}
}

// BenchmarkRounds is what a simulator asks for a round of each node, its moves included.
func BenchmarkRounds(b *testing.B) {
	w := mustWalk(b, edgeSetup(1))
	row, dist, now, i := []int32(nil), []float64(nil), 0.0, 0
	b.ReportAllocs()
	for b.Loop() {
		w.Advance(now)
		row, dist = w.Neighbours(i, now, row[:0], dist[:0])
		w.Spoke(i, now)
		i = (i + 1) % w.Len()
		now += 1.0 / 1011
	}
}

// With sliding walls a leg that starts at a wall and leads into it keeps what it has along the wall; other
// legs are as they were.
func TestSlidingWalls(t *testing.T) {
	a := Arena{Width: 10, Height: 20, Walls: Slide}
	for _, c := range []struct{ from, to, want point }{
		{point{0, 5}, point{-3, 9}, point{0, 9}},   // into the left wall: up along it
		{point{10, 5}, point{12, 1}, point{10, 1}}, // into the right one: down
		{point{4, 20}, point{7, 30}, point{7, 20}}, // into the upper one
		{point{0, 0}, point{-1, -2}, point{0, 0}},  // into a corner: nowhere
		{point{0, 0}, point{-1, 2}, point{0, 2}},   // out of the corner along one wall
		{point{0, 5}, point{3, 9}, point{3, 9}},    // away from the wall
		{point{5, 5}, point{-3, 9}, point{-3, 9}},  // not at a wall: ends at it later
	} {
		if got := a.along(c.from, c.to); got != c.want {
			t.Errorf("from %v to %v: %v, want %v", c.from, c.to, got, c.want)
		}
	}
	// Nodes that slide spend more of their time at the walls.
	share := func(walls Walls) float64 {
		w := mustWalk(t, Config{Arena: Arena{Width: 100, Height: 100, Walls: walls}, Range: 10, Period: 1, Seed: 1,
			Groups: []Group{{500, Box{0, 0, 100, 100}, Levy{5, 100, 1}}}})
		at := 0
		for s := range 100 {
			w.Advance(float64(100 + s))
			for i := range w.Len() {
				if x, y := w.Position(i); min(x, y, 100-x, 100-y) <= touch {
					at++
				}
			}
		}
		return float64(at) / 50000
	}
	if stop, slide := share(Stop), share(Slide); slide < 1.5*stop {
		t.Errorf("at a wall: %g of the time where it stops them, %g where they slide", stop, slide)
	}
	if _, err := NewWalk(Config{Arena: Arena{Width: 1, Height: 1, Walls: "bounce"}, Range: 1, Period: 1}); err == nil {
		t.Error("bouncing walls taken")
	}
}
