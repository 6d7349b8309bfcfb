package operate

import (
	"time"

	"golang.org/x/sys/unix"
)

// monotonic is the clock by which systemd orders what it is told.
func monotonic() time.Duration {
	var t unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &t) // known to every kernel
	return time.Duration(t.Nano())
}
