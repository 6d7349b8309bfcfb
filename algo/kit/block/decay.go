package block

import "cmp"

// Decay is block T: one step of a countdown from start towards zero. Whatever left was, the
// result lies between the two.
func Decay[V cmp.Ordered](left, start, zero V, step func(V) V) V {
	return min(start, max(zero, step(left)))
}
