package region

import (
	"encoding/binary"
	"errors"
	"math"
)

// Buckets is how many ranges of strengths a histogram tells apart.
const Buckets = 8

// Histogram counts strengths by powers of two: Counts[0] those in (2^(Top-1), 2^Top], each further count those in half
// of that range, and the last one all that are less, zero included. So it needs to know no range beforehand, two of
// them merge to the same whatever the order, and the greatest strengths are told apart best.
type Histogram struct {
	_      struct{} `cbor:",toarray"`
	Top    int16    // noTop while all that has been counted is zero or less
	Counts [Buckets]uint32
}

const noTop = math.MinInt16

// one is the histogram of one strength.
func one(strength float64) Histogram {
	h := Histogram{Top: noTop}
	if !(strength > 0) {
		h.Counts[Buckets-1] = 1
		return h
	}
	fraction, exponent := math.Frexp(min(strength, math.MaxFloat64))
	if fraction == 0.5 { // 2^n is at the upper end of its range
		exponent--
	}
	h.Top, h.Counts[0] = int16(exponent), 1
	return h
}

// add takes in what another one has counted.
func (h *Histogram) add(o Histogram) {
	if o.Top > h.Top {
		*h, o = o, *h
	}
	for k, n := range o.Counts {
		at := &h.Counts[min(Buckets-1, k+int(h.Top)-int(o.Top))]
		*at += min(n, math.MaxUint32-*at)
	}
}

// Upper is the upper end of the range of a count.
func (h *Histogram) Upper(k int) float64 {
	if h.Top == noTop {
		return 0
	}
	return math.Ldexp(1, int(h.Top)-k)
}

// MarshalBinary writes Top, and the counts up to the last that is not 0, each in as few bytes as it takes.
func (h Histogram) MarshalBinary() (b []byte, _ error) {
	b = binary.AppendVarint(nil, int64(h.Top))
	last := Buckets
	for last > 0 && h.Counts[last-1] == 0 {
		last--
	}
	for _, n := range h.Counts[:last] {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return b, nil
}

var errHistogram = errors.New("malformed histogram")

// UnmarshalBinary reads what MarshalBinary writes.
func (h *Histogram) UnmarshalBinary(b []byte) error {
	top, n := binary.Varint(b)
	if n <= 0 || top < math.MinInt16 || top > math.MaxInt16 {
		return errHistogram
	}
	*h, b = Histogram{Top: int16(top)}, b[n:]
	for k := 0; len(b) > 0; k++ {
		x, n := binary.Uvarint(b)
		if n <= 0 || k == Buckets || x > math.MaxUint32 {
			return errHistogram
		}
		h.Counts[k], b = uint32(x), b[n:]
	}
	return nil
}
