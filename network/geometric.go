package network

import (
	"math"
	"runtime"
	"slices"
	"sync"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/exact"
)

func makeGeometric(v *values) *Graph {
	n := v.count("n", 1)
	width, height := 1.0, 1.0
	if v.has("box") {
		width, height = v.pair("box", parseLength, "two numbers > 0 (1e-9 to 1e9)")
	}
	radius := v.reach(n, width, height)
	nearby := nearProbability(radius, width, height)
	if !v.fits(float64(n), nearby*float64(n)*float64(n-1)/2) {
		return nil
	}
	f := newField(n, width, height, radius)
	x, y := make([]float64, n), make([]float64, n)
	for i := range n {
		f.draw(v.rand, x, y, i, 0)
	}
	ends := int(nearby * float64(n) * float64(n-1) * 1.01)
	if !v.has("connected") {
		return f.graph(x, y, ends)
	}
	const tries = 100
	for try := uint64(1); try <= tries; try++ {
		g := f.graph(x, y, ends)
		c := FindComponents(g)
		if len(c.Size) == 1 {
			return g
		}
		x, y = g.X, g.Y
		for i, label := range c.Label {
			if int(label) != c.Largest {
				f.draw(v.rand, x, y, i, try)
			}
		}
	}
	v.fail("arguments of rgg", v.args, "a larger degree or radius: after moving the nodes outside the largest "+
		"component 100 times the graph still falls apart")
	return nil
}

// reach reads the distance within which nodes are joined.
func (v *values) reach(n int, width, height float64) float64 {
	switch {
	case v.err != nil:
		return 0
	case v.has("radius") == v.has("degree"):
		v.fail("arguments of rgg", v.args,
			"exactly one of radius and degree beside n ("+v.gen.Syntax+")")
		return 0
	case v.has("radius"):
		return v.length("radius")
	}
	degree := v.length("degree")
	others := float64(n - 1)
	low, high := 0.0, min(width, height)
	if v.err == nil && degree > others*nearProbability(high, width, height) {
		v.wrong("degree", "less than n-1 times the chance that two nodes of the box are within its shorter side")
		return 0
	}
	for range 64 { // the probability rises with the radius: bisect
		middle := (low + high) / 2
		if others*nearProbability(middle, width, height) < degree {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// nearProbability is the probability that two uniform points of a box lie within r.
// Up to the shorter side that is exact, the loss at the borders included; above, it is
// an upper bound.
func nearProbability(r, width, height float64) float64 {
	r = min(r, exact.Hypot(width, height))
	if r > min(width, height) {
		return min(1, math.Pi*r/width*r/height)
	}
	a, b := r/width, r/height
	return float64(math.Pi*a*b) - float64(4.0/3*a*b*(a+b)) + float64(a*a*b*b)/2
}

// field is a box cut into cells no smaller than the radius, so that the neighbours of a
// node are in its own and the eight cells around. There are at most about as many
// cells as nodes.
type field struct {
	width, height, radius float64
	cols, rows            int
	begin                 []int32 // by cell: its first node; the nodes of a cell follow each other
	end                   []int32
	order                 []int32 // cells along the Hilbert curve
}

func newField(n int, width, height, radius float64) *field {
	side := max(radius, math.Sqrt(width*height/float64(n)))
	f := &field{width: width, height: height, radius: radius,
		cols: int(max(1, min(width/side, float64(n)))),
		rows: int(max(1, min(height/side, float64(n))))}
	cells := f.cols * f.rows
	f.begin, f.end, f.order = make([]int32, cells), make([]int32, cells), make([]int32, cells)
	shift := 0
	for max(f.cols, f.rows)>>shift > 1<<hilbertBits {
		shift++
	}
	keys := make([]uint64, cells)
	for c := range keys {
		keys[c] = uint64(hilbert(uint32(c%f.cols>>shift), uint32(c/f.cols>>shift)))<<32 | uint64(c)
	}
	slices.Sort(keys)
	for k, key := range keys {
		f.order[k] = int32(key & math.MaxUint32)
	}
	return f
}

// draw places node i. A node that is placed again draws from another stream.
func (f *field) draw(r caucus.Rand, x, y []float64, i int, try uint64) {
	r = r.At(uint64(i)).At(try)
	x[i], y[i] = r.Float64()*f.width, r.Float64()*f.height
}

func (f *field) cell(x, y float64) int {
	col := min(int(x/f.width*float64(f.cols)), f.cols-1)
	row := min(int(y/f.height*float64(f.rows)), f.rows-1)
	return row*f.cols + col
}

// graph joins all points within the radius. Nodes are numbered along the Hilbert
// curve, cell by cell, so that neighbours have near numbers. The cores share the cells.
func (f *field) graph(x, y []float64, ends int) *Graph {
	x, y = f.sort(x, y)
	g := &Graph{Off: make([]int, len(x)+1), X: x, Y: y, Range: f.radius, Box: [2]float64{f.width, f.height}}
	const worthwhile = 1 << 15 // nodes a core
	shares := f.share(len(x), min(runtime.GOMAXPROCS(0), len(x)/worthwhile+1))
	room, rows := make([]int32, ends), make([][]int32, len(shares))
	var all sync.WaitGroup
	for k, cells := range shares {
		mine := room[ends/len(shares)*k : ends/len(shares)*(k+1)]
		all.Go(func() { rows[k] = f.join(g, cells, mine[:0:len(mine)]) })
	}
	all.Wait()
	for i := range x {
		g.Off[i+1] += g.Off[i]
	}
	g.Nbr = together(room, rows)
	return g
}

// share cuts the cells into parts of about as many nodes each.
func (f *field) share(nodes, parts int) (shares [][]int32) {
	first, next := 0, 1
	for k, c := range f.order {
		if int(f.begin[c]) >= nodes/parts*next && next < parts {
			shares, first, next = append(shares, f.order[first:k]), k, next+1
		}
	}
	return append(shares, f.order[first:])
}

// join appends the neighbours of the nodes of some cells to a list, and says in g.Off how many they are.
func (f *field) join(g *Graph, cells, nbr []int32) []int32 {
	x, y, limit := g.X, g.Y, f.radius*f.radius
	for _, c := range cells {
		spans, count := f.around(int(c))
		for i := f.begin[c]; i < f.end[c]; i++ {
			before := len(nbr)
			for _, s := range spans[:count] {
				for j := s.begin; j < s.end; j++ {
					dx, dy := x[j]-x[i], y[j]-y[i]
					if float64(dx*dx)+float64(dy*dy) <= limit && j != i {
						nbr = append(nbr, j)
					}
				}
			}
			g.Off[i+1] = len(nbr) - before
		}
	}
	return nbr
}

// together moves lists together that follow each other in a room with gaps between them, unless one had no place there.
func together(room []int32, lists [][]int32) []int32 {
	at := 0
	for _, list := range lists {
		if len(list) > len(room)/len(lists) {
			return slices.Concat(lists...)
		}
		at += copy(room[at:], list)
	}
	return room[:at]
}

// sort gives the coordinates in the order of the cells and sets where each begins.
func (f *field) sort(x, y []float64) (sortedX, sortedY []float64) {
	clear(f.end)
	for i := range x {
		f.end[f.cell(x[i], y[i])]++ // count first
	}
	next := int32(0)
	for _, c := range f.order {
		f.begin[c], next = next, next+f.end[c]
		f.end[c] = f.begin[c] // and end grows again as the nodes come in
	}
	sortedX, sortedY = make([]float64, len(x)), make([]float64, len(y))
	for i := range x {
		c := f.cell(x[i], y[i])
		sortedX[f.end[c]], sortedY[f.end[c]] = x[i], y[i]
		f.end[c]++
	}
	return sortedX, sortedY
}

// span is a run of nodes.
type span struct{ begin, end int32 }

// around lists the nodes of a cell and of those around it, in rising order, so that
// the rows of the graph come out sorted.
func (f *field) around(c int) (spans [9]span, count int) {
	col, row := c%f.cols, c/f.cols
	for r := max(row-1, 0); r <= min(row+1, f.rows-1); r++ {
		for q := max(col-1, 0); q <= min(col+1, f.cols-1); q++ {
			cell := r*f.cols + q
			if f.begin[cell] < f.end[cell] {
				spans[count] = span{f.begin[cell], f.end[cell]}
				count++
			}
		}
	}
	slices.SortFunc(spans[:count], func(a, b span) int { return int(a.begin - b.begin) })
	return spans, count
}
