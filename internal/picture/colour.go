package picture

import (
	"image/color"
	"math"
	"sort"

	"caucus.example/caucus"
	"caucus.example/caucus/network"
)

// hues is the palette of Okabe and Ito (2008), which people with any of the common colour
// vision deficiencies can tell apart, without black.
var hues = []color.NRGBA{
	{0x00, 0x72, 0xb2, 0xff}, // blue
	{0xe6, 0x9f, 0x00, 0xff}, // orange
	{0x00, 0x9e, 0x73, 0xff}, // green
	{0xcc, 0x79, 0xa7, 0xff}, // purple
	{0x56, 0xb4, 0xe9, 0xff}, // sky
	{0xd5, 0x5e, 0x00, 0xff}, // vermilion
	{0xf0, 0xe4, 0x42, 0xff}, // yellow
}

var (
	ink     = color.NRGBA{0x22, 0x22, 0x22, 0xff}
	faint   = color.NRGBA{0x66, 0x66, 0x66, 0xff}
	grey    = color.NRGBA{0xc4, 0xc4, 0xc4, 0xff}
	nothing = color.NRGBA{0xee, 0xee, 0xee, 0xff} // a node that does not run or names no leader
	paper   = color.NRGBA{0xff, 0xff, 0xff, 0xff}
)

// shade is the palette's colour k: after all hues, all of them again lighter, then darker; after those, others between
// them that never come again.
func shade(k int) color.NRGBA {
	if k >= shades {
		return between(k - shades)
	}
	c := hues[k%len(hues)]
	switch k / len(hues) {
	case 1:
		return blend(c, paper, 0.45)
	case 2:
		return blend(c, ink, 0.45)
	}
	return c
}

const shades = 3 * 7

// between goes round the hues by the golden section, so that each is far from those before it, and from dark to light.
func between(k int) color.NRGBA {
	at := math.Mod(float64(k)*(math.Phi-1), 1) * float64(len(hues))
	c := blend(hues[int(at)], hues[(int(at)+1)%len(hues)], at-math.Floor(at))
	switch dark := math.Mod(float64(k)*(math.Sqrt2-1), 1); {
	case dark < 0.5:
		return blend(c, ink, 0.15+0.5*dark)
	default:
		return blend(c, paper, 0.15+0.5*(dark-0.5))
	}
}

func blend(a, b color.NRGBA, t float64) color.NRGBA {
	mix := func(p, q uint8) uint8 { return uint8(float64(p)*(1-t) + float64(q)*t + 0.5) }
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 0xff}
}

// Region is a leader and the nodes that name it.
type Region struct {
	Leader  caucus.ID
	Members int
	shade   int
}

// regions lists the regions, the largest first, with a colour each: one that no adjacent region
// has, and among those the one used least.
func regions(g *network.Graph, outcomes []caucus.Outcome) ([]Region, map[caucus.ID]int) {
	index := map[caucus.ID]int{}
	var list []Region
	for _, o := range outcomes {
		if o.Leader == caucus.None {
			continue
		}
		k, ok := index[o.Leader]
		if !ok {
			k = len(list)
			index[o.Leader] = k
			list = append(list, Region{Leader: o.Leader})
		}
		list[k].Members++
	}
	sort.Slice(list, func(a, b int) bool {
		if list[a].Members != list[b].Members {
			return list[a].Members > list[b].Members
		}
		return list[a].Leader < list[b].Leader
	})
	for k, r := range list {
		index[r.Leader] = k
	}
	paint(list, adjacent(g, outcomes, index))
	return list, index
}

// adjacent lists, for each region, the regions that an edge joins it to.
func adjacent(g *network.Graph, outcomes []caucus.Outcome, index map[caucus.ID]int) [][]int {
	next := make([][]int, len(index))
	for i, o := range outcomes {
		a, ok := index[o.Leader]
		if !ok {
			continue
		}
		for _, j := range g.Neighbours(i) {
			if b, ok := index[outcomes[j].Leader]; ok && b != a {
				next[a] = append(next[a], b)
			}
		}
	}
	return next
}

func paint(list []Region, next [][]int) {
	used := make([]int, shades)
	for k := range list {
		taken := map[int]bool{}
		for _, b := range next[k] {
			if b < k { // painted already
				taken[list[b].shade] = true
			}
		}
		best := -1
		for s := range used {
			if !taken[s] && (best < 0 || used[s] < used[best]) {
				best = s
			}
		}
		if best < 0 { // it has more neighbours than there were colours
			best, used = len(used), append(used, 0)
		}
		list[k].shade = best
		used[best]++
	}
}
