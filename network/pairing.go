package network

import (
	"math"
	"slices"
)

// makeRegular draws a random regular graph. Above half of the possible degree it
// draws the graph of the missing edges, where there is room to move.
func makeRegular(v *values) *Graph {
	n, d := v.count("n", 1), v.count("d", 0)
	switch {
	case v.err != nil:
	case d >= n:
		v.wrong("d", "an integer from 0 to n-1")
	case n%2 == 1 && d%2 == 1:
		v.wrong("d", "an even integer, because n is odd and n*d must be even")
	}
	if !v.fits(float64(n), float64(n)*float64(d)/2) {
		return nil
	}
	if 2*d <= n-1 {
		return v.pairing(n, d)
	}
	missing := v.pairing(n, n-1-d)
	return byRow(n, n*d, func(i int, out []int32) []int32 {
		not := missing.Neighbours(i)
		for j := range int32(n) {
			switch {
			case len(not) > 0 && not[0] == j:
				not = not[1:]
			case int(j) != i:
				out = append(out, j)
			}
		}
		return out
	})
}

// pairing joins the n×d edge ends two by two at random. In a small graph a pair that would be a self-loop or a repeat
// makes it start anew, so that every graph is equally likely (Bollobás, European J. Combinatorics 1, 1980). In a large
// one such a pair is mended by exchanging ends with a random good edge, and the result is close to uniform only.
// 2d < n.
func (v *values) pairing(n, d int) *Graph {
	uniform := startsAnew(n, d)
	for {
		p := partial{d: d, nbr: make([]int32, n*d), used: make([]int32, n)}
		if p.fill(v, n, uniform) {
			g := &Graph{Off: make([]int, n+1), Nbr: p.nbr}
			for i := range n {
				g.Off[i+1] = (i + 1) * d
				slices.Sort(g.Neighbours(i))
			}
			return g
		}
	}
}

// startsAnew tells whether the graph is so small, and its degree so low, that starting anew costs little: about
// exp((d²-1)/4) draws of n×d ends.
func startsAnew(n, d int) bool {
	return n <= 100 && math.Exp(float64(d*d-1)/4)*float64(n*d) < 1e7
}

// partial is a graph in the making: node i has used[i] of its d places in nbr.
type partial struct {
	d    int
	nbr  []int32
	used []int32
}

func (p *partial) row(a int32) []int32 { return p.nbr[int(a)*p.d:][:p.used[a]] }

func (p *partial) joinable(a, b int32) bool { return a != b && !slices.Contains(p.row(a), b) }

func (p *partial) join(a, b int32) {
	for range 2 {
		p.nbr[int(a)*p.d+int(p.used[a])] = b
		p.used[a]++
		a, b = b, a
	}
}

func (p *partial) part(a, b int32) {
	for range 2 {
		row := p.row(a)
		row[slices.Index(row, b)] = row[len(row)-1]
		p.used[a]--
		a, b = b, a
	}
}

// fill reports false when a small graph got stuck, or may not be mended, and another draw is needed.
func (p *partial) fill(v *values, n int, uniform bool) bool {
	ends := make([]int32, n*p.d)
	for k := range ends {
		ends[k] = int32(k / p.d)
	}
	for k := len(ends) - 1; k > 0; k-- {
		j := v.rand.IntN(k + 1)
		ends[k], ends[j] = ends[j], ends[k]
	}
	var bad []int32
	for k := 0; k < len(ends); k += 2 {
		if a, b := ends[k], ends[k+1]; p.joinable(a, b) {
			p.join(a, b)
		} else if uniform {
			return false
		} else {
			bad = append(bad, a, b)
		}
	}
	for k := 0; k < len(bad); k += 2 {
		if !p.mend(v, n, bad[k], bad[k+1]) {
			return false
		}
	}
	return true
}

// mend places the ends a and b by breaking up a good edge c–d into a–c and b–d.
func (p *partial) mend(v *values, n int, a, b int32) bool {
	for range 100 * n {
		c := int32(v.rand.IntN(n))
		slot := v.rand.IntN(p.d)
		if slot >= int(p.used[c]) {
			continue
		}
		d := p.row(c)[slot]
		if p.joinable(a, c) && p.joinable(b, d) {
			p.part(c, d)
			p.join(a, c)
			p.join(b, d)
			return true
		}
	}
	return false
}
