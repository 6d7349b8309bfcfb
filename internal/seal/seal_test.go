package seal

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caucus.example/caucus"
)

func rings(keys ...[]Key) (list []*Ring) {
	for i, k := range keys {
		list = append(list, NewRing(caucus.ID(i+1), k))
	}
	return list
}

func TestSealAndOpen(t *testing.T) {
	k := []Key{NewKey(), NewKey()}
	r := rings(k, []Key{k[1], k[0]}, []Key{NewKey()})
	text := []byte("who leads")
	sealed := r[0].Seal([]byte("before"), text)[6:]
	if len(sealed) != len(text)+Overhead {
		t.Errorf("%d bytes more, want %d", len(sealed)-len(text), Overhead)
	}
	plain, life, h, err := r[1].Open(bytes.Clone(sealed))
	if err != nil || !bytes.Equal(plain, text) || h.Sender != 1 || h.Count != 1 || h.Key != k[0].ID {
		t.Errorf("%q %+v %v", plain, h, err)
	}
	again, same, h, err := r[1].Open(r[0].Seal(nil, text), nil, life)
	if err != nil || same != life || h.Count != 2 || !bytes.Equal(again, text) {
		t.Errorf("%q %+v %v, a known life: %v", again, h, err, same == life)
	}
	if _, _, _, err := r[2].Open(bytes.Clone(sealed)); !errors.Is(err, ErrKey) {
		t.Error(err)
	}
	if bytes.Contains(sealed, text) {
		t.Error("the text is there to read")
	}
	// A key with the same id, as one in four thousand million has, opens nothing.
	other := NewKey()
	other.ID = k[0].ID
	if _, _, _, err := rings([]Key{other})[0].Open(bytes.Clone(sealed)); !errors.Is(err, ErrForged) {
		t.Error(err)
	}
	for i := range sealed {
		forged := bytes.Clone(sealed)
		forged[i] ^= 1
		if _, _, _, err := r[1].Open(forged); err == nil {
			t.Errorf("byte %d may be changed", i)
		}
	}
	for n := range len(sealed) {
		if _, _, _, err := r[1].Open(bytes.Clone(sealed[:n])); err == nil {
			t.Errorf("%d of %d bytes are enough", n, len(sealed))
		}
	}
}

// The two steps of a change of keys: at each, all understand each other.
func TestRotation(t *testing.T) {
	old, young := NewKey(), NewKey()
	steps := [][]Key{{old}, {old, young}, {young, old}, {young}}
	for i := range len(steps) - 1 {
		r := rings(steps[i], steps[i+1])
		for a, b := range map[*Ring]*Ring{r[0]: r[1], r[1]: r[0]} {
			if _, _, _, err := b.Open(a.Seal(nil, []byte("x"))); err != nil {
				t.Errorf("step %d: %v", i+1, err)
			}
		}
	}
}

func TestKeysAsText(t *testing.T) {
	a, b := NewKey(), NewKey()
	keys, err := ParseKeys("# now\n" + a.Text() + "\n\n  " + b.Text() + "  \n")
	if err != nil || len(keys) != 2 || keys[0].ID != a.ID || !bytes.Equal(keys[1].secret, b.secret) {
		t.Error(keys, err)
	}
	for text, want := range map[string]string{
		"":                               "found no key",
		"secret":                         "line 1: found no key",
		a.Text()[1:]:                     "line 1: found no key",
		a.Text() + "\n" + a.Text():       "line 2: found key " + a.ID.String() + " again",
		strings.Repeat("#\n", 5) + "!!!": "line 6: found no key",
	} {
		if _, err := ParseKeys(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		} else if len(text) > 5 && text[0] != '#' && strings.Contains(err.Error(), text) {
			t.Errorf("tells the secret: %v", err)
		}
	}
	if strings.Contains(a.String(), a.Text()) {
		t.Error(a)
	}
}

// Counts in any order: each is taken once, unless it is from before the first or further behind than the window.
func TestWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var w Window
		first := uint64(rapid.IntRange(1, 5000).Draw(t, "first"))
		w.Start(first)
		seen, top := map[uint64]bool{first: true}, first
		for range rapid.IntRange(1, 300).Draw(t, "datagrams") {
			count := uint64(max(1, int(top)+rapid.IntRange(-1500, 1500).Draw(t, "ahead")))
			got := w.Take(count)
			switch {
			case seen[count], count < first, top >= count+windowSize:
				if got {
					t.Fatalf("%d is taken again, or too late, at %d", count, top)
				}
			case !got:
				t.Fatalf("%d is refused at %d, first %d", count, top, first)
			}
			if got {
				seen[count], top = true, max(top, count)
			}
		}
	})
}

func FuzzOpen(f *testing.F) {
	r := rings([]Key{NewKey()}, nil)
	f.Add(r[0].Seal(nil, []byte("x")))
	f.Add([]byte{Mark})
	f.Fuzz(func(t *testing.T, b []byte) {
		if _, _, _, err := r[0].Open(bytes.Clone(b)); err == nil && len(b) != Overhead+1 {
			t.Errorf("opened %x", b)
		}
		r[1].Open(b)
	})
}

func BenchmarkSeal(b *testing.B) {
	r := NewRing(1, []Key{NewKey()})
	text, buf := make([]byte, 100), make([]byte, 0, 1400)
	b.ReportAllocs()
	for b.Loop() {
		r.Seal(buf, text)
	}
}

func BenchmarkOpen(b *testing.B) {
	r := rings([]Key{NewKey()}, nil)
	sealed := r[0].Seal(nil, make([]byte, 100))
	_, life, _, _ := r[0].Open(bytes.Clone(sealed))
	buf := make([]byte, 1400)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, _, err := r[0].Open(append(buf[:0], sealed...), life); err != nil {
			b.Fatal(err)
		}
	}
}

// Who has the group's key speaks in the life of any other member, whose salt is open: no signature of the salt would
// keep it from that (decision 015).
func TestAMemberSpeaksForAnother(t *testing.T) {
	k := []Key{NewKey()}
	r := rings(k, k)
	heard := r[0].Seal(nil, []byte("own"))
	_, victim, _, err := r[1].Open(bytes.Clone(heard))
	if err != nil {
		t.Fatal(err)
	}
	h, _ := ReadHead(heard)
	forged := NewLife(k[0], h.Sender, h.Salt).Seal(nil, []byte("forged"), h.Count+1)
	plain, life, _, err := r[1].Open(forged, victim)
	if err != nil || life != victim || string(plain) != "forged" {
		t.Errorf("%q, of the life heard %t: %v; then decision 015 is to be reconsidered", plain, life == victim, err)
	}
}
