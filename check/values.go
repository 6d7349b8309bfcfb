package check

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"unsafe"
)

// layout is where the fields of a type lie, without the padding between them, so that values can be
// compared and hashed as bytes. A plain type has numbers only; a deep one has slices or strings, too.
type layout struct {
	parts []part
	spans []span // what lies between floats, slices and strings, without padding
	deep  bool
}

// span is memory that holds the same where the same values are.
type span struct{ offset, size uintptr }

type part struct {
	offset, size uintptr
	kind         reflect.Kind
	name         string
	typ          reflect.Type
	elem         *layout // of a slice
}

// layoutOf refuses types that hold more than numbers, strings and slices of such: what a pointer leads to could change
// behind the checker's back.
func layoutOf(t reflect.Type) (layout, error) {
	var l layout
	err := l.add(t, 0, "")
	for i := range l.parts {
		p := &l.parts[i]
		last := len(l.spans) - 1
		switch {
		case !p.exact():
		case last >= 0 && l.spans[last].offset+l.spans[last].size == p.offset:
			l.spans[last].size += p.size
		default:
			l.spans = append(l.spans, span{p.offset, p.size})
		}
	}
	return l, err
}

// exact says that values are the same if and only if their memory is.
func (p *part) exact() bool {
	return !p.indirect() && p.kind != reflect.Float64 && p.kind != reflect.Float32
}

// plainLayoutOf refuses slices and strings, too.
func plainLayoutOf(t reflect.Type) (layout, error) {
	l, err := layoutOf(t)
	for _, p := range l.parts {
		if err == nil && p.indirect() {
			err = refused(p.name, p.typ)
		}
	}
	return l, err
}

func refused(name string, t reflect.Type) error {
	return fmt.Errorf("a state or message holds %s of type %s; the checker takes plain values only", name, t)
}

func (p *part) indirect() bool { return p.kind == reflect.Slice || p.kind == reflect.String }

func (l *layout) add(t reflect.Type, at uintptr, name string) error {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			path := f.Name
			if name != "" {
				path = name + "." + f.Name
			}
			if err := l.add(f.Type, at+f.Offset, path); err != nil {
				return err
			}
		}
	case reflect.Array:
		for i := range t.Len() {
			if err := l.add(t.Elem(), at+uintptr(i)*t.Elem().Size(), name+"["+strconv.Itoa(i)+"]"); err != nil {
				return err
			}
		}
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		l.parts = append(l.parts, part{offset: at, size: t.Size(), kind: t.Kind(), name: name})
	case reflect.String, reflect.Slice:
		p := part{offset: at, size: t.Size(), kind: t.Kind(), name: name, typ: t}
		if t.Kind() == reflect.Slice {
			elem, err := layoutOf(t.Elem())
			if err != nil {
				return fmt.Errorf("in %s: %w", name, err)
			}
			p.elem = &elem
		}
		l.parts, l.deep = append(l.parts, p), true
	default:
		return refused(name, t)
	}
	return nil
}

// chunk is what a slice or a string refers to. Its first two words are laid out alike.
type chunk struct {
	data unsafe.Pointer
	len  int
}

func (p *part) chunk(base unsafe.Pointer) *chunk { return (*chunk)(unsafe.Add(base, p.offset)) }

func (p *part) stride() uintptr {
	if p.elem == nil {
		return 1
	}
	return p.typ.Elem().Size()
}

const hashFactor = 0xff51afd7ed558ccd

// hash takes in all that a value holds, and the lengths of its slices.
func (l *layout) hash(base unsafe.Pointer, h uint64) uint64 {
	for _, s := range l.spans {
		bytes := unsafe.Slice((*byte)(unsafe.Add(base, s.offset)), s.size)
		for ; len(bytes) >= 8; bytes = bytes[8:] {
			h = (h ^ binary.LittleEndian.Uint64(bytes)) * hashFactor
			h ^= h >> 32
		}
		last := uint64(0)
		for _, b := range bytes {
			last = last<<8 | uint64(b)
		}
		h = (h ^ last) * hashFactor
		h ^= h >> 32
	}
	for i := range l.parts {
		p := &l.parts[i]
		switch {
		case p.exact():
			continue
		case !p.indirect():
			h = (h ^ p.word(base)) * hashFactor
			h ^= h >> 32
			continue
		}
		c := p.chunk(base)
		h = (h ^ uint64(c.len)) * hashFactor
		for k := range c.len {
			at := unsafe.Add(c.data, uintptr(k)*p.stride())
			if p.elem == nil {
				h = (h ^ uint64(*(*byte)(at))) * hashFactor
				h ^= h >> 32
			} else {
				h = p.elem.hash(at, h)
			}
		}
	}
	return h
}

// equal compares all that two values hold. No slice is not the same as an empty one: an algorithm can tell them apart.
func (l *layout) equal(a, b unsafe.Pointer) bool {
	for _, s := range l.spans {
		if unsafe.String((*byte)(unsafe.Add(a, s.offset)), s.size) !=
			unsafe.String((*byte)(unsafe.Add(b, s.offset)), s.size) {
			return false
		}
	}
	for i := range l.parts {
		p := &l.parts[i]
		switch {
		case p.exact():
			continue
		case !p.indirect():
			if p.word(a) != p.word(b) {
				return false
			}
			continue
		}
		x, y := p.chunk(a), p.chunk(b)
		switch {
		case x.len != y.len:
			return false
		case p.elem == nil:
			if unsafe.String((*byte)(x.data), x.len) != unsafe.String((*byte)(y.data), y.len) {
				return false
			}
			continue
		case (x.data == nil) != (y.data == nil):
			return false
		}
		for k := range x.len {
			at := uintptr(k) * p.stride()
			if !p.elem.equal(unsafe.Add(x.data, at), unsafe.Add(y.data, at)) {
				return false
			}
		}
	}
	return true
}

// detach gives a value slices of its own, of no more capacity than length: what is done to them, or appended, is done
// to no other value.
func (l *layout) detach(base unsafe.Pointer) {
	for i := range l.parts {
		p := &l.parts[i]
		if p.elem == nil || p.chunk(base).data == nil {
			continue
		}
		slice := reflect.NewAt(p.typ, unsafe.Add(base, p.offset)).Elem()
		own := reflect.MakeSlice(p.typ, slice.Len(), slice.Len())
		reflect.Copy(own, slice)
		slice.Set(own)
		if p.elem.deep {
			for k := range slice.Len() {
				p.elem.detach(unsafe.Add(p.chunk(base).data, uintptr(k)*p.stride()))
			}
		}
	}
}

// word reads a float as a number: equal for what no comparison tells apart, so that 0 and -0 are the same and all NaNs
// are.
func (p *part) word(base unsafe.Pointer) uint64 {
	at := unsafe.Add(base, p.offset)
	x := 0.0
	if p.kind == reflect.Float64 {
		x = *(*float64)(at)
	} else {
		x = float64(*(*float32)(at))
	}
	switch {
	case x == 0:
		return 0
	case x != x:
		return math.MaxUint64
	}
	return math.Float64bits(x)
}

// keyMap maps 64-bit keys to numbers below 2^32-1: open addressing, no allocation per entry. It is at most half full.
type keyMap struct {
	slots  []keySlot
	count  int
	warmth uint32
}

type keySlot struct {
	key   uint64
	value uint32 // + 1; 0 is free
}

// perKey is the most bytes that a key takes.
const perKey = 64

func newKeyMap() *keyMap { return &keyMap{slots: make([]keySlot, 64)} }

func mix(z uint64) uint64 {
	z = (z ^ z>>32) * 0xd6e8feb86659fd93
	return z ^ z>>32
}

func (m *keyMap) get(key uint64) (uint32, bool) { return m.getFrom(mix(key), key) }

// getFrom is get for who knows the place.
func (m *keyMap) getFrom(at, key uint64) (uint32, bool) {
	mask := uint64(len(m.slots) - 1)
	for at &= mask; m.slots[at].value != 0; at = (at + 1) & mask {
		if m.slots[at].key == key {
			return m.slots[at].value - 1, true
		}
	}
	return 0, false
}

// warm reads the slots where keys may be, all together, and means nothing by it. It leaves the places, as good for
// getFrom whatever is put meanwhile.
func (m *keyMap) warm(keys []uint64, places []uint32) {
	for k, key := range keys {
		places[k] = uint32(mix(key))
	}
	mask, sum := uint32(len(m.slots)-1), uint32(0)
	for _, at := range places[:len(keys)] {
		sum += m.slots[at&mask].value
	}
	m.warmth = sum
}

// put adds a key that is not there.
func (m *keyMap) put(key uint64, value uint32) {
	if 2*(m.count+1) > len(m.slots) {
		old := m.slots
		m.slots, m.count = make([]keySlot, 2*len(old)), 0
		for _, s := range old {
			if s.value != 0 {
				m.put(s.key, s.value-1)
			}
		}
	}
	mask := uint64(len(m.slots) - 1)
	at := mix(key) & mask
	for m.slots[at].value != 0 {
		at = (at + 1) & mask
	}
	m.slots[at] = keySlot{key, value + 1}
	m.count++
}

// meet adds keys that are not there, up to so many of all, and says whether there were more.
func (m *keyMap) meet(keys []uint64, most int) (full bool) {
	for _, key := range keys {
		if _, ok := m.get(key); ok {
			continue
		}
		if m.count >= most {
			return true
		}
		m.put(key, 0)
	}
	return false
}
