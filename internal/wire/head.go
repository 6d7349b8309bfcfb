package wire

import (
	"encoding/binary"
	"hash/fnv"

	"caucus.example/caucus"
)

// Instance is one life of a node: its ID and the nonce it drew at boot.
type Instance struct {
	_     struct{} `cbor:",toarray"`
	ID    caucus.ID
	Nonce uint32
}

// Version is the version of the envelope. Agents of different versions do not
// hear each other; they count what they drop.
const Version = 2

// MaxTerm is the greatest term.
const MaxTerm = 1 << 62

// The head is an array of headItems unsigned numbers, written and read by hand: every datagram has one, and
// what it says of the link, which differs from receiver to receiver, stands at a fixed place in a fixed form.
//
// To whom the sender is known, a brief head says group, sender and nonce in one number of two bytes: what a datagram
// says again and again is mostly who says it.
const (
	headItems  = 10
	briefItems = 8
	linkAt     = 2 // after the array's length and the version: 0x19, two bytes of hears, one of gap
)

// Link is what a datagram says about the link to the one that it is sent to.
type Link struct {
	Hears uint16 // Mark of the receiver's nonce if the sender hears it, Holding if it has its base too, 0 if not
	Gap   uint8  // the sender's next datagram for this receiver comes after so many periods, 1 to MaxGap
}

// mostFlags leaves room for those of later versions.
const mostFlags = 1<<32 - 1

// MaxGap is the greatest number of periods between two datagrams for one receiver.
const MaxGap = 23

// Mark tells in two bytes which life of a node is heard. It is never 0.
func Mark(nonce uint32) uint16 { return max(1, uint16(nonce^nonce>>16)) }

// Address makes an encoded datagram one for another receiver.
func Address(datagram []byte, l Link) {
	binary.BigEndian.PutUint16(datagram[linkAt+1:], l.Hears)
	datagram[linkAt+3] = l.Gap
}

// Stamp stands for group and sender in a brief head.
func Stamp(group uint32, sender Instance) uint16 {
	b := make([]byte, 0, 16)
	b = binary.BigEndian.AppendUint32(b, group)
	b = binary.BigEndian.AppendUint64(b, uint64(sender.ID))
	b = binary.BigEndian.AppendUint32(b, sender.Nonce)
	h := fnv.New32a()
	h.Write(b)
	x := h.Sum32()
	return uint16(x ^ x>>16)
}

func appendNumber(b []byte, x uint64) []byte { return appendHeader(b, 0, x) }

// appendHeader begins an item of CBOR: its major type, and its number or length.
func appendHeader(b []byte, major byte, x uint64) []byte {
	major <<= 5
	switch {
	case x < 24:
		return append(b, major|byte(x))
	case x < 1<<8:
		return append(b, major|0x18, byte(x))
	case x < 1<<16:
		return binary.BigEndian.AppendUint16(append(b, major|0x19), uint16(x))
	case x < 1<<32:
		return binary.BigEndian.AppendUint32(append(b, major|0x1a), uint32(x))
	}
	return binary.BigEndian.AppendUint64(append(b, major|0x1b), x)
}

// head holds the numbers behind the version, in their order.
type head struct {
	hears, gap, group, sender, nonce, stamp, seq, flags, term, need uint64
}

// readHead reads a head whose version has been checked. What is left is the rest of the datagram.
func readHead(b []byte) (h head, rest []byte, ok bool) {
	rest, ok = b[2:], true
	take := func(most uint64) (x uint64) {
		if ok {
			x, rest, ok = readNumber(rest)
			ok = ok && x <= most
		}
		return x
	}
	h.hears, h.gap = take(1<<16-1), take(MaxGap)
	switch b[0] {
	case 0x80 | headItems:
		h.group, h.sender, h.nonce = take(1<<32-1), take(1<<64-1), take(1<<32-1)
	case 0x80 | briefItems:
		h.stamp = take(1<<16 - 1)
	default:
		return h, nil, false
	}
	h.seq, h.flags = take(1<<32-1), take(mostFlags)
	h.term, h.need = take(MaxTerm), take(MaxTerm)
	return h, rest, ok && h.gap > 0
}

// Owner tells whose a datagram of this version is: of which group or, if it is brief, of which stamp.
func Owner(b []byte) (group uint32, stamp uint16, brief, ok bool) {
	if len(b) < 2 || b[1] != Version {
		return 0, 0, false, false
	}
	h, _, ok := readHead(b)
	return uint32(h.group), uint16(h.stamp), b[0] == 0x80|briefItems, ok
}

// readNumber reads an unsigned number in any of its forms.
func readNumber(b []byte) (x uint64, rest []byte, ok bool) {
	if len(b) == 0 || b[0] > 0x1b {
		return 0, nil, false
	}
	if b[0] < 24 {
		return uint64(b[0]), b[1:], true
	}
	width := 1 << (b[0] - 24)
	if len(b) < 1+width {
		return 0, nil, false
	}
	for _, digit := range b[1 : 1+width] {
		x = x<<8 | uint64(digit)
	}
	return x, b[1+width:], true
}
