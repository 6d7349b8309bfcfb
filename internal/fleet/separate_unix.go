//go:build unix

package fleet

import "syscall"

// separate puts a process into a group of its own.
func separate() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
