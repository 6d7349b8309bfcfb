// Package hangup has SIGHUP caught from the moment that the program begins, before it knows whether it is an agent,
// for which the signal means to read its configuration again. It imports next to nothing, so that it is initialised
// before what takes long. Programs that are no agent let the signal do what it does by calling [Default].
package hangup

import (
	"os"
	"os/signal"
)

// C gets the signals, one that comes while another waits being the same.
var C = make(chan os.Signal, 1)

func init() {
	if hup != nil {
		signal.Notify(C, hup)
	}
}

// Default lets the signal end the program again, at once if it has come already.
func Default() {
	signal.Stop(C)
	select {
	case <-C:
		again()
	default:
	}
}
