package frames

import (
	"caucus.example/caucus/internal/layout"
	"caucus.example/caucus/network"
	"caucus.example/caucus/network/mobility"
)

// arranged is a network of which only contacts are known, with places to draw its nodes at.
type arranged struct {
	mobility.Net
	x, y []float32
}

func (a *arranged) Position(i int) (x, y float64) { return float64(a.x[i]), float64(a.y[i]) }

// maxLooks is how often a network is looked at for who meets whom.
const maxLooks = 500

// arrange gives nodes without places those of a layout of all who ever meet while the run lasts.
func (p *Play) arrange(net mobility.Net) (*arranged, error) {
	ahead, err := p.Config.Moving.New()
	if err != nil {
		return nil, err
	}
	met := map[[2]int32]bool{}
	var row []int32
	var dist []float64
	looks := min(p.Config.MaxRounds, maxLooks)
	for k := range looks {
		now := p.clock(float64(k) * float64(p.Config.MaxRounds) / float64(looks))
		ahead.Advance(now)
		for i := range ahead.Len() {
			if ahead.Present(i) {
				ahead.Spoke(i, now)
			}
		}
		for i := range ahead.Len() {
			if !ahead.Present(i) {
				continue
			}
			row, dist = ahead.Neighbours(i, now, row[:0], dist[:0])
			for _, j := range row {
				met[[2]int32{min(int32(i), j), max(int32(i), j)}] = true
			}
		}
	}
	g, err := graphOf(ahead.Len(), met)
	if err != nil {
		return nil, err
	}
	x, y, _ := layout.Places(g)
	return &arranged{net, x, y}, nil
}

// graphOf is a network of pairs, the same every time.
func graphOf(n int, pairs map[[2]int32]bool) (*network.Graph, error) {
	var edges []network.Edge
	for p := range pairs {
		edges = append(edges, network.Edge{A: p[0], B: p[1]})
	}
	g, _, err := network.Build(n, edges) // which puts them in order
	return g, err
}
