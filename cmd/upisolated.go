package cmd

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"syscall"

	"caucus.example/caucus/internal/fleet"
	"github.com/spf13/cobra"
)

// isolated is set in the environment of a program that already has namespaces of its own.
const isolated = "CAUCUS_ISOLATED"

// runIsolated runs this program with its arguments once more, in namespaces of its own: a process with several
// threads cannot move into a new user namespace, but it may start one there.
func runIsolated(cmd *cobra.Command) error {
	if err := fleet.MayIsolate(); err != nil {
		return misuse(err)
	}
	self, err := os.Executable()
	if err != nil {
		return failed(err)
	}
	again := exec.Command(self, os.Args[1:]...)
	again.Env = append(os.Environ(), isolated+"=1")
	again.Stdout, again.Stderr = cmd.OutOrStdout(), cmd.ErrOrStderr()
	fleet.Isolate(again)
	runtime.LockOSThread() // it ends with the thread that starts it
	defer runtime.UnlockOSThread()
	if err := again.Start(); err != nil {
		return failed(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- again.Wait() }()
	select {
	case err = <-ended:
	case <-cmd.Context().Done():
		_ = again.Process.Signal(syscall.SIGTERM) // it may just have ended
		err = <-ended
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() > 0 {
		return withCode(errIsolated, exit.ExitCode()) // it has said why
	}
	return failed(err)
}

var errIsolated = errors.New("the fleet in namespaces failed")
