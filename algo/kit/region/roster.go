package region

import (
	"cmp"
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"slices"

	"caucus.example/caucus"
)

// Most is the greatest number of members that a roster names: the strongest. Each takes at most 21 bytes of a datagram,
// and an election's message, a place, figures and a histogram have to fit beside them. Figures have no such limit.
const Most = 15

// Member is a line of the roster.
type Member struct {
	_        struct{} `cbor:",toarray"`
	ID       caucus.ID
	Strength float64
	Hops     uint16 // to the leader
}

// Roster holds members up to the first with the ID None.
type Roster [Most]Member

// Members are those of the roster, in its own memory.
func (r *Roster) Members() []Member {
	n := slices.IndexFunc(r[:], func(m Member) bool { return m.ID == caucus.None })
	if n < 0 {
		n = Most
	}
	return r[:n:n]
}

// strongest orders members, of which the node itself is the first, and keeps as many as a roster holds. Of two lines
// with one ID, which there are only while parents change, the first stays.
func strongest(list []Member) (r Roster) {
	kept := list[:0]
	for _, m := range list {
		if !slices.ContainsFunc(kept, func(k Member) bool { return k.ID == m.ID }) {
			kept = append(kept, m)
		}
	}
	slices.SortStableFunc(kept, func(a, b Member) int {
		return cmp.Or(cmp.Compare(b.Strength, a.Strength), cmp.Compare(a.ID, b.ID))
	})
	copy(r[:], kept)
	return r
}

// MarshalBinary writes the members without the empty lines behind them: ID, strength with its bytes turned round, and
// hops, each in as few bytes as it takes.
func (r Roster) MarshalBinary() (b []byte, _ error) {
	members := r.Members()
	b = make([]byte, 0, 21*len(members))
	for _, m := range members {
		b = appendNumber(b, uint64(m.ID))
		b = appendNumber(b, bits.ReverseBytes64(math.Float64bits(m.Strength)))
		b = binary.AppendUvarint(b, uint64(m.Hops))
	}
	return b, nil
}

var errRoster = errors.New("malformed roster")

// UnmarshalBinary reads what MarshalBinary writes.
func (r *Roster) UnmarshalBinary(b []byte) error {
	*r = Roster{}
	for k := 0; len(b) > 0; k++ {
		id, i := number(b)
		strength, j := number(b[i:])
		hops, n := binary.Uvarint(b[i+j:])
		if i == 0 || j == 0 || n <= 0 || k == Most || id == 0 || hops > math.MaxUint16 {
			return errRoster
		}
		b = b[i+j+n:]
		r[k] = Member{ID: caucus.ID(id), Strength: math.Float64frombits(bits.ReverseBytes64(strength)),
			Hops: uint16(hops)}
	}
	return nil
}

// appendNumber writes seven bits a byte, as varints are written, but all eight of a ninth: no number takes more.
func appendNumber(b []byte, x uint64) []byte {
	for range 8 {
		if x < 1<<7 {
			return append(b, byte(x))
		}
		b = append(b, byte(x)|1<<7)
		x >>= 7
	}
	return append(b, byte(x))
}

// number reads what appendNumber has written, and in how many bytes: 0 if it is cut off.
func number(b []byte) (x uint64, n int) {
	for n < len(b) {
		c := b[n]
		if n++; n == 9 {
			return x | uint64(c)<<56, n
		}
		if x |= uint64(c&^(1<<7)) << (7 * (n - 1)); c < 1<<7 {
			return x, n
		}
	}
	return 0, 0
}
