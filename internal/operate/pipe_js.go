package operate

import "syscall"

// NoReader is no signal here.
const NoReader = syscall.Signal(13)
