//go:build !unix

package engine

import "time"

var begun = time.Now()

// processorTime is the time on the clock, where what the processors did is not read.
func processorTime() time.Duration { return time.Since(begun) }
