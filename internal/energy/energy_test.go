package energy

import (
	"errors"
	"math"
	"strings"
	"testing"

	"caucus.example/caucus"
	"pgregory.net/rapid"
)

// By hand: 10 messages of 19 + 31 bytes at 250 kbit/s take 0.016 s, 20 that come in 0.032 s, and the rest of 10 s is
// idle.
func TestJoules(t *testing.T) {
	m := Model{Send: 2, Receive: 3, Idle: 1, Rate: 250_000, Overhead: 31, Handle: 0.001}
	want := 0.016*2 + 0.032*3 + (10-0.048)*1 + 0.001*30
	if got := m.Joules(Use{Seconds: 10, Sent: 10, Received: 20, Payload: 19}); math.Abs(got-want) > 1e-12 {
		t.Errorf("%g J, want %g", got, want)
	}
	// 1000 messages take 1.6 s: more than there is.
	if got, want := m.Joules(Use{Seconds: 1, Sent: 1000, Payload: 19}), 1.6*2+1.0; math.Abs(got-want) > 1e-12 {
		t.Errorf("%g J, want %g", got, want)
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]Model{
		"cc2420":                    CC2420,
		"send=1W":                   {1, 0.0564, 0.0564, 250_000, 31, 5.4e-6},
		"idle=20uW, rate=50kbit/s":  {0.0522, 0.0564, 20e-6, 50_000, 31, 5.4e-6},
		"idle=20µW,handle=0.3mJ":    {0.0522, 0.0564, 20e-6, 250_000, 31, 0.3e-3},
		"receive=0W,overhead=0B":    {0.0522, 0, 0.0564, 250_000, 0, 5.4e-6},
		"rate=1Mbit/s,handle=700nJ": {0.0522, 0.0564, 0.0564, 1e6, 31, 700e-9},
	} {
		got, err := Parse(text)
		if err != nil || math.Abs(got.Handle-want.Handle) > 1e-15 {
			t.Errorf("%s: %v, %v", text, got, err)
		}
		got.Handle = want.Handle
		if math.Abs(got.Idle-want.Idle) > 1e-12 {
			t.Errorf("%s: idle %g", text, got.Idle)
		}
		if got.Idle = want.Idle; got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
	for text, says := range map[string]string{
		"":                  "cc2420, or figures",
		"cc2421":            "cc2420, or figures",
		"volts=3V":          "send, receive, idle, rate, overhead, handle",
		"sent=3W":           `did you mean "send"?`,
		"send=52.2":         "such as 52.2mW",
		"send=-1mW":         "from 0W to 1000W",
		"send=infW":         "from 0W to 1000W",
		"rate=0bit/s":       "from 1bit/s",
		"overhead=31":       "such as 31B",
		"handle=5mW":        "an energy",
		"send=1W,send=2W":   "send is there twice",
		"send=1W,,idle=1mW": "cc2420, or figures",
	} {
		_, err := Parse(text)
		var field *caucus.FieldError
		if !errors.As(err, &field) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// What is written can be read again.
func TestString(t *testing.T) {
	want := "send=52.2mW,receive=56.4mW,idle=56.4mW,rate=250kbit/s,overhead=31B,handle=5.4uJ"
	if got := CC2420.String(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	rapid.Check(t, func(t *rapid.T) {
		m := Model{rapid.Float64Range(0, 10).Draw(t, "send"), rapid.Float64Range(0, 10).Draw(t, "receive"),
			rapid.Float64Range(0, 1).Draw(t, "idle"),
			rapid.Float64Range(1, 1e9).Draw(t, "rate"), float64(rapid.IntRange(0, 100).Draw(t,
				"overhead")), rapid.Float64Range(0, 1).Draw(t, "handle")}
		again, err := Parse(m.String())
		if err != nil || again.String() != m.String() {
			t.Fatalf("%s: %s, %v", m, again, err)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add("send=1W,idle=2uW")
	f.Add("cc2420")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Parse(text)
		if err != nil {
			return
		}
		if j := m.Joules(Use{1, 1, 1, 1}); !(j >= 0) || math.IsInf(j, 0) {
			t.Errorf("%q: %g J", text, j)
		}
	})
}
