package mobility

import "math"

// grid finds the nodes near a point. A move costs the same whatever the number of nodes,
// a search the nodes of the cells that it touches. Places outside the box count to the
// cells at its border.
type grid struct {
	min        point
	perSide    float64 // 1 / side of a cell
	cols, rows int
	head       []int32 // first node of each cell, -1 for none
	link       []links
}

type links struct{ cell, next, prev int32 } // cell is -1 for a node outside the grid

// newGrid prepares a grid over a box for n nodes and searches within about reach. Cells
// are wider than that where there would otherwise be many more cells than nodes.
func newGrid(n int, min, max point, reach float64) grid {
	w, h := max.x-min.x, max.y-min.y
	cells := float64(4*n + 64)
	side := math.Max(reach, math.Max(math.Sqrt(w*h/cells), math.Max(w, h)/cells))
	if side <= 0 {
		side = 1
	}
	g := grid{min: min, perSide: 1 / side, cols: int(w/side) + 1, rows: int(h/side) + 1, link: make([]links, n)}
	g.head = make([]int32, g.cols*g.rows)
	for c := range g.head {
		g.head[c] = -1
	}
	for i := range g.link {
		g.link[i].cell = -1
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
	if g.link[i].cell == cell {
		return
	}
	g.drop(i)
	first := g.head[cell]
	g.link[i] = links{cell, first, -1}
	if first >= 0 {
		g.link[first].prev = int32(i)
	}
	g.head[cell] = int32(i)
}

// drop takes node i out of the grid.
func (g *grid) drop(i int) {
	l := g.link[i]
	if l.cell < 0 {
		return
	}
	if l.prev >= 0 {
		g.link[l.prev].next = l.next
	} else {
		g.head[l.cell] = l.next
	}
	if l.next >= 0 {
		g.link[l.next].prev = l.prev
	}
	g.link[i].cell = -1
}

// around appends to list every node within reach of a place, and others of the same cells.
func (g *grid) around(at point, reach float64, list []int32) []int32 {
	left, right := g.col(at.x-reach), g.col(at.x+reach)
	top := g.row(at.y + reach)
	for row := g.row(at.y - reach); row <= top; row++ {
		for _, i := range g.head[row*g.cols+left : row*g.cols+right+1] {
			for ; i >= 0; i = g.link[i].next {
				list = append(list, i)
			}
		}
	}
	return list
}
