//go:build unix

package hangup

import (
	"os"
	"syscall"
)

var hup os.Signal = syscall.SIGHUP

func again() { _ = syscall.Kill(os.Getpid(), syscall.SIGHUP) }
