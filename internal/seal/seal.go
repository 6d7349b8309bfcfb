// Package seal keeps the datagrams of a group secret and unforgeable for whoever has not its key. It knows no
// clock and no socket; that a datagram is not one of the past is for the receiver to find out, with Window and a
// challenge.
//
// A sealed datagram is
//
//	mark 1 | key id 4 | sender 8 | salt 12 | count 6 | the datagram, encrypted | tag 16
//
// in bytes. All before the encrypted part is covered by the tag. The subkey of each life of each node is HKDF-SHA256 of
// the group's key with sender and salt, drawn at boot; count, one more in every datagram of that life, is the nonce.
// ChaCha20-Poly1305 and not AES, since it takes the same time whatever the data on processors that have no
// instructions for AES, as in routers and boards.
package seal

import (
	"crypto/cipher"
	"crypto/hkdf"
	crand "crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/chacha20poly1305"

	"caucus.example/caucus"
)

// Mark is the first byte of a sealed datagram; no other begins with it.
const Mark = 0xca

const (
	headSize = 1 + 4 + 8 + SaltSize + 6
	SaltSize = 12
	keySize  = chacha20poly1305.KeySize

	// Overhead is how much longer a datagram becomes, in bytes.
	Overhead = headSize + chacha20poly1305.Overhead

	maxCount = 1<<48 - 1
	maxKeys  = 8
)

// Why a datagram cannot be opened.
var (
	ErrKey    = errors.New("sealed with an unknown key")
	ErrForged = errors.New("bad tag")
	ErrFormat = errors.New("not sealed")
)

// KeyID tells keys apart without telling anything of them.
type KeyID uint32

func (k KeyID) String() string { return fmt.Sprintf("%08x", uint32(k)) }

// Key is a group's secret.
type Key struct {
	ID     KeyID
	secret []byte
}

// NewKey draws a key.
func NewKey() Key {
	secret := make([]byte, keySize)
	crand.Read(secret) // never fails
	return named(secret)
}

func named(secret []byte) Key {
	id, err := hkdf.Key(sha256.New, secret, nil, "caucus key id 1", 4)
	if err != nil {
		panic(err) // only of lengths
	}
	return Key{KeyID(binary.BigEndian.Uint32(id)), secret}
}

// Text gives the key as ParseKeys reads it.
func (k Key) Text() string { return base64.StdEncoding.EncodeToString(k.secret) }

// String does not tell the secret.
func (k Key) String() string { return "key " + k.ID.String() }

// ParseKeys reads keys, one a line; blank lines and those with # are nothing. The first is what one seals with. Errors
// do not repeat what was found, which may be a secret.
func ParseKeys(text string) (keys []Key, err error) {
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		secret, err := base64.StdEncoding.Strict().DecodeString(line)
		if err != nil || len(secret) != keySize {
			return nil, fmt.Errorf("line %d: found no key, allowed: %d bytes in base64, as caucus keygen writes them",
				n, keySize)
		}
		k := named(secret)
		for _, other := range keys {
			if other.ID == k.ID {
				return nil, fmt.Errorf("line %d: found key %v again, allowed: once", n, k.ID)
			}
		}
		if keys = append(keys, k); len(keys) > maxKeys {
			return nil, fmt.Errorf("line %d: found one more key, allowed: %d", n, maxKeys)
		}
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("found no key, allowed: 1 to %d, one a line", maxKeys)
	}
	return keys, nil
}

// Head is what a sealed datagram says openly.
type Head struct {
	Key    KeyID
	Sender caucus.ID
	Salt   [SaltSize]byte
	Count  uint64
}

// Who names a life of a node, whatever its key.
type Who [8 + SaltSize]byte

// Who names the life that a head speaks of.
func (h *Head) Who() (w Who) {
	binary.BigEndian.PutUint64(w[:], uint64(h.Sender))
	copy(w[8:], h.Salt[:])
	return w
}

// Who names it.
func (l *Life) Who() Who { return Who(l.head[5 : 13+SaltSize]) }

// ReadHead reads it without checking whether it is true.
func ReadHead(b []byte) (h Head, ok bool) {
	if len(b) < Overhead || b[0] != Mark {
		return h, false
	}
	h.Key = KeyID(binary.BigEndian.Uint32(b[1:]))
	h.Sender = caucus.ID(binary.BigEndian.Uint64(b[5:]))
	copy(h.Salt[:], b[13:])
	h.Count = uint64(binary.BigEndian.Uint16(b[25:]))<<32 | uint64(binary.BigEndian.Uint32(b[27:]))
	return h, true
}

// Life is one life of a node under one key, for its own datagrams or for those of another. One goroutine uses it.
type Life struct {
	head  [headSize]byte // but for the count
	aead  cipher.AEAD
	nonce [chacha20poly1305.NonceSize]byte
}

// NewLife derives the subkey.
func NewLife(k Key, sender caucus.ID, salt [SaltSize]byte) *Life {
	l := &Life{}
	l.head[0] = Mark
	binary.BigEndian.PutUint32(l.head[1:], uint32(k.ID))
	binary.BigEndian.PutUint64(l.head[5:], uint64(sender))
	copy(l.head[13:], salt[:])
	subkey, err := hkdf.Key(sha256.New, k.secret, l.head[5:13+SaltSize], "caucus life 1", keySize)
	if err == nil {
		l.aead, err = chacha20poly1305.New(subkey)
	}
	if err != nil {
		panic(err) // only of lengths
	}
	return l
}

// Is tells whether it is the life that a head speaks of.
func (l *Life) Is(h *Head) bool {
	return l != nil && binary.BigEndian.Uint32(l.head[1:]) == uint32(h.Key) &&
		binary.BigEndian.Uint64(l.head[5:]) == uint64(h.Sender) && [SaltSize]byte(l.head[13:13+SaltSize]) == h.Salt
}

// Seal appends the sealed datagram to dst. No count may be used twice.
func (l *Life) Seal(dst, datagram []byte, count uint64) []byte {
	at := len(dst)
	dst = append(dst, l.head[:]...)
	head := dst[at : at+headSize]
	binary.BigEndian.PutUint16(head[25:], uint16(count>>32))
	binary.BigEndian.PutUint32(head[27:], uint32(count))
	binary.BigEndian.PutUint64(l.nonce[4:], count)
	return l.aead.Seal(dst, l.nonce[:], datagram, head)
}

// Open checks and decrypts in place. What it gives shares memory with b, which is spoilt.
func (l *Life) Open(b []byte, h *Head) ([]byte, error) {
	binary.BigEndian.PutUint64(l.nonce[4:], h.Count)
	plain, err := l.aead.Open(b[headSize:headSize], l.nonce[:], b[headSize:], b[:headSize])
	if err != nil {
		return nil, ErrForged
	}
	return plain, nil
}

// Same tells whether both are the same life of the same node, under whatever key.
func (l *Life) Same(other *Life) bool {
	return l != nil && other != nil && l.Who() == other.Who()
}
