package wire

import "encoding/binary"

// MaxBase is the greatest size of a message that others are told as differences to.
const MaxBase = 200

// Holding is the Mark of a life of a node from those who have its base, the message with this digest.
func Holding(nonce, digest uint32) uint16 {
	return max(1, Mark(nonce)^max(1, uint16(digest^digest>>16)))
}

// MayBase tells whether a message may be a base: short enough, and an array, as the messages of algorithms are, so that
// it cannot be taken for a difference.
func MayBase(body []byte) bool { return len(body) > 0 && len(body) <= MaxBase && body[0]>>5 == 4 }

// IsPatch tells whether a message is the difference to a base.
func IsPatch(body []byte) bool { return len(body) > 0 && body[0]>>5 == 2 }

// Patch gives the difference of a message to a base: a byte string of the number of bytes that are the same at the
// beginning, of those at the end, and what is between. It may be longer than the message.
func Patch(base, body []byte) []byte {
	most := min(len(base), len(body), MaxBase)
	front := 0
	for front < most && base[front] == body[front] {
		front++
	}
	back := 0
	for back < most-front && base[len(base)-1-back] == body[len(body)-1-back] {
		back++
	}
	between := body[front : len(body)-back]
	b := appendHeader(make([]byte, 0, 5+len(between)), 2, uint64(2+len(between)))
	return append(append(b, byte(front), byte(back)), between...)
}

// told gives what a patch says; false if the bytes are not one byte string, no shorter and no longer.
func told(patch []byte) ([]byte, bool) {
	if !IsPatch(patch) {
		return nil, false
	}
	told := patch[1:]
	length := uint64(patch[0] & 0x1f)
	if width := 1; length == 24 && len(told) >= width {
		length, told = uint64(told[0]), told[width:]
	} else if width = 2; length == 25 && len(told) >= width {
		length, told = uint64(binary.BigEndian.Uint16(told)), told[width:]
	}
	return told, length == uint64(len(told))
}

// Apply appends to b the message that is told as a difference to a base; false if it is none to this one.
func Apply(b, base, patch []byte) ([]byte, bool) {
	told, ok := told(patch)
	if !ok || len(told) < 2 {
		return nil, false
	}
	front, back := int(told[0]), int(told[1])
	if front+back > len(base) {
		return nil, false
	}
	b = append(append(b, base[:front]...), told[2:]...)
	return append(b, base[len(base)-back:]...), true
}
