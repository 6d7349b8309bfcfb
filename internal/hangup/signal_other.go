//go:build !unix

package hangup

import "os"

var hup os.Signal

func again() {}
