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

// Most is the greatest number of members that a roster names: the strongest. Each takes at most 23 bytes of a datagram,
// and an election's message, a place, figures and a histogram have to fit beside them. Figures have no such limit.
const Most = 16

// Member is a line of the roster.
type Member struct {
	_        struct{} `cbor:",toarray"`
	ID       caucus.ID
	Strength float64
	Hops     uint16 // to the leader
}

// Roster holds members up to the first with the ID None.
type Roster [Most]Member

// Members are those of the roster.
func (r *Roster) Members() []Member {
	n := slices.IndexFunc(r[:], func(m Member) bool { return m.ID == caucus.None })
	if n < 0 {
		n = Most
	}
	return slices.Clone(r[:n])
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
	for _, m := range r.Members() {
		b = binary.AppendUvarint(b, uint64(m.ID))
		b = binary.AppendUvarint(b, bits.ReverseBytes64(math.Float64bits(m.Strength)))
		b = binary.AppendUvarint(b, uint64(m.Hops))
	}
	return b, nil
}

var errRoster = errors.New("malformed roster")

// UnmarshalBinary reads what MarshalBinary writes.
func (r *Roster) UnmarshalBinary(b []byte) error {
	*r = Roster{}
	for k := 0; len(b) > 0; k++ {
		var part [3]uint64
		for i := range part {
			x, n := binary.Uvarint(b)
			if n <= 0 {
				return errRoster
			}
			part[i], b = x, b[n:]
		}
		if k == Most || part[0] == 0 || part[2] > math.MaxUint16 {
			return errRoster
		}
		r[k] = Member{ID: caucus.ID(part[0]), Strength: math.Float64frombits(bits.ReverseBytes64(part[1])),
			Hops: uint16(part[2])}
	}
	return nil
}
