package check

import (
	"errors"
	"testing"

	"caucus.example/caucus"
)

func TestParseFaults(t *testing.T) {
	for _, c := range []struct {
		text, written string
		want          Faults
	}{
		{"", "none", Faults{}},
		{"none", "none", Faults{}},
		{"crash=1", "crash=1", Faults{Crash: 1}},
		{"loss=2,crash=1", "crash=1,loss=2", Faults{Crash: 1, Loss: 2}},
		{"crash=0,corrupt=4", "corrupt=4", Faults{Corrupt: 4}},
	} {
		f, err := ParseFaults(c.text)
		if err != nil || f != c.want || f.String() != c.written {
			t.Errorf("%q: %+v %v, written %q", c.text, f, err, f)
		}
	}
	for text, want := range map[string]string{
		"crash":           `faults: found "crash", allowed: kind=number, such as crash=1,loss=2`,
		"crsh=1":          `faults: found "crsh", allowed: crash, loss, corrupt; did you mean "crash"?`,
		"loss=5":          `faults: found "loss=5", allowed: loss=0 to loss=4`,
		"loss=-1":         `faults: found "loss=-1", allowed: loss=0 to loss=4`,
		"crash=1,crash=1": `faults: found "crash=1,crash=1", allowed: crash once`,
		"crash=1,":        `faults: found "", allowed: kind=number, such as crash=1,loss=2`,
	} {
		if _, err := ParseFaults(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzParseFaults(f *testing.F) {
	f.Add("crash=1,loss=2,corrupt=1")
	f.Add("none")
	f.Fuzz(func(t *testing.T, text string) {
		faults, err := ParseFaults(text)
		if err != nil {
			var field *caucus.FieldError
			if !errors.As(err, &field) {
				t.Fatalf("%q: %v is no FieldError", text, err)
			}
			return
		}
		if again, err := ParseFaults(faults.String()); err != nil || again != faults {
			t.Fatalf("%q: %+v is written as %q, read as %+v %v", text, faults, faults, again, err)
		}
	})
}
