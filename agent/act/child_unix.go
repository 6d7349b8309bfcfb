//go:build unix

package act

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

const sigTerm = syscall.SIGTERM

// Passed are the signals that whoever guards a child passes on to it.
var Passed = []os.Signal{syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGWINCH}

// Signals are those by which a child may be asked to end.
var Signals = map[string]syscall.Signal{
	"TERM": syscall.SIGTERM, "INT": syscall.SIGINT, "HUP": syscall.SIGHUP, "QUIT": syscall.SIGQUIT,
	"KILL": syscall.SIGKILL, "USR1": syscall.SIGUSR1, "USR2": syscall.SIGUSR2,
}

// start runs a program in a process group of its own, so that all it starts can be ended with it. On Linux the
// program is killed when this one is.
func start(cmd *exec.Cmd) (*Child, error) {
	cmd.SysProcAttr = attributes()
	cmd.WaitDelay = time.Second // a grandchild that keeps the output open does not keep us waiting
	c := &Child{cmd: cmd, done: make(chan struct{})}
	begun := make(chan error)
	go func() {
		runtime.LockOSThread() // the kernel takes the end of the thread that started it for the end of the parent
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		begun <- err
		if err == nil {
			c.err = cmd.Wait()
			close(c.done)
		}
	}()
	if err := <-begun; err != nil {
		return nil, err
	}
	return c, nil
}

// Err is how it has ended: nil is exit code 0.
func (c *Child) Err() error {
	if errors.Is(c.err, exec.ErrWaitDelay) {
		return nil
	}
	return c.err
}

// Code is the exit code of a program that has ended, 128 and the signal's number if one has ended it.
func (c *Child) Code() int {
	if status, ok := c.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return c.cmd.ProcessState.ExitCode()
}

// Signal passes a signal on to the program and all that it has started.
func (c *Child) Signal(s syscall.Signal) { _ = syscall.Kill(-c.cmd.Process.Pid, s) }

// Stop asks the program to end, kills what is left of it after the grace, and waits for that.
func (c *Child) Stop(s syscall.Signal, grace time.Duration) {
	c.Signal(s)
	select {
	case <-c.done:
	case <-time.After(grace):
	}
	c.Signal(syscall.SIGKILL) // and whom it has left behind
	<-c.done
}

// pourPipe writes to a FIFO. Without a reader it fails at once.
func pourPipe(ctx context.Context, to string, line []byte) error {
	fd, err := syscall.Open(to, syscall.O_WRONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("%s: nobody reads: %w", to, err)
	}
	f := os.NewFile(uintptr(fd), to)
	defer f.Close()
	if at, set := ctx.Deadline(); set {
		_ = f.SetWriteDeadline(at)
	}
	_, err = f.Write(line)
	return err
}
