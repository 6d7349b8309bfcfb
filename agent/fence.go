package agent

import (
	"cmp"
	"fmt"

	"caucus.example/caucus"
)

// Fence is what a resource compares to tell an overtaken leader from the present one. Terms alone are not unique:
// two nodes may lead with the same number on two sides of a cut, or for a moment in one network. Fences of
// different leaderships are different, and of any two of them one is the greater.
type Fence struct {
	Term   uint64
	Leader caucus.ID
	Nonce  uint32 // which life of the leader
}

// Fence gives the token of a leadership. It is the same at the leader and at all who follow it with the same term;
// the zero Fence, less than all others, without a term.
func (l Leadership) Fence() Fence {
	if l.Term == 0 {
		return Fence{}
	}
	return Fence{l.Term, l.LeaderID, l.LeaderNonce}
}

// Compare is negative if f is less than g, positive if it is greater.
func (f Fence) Compare(g Fence) int {
	return cmp.Or(cmp.Compare(f.Term, g.Term), cmp.Compare(f.Leader, g.Leader), cmp.Compare(f.Nonce, g.Nonce))
}

// String gives the token as text of 42 characters that compares as the token does.
func (f Fence) String() string {
	return fmt.Sprintf("%016x-%016x-%08x", f.Term, uint64(f.Leader), f.Nonce)
}

// MarshalText makes it text in JSON.
func (f Fence) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads what MarshalText gives.
func (f *Fence) UnmarshalText(text []byte) error {
	var x Fence
	_, err := fmt.Sscanf(string(text), "%016x-%016x-%08x", &x.Term, &x.Leader, &x.Nonce)
	if err != nil || x.String() != string(text) {
		return fmt.Errorf("%q is no fence", text)
	}
	*f = x
	return nil
}
