package wire

import (
	"encoding/binary"
	"slices"
)

// Heard lists whom the sender of a datagram for all of a segment hears there, two bytes a node, sorted.
type Heard []byte

// heardMark stands for a life of a node in the datagram with the given number. Two nodes that have the same mark in
// one datagram have different ones in the next (multiply-shift hashing), so that neither is taken for the other twice.
func heardMark(nonce, seq uint32) uint16 { return uint16(nonce * (2*seq + 1) * 0x9e3779b1 >> 16) }

// NewHeard lists the nonces, at most MaxHeard, for the datagram with the given number.
func NewHeard(nonces []uint32, seq uint32) Heard {
	marks := make([]uint16, len(nonces))
	for i, nonce := range nonces {
		marks[i] = heardMark(nonce, seq)
	}
	slices.Sort(marks)
	h := make(Heard, 0, 2*len(marks))
	for _, m := range marks {
		h = binary.BigEndian.AppendUint16(h, m)
	}
	return h
}

// Has tells whether a life of a node is listed in the datagram with the given number.
func (h Heard) Has(nonce, seq uint32) bool {
	mark := heardMark(nonce, seq)
	low, high := 0, len(h)/2
	for low < high {
		middle := (low + high) / 2
		switch at := binary.BigEndian.Uint16(h[2*middle:]); {
		case at == mark:
			return true
		case at < mark:
			low = middle + 1
		default:
			high = middle
		}
	}
	return false
}
