package columns

import (
	"reflect"
	"unsafe"
)

// briefSize is from which size on it pays to copy of a message what is not zero at its end.
const briefSize = 256

// brief knows of large messages of which most say little, such as those with room for many levels, how many bytes of
// each are in use: the rest is zero. A node's inbox is then a fraction of the memory. What is written without a round
// counts as in use whole.
type brief struct {
	size       int
	says, made []uint16   // by node; the same memory, unless the two are apart
	inbox      [][]uint16 // by worker
}

// briefOf is nil where messages are small, or have more to them than their bits.
func briefOf[M any](n, workers, most int, apart bool) *brief {
	size := int(unsafe.Sizeof(*new(M)))
	if size < briefSize || size%8 != 0 || size > 1<<15 || !numbers(reflect.TypeFor[M]()) {
		return nil
	}
	b := &brief{size: size, says: make([]uint16, n), inbox: make([][]uint16, workers)}
	for w := range b.inbox {
		b.inbox[w] = make([]uint16, most)
	}
	b.made = b.says
	if apart {
		b.made = make([]uint16, n)
	}
	return b
}

// bytesOf gives the bytes of a value.
func bytesOf[M any](m *M) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(m)), unsafe.Sizeof(*m))
}

// used is how many of the first bytes of a message hold all that is not zero.
func used[M any](m *M) uint16 {
	words := unsafe.Slice((*uint64)(unsafe.Pointer(m)), unsafe.Sizeof(*m)/8)
	k := len(words)
	for k > 0 && words[k-1] == 0 {
		k--
	}
	return uint16(8 * k)
}

// gather copies what is in use of a message, and leaves zeros behind it as they are.
func gather[M any](into, from *M, has *uint16, uses uint16) {
	to := bytesOf(into)
	copy(to, bytesOf(from)[:uses])
	if *has > uses {
		clear(to[uses:*has])
	}
	*has = uses
}

// wrote says that what a node says, and has made, was written in another way than by a round.
func (b *brief) wrote(p int) {
	if b != nil {
		b.says[p], b.made[p] = uint16(b.size), uint16(b.size)
	}
}

// numbers tells whether all that a value of a type is lies in its own bits.
func numbers(t reflect.Type) bool {
	switch k := t.Kind(); k {
	case reflect.Struct:
		for i := range t.NumField() {
			if !numbers(t.Field(i).Type) {
				return false
			}
		}
		return true
	case reflect.Array:
		return numbers(t.Elem())
	default:
		return k >= reflect.Bool && k <= reflect.Complex128
	}
}
