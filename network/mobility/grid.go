package mobility

import "math"

// grid finds the nodes near a point. A move costs the same whatever the number of nodes,
// a search the nodes of the cells that it touches. Places outside the box count to the
// cells at its border.
type grid struct {
	min        point
	perSide    float64 // 1 / side of a cell
	cols, rows int
	cells      [][]int32 // the nodes of each cell
	spot       []spot
}

// spot is where the grid has a node; cell is -1 for a node outside.
type spot struct{ cell, index int32 }

// newGrid prepares a grid over a box for n nodes and searches within about reach. Cells
// are wider than that where there would otherwise be many more cells than nodes.
func newGrid(n int, min, max point, reach float64) grid {
	w, h := max.x-min.x, max.y-min.y
	cells := float64(4*n + 64)
	side := math.Max(reach, math.Max(math.Sqrt(w*h/cells), math.Max(w, h)/cells))
	if side <= 0 {
		side = 1
	}
	g := grid{min: min, perSide: 1 / side, cols: int(w/side) + 1, rows: int(h/side) + 1, spot: make([]spot, n)}
	g.cells = make([][]int32, g.cols*g.rows)
	room := 2*n/len(g.cells) + 4 // cells that fill further grow, once
	all := make([]int32, len(g.cells)*room)
	for c := range g.cells {
		g.cells[c] = all[c*room : c*room : (c+1)*room]
	}
	for i := range g.spot {
		g.spot[i].cell = -1
	}
	return g
}

func (g *grid) col(x float64) int {
	return int(math.Min(math.Max((x-g.min.x)*g.perSide, 0), float64(g.cols-1)))
}

func (g *grid) row(y float64) int {
	return int(math.Min(math.Max((y-g.min.y)*g.perSide, 0), float64(g.rows-1)))
}

// put moves node i to a place, into the grid if it was outside.
func (g *grid) put(i int, at point) {
	cell := int32(g.row(at.y)*g.cols + g.col(at.x))
	if g.spot[i].cell == cell {
		return
	}
	g.drop(i)
	g.spot[i] = spot{cell, int32(len(g.cells[cell]))}
	g.cells[cell] = append(g.cells[cell], int32(i))
}

// drop takes node i out of the grid.
func (g *grid) drop(i int) {
	s := g.spot[i]
	if s.cell < 0 {
		return
	}
	nodes := g.cells[s.cell]
	last := nodes[len(nodes)-1]
	nodes[s.index] = last
	g.spot[last].index = s.index
	g.cells[s.cell] = nodes[:len(nodes)-1]
	g.spot[i].cell = -1
}

// around appends to list every node within reach of a place, and others of the same cells.
func (g *grid) around(at point, reach float64, list []int32) []int32 {
	left, right := g.col(at.x-reach), g.col(at.x+reach)
	top := g.row(at.y + reach)
	for row := g.row(at.y - reach); row <= top; row++ {
		for _, nodes := range g.cells[row*g.cols+left : row*g.cols+right+1] {
			list = append(list, nodes...)
		}
	}
	return list
}
