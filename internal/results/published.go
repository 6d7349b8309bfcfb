package results

import (
	"fmt"
	"math"
)

// Published is what a paper says of a quantity.
type Published struct {
	Paper string  `json:"paper"`
	Where string  `json:"where"` // in the paper
	Value float64 `json:"value"`
	Claim Claim   `json:"claim"`
	Of    int     `json:"of,omitempty"` // runs, of a mean
}

// Claim is the kind of a published number.
type Claim string

// Claims.
const (
	Exact   Claim = "value"         // the expectation is that
	Sampled Claim = "mean"          // a mean of so many runs was
	Limit   Claim = "bound"         // it is no more
	Always  Claim = "every run"     // each run has that
	About   Claim = "approximation" // told in round numbers, or read off a figure
)

// String names the claim, and of how many runs a mean is.
func (p *Published) String() string {
	if p.Claim == Sampled {
		return fmt.Sprintf("mean of %d", p.Of)
	}
	return string(p.Claim)
}

// Comparison is a measured mean, beside the published number if there is one.
type Comparison struct {
	Quantity  string
	Variant   string // of the algorithm
	Published *Published
	Measured  Mean
}

// Error is that of the difference of both numbers: the standard error of the measured mean, and of a published one that
// of as many runs of the same spread. 0: there is none to speak of.
func (c Comparison) Error() float64 {
	if p := c.Published; p != nil && p.Claim == Sampled {
		return math.Hypot(c.Measured.StdErr, c.Measured.SD/math.Sqrt(float64(p.Of)))
	}
	return c.Measured.StdErr
}

// Difference is how far the measured mean is above the published number, in errors; ok is false if that has no meaning,
// as beside a bound or an approximation.
func (c Comparison) Difference() (errors float64, ok bool) {
	if c.Published == nil || c.Published.Claim == Limit || c.Published.Claim == About || c.Measured.StdErr == 0 {
		return 0, false
	}
	return (c.Measured.Value - c.Published.Value) / c.Error(), true
}

// Verdict says in a word what the comparison shows; nothing where that cannot be said. Of two means of the same
// expectation one pair in twenty lies more than two errors apart.
func (c Comparison) Verdict() string {
	d, ok := c.Difference()
	switch {
	case ok && math.Abs(d) <= 2:
		return "agrees"
	case ok:
		return "differs"
	case c.Published == nil || c.Published.Claim != Limit:
		return ""
	case c.Measured.Value <= c.Published.Value:
		return "holds"
	}
	return "exceeded"
}

// Deviation is the relative one; ok is false beside a bound.
func (c Comparison) Deviation() (share float64, ok bool) {
	if c.Published == nil || c.Published.Claim == Limit {
		return 0, false
	}
	return c.Measured.Value/c.Published.Value - 1, true
}
