package wire

import "encoding/binary"

// The head is an array of headItems unsigned numbers, written and read by hand: every datagram has one, and
// what it says of the link, which differs from receiver to receiver, stands at a fixed place in a fixed form.
const (
	headItems = 10
	linkAt    = 2 // after the array's length and the version: 0x19, two bytes of hears, one of gap
)

// Link is what a datagram says about the link to the one that it is sent to.
type Link struct {
	Hears uint16 // Mark of the receiver's nonce if the sender hears it, 0 if not
	Gap   uint8  // the sender's next datagram for this receiver comes after so many periods, 1 to MaxGap
}

// mostFlags leaves room for those of later versions.
const mostFlags = 1<<16 - 1

// MaxGap is the greatest number of periods between two datagrams for one receiver.
const MaxGap = 23

// Mark tells in two bytes which life of a node is heard. It is never 0.
func Mark(nonce uint32) uint16 { return max(1, uint16(nonce^nonce>>16)) }

// Address makes an encoded datagram one for another receiver.
func Address(datagram []byte, l Link) {
	binary.BigEndian.PutUint16(datagram[linkAt+1:], l.Hears)
	datagram[linkAt+3] = l.Gap
}

func (e *Envelope) appendHead(b []byte, flags uint16) []byte {
	b = append(b, 0x80|headItems, Version, 0x19, byte(e.Link.Hears>>8), byte(e.Link.Hears), e.Link.Gap)
	for _, x := range [...]uint64{
		uint64(e.Group), uint64(e.Sender.ID), uint64(e.Sender.Nonce), uint64(e.Seq), uint64(flags), e.Term, e.Need,
	} {
		b = appendNumber(b, x)
	}
	return b
}

func appendNumber(b []byte, x uint64) []byte {
	switch {
	case x < 24:
		return append(b, byte(x))
	case x < 1<<8:
		return append(b, 0x18, byte(x))
	case x < 1<<16:
		return binary.BigEndian.AppendUint16(append(b, 0x19), uint16(x))
	case x < 1<<32:
		return binary.BigEndian.AppendUint32(append(b, 0x1a), uint32(x))
	}
	return binary.BigEndian.AppendUint64(append(b, 0x1b), x)
}

// head holds the numbers behind the version, in their order.
type head struct {
	hears, gap, group, sender, nonce, seq, flags, term, need uint64
}

// readHead reads a head whose first two bytes have been checked. What is left is the rest of the datagram.
func readHead(b []byte) (h head, rest []byte, ok bool) {
	rest = b[2:]
	for _, item := range [...]struct {
		into *uint64
		most uint64
	}{
		{&h.hears, 1<<16 - 1}, {&h.gap, MaxGap}, {&h.group, 1<<32 - 1}, {&h.sender, 1<<64 - 1}, {&h.nonce, 1<<32 - 1},
		{&h.seq, 1<<32 - 1}, {&h.flags, mostFlags}, {&h.term, MaxTerm}, {&h.need, MaxTerm},
	} {
		if *item.into, rest, ok = readNumber(rest); !ok || *item.into > item.most {
			return h, nil, false
		}
	}
	return h, rest, h.gap > 0
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
