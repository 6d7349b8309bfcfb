//go:build !unix

package act

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"
)

const sigTerm = syscall.SIGTERM

// Passed are the signals that whoever guards a child passes on to it.
var Passed []os.Signal

// Signals are those by which a child may be asked to end.
var Signals = map[string]syscall.Signal{"TERM": syscall.SIGTERM}

func start(cmd *exec.Cmd) (*Child, error) {
	cmd.WaitDelay = time.Second
	c := &Child{cmd: cmd, done: make(chan struct{})}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		c.err = cmd.Wait()
		close(c.done)
	}()
	return c, nil
}

// Err is how it has ended: nil is exit code 0.
func (c *Child) Err() error { return c.err }

// Code is the exit code of a program that has ended.
func (c *Child) Code() int { return c.cmd.ProcessState.ExitCode() }

// Signal does nothing: this system has no signals.
func (c *Child) Signal(syscall.Signal) {}

// Stop ends the program at once: this system cannot ask.
func (c *Child) Stop(syscall.Signal, time.Duration) {
	_ = c.cmd.Process.Kill()
	<-c.done
}

func pourPipe(context.Context, string, []byte) error {
	return errors.New("this system has no FIFO")
}
