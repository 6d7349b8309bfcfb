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
	quick := peer{}
	quick.measure(20 * time.Microsecond)
	if got, _ := quick.length(&c); got != 0.5 {
		t.Errorf("20 µs count as %g ms, want the floor of 0.5", got)
	}
}
