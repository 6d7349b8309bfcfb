package mobility

import (
	"math"
	"slices"
)

// grid finds the nodes near a point. A move costs the same whatever the number of nodes,
// a search the nodes of the cells that it touches. Places outside the box count to the
// cells at its border.
type grid struct {
	min        point
	perSide    float64 // 1 / side of a cell
	cols, rows int
	cells      [][]resident // of each cell
	spot       []spot
}

// resident is a node where the grid has it: a search reads the places of a cell's nodes one after the other.
type resident struct {
	point
	node int32
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
	g.cells = make([][]resident, g.cols*g.rows)
	room := 2*n/len(g.cells) + 4 // cells that fill further grow, once
	all := make([]resident, len(g.cells)*room)
	for c := range g.cells {
		g.cells[c] = all[c*room : c*room : (c+1)*room]
	}
	for i := range g.spot {
		g.spot[i].cell = -1
	}
	return g
}

func (g *grid) col(x float64) int {
	return int(min(max((x-g.min.x)*g.perSide, 0), float64(g.cols-1)))
}

func (g *grid) row(y float64) int {
	return int(min(max((y-g.min.y)*g.perSide, 0), float64(g.rows-1)))
}

// put moves node i to a place, into the grid if it was outside.
func (g *grid) put(i int, at point) {
	cell := int32(g.row(at.y)*g.cols + g.col(at.x))
	if s := g.spot[i]; s.cell == cell {
		g.cells[cell][s.index].point = at
		return
	}
	g.drop(i)
	g.spot[i] = spot{cell, int32(len(g.cells[cell]))}
	g.cells[cell] = append(g.cells[cell], resident{at, int32(i)})
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
	g.spot[last.node].index = s.index
	g.cells[s.cell] = nodes[:len(nodes)-1]
	g.spot[i].cell = -1
}

// around appends to list every node within reach of a place, and others of the same cells.
func (g *grid) around(at point, reach float64, list []int32) []int32 {
	left, right, row, top := g.box(at, reach)
	for ; row <= top; row++ {
		for _, nodes := range g.cells[row*g.cols+left : row*g.cols+right+1] {
			for k := range nodes {
				list = append(list, nodes[k].node)
			}
		}
	}
	return list
}

// within appends to list the nodes within reach of a place, in the order of around. It is written so that no branch
// depends on the distance: a third of the candidates pass.
func (g *grid) within(at point, reach float64, list []int32) []int32 {
	left, right, row, top := g.box(at, reach)
	square := reach * reach
	for ; row <= top; row++ {
		for _, nodes := range g.cells[row*g.cols+left : row*g.cols+right+1] {
			n := len(list)
			list = slices.Grow(list, len(nodes))[:n+len(nodes)]
			into := list[n:]
			n = 0
			for k := range nodes {
				r := &nodes[k]
				into[n] = r.node
				n += one(near(at, r.point, square))
			}
			list = list[:len(list)-len(nodes)+n]
		}
	}
	return list
}

// box gives the columns and rows of the cells that a search touches. Whoever is within reach is in them, from either
// side: distances are rounded by less than is added here.
func (g *grid) box(at point, reach float64) (left, right, low, top int) {
	reach *= 1 + 1e-9
	return g.col(at.x - reach), g.col(at.x + reach), g.row(at.y - reach), g.row(at.y + reach)
}
