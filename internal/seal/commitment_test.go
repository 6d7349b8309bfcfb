package seal

import "testing"

// A commitment holds what it is made from, and nothing else gives it.
func TestCommitment(t *testing.T) {
	c := Commitment(1, 2, 3)
	if c == 0 || c != Commitment(1, 2, 3) {
		t.Error(c)
	}
	if c == Commitment(2, 2, 3) || c == Commitment(1, 3, 3) || c == Commitment(1, 2, 4) {
		t.Error("another group, node or secret gives the same")
	}
}

func BenchmarkCommitment(b *testing.B) {
	b.ReportAllocs()
	for k := range b.N {
		Commitment(1, 2, uint64(k))
	}
}
