package agent

import (
	"testing"
	"time"
)

// The first sample counts whole, every further one an eighth: 8 ms, then 8 + (16-8)/8 = 9 ms, then
// 9 + (1-9)/8 = 8 ms. No edge is shorter than the floor, and without a sample there is no length.
func TestRoundTripLength(t *testing.T) {
	c := Config{Metric: RTT, RTTFloor: 500 * time.Microsecond}
	var p peer
	if _, measured := p.length(&c); measured {
		t.Error("a length without any sample")
	}
	for _, step := range []struct {
		sample time.Duration
		want   float64 // milliseconds
	}{
		{8 * time.Millisecond, 8}, {16 * time.Millisecond, 9}, {time.Millisecond, 8},
	} {
		p.measure(step.sample)
		if got, measured := p.length(&c); !measured || got != step.want {
			t.Errorf("after %v: %g ms, %v; want %g", step.sample, got, measured, step.want)
		}
	}
	// After 16 samples the length stays while the time is within a quarter of it.
	for range 20 {
		p.measure(8 * time.Millisecond)
	}
	for _, step := range []struct {
		sample time.Duration
		times  int
		want   float64
	}{{9500 * time.Microsecond, 1000, 8}, {6500 * time.Microsecond, 1000, 8}} {
		for range step.times {
			p.measure(step.sample)
		}
		if got, _ := p.length(&c); got != step.want {
			t.Errorf("after %d times %v: %g ms, want %g", step.times, step.sample, got, step.want)
		}
	}
	p.measure(100 * time.Millisecond) // for once: the smoothed time is off for a few samples
	for range 20 {
		p.measure(8 * time.Millisecond)
	}
	if got, _ := p.length(&c); got != 8 {
		t.Errorf("after one late answer: %g ms, want 8", got)
	}
	for range 100 {
		p.measure(20 * time.Millisecond)
	}
	if got, _ := p.length(&c); got < 16 || got > 20 {
		t.Errorf("after many times 20 ms: %g ms", got)
	}
	quick := peer{}
	quick.measure(20 * time.Microsecond)
	if got, _ := quick.length(&c); got != 0.5 {
		t.Errorf("20 µs count as %g ms, want the floor of 0.5", got)
	}
}
