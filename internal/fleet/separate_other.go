//go:build !unix

package fleet

import "syscall"

func separate() *syscall.SysProcAttr { return nil }
