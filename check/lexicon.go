package check

import (
	"reflect"
	"unsafe"
)

// lexicon numbers the distinct values of a type in the order in which it meets them. It is not compiled for that type:
// values go in and out by address; they may hold slices and strings.
type lexicon struct {
	layout layout
	typ    reflect.Type
	size   uintptr
	slab   reflect.Value // a slice of that type, which the collector follows
	first  unsafe.Pointer
	count  int
	slots  []uint32 // number + 1; 0 is free
	last   uint32   // number of the value met last: the next one is often the same
}

// newLexicon refuses types as layoutOf does.
func newLexicon(t reflect.Type) (*lexicon, error) {
	l, err := layoutOf(t)
	if err != nil {
		return nil, err
	}
	p := &lexicon{layout: l, typ: t, size: t.Size(), slots: make([]uint32, 64)}
	p.reserve(16)
	return p, nil
}

// reserve makes room for so many values.
func (p *lexicon) reserve(n int) {
	slab := reflect.MakeSlice(reflect.SliceOf(p.typ), n, n)
	if p.count > 0 {
		reflect.Copy(slab, p.slab)
	}
	p.slab, p.first = slab, slab.UnsafePointer()
}

// at is where a value lies, to be read only, until the next one is numbered.
func (p *lexicon) at(k uint32) unsafe.Pointer { return unsafe.Add(p.first, uintptr(k)*p.size) }

// value gives one to read.
func (p *lexicon) value(k uint32) any { return reflect.NewAt(p.typ, p.at(k)).Elem().Interface() }

// get puts a value of its own at an address.
func (p *lexicon) get(k uint32, to unsafe.Pointer) { p.copy(to, p.at(k)) }

// copy gives the target what the source holds, and slices of its own.
func (p *lexicon) copy(to, from unsafe.Pointer) {
	if !p.layout.deep { // numbers only: no address for the collector to learn of
		copy(unsafe.Slice((*byte)(to), p.size), unsafe.Slice((*byte)(from), p.size))
		return
	}
	reflect.NewAt(p.typ, to).Elem().Set(reflect.NewAt(p.typ, from).Elem())
	p.layout.detach(to)
}

func (p *lexicon) hash(v unsafe.Pointer) uint64 { return p.layout.hash(v, 0x9e3779b97f4a7c15) }

func (p *lexicon) equal(a, b unsafe.Pointer) bool { return p.layout.equal(a, b) }

// number gives the number of a value, a new one if it has not been met.
func (p *lexicon) number(v unsafe.Pointer) uint32 {
	if p.layout.deep || int(p.last) >= p.count || !p.identical(p.at(p.last), v) {
		p.last = p.find(v)
	}
	return p.last
}

// identical compares the memory of values without slices: what is the same there is the same value, though not the
// other way round.
func (p *lexicon) identical(a, b unsafe.Pointer) bool {
	return unsafe.String((*byte)(a), int(p.size)) == unsafe.String((*byte)(b), int(p.size))
}

func (p *lexicon) find(v unsafe.Pointer) uint32 {
	mask := uint64(len(p.slots) - 1)
	at := p.hash(v) & mask
	for ; p.slots[at] != 0; at = (at + 1) & mask {
		if k := p.slots[at] - 1; p.equal(p.at(k), v) {
			return k
		}
	}
	if p.count == p.slab.Len() {
		p.reserve(2 * p.count)
	}
	p.copy(p.at(uint32(p.count)), v)
	p.count++
	p.slots[at] = uint32(p.count)
	if 2*p.count > len(p.slots) {
		p.grow()
	}
	return uint32(p.count - 1)
}

func (p *lexicon) grow() {
	p.slots = make([]uint32, 2*len(p.slots))
	mask := uint64(len(p.slots) - 1)
	for k := range uint32(p.count) {
		at := p.hash(p.at(k)) & mask
		for p.slots[at] != 0 {
			at = (at + 1) & mask
		}
		p.slots[at] = k + 1
	}
}

// address is where a pointer in an interface leads.
func address(pointer any) unsafe.Pointer { return reflect.ValueOf(pointer).UnsafePointer() }
