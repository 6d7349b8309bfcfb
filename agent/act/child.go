package act

import (
	"os"
	"os/exec"
)

// Child is a running program and, where the system can tell, all that it has started.
type Child struct {
	cmd  *exec.Cmd
	done chan struct{}
	err  error
}

// Start runs a program with the standard streams of this one.
func Start(argv, env []string) (*Child, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return start(cmd)
}

// Done is closed when the program has ended.
func (c *Child) Done() <-chan struct{} { return c.done }
