package network

import (
	"math"
	"slices"

	"caucus.example/caucus/internal/exact"
)

func makeErdosRenyi(v *values) *Graph {
	n := v.count("n", 1)
	all := float64(n) * float64(n-1) / 2
	switch {
	case v.has("p") == v.has("m"):
		v.fail("arguments of er", v.args, "exactly one of p and m beside n ("+v.gen.Syntax+")")
	case v.has("p"):
		p := v.probability("p")
		if v.fits(float64(n), p*all) {
			return fromPairs(n, v.everyPairWith(n, p))
		}
	default:
		m, ok := parseCount(v.given["m"])
		if v.err == nil && (!ok || m > all) {
			v.wrong("m", "an integer from 0 to n(n-1)/2")
		}
		if v.fits(float64(n), m) {
			return fromPairs(n, v.somePairs(n, int(m)))
		}
	}
	return nil
}

// everyPairWith draws each pair with probability p. It draws the gap to the next pair
// instead of every pair's fate, so that it costs the edges and not the pairs
// (Batagelj and Brandes, Phys. Rev. E 71, 2005).
func (v *values) everyPairWith(n int, p float64) []int32 {
	if p == 0 {
		return nil
	}
	expected := p * float64(n) * float64(n-1) / 2
	pairs := make([]int32, 0, 2*int(expected+4*math.Sqrt(expected)))
	all := float64(n) * float64(n-1) / 2
	inverse := 1 / exact.Log1p(-p) // p = 1: -0, no gap ever
	at := -1
	for {
		gap := floorOf(v.rand.Float64(), inverse)
		if float64(at)+1+gap >= all {
			return pairs
		}
		at += 1 + int(gap)
		a, b := pairOf(at)
		pairs = append(pairs, a, b)
	}
}

// pairOf gives pair number k of the list (1,0), (2,0), (2,1), (3,0), …
func pairOf(k int) (a, b int32) {
	row := int((1 + math.Sqrt(1+8*float64(k))) / 2)
	for row*(row-1)/2 > k { // the square root may be off by one
		row--
	}
	for row*(row+1)/2 <= k {
		row++
	}
	return int32(row), int32(k - row*(row-1)/2)
}

// somePairs draws m of the pairs, each set of m with equal probability. Of more than
// half of the pairs it draws those to leave out.
func (v *values) somePairs(n, m int) []int32 {
	all := n * (n - 1) / 2
	few := min(m, all-m)
	drawn := make([]int, 0, few)
	for len(drawn) < few {
		for range few - len(drawn) {
			drawn = append(drawn, v.rand.IntN(all))
		}
		slices.Sort(drawn)
		drawn = slices.Compact(drawn)
	}
	pairs := make([]int32, 0, 2*m)
	if few == m {
		for _, k := range drawn {
			a, b := pairOf(k)
			pairs = append(pairs, a, b)
		}
		return pairs
	}
	for k := range all {
		if len(drawn) > 0 && drawn[0] == k {
			drawn = drawn[1:]
			continue
		}
		a, b := pairOf(k)
		pairs = append(pairs, a, b)
	}
	return pairs
}

// makeBarabasiAlbert starts from node m joined to nodes 0 to m-1; every later node
// joins m distinct earlier ones: m(n-m) edges, always connected.
func makeBarabasiAlbert(v *values) *Graph {
	n, m := v.count("n", 2), v.count("m", 1)
	if v.err == nil && m >= n {
		v.wrong("m", "an integer from 1 to n-1")
	}
	if !v.fits(float64(n), float64(m)*float64(n-m)) {
		return nil
	}
	pairs := make([]int32, 0, 2*m*(n-m))
	for j := range m {
		pairs = append(pairs, int32(m), int32(j))
	}
	joined := make([]int32, n) // joined[j] = i: node i has j already
	for i := m + 1; i < n; i++ {
		before := len(pairs) // a node stands here as often as its degree
		for count := 0; count < m; {
			j := pairs[v.rand.IntN(before)]
			if joined[j] != int32(i) {
				joined[j] = int32(i)
				pairs = append(pairs, int32(i), j)
				count++
			}
		}
	}
	return fromPairs(n, pairs)
}

// makeWattsStrogatz keeps for each node the k/2 edges to its right; a rewired edge
// stays with its left end and gets another right end.
func makeWattsStrogatz(v *values) *Graph {
	n, k, p := v.count("n", 3), v.count("k", 2), v.probability("p")
	if v.err == nil && (k%2 != 0 || k >= n) {
		v.wrong("k", "an even integer from 2 to n-1")
	}
	if !v.fits(float64(n), float64(n)*float64(k)/2) {
		return nil
	}
	half := k / 2
	right := make([]int32, n*half)
	degree := make([]int32, n)
	for i := range n {
		degree[i] = int32(k)
		for j := range half {
			right[i*half+j] = int32((i + 1 + j) % n)
		}
	}
	joins := func(a, b int32) bool {
		return slices.Contains(right[int(a)*half:int(a+1)*half], b) ||
			slices.Contains(right[int(b)*half:int(b+1)*half], a)
	}
	for j := range half {
		for i := range int32(n) {
			if v.rand.Float64() >= p || int(degree[i]) == n-1 {
				continue
			}
			to := int32(v.rand.IntN(n))
			for to == i || joins(i, to) {
				to = int32(v.rand.IntN(n))
			}
			old := &right[int(i)*half+j]
			degree[*old]--
			degree[to]++
			*old = to
		}
	}
	pairs := make([]int32, 0, 2*len(right))
	for at, to := range right {
		pairs = append(pairs, int32(at/half), to)
	}
	g := fromPairs(n, pairs)
	g.placeOnCircle()
	return g
}

// floorOf is the whole part of log(1-u) times something. The last bit of the logarithm, which is not the same on every
// machine, matters near whole numbers only.
func floorOf(u, times float64) float64 {
	x := math.Log1p(-u) * times
	if math.Abs(x-math.Round(x)) < 1e-9*(1+math.Abs(x)) {
		x = exact.Log1p(-u) * times
	}
	return math.Floor(x)
}
