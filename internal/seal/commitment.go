package seal

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"

	"golang.org/x/crypto/argon2"

	"caucus.example/caucus"
)

// commitmentMemory is what it takes to compute a commitment, in KiB. Its 32 bits would be tried out in minutes with a
// plain hash; so they take days of processor time for one life, and a node a quarter of a millisecond.
const commitmentMemory = 256

// Commitment names a life of a node, so that who knows the secret can prove that it is this life that ends.
func Commitment(group uint32, id caucus.ID, secret uint64) uint32 {
	var password [8]byte
	binary.BigEndian.PutUint64(password[:], secret)
	salt := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32(nil, group), uint64(id))
	key := argon2.IDKey(password[:], salt, 1, commitmentMemory, 1, 4)
	return max(1, binary.BigEndian.Uint32(key)) // 0 stands for any life
}

// Stream is a stream of random numbers of a life that nobody can go on with who has seen some of them, nor find the
// secret by them; the same secret and name give the same one.
func Stream(name string, id caucus.ID, secret uint64) *rand.ChaCha8 {
	text := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, secret), uint64(id))
	return rand.NewChaCha8(sha256.Sum256(append(text, name...)))
}
