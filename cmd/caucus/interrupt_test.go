//go:build unix

package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
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

// Ctrl-C keeps the jobs that are done; the same command does not repeat them.
func TestReproduceInterrupt(t *testing.T) {
	dir := t.TempDir()
	journal := filepath.Join(dir, "journal.jsonl")
	interrupted := func(atLeast int) (lines int) {
		t.Helper()
		code := make(chan int)
		var out, logs bytes.Buffer
		go func() { code <- run([]string{"reproduce", "mo", "--graphs", "1000", "-o", dir}, &out, &logs) }()
		for lines < atLeast {
			time.Sleep(10 * time.Millisecond)
			text, _ := os.ReadFile(journal)
			lines = bytes.Count(text, []byte("\n"))
		}
		if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		if c := <-code; c != exitUndecided || !strings.Contains(logs.String(), "of 1000 jobs; the same command goes on from there") {
			t.Errorf("exit %d, stderr %s", c, logs.String())
		}
		text, err := os.ReadFile(journal)
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Count(text, []byte("\n"))
	}
	first := interrupted(2) // the header and a job
	if second := interrupted(first + 1); second <= first {
		t.Errorf("%d lines, then %d", first, second)
	}
	text, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		job, _, _ := strings.Cut(line, ",")
		if seen[job] {
			t.Errorf("%s was done twice", job)
		}
		seen[job] = true
	}
}
