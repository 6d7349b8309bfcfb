package seal

import (
	crand "crypto/rand"

	"caucus.example/caucus"
)

// Ring is what one life of a node seals and opens by. The zero Ring has no key: nothing is sealed.
type Ring struct {
	keys  []Key
	self  caucus.ID
	salt  [SaltSize]byte
	own   *Life
	count uint64
}

// NewRing begins a life. Without keys it seals nothing.
func NewRing(self caucus.ID, keys []Key) *Ring {
	r := &Ring{self: self}
	crand.Read(r.salt[:]) // never fails
	r.Set(keys)
	return r
}

// Set changes the keys; the first is what one seals with from now on.
func (r *Ring) Set(keys []Key) {
	r.keys, r.own = keys, nil
	if len(keys) > 0 {
		r.own = NewLife(keys[0], r.self, r.salt)
	}
}

// On tells whether there is a key.
func (r *Ring) On() bool { return r.own != nil }

// Seal appends the sealed datagram to dst. Every call is another count, so that the same datagram to several receivers,
// which may differ in a few bytes, never repeats a nonce. After the last count, 890 years at 10,000 a second, there is
// silence.
func (r *Ring) Seal(dst, datagram []byte) []byte {
	if r.count == maxCount {
		return dst
	}
	r.count++
	return r.own.Seal(dst, datagram, r.count)
}

// Open opens a sealed datagram, in place. The life that it gives is known if that is the one that sealed it, and
// otherwise new. That the datagram is not a recorded one is left to find out.
func (r *Ring) Open(b []byte, known ...*Life) ([]byte, *Life, Head, error) {
	h, ok := ReadHead(b)
	if !ok {
		return nil, nil, h, ErrFormat
	}
	k := r.key(h.Key)
	if k == nil {
		return nil, nil, h, ErrKey
	}
	life := (*Life)(nil)
	for _, l := range known {
		if l.Is(&h) {
			life = l
		}
	}
	if life == nil {
		life = NewLife(*k, h.Sender, h.Salt)
	}
	plain, err := life.Open(b, &h)
	return plain, life, h, err
}

func (r *Ring) key(id KeyID) *Key {
	for i := range r.keys {
		if r.keys[i].ID == id {
			return &r.keys[i]
		}
	}
	return nil
}
