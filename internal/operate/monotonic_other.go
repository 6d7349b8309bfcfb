//go:build !linux

package operate

import "time"

// monotonic is told to systemd, which runs on Linux only.
func monotonic() time.Duration { return 0 }
