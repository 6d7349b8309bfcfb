// Package wait lets silence decide: who has waited for as long as its ID says, and has heard nobody, is the least.
package wait

import (
	"math"
	"time"

	"caucus.example/caucus"
)

// ByID is how long a node waits, with a unit in bounds on the delay for each one in its ID; 0 for D + 1, D the bound on
// the diameter: then the news of the first is everywhere before the next one's time is over. What does not fit a
// duration, 292 years, is cut.
func ByID(l *caucus.Local, unit float64) time.Duration {
	if unit == 0 {
		unit = float64(l.Known.Diameter + 1)
	}
	w := unit * float64(max(l.Known.Delay, time.Millisecond)) * float64(l.ID)
	if w >= math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(w)
}
