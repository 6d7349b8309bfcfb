package check

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"unsafe"
)

// layout is where the fields of a plain type lie, without the padding between them, so that values can be
// compared and hashed as bytes.
type layout struct {
	parts []part
}

type part struct {
	offset, size uintptr
	kind         reflect.Kind
	name         string
}

// layoutOf refuses types that hold more than numbers: what a pointer leads to could change
// behind the checker's back.
func layoutOf(t reflect.Type) (layout, error) {
	var l layout
	err := l.add(t, 0, "")
	return l, err
}

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
		l.parts = append(l.parts, part{at, t.Size(), t.Kind(), name})
	default:
		return fmt.Errorf("a state or message holds %s of type %s; the checker takes plain values only", name, t)
	}
	return nil
}

// word reads one field as a number: equal for fields that no comparison tells apart, so that 0 and -0
// are the same and all NaNs are.
func (p *part) word(base unsafe.Pointer) uint64 {
	at := unsafe.Add(base, p.offset)
	if p.kind == reflect.Float64 {
		x := *(*float64)(at)
		switch {
		case x == 0:
			return 0
		case x != x:
			return math.MaxUint64
		}
		return math.Float64bits(x)
	}
	if p.kind == reflect.Float32 {
		x := *(*float32)(at)
		switch {
		case x == 0:
			return 0
		case x != x:
			return math.MaxUint64
		}
		return uint64(math.Float32bits(x))
	}
	switch p.size {
	case 1:
		return uint64(*(*uint8)(at))
	case 2:
		return uint64(*(*uint16)(at))
	case 4:
		return uint64(*(*uint32)(at))
	}
	return *(*uint64)(at)
}

// text writes one field as people read it.
func (p *part) text(base unsafe.Pointer) string {
	at := unsafe.Add(base, p.offset)
	switch p.kind {
	case reflect.Float64:
		return strconv.FormatFloat(*(*float64)(at)+0, 'g', 6, 64)
	case reflect.Float32:
		return strconv.FormatFloat(float64(*(*float32)(at))+0, 'g', 6, 32)
	case reflect.Bool:
		return strconv.FormatBool(*(*bool)(at))
	case reflect.Int8:
		return strconv.Itoa(int(*(*int8)(at)))
	case reflect.Int16:
		return strconv.Itoa(int(*(*int16)(at)))
	case reflect.Int32:
		return strconv.Itoa(int(*(*int32)(at)))
	case reflect.Int, reflect.Int64:
		return strconv.FormatInt(int64(p.word(base)), 10)
	}
	return strconv.FormatUint(p.word(base), 10)
}

// pool numbers the distinct values of a type in the order in which it meets them.
type pool[T any] struct {
	layout layout
	values []T
	slots  []uint32 // number + 1; 0 is free
	last   uint32   // number of the value met last: the next one is often the same
}

func newPool[T any]() (*pool[T], error) {
	l, err := layoutOf(reflect.TypeFor[T]())
	return &pool[T]{layout: l, slots: make([]uint32, 64)}, err
}

func (p *pool[T]) hash(v *T) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for i := range p.layout.parts {
		h = (h ^ p.layout.parts[i].word(unsafe.Pointer(v))) * 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	return h
}

func (p *pool[T]) equal(a, b *T) bool {
	for i := range p.layout.parts {
		part := &p.layout.parts[i]
		if part.word(unsafe.Pointer(a)) != part.word(unsafe.Pointer(b)) {
			return false
		}
	}
	return true
}

// number gives the number of a value, a new one if it has not been met.
func (p *pool[T]) number(v T) uint32 {
	if int(p.last) < len(p.values) && identical(&p.values[p.last], &v) {
		return p.last
	}
	p.last = p.find(v)
	return p.last
}

// identical compares memory: what is the same there is the same value, though not the other way round.
func identical[T any](a, b *T) bool {
	size := int(unsafe.Sizeof(*a))
	return unsafe.String((*byte)(unsafe.Pointer(a)), size) == unsafe.String((*byte)(unsafe.Pointer(b)), size)
}

func (p *pool[T]) find(v T) uint32 {
	mask := uint64(len(p.slots) - 1)
	at := p.hash(&v) & mask
	for ; p.slots[at] != 0; at = (at + 1) & mask {
		if k := p.slots[at] - 1; identical(&p.values[k], &v) || p.equal(&p.values[k], &v) {
			return k
		}
	}
	p.values = append(p.values, v)
	p.slots[at] = uint32(len(p.values))
	if 2*len(p.values) > len(p.slots) {
		p.grow()
	}
	return uint32(len(p.values) - 1)
}

func (p *pool[T]) grow() {
	p.slots = make([]uint32, 2*len(p.slots))
	mask := uint64(len(p.slots) - 1)
	for k := range p.values {
		at := p.hash(&p.values[k]) & mask
		for p.slots[at] != 0 {
			at = (at + 1) & mask
		}
		p.slots[at] = uint32(k + 1)
	}
}

// keyMap maps 64-bit keys to numbers below 2^32-1: open addressing, no allocation per entry.
type keyMap struct {
	keys  []uint64
	slots []uint32 // value + 1; 0 is free
	count int
}

func newKeyMap() *keyMap { return &keyMap{keys: make([]uint64, 64), slots: make([]uint32, 64)} }

func mix(z uint64) uint64 {
	z = (z ^ z>>32) * 0xd6e8feb86659fd93
	return z ^ z>>32
}

func (m *keyMap) get(key uint64) (uint32, bool) {
	mask := uint64(len(m.slots) - 1)
	for at := mix(key) & mask; m.slots[at] != 0; at = (at + 1) & mask {
		if m.keys[at] == key {
			return m.slots[at] - 1, true
		}
	}
	return 0, false
}

// put adds a key that is not there.
func (m *keyMap) put(key uint64, value uint32) {
	if 4*(m.count+1) > 3*len(m.slots) {
		old := *m
		m.keys, m.slots, m.count = make([]uint64, 2*len(old.keys)), make([]uint32, 2*len(old.slots)), 0
		for i, s := range old.slots {
			if s != 0 {
				m.put(old.keys[i], s-1)
			}
		}
	}
	mask := uint64(len(m.slots) - 1)
	at := mix(key) & mask
	for m.slots[at] != 0 {
		at = (at + 1) & mask
	}
	m.keys[at], m.slots[at] = key, value+1
	m.count++
}

// keySet numbers 64-bit keys in the order in which it meets them: 8 bytes for a key and
// 5 to 11 for its slot.
type keySet struct {
	keys  []uint64
	slots []uint32 // number + 1; 0 is free
}

func newKeySet() *keySet { return &keySet{slots: make([]uint32, 64)} }

func (s *keySet) number(key uint64) uint32 {
	mask := uint64(len(s.slots) - 1)
	at := mix(key) & mask
	for ; s.slots[at] != 0; at = (at + 1) & mask {
		if k := s.slots[at] - 1; s.keys[k] == key {
			return k
		}
	}
	s.keys = append(s.keys, key)
	s.slots[at] = uint32(len(s.keys))
	if 4*len(s.keys) > 3*len(s.slots) {
		s.slots = make([]uint32, 2*len(s.slots))
		mask = uint64(len(s.slots) - 1)
		for k, key := range s.keys {
			at := mix(key) & mask
			for s.slots[at] != 0 {
				at = (at + 1) & mask
			}
			s.slots[at] = uint32(k + 1)
		}
	}
	return uint32(len(s.keys) - 1)
}
