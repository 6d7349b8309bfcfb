package act

import (
	"os/exec"
)

// Child is a running program and, where the system can tell, all that it has started.
type Child struct {
	cmd  *exec.Cmd
	done chan struct{}
	err  error
}

// Done is closed when the program has ended.
func (c *Child) Done() <-chan struct{} { return c.done }
