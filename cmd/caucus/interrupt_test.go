//go:build unix

package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
)

// Ctrl-C ends a run with what it has: a table, a last line and exit code 3.
func TestInterrupt(t *testing.T) {
	reader, writer := io.Pipe()
	var logs bytes.Buffer
	code := make(chan int)
	go func() {
		c := run([]string{"run", "--topology", "ring:5", "--stable-for", "0", "--rounds", "1e12"}, writer, &logs)
		writer.Close()
		code <- c
	}()
	lines := bufio.NewScanner(reader)
	lines.Scan() // the echo: the run has begun, and listens
	if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	last := ""
	for lines.Scan() {
		last = lines.Text()
	}
	if c := <-code; c != exitUndecided || !strings.HasPrefix(last, "converged=false rounds=") || !strings.Contains(logs.String(), "interrupted after") {
		t.Errorf("exit %d, last line %q, stderr %s", c, last, logs.String())
	}
}
