package wire

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

func TestPatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := rapid.SliceOfN(rapid.Byte(), 1, MaxBase).Draw(t, "base")
		body := bytes.Clone(base)
		if rapid.Bool().Draw(t, "another") {
			body = rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "body")
		} else {
			at := rapid.IntRange(0, len(base)).Draw(t, "at")
			body = append(append(body[:at:at], rapid.SliceOfN(rapid.Byte(), 0, 4).Draw(t, "put in")...), base[at:]...)
		}
		patch := Patch(base, body)
		if got, ok := Apply(nil, base, patch); !ok || !bytes.Equal(got, body) {
			t.Fatalf("%x to %x by %x: %x, %v", base, body, patch, got, ok)
		}
	})
}

func TestPatchRefused(t *testing.T) {
	for name, patch := range map[string][]byte{
		"none":                  nil,
		"a message":             {0x81, 1},
		"without ends":          {0x41, 0},
		"longer than the base":  {0x42, 3, 2},
		"cut":                   {0x43, 1, 1},
		"with what is after it": {0x42, 1, 1, 0},
	} {
		if got, ok := Apply(nil, []byte{0x83, 1, 2, 3}, patch); ok {
			t.Errorf("%s: %x", name, got)
		}
	}
	if got, ok := Apply(nil, nil, []byte{0x42, 0, 0}); !ok || len(got) != 0 {
		t.Errorf("nothing to nothing: %x, %v", got, ok)
	}
}

// A mark says one of three things, and never nothing.
func TestHolding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nonce, digest := rapid.Uint32().Draw(t, "nonce"), rapid.Uint32().Draw(t, "digest")
		if Holding(nonce, digest) == 0 {
			t.Fatal("not heard")
		}
	})
	if Holding(5, 0) == Mark(5) || Holding(5, 7) == Holding(5, 8) {
		t.Error("what is held makes no difference")
	}
}
