package caucus

import "math/bits"

// Rand is a counter-based random stream: a value, without allocation or lock.
// Draw k of a stream depends only on the stream's key and k, so results do
// not depend on which worker runs a node or in what order nodes run.
type Rand struct {
	key  uint64
	draw uint64
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
	r.draw++
	return Mix(r.key + r.draw*0xd1342543de82ef95)
}

// Float64 draws uniformly from [0, 1).
func (r *Rand) Float64() float64 { return float64(r.Uint64()>>11) / (1 << 53) }

// IntN draws uniformly from [0, n). It panics if n <= 0, as math/rand/v2 does.
func (r *Rand) IntN(n int) int {
	if n <= 0 {
		panic("caucus: IntN of n <= 0")
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
