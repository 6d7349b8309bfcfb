package caucus

import "math/bits"

// Rand is a counter-based random stream: a value, without allocation or lock.
// Draw k of a stream depends only on the stream's key and k, so results do
// not depend on which worker runs a node or in what order nodes run.
type Rand struct {
	key  uint64
	draw uint64
}

// chosen marks the streams of [Chosen]: their key is what is left of the number, their draw the mark and the product
// of the bases.
const chosen = 1 << 63

// maxChoices bounds the results that a checker tries one by one.
const maxChoices = 1 << 16

// Chosen gives a stream for a checker that tries every result of every draw: IntN(n) takes the next digit of k in
// base n, the lowest first. After the draws, Choices tells whether k stood for results of its own.
func Chosen(k uint64) Rand { return Rand{key: k, draw: chosen | 1} }

// Choices tells, of a stream of [Chosen], how many results its draws could have had together, 0 for too many to try:
// more than 65,536, or any of Uint64 and Float64; and what the draws have left of k: unless it is 0, a smaller k
// gives the same results.
func (r Rand) Choices() (count, rest uint64) { return r.draw &^ chosen, r.key }

// choose takes a digit.
func (r *Rand) choose(n uint64) int {
	digit := r.key % n
	r.key /= n
	count := r.draw &^ chosen
	if r.draw = chosen; count <= maxChoices && n <= maxChoices && count*n <= maxChoices {
		r.draw |= count * n
	}
	return int(digit)
}

// NewRand gives the stream named by a seed, a stream name and any further
// coordinates (node, round, …).
func NewRand(seed uint64, stream string, at ...uint64) Rand {
	h := Mix(seed ^ 0x9e3779b97f4a7c15)
	for i := 0; i < len(stream); i++ {
		h = Mix(h ^ uint64(stream[i]))
	}
	r := Rand{key: Mix(h + uint64(len(stream)))}
	for _, a := range at {
		r = r.At(a)
	}
	return r
}

// At gives the substream at one more coordinate. It starts from its first draw.
func (r Rand) At(coordinate uint64) Rand {
	return Rand{key: Mix(r.key + 0x9e3779b97f4a7c15*(coordinate+1))}
}

// Uint64 draws 64 uniform bits.
func (r *Rand) Uint64() uint64 {
	z := r.key
	if r.draw >= chosen {
		r.draw = chosen
	} else { // with one call of Mix all of this is small enough to be inlined
		r.draw++
		z += r.draw * 0xd1342543de82ef95
	}
	return Mix(z)
}

// Float64 draws uniformly from [0, 1).
func (r *Rand) Float64() float64 { return float64(int64(r.Uint64()>>11)) / (1 << 53) } // signed: one instruction

// IntN draws uniformly from [0, n). It panics if n <= 0, as math/rand/v2 does.
func (r *Rand) IntN(n int) int {
	if n <= 0 {
		panic("caucus: IntN of n <= 0")
	}
	if r.draw >= chosen {
		return r.choose(uint64(n))
	}
	hi, lo := bits.Mul64(r.Uint64(), uint64(n))
	if lo < uint64(n) {
		for limit := -uint64(n) % uint64(n); lo < limit; {
			hi, lo = bits.Mul64(r.Uint64(), uint64(n))
		}
	}
	return int(hi)
}

// Mix is the finaliser of SplitMix64: a bijection whose output bits each depend
// on all input bits (Steele, Lea, Flood, OOPSLA 2014).
func Mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
