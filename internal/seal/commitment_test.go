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

// The same life goes on with the same stream, and no other has it.
func TestStream(t *testing.T) {
	first := Stream("challenges", 7, 99).Uint64()
	if again := Stream("challenges", 7, 99).Uint64(); again != first {
		t.Errorf("the same stream begins with %x and %x", first, again)
	}
	for _, other := range []uint64{
		Stream("others", 7, 99).Uint64(), Stream("challenges", 8, 99).Uint64(), Stream("challenges", 7, 98).Uint64(),
	} {
		if other == first {
			t.Errorf("two streams begin with %x", first)
		}
	}
}
