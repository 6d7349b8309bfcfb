package layout

import (
	"caucus.example/caucus"
	"caucus.example/caucus/network"
)

// Way is a direction along an axis; that of a link which stays inside the picture is none.
type Way struct{ X, Y int8 }

// Wraps tells of each link at each end, parallel to Nbr, in which direction it leaves the picture: those that close the
// rows and columns of a torus go back over the others otherwise. It is nil where no link does. What is labelled as
// others are, but leads the other way, closes a row or column.
func Wraps(g *network.Graph) (ways []Way) {
	if g.Labels == nil || g.X == nil {
		return nil
	}
	most := map[caucus.Label]int{} // the direction of most links with a label
	for round := range 2 {
		for i := range g.Len() {
			for s := g.Off[i]; s < g.Off[i+1]; s++ {
				step, x := along(g, i, int(g.Nbr[s]), g.Labels[s])
				switch {
				case round == 0:
					most[g.Labels[s]] += step
				case step*most[g.Labels[s]] < 0:
					if ways == nil {
						ways = make([]Way, len(g.Nbr))
					}
					if x {
						ways[s].X = int8(-step)
					} else {
						ways[s].Y = int8(-step)
					}
				}
			}
		}
	}
	return ways
}

// along tells which way a link with a label leads on its axis, and whether that is the horizontal one.
func along(g *network.Graph, i, j int, label caucus.Label) (step int, x bool) {
	by := 0.0
	switch label {
	case caucus.East, caucus.West:
		by, x = g.X[j]-g.X[i], true
	case caucus.North, caucus.South:
		by = g.Y[j] - g.Y[i]
	}
	switch {
	case by > 0:
		return 1, x
	case by < 0:
		return -1, x
	}
	return 0, x
}
