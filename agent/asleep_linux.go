package agent

import (
	"time"

	"golang.org/x/sys/unix"
)

// asleep tells for how long this machine has been suspended since it was started. The monotonic clock, which
// all timers follow, stands still meanwhile.
func asleep() time.Duration {
	var boot, monotonic unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &monotonic) != nil ||
		unix.ClockGettime(unix.CLOCK_BOOTTIME, &boot) != nil {
		return 0
	}
	return time.Duration(boot.Nano() - monotonic.Nano())
}
