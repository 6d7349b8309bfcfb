//go:build !js

package operate

import "syscall"

// NoReader is the signal that comes to a program whose standard output nobody reads any more.
const NoReader = syscall.SIGPIPE
