package region

import (
	"encoding/binary"
	"errors"
	"math"
	"math/bits"

	"caucus.example/caucus"
)

// Ways is along which ways figures go up to the leader.
type Ways uint8

// Ways. The last two go by the lengths of links, which simulations know: a node's distance to its leader is the least
// of those of its neighbours with the link to each, and figures go to neighbours at a lesser distance.
const (
	All  Ways = iota // all that are shortest in hops, with an equal share of the sums along each
	Tree             // one: along the tree, as the roster
	// Weighted is to all that are nearer, the more to one the nearer it is to the leader and the farther from the edge
	// of the radio's range: weighted multi-path (Audrito, Bergamini, ALP4IoT 2017).
	Weighted
	// Lossless is to the one that hastens figures most of those that will surely be heard and be nearer still when
	// they are sent again: LIST for sums, the worst case (Audrito, Bergamini, Damiani, Viroli: Resilient Distributed
	// Collection Through Information Speed Thresholds, COORDINATION 2020), as its authors' programs have it.
	Lossless
)

func (w Ways) byLength() bool { return w >= Weighted }

// Radio is what Weighted and Lossless have to know.
type Radio struct {
	Range float64 // no link is longer
	Speed float64 // by how much, at most, two nodes come nearer to each other or part in a round
}

// MostWays is to how many neighbours figures are divided: the heaviest.
const MostWays = 8

// Upward says to whom the figures of a message go.
type Upward struct {
	_        struct{} `cbor:",toarray"`
	Distance float64  // of the node to its leader, along links
	To       [MostWays]Share
}

// Share is what one neighbour is to count of them, in parts of whole. ID None ends a list of shares.
type Share struct {
	_    struct{} `cbor:",toarray"`
	ID   caucus.ID
	Part uint16
}

const whole = 1 << 15

// to is the share of a neighbour.
func (u *Upward) to(id caucus.ID) float64 {
	for _, s := range u.To {
		if s.ID == id && id != caucus.None {
			return min(1, float64(s.Part)/whole)
		}
	}
	return 0
}

// weighed is a neighbour and what speaks for it.
type weighed struct {
	id     caucus.ID
	weight float64
}

// divide makes shares that are one together.
func (u *Upward) divide(to []weighed) {
	if len(to) == 0 {
		return
	}
	sum := 0.0
	for _, t := range to {
		sum += t.weight
	}
	left := whole
	for k, t := range to {
		part := 0
		if len(to) > 1 && sum > 0 {
			part = int(whole * (t.weight / sum))
		}
		u.To[k] = Share{ID: t.id, Part: uint16(part)}
		left -= part
	}
	u.To[0].Part += uint16(left)
}

// MarshalBinary writes nothing where nothing is said; else the distance with its bytes turned round, then the shares.
func (u Upward) MarshalBinary() (b []byte, _ error) {
	if u.Distance == 0 && u.To == [MostWays]Share{} {
		return nil, nil
	}
	b = appendNumber(nil, bits.ReverseBytes64(math.Float64bits(u.Distance)))
	for _, s := range u.To {
		if s.ID == caucus.None {
			break
		}
		b = binary.AppendUvarint(appendNumber(b, uint64(s.ID)), uint64(s.Part))
	}
	return b, nil
}

var errUpward = errors.New("malformed shares")

// UnmarshalBinary reads what MarshalBinary writes.
func (u *Upward) UnmarshalBinary(b []byte) error {
	*u = Upward{}
	if len(b) == 0 {
		return nil
	}
	x, n := number(b)
	if n == 0 {
		return errUpward
	}
	u.Distance, b = math.Float64frombits(bits.ReverseBytes64(x)), b[n:]
	for k := 0; len(b) > 0; k++ {
		id, i := number(b)
		part, j := binary.Uvarint(b[i:])
		if i == 0 || j <= 0 || k == MostWays || id == 0 || part > math.MaxUint16 {
			return errUpward
		}
		u.To[k], b = Share{ID: caucus.ID(id), Part: uint16(part)}, b[i+j:]
	}
	return nil
}
