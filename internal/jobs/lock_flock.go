//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package jobs

import (
	"os"
	"syscall"
)

// lock takes a file for this process until it is closed; an error means that another has it.
func lock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }
