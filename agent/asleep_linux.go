package agent

import (
	"time"

	"golang.org/x/sys/unix"
)

// asleep tells for how long this machine has been suspended since it was started. The monotonic clock, which
// all timers follow, stands still meanwhile. On a busy machine the process may have to wait between two looks at the
// clocks, which is no suspension: then it looks again.
func asleep() time.Duration {
	var before, boot, after unix.Timespec
	for range 8 {
		if unix.ClockGettime(unix.CLOCK_MONOTONIC, &before) != nil ||
			unix.ClockGettime(unix.CLOCK_BOOTTIME, &boot) != nil ||
			unix.ClockGettime(unix.CLOCK_MONOTONIC, &after) != nil {
			return 0
		}
		if after.Nano()-before.Nano() < int64(time.Millisecond) {
			break
		}
	}
	return time.Duration(boot.Nano() - after.Nano())
}
