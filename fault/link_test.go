package fault

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"caucus.example/caucus"
	"pgregory.net/rapid"
)

var t0 = time.Unix(1e9, 0)

func TestParse(t *testing.T) {
	ms := time.Millisecond
	for _, c := range []struct {
		name, text string
		want       Conditions
	}{
		{"loss", "20%", Conditions{Loss: .2}},
		{"loss", "0.2", Conditions{Loss: .2}},
		{"loss", "100%", Conditions{Loss: 1}},
		{"delay", "10ms", Conditions{Delay: 10 * ms}},
		{"delay", "10ms±5ms", Conditions{Delay: 10 * ms, Jitter: 5 * ms}},
		{"delay", "10ms+-5ms", Conditions{Delay: 10 * ms, Jitter: 5 * ms}},
		{"delay", "10ms ± 10ms", Conditions{Delay: 10 * ms, Jitter: 10 * ms}},
		{"duplicate", "5%", Conditions{Duplicate: .05}},
		{"reorder", "1e-3", Conditions{Reorder: .001}},
		{"rate", "64kbit/s", Conditions{Rate: 64e3}},
		{"rate", "1.5 Mbit/s", Conditions{Rate: 1.5e6}},
		{"rate", "300bit/s", Conditions{Rate: 300}},
	} {
		c.want.Seed, c.want.Within = 1, 40*ms
		got, err := Parse(map[string]string{c.name: c.text}, 40*ms)
		if err != nil || got != c.want {
			t.Errorf("%s %q: %+v, %v, want %+v", c.name, c.text, got, err, c.want)
		}
	}
	c, err := Parse(map[string]string{"within": "3ms", "seed": "9", "loss": "1%"}, time.Second)
	if err != nil || c.Within != 3*ms || c.Seed != 9 || c.String() != "loss=1% seed=9" {
		t.Errorf("%v, %v", c, err)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, c := range [][2]string{
		{"loss", "-1%"}, {"loss", "101%"}, {"loss", "1.01"}, {"loss", "NaN"}, {"loss", ""}, {"loss", "0x1p-2"},
		{"loss", "some"}, {"duplicate", "2"}, {"reorder", "%"},
		{"delay", "10"}, {"delay", "-1ms"}, {"delay", "5ms±6ms"}, {"delay", "±5ms"}, {"delay", "5ms±"}, {"delay", "2m"},
		{"delay", "5ms±1ms±1ms"},
		{"within", "0s"}, {"within", "1h"}, {"rate", "0bit/s"}, {"rate", "10"}, {"rate", "1MB/s"}, {"rate", "Infbit/s"},
		{"rate", "9e99Gbit/s"},
		{"seed", "-1"}, {"seed", "1.5"},
	} {
		_, err := Parse(map[string]string{c[0]: c[1]}, time.Second)
		var field *caucus.FieldError
		if !errors.As(err, &field) || field.Field != c[0] || field.Found != c[1] || field.Allowed == "" {
			t.Errorf("%s %q: %v", c[0], c[1], err)
		}
	}
	if _, err := Parse(map[string]string{"los": "1%"}, time.Second); err == nil ||
		!strings.Contains(err.Error(), `"loss"`) {
		t.Errorf("unknown name: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("delay", "10ms±5ms")
	f.Add("loss", "20%")
	f.Add("rate", "1.5Mbit/s")
	f.Fuzz(func(t *testing.T, name, text string) {
		c, err := Parse(map[string]string{name: text}, time.Second)
		if err != nil {
			return
		}
		if !(c.Loss >= 0 && c.Loss <= 1 && c.Duplicate >= 0 && c.Duplicate <= 1 && c.Reorder >= 0 && c.Reorder <= 1) ||
			c.Jitter < 0 || c.Jitter > c.Delay || c.Delay > Longest || c.Within <= 0 || c.Within > Longest ||
			math.IsInf(c.Rate, 0) || c.Rate < 0 {
			t.Errorf("%q %q: %+v", name, text, c)
		}
	})
}

// With 100,000 datagrams each frequency lies within 5 standard deviations of its probability, and
// so do the means of what is uniform.
func TestStatistics(t *testing.T) {
	const n = 100_000
	ms := time.Millisecond
	c := Conditions{Loss: .2, Delay: 10 * ms, Jitter: 5 * ms, Duplicate: .05, Reorder: .1, Within: 40 * ms, Seed: 3}
	l := New(c, 1, 2)
	arrived, doubled := 0, 0
	var delays, gaps float64 // in ms
	for i := range n {
		now := t0.Add(time.Duration(i) * ms)
		at, copies := l.Send(now, 34)
		if copies == 0 {
			continue
		}
		arrived++
		d := at[0].Sub(now)
		if d < 5*ms || d >= 55*ms {
			t.Fatalf("datagram %d takes %v", i, d)
		}
		delays += d.Seconds() * 1e3
		if copies == 2 {
			doubled++
			gap := at[1].Sub(at[0])
			if gap < 0 || gap >= c.Within {
				t.Fatalf("copy of datagram %d comes %v later", i, gap)
			}
			gaps += gap.Seconds() * 1e3
		}
	}
	if l.Sent != n || l.Lost != n-uint64(arrived) || l.Doubled != uint64(doubled) || l.Overflowed != 0 {
		t.Errorf("%d arrived, %d doubled, counts %+v", arrived, doubled, l.Counts)
	}
	near := func(what string, got, want, deviation float64) {
		t.Helper()
		if math.Abs(got-want) > 5*deviation {
			t.Errorf("%s: %g, want %g ± %g", what, got, want, 5*deviation)
		}
	}
	share := func(what string, hits uint64, of int, p float64) {
		t.Helper()
		near(what, float64(hits)/float64(of), p, math.Sqrt(p*(1-p)/float64(of)))
	}
	share("loss", l.Lost, n, .2)
	share("duplicates", l.Doubled, arrived, .05)
	share("held back", l.HeldBack, arrived, .1)
	// 10 ms ± 5 ms has the variance 10²/12; a tenth of them are held back by 20 ms on average.
	near("mean delay", delays/float64(arrived), 10+.1*20, math.Sqrt((100./12+.1*(1600./12+.9*400))/float64(arrived)))
	near("mean gap", gaps/float64(doubled), 20, math.Sqrt(1600./12/float64(doubled)))
}

// What happens to a datagram depends on seed, link and number only: not on the time, nor on
// its size, and other conditions keep the losses.
func TestDeterministic(t *testing.T) {
	lost := func(c Conditions, from, to uint64, step time.Duration, size int) (list []bool) {
		l := New(c, from, to)
		for i := range 200 {
			_, copies := l.Send(t0.Add(time.Duration(i)*step), size)
			list = append(list, copies == 0)
		}
		return list
	}
	same := func(a, b []bool) bool {
		for i := range a {
			if a[i] != b[i] {
				return false
			}
		}
		return true
	}
	base := lost(Conditions{Loss: .3, Seed: 1}, 1, 2, time.Millisecond, 34)
	if !same(base, lost(Conditions{Loss: .3, Delay: time.Second, Duplicate: .5, Reorder: .5, Within: time.Second,
		Seed: 1}, 1, 2, time.Hour, 1200)) {
		t.Error("other conditions change what is lost")
	}
	for name, other := range map[string][]bool{
		"seed":      lost(Conditions{Loss: .3, Seed: 2}, 1, 2, time.Millisecond, 34),
		"link":      lost(Conditions{Loss: .3, Seed: 1}, 1, 3, time.Millisecond, 34),
		"direction": lost(Conditions{Loss: .3, Seed: 1}, 2, 1, time.Millisecond, 34),
	} {
		if same(base, other) {
			t.Errorf("another %s loses the same datagrams", name)
		}
	}
	for i, worse := range lost(Conditions{Loss: .6, Seed: 1}, 1, 2, time.Millisecond, 34) {
		if base[i] && !worse {
			t.Errorf("datagram %d is lost with 30 %% and not with 60 %%", i)
		}
	}
}

// 100 bytes at 1024 bit/s: (100 + 28) · 8 = 1024 bits take a second each. Of 100 datagrams sent at once 64
// wait, and after half a minute there is room for 30 more.
func TestRate(t *testing.T) {
	l := New(Conditions{Rate: 1024}, 1, 2)
	for i := range 100 {
		at, copies := l.Send(t0, 100)
		if want := i < Backlog; (copies == 1) != want {
			t.Fatalf("datagram %d: %d copies", i, copies)
		}
		if copies == 1 && !at[0].Equal(t0.Add(time.Duration(i+1)*time.Second)) {
			t.Errorf("datagram %d arrives after %v", i, at[0].Sub(t0))
		}
	}
	if l.Overflowed != 36 {
		t.Errorf("%d overflowed, want 36", l.Overflowed)
	}
	more := 0
	for range 100 {
		_, copies := l.Send(t0.Add(30*time.Second), 100)
		more += copies
	}
	if more != 30 {
		t.Errorf("%d more after 30 s, want 30", more)
	}
	// An idle link does not save up.
	if at, _ := l.Send(t0.Add(time.Hour), 100); !at[0].Equal(t0.Add(time.Hour + time.Second)) {
		t.Errorf("on the idle link: %v", at[0].Sub(t0))
	}
}

// Nothing arrives before it was sent and the shortest delay has passed, whatever the conditions.
func TestNothingComesEarly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.Float64Range(0, 1)
		d := rapid.Int64Range(0, int64(time.Minute))
		c := Conditions{Loss: p.Draw(t, "loss"), Duplicate: p.Draw(t, "duplicate"), Reorder: p.Draw(t, "reorder"),
			Delay: time.Duration(d.Draw(t, "delay")), Within: time.Duration(d.Draw(t, "within")),
			Seed: rapid.Uint64().Draw(t, "seed")}
		c.Jitter = time.Duration(rapid.Int64Range(0, int64(c.Delay)).Draw(t, "jitter"))
		if rapid.Bool().Draw(t, "limited") {
			c.Rate = rapid.Float64Range(100, 1e9).Draw(t, "rate")
		}
		l, now := New(c, 1, 2), t0
		for range 100 {
			now = now.Add(time.Duration(rapid.Int64Range(0, int64(time.Second)).Draw(t, "pause")))
			at, copies := l.Send(now, rapid.IntRange(1, 1200).Draw(t, "size"))
			for _, a := range at[:copies] {
				if a.Sub(now) < c.Delay-c.Jitter {
					t.Fatalf("%v after %v", a.Sub(now), c)
				}
			}
			if len(l.leaves) > Backlog {
				t.Fatalf("%d wait", len(l.leaves))
			}
		}
	})
}
