package scenario

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"caucus.example/caucus"
)

// Count reads a whole number >= 0 as people write it: 250, 1e6, 10k, 2M.
func Count(field, text string) (int, error) {
	wrong := caucus.Wrong(field, text, "a whole number from 0 to 1e15, such as 250, 10k or 1e6")
	digits, times := text, 1.0
	for suffix, t := range map[string]float64{"k": 1e3, "M": 1e6, "G": 1e9} {
		if d, ok := strings.CutSuffix(text, suffix); ok {
			digits, times = d, t
		}
	}
	x, ok := caucus.ParseNumber(digits)
	if x *= times; !ok || x < 0 || x != math.Trunc(x) || x > 1e15 {
		return 0, wrong
	}
	return int(min(x, math.MaxInt)), nil // 32-bit processors count to 2e9: what may be 4G is as much as they have
}

// Seed reads a seed: any unsigned 64-bit number.
func Seed(field, text string) (uint64, error) {
	s, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, caucus.Wrong(field, text, "a whole number from 0 to 18446744073709551615")
	}
	return s, nil
}

// Share reads a probability: 0.1 or 10%.
func Share(field, text string) (float64, error) {
	digits, times := text, 1.0
	if d, ok := strings.CutSuffix(text, "%"); ok {
		digits, times = d, 0.01
	}
	x, ok := caucus.ParseNumber(digits)
	if x *= times; !ok || x < 0 || x > 1 {
		return 0, caucus.Wrong(field, text, "a share from 0 to 1, or 0% to 100%")
	}
	return x, nil
}

// Period reads a time > 0: 200ms, 1s.
func Period(field, text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, caucus.Wrong(field, text, "a time > 0 with its unit, such as 200ms or 1s")
	}
	return d, nil
}

// scale is the unit of one metric's lengths and what else it may be written in.
type scale struct {
	unit  string             // of the plain number; "" when the metric has none
	units map[string]float64 // in terms of unit
	names string             // for messages
}

func scaleOf(metric string, geographic bool) scale {
	switch {
	case metric == "distance" && geographic:
		return scale{"km", map[string]float64{"km": 1, "m": 1e-3}, "km or m"}
	case metric == "rtt":
		return scale{"ms", map[string]float64{"ms": 1, "s": 1e3, "us": 1e-3, "µs": 1e-3}, "ms, s or us"}
	}
	return scale{}
}

// Length reads a length and gives it as a plain number in the unit of the metric: hops,
// kilometres, milliseconds. A length whose metric has a unit must name one, so
// that 3 (hops) is never taken for 3 km; "inf" needs none.
func Length(field, text, metric string, geographic bool) (float64, error) {
	s := scaleOf(metric, geographic)
	if text == "inf" {
		return math.Inf(1), nil
	}
	digits := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyzµABCDEFGHIJKLMNOPQRSTUVWXYZ%")
	unit := text[len(digits):]
	x, ok := caucus.ParseNumber(strings.TrimSpace(digits))
	times, known := s.units[unit]
	if s.unit == "" {
		times, known = 1, unit == ""
	}
	if !ok || !(x > 0) || !known {
		return 0, caucus.Wrong(field, text, s.allowed(metric))
	}
	return x * times, nil
}

func (s scale) allowed(metric string) string {
	switch {
	case s.unit != "":
		return fmt.Sprintf("a length > 0 in %s, or inf (metric %s; metric hops takes plain numbers)", s.names, metric)
	case metric == "distance":
		return "a plain number > 0, or inf (metric distance between planar coordinates, which have no unit)"
	}
	return fmt.Sprintf("a plain number > 0, or inf (metric %s has no unit)", metric)
}

// write gives a length with its unit.
func (s scale) write(x float64) string {
	if math.IsInf(x, 1) {
		return "inf"
	}
	return strconv.FormatFloat(x, 'g', -1, 64) + s.unit
}
