package scenario

import (
	"math"
	"testing"
	"time"
)

func TestLength(t *testing.T) {
	for _, c := range []struct {
		text, metric string
		geographic   bool
		want         float64 // -1: refused
	}{
		{"3", "hops", false, 3},
		{"3", "hops", true, 3},
		{"2.5", "weight", false, 2.5},
		{"1e3", "distance", false, 1000},
		{"1500km", "distance", true, 1500},
		{"300m", "distance", true, 0.3},
		{"1e3 km", "distance", true, 1000},
		{"20ms", "rtt", false, 20},
		{"2s", "rtt", true, 2000},
		{"500us", "rtt", false, 0.5},
		{"500µs", "rtt", false, 0.5},
		{"inf", "hops", false, math.Inf(1)},
		{"inf", "distance", true, math.Inf(1)},
		{"3km", "hops", true, -1},
		{"3", "distance", true, -1},
		{"3km", "distance", false, -1},
		{"3", "rtt", false, -1},
		{"3ms", "distance", true, -1},
		{"3 miles", "distance", true, -1},
		{"km", "distance", true, -1},
		{"-3km", "distance", true, -1},
		{"NaN", "hops", false, -1},
		{"Inf", "hops", false, -1},
		{"0x10", "hops", false, -1},
		{"1_000", "hops", false, -1},
		{"", "hops", false, -1},
		{"10%", "weight", false, -1},
	} {
		got, err := Length("radius", c.text, c.metric, c.geographic)
		if (err != nil) != (c.want < 0) || err == nil && got != c.want {
			t.Errorf("%q in %s (geographic %v): %g, %v; want %g", c.text, c.metric, c.geographic, got, err, c.want)
		}
	}
}

func TestCount(t *testing.T) {
	for _, c := range []struct {
		text string
		want int // -1: refused
	}{
		{"0", 0}, {"250", 250}, {"10k", 10_000}, {"2M", 2_000_000}, {"1e6", 1_000_000}, {"1.5k", 1500},
		{"4G", int(min(4e9, float64(math.MaxInt)))}, // with GOARCH=386 the most that an int holds
		{"-1", -1}, {"2.5", -1}, {"", -1}, {"k", -1}, {"inf", -1}, {"1e99", -1}, {"ten", -1},
	} {
		got, err := Count("rounds", c.text)
		if (err != nil) != (c.want < 0) || err == nil && got != c.want {
			t.Errorf("%q: %d, %v; want %d", c.text, got, err, c.want)
		}
	}
}

func TestShareAndPeriod(t *testing.T) {
	for text, want := range map[string]float64{"10%": 0.1, "0.25": 0.25, "0": 0, "100%": 1, "101%": -1, "-1%": -1,
		"half": -1} {
		got, err := Share("rate", text)
		if (err != nil) != (want < 0) || err == nil && math.Abs(got-want) > 1e-15 {
			t.Errorf("share %q: %g, %v", text, got, err)
		}
	}
	for text, want := range map[string]time.Duration{"200ms": 200 * time.Millisecond, "1s": time.Second, "0s": 0,
		"3": 0, "-1s": 0} {
		got, err := Period("period", text)
		if (err != nil) != (want == 0) || err == nil && got != want {
			t.Errorf("period %q: %v, %v", text, got, err)
		}
	}
}
