package region

import (
	"encoding/binary"
	"errors"
	"slices"
)

// MostTags is how many different tags of a region are told.
const MostTags = 8

// Tags is a small set of numbers, which are those of words to the driver: in order, up to the first 0. Of more than
// MostTags the least are kept, so that the union of two is the same whatever the order and how often; and so it is
// collected along all ways.
type Tags [MostTags]uint32

func tagsOf(list []uint32) (t Tags) {
	if len(list) > 0 {
		t.set(slices.Clone(list))
	}
	return t
}

// List gives the tags.
func (t *Tags) List() []uint32 {
	n := slices.Index(t[:], 0)
	if n < 0 {
		n = MostTags
	}
	return t[:n]
}

func (t *Tags) set(list []uint32) {
	slices.Sort(list)
	list = slices.DeleteFunc(slices.Compact(list), func(x uint32) bool { return x == 0 })
	*t = Tags{}
	copy(t[:], list)
}

// add unites.
func (t *Tags) add(o *Tags) {
	if more := o.List(); len(more) > 0 {
		t.set(slices.Concat(t.List(), more))
	}
}

// MarshalBinary writes four bytes for each.
func (t Tags) MarshalBinary() (b []byte, _ error) {
	for _, x := range t.List() {
		b = binary.BigEndian.AppendUint32(b, x)
	}
	return b, nil
}

var errTags = errors.New("malformed tags")

// UnmarshalBinary reads what MarshalBinary writes.
func (t *Tags) UnmarshalBinary(b []byte) error {
	*t = Tags{}
	if len(b)%4 != 0 || len(b) > 4*MostTags {
		return errTags
	}
	for k := 0; len(b) > 0; k, b = k+1, b[4:] {
		if t[k] = binary.BigEndian.Uint32(b); t[k] == 0 {
			return errTags
		}
	}
	return nil
}
