package network

import (
	"math"
	"math/bits"
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/exact"
)

// byRow makes a graph row by row, without edge records in between. row appends the
// neighbours of node i to out, in rising order. ends is the expected sum of degrees.
func byRow(n, ends int, row func(i int, out []int32) []int32) *Graph {
	g := &Graph{Off: make([]int, n+1), Nbr: make([]int32, 0, ends)}
	for i := range n {
		g.Nbr = row(i, g.Nbr)
		g.Off[i+1] = len(g.Nbr)
	}
	return g
}

func makeLine(v *values) *Graph {
	n := v.count("n", 1)
	if !v.fits(float64(n), float64(n-1)) {
		return nil
	}
	g := byRow(n, 2*(n-1), func(i int, out []int32) []int32 {
		if i > 0 {
			out = append(out, int32(i-1))
		}
		if i < n-1 {
			out = append(out, int32(i+1))
		}
		return out
	})
	g.place(func(i int) (x, y float64) { return float64(i), 0 })
	return g
}

func makeRing(v *values) *Graph {
	n := v.count("n", 3)
	if !v.fits(float64(n), float64(n)) {
		return nil
	}
	g := byRow(n, 2*n, func(i int, out []int32) []int32 {
		a, b := int32((i+n-1)%n), int32((i+1)%n)
		return append(out, min(a, b), max(a, b))
	})
	g.label(func(i, j int) caucus.Label {
		if j == (i+1)%n {
			return caucus.Right
		}
		return caucus.Left
	})
	g.placeOnCircle()
	return g
}

func makeStar(v *values) *Graph {
	n := v.count("n", 1)
	if !v.fits(float64(n), float64(n-1)) {
		return nil
	}
	g := byRow(n, 2*(n-1), func(i int, out []int32) []int32 {
		if i > 0 {
			return append(out, 0)
		}
		for leaf := 1; leaf < n; leaf++ {
			out = append(out, int32(leaf))
		}
		return out
	})
	g.place(func(i int) (x, y float64) {
		if i == 0 {
			return 0, 0
		}
		y, x = exact.Sincos(float64(i-1) / float64(n-1))
		return x, y
	})
	return g
}

func makeTree(v *values) *Graph {
	n := v.count("n", 1)
	if !v.fits(float64(n), float64(n-1)) {
		return nil
	}
	g := byRow(n, 2*(n-1), func(i int, out []int32) []int32 {
		if i > 0 {
			out = append(out, int32((i-1)/2))
		}
		for child := 2*i + 1; child <= 2*i+2 && child < n; child++ {
			out = append(out, int32(child))
		}
		return out
	})
	depth := bits.Len(uint(n)) - 1
	g.place(func(i int) (x, y float64) {
		level := bits.Len(uint(i+1)) - 1
		width := float64(int(1) << (depth - level)) // of a subtree at this level
		return (float64(i+1-1<<level) + 0.5) * width, -float64(level)
	})
	return g
}

// gridSize reads RxC.
func (v *values) gridSize(least float64) (rows, cols int) {
	allowed := map[float64]string{1: "two integers >= 1", 3: "two integers >= 3"}[least]
	r, c := v.pair("size", parseCount, allowed)
	if v.err == nil && (r < least || c < least || r > maxNodes || c > maxNodes) {
		v.wrong("size", allowed)
	}
	return int(r), int(c)
}

func makeGrid(v *values) *Graph {
	rows, cols := v.gridSize(1)
	r, c := float64(rows), float64(cols)
	if !v.fits(r*c, r*(c-1)+c*(r-1)) {
		return nil
	}
	n := rows * cols
	g := byRow(n, 2*(rows*(cols-1)+cols*(rows-1)), func(i int, out []int32) []int32 {
		col := i % cols
		if i >= cols {
			out = append(out, int32(i-cols))
		}
		if col > 0 {
			out = append(out, int32(i-1))
		}
		if col < cols-1 {
			out = append(out, int32(i+1))
		}
		if i < n-cols {
			out = append(out, int32(i+cols))
		}
		return out
	})
	g.label(func(i, j int) caucus.Label {
		switch {
		case j < i-1 || cols == 1 && j < i:
			return caucus.North
		case j < i:
			return caucus.West
		case j == i+1 && cols > 1:
			return caucus.East
		}
		return caucus.South
	})
	g.place(func(i int) (x, y float64) { return float64(i % cols), float64(i / cols) })
	return g
}

func makeTorus(v *values) *Graph {
	rows, cols := v.gridSize(3) // with 2 the way round would repeat an edge
	r, c := float64(rows), float64(cols)
	if !v.fits(r*c, 2*r*c) {
		return nil
	}
	g := byRow(rows*cols, 4*rows*cols, func(i int, out []int32) []int32 {
		row, col := i/cols, i%cols
		start := len(out)
		out = append(out,
			int32((row+rows-1)%rows*cols+col), int32((row+1)%rows*cols+col),
			int32(row*cols+(col+cols-1)%cols), int32(row*cols+(col+1)%cols))
		slices.Sort(out[start:])
		return out
	})
	g.label(func(i, j int) caucus.Label {
		switch {
		case j/cols == i/cols && j%cols == (i+1)%cols:
			return caucus.East
		case j/cols == i/cols:
			return caucus.West
		case j/cols == (i/cols+1)%rows:
			return caucus.South
		}
		return caucus.North
	})
	g.place(func(i int) (x, y float64) { return float64(i % cols), float64(i / cols) })
	return g
}

func makeHypercube(v *values) *Graph {
	d := v.count("d", 0)
	if !v.fits(math.Ldexp(1, d), float64(d)*math.Ldexp(1, d-1)) {
		return nil
	}
	g := byRow(1<<d, d<<d, func(i int, out []int32) []int32 {
		start := len(out)
		for bit := range d {
			out = append(out, int32(i^1<<bit))
		}
		slices.Sort(out[start:])
		return out
	})
	g.label(func(i, j int) caucus.Label { return caucus.Dimension(bits.TrailingZeros(uint(i ^ j))) })
	g.placeOnCircle()
	return g
}

func makeClique(v *values) *Graph {
	n := v.count("n", 1)
	if !v.fits(float64(n), float64(n)*float64(n-1)/2) {
		return nil
	}
	g := byRow(n, n*(n-1), func(i int, out []int32) []int32 {
		for j := range n {
			if j != i {
				out = append(out, int32(j))
			}
		}
		return out
	})
	g.placeOnCircle()
	return g
}

// label names the direction from every node i to each of its neighbours j.
func (g *Graph) label(direction func(i, j int) caucus.Label) {
	g.Labels = make([]caucus.Label, len(g.Nbr))
	for i := range g.Len() {
		for k := g.Off[i]; k < g.Off[i+1]; k++ {
			g.Labels[k] = direction(i, int(g.Nbr[k]))
		}
	}
}

// place sets the coordinates of every node.
func (g *Graph) place(at func(i int) (x, y float64)) {
	g.X, g.Y = make([]float64, g.Len()), make([]float64, g.Len())
	for i := range g.X {
		g.X[i], g.Y[i] = at(i)
	}
}

// placeOnCircle puts the nodes in order on a circle on which neighbours on the
// circle lie 1 apart.
func (g *Graph) placeOnCircle() {
	n := g.Len()
	if n == 1 {
		g.place(func(int) (x, y float64) { return 0, 0 })
		return
	}
	half, _ := exact.Sincos(0.5 / float64(n))
	radius := 0.5 / half
	g.place(func(i int) (x, y float64) {
		sin, cos := exact.Sincos(float64(i) / float64(n))
		return float64(radius * cos), float64(radius * sin)
	})
}
