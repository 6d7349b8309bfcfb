//go:build unix

package cmd

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
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
	if c := <-code; c != exitUndecided || !strings.HasPrefix(last, "converged=false rounds=") ||
		!strings.Contains(logs.String(), "interrupted after") {
		t.Errorf("exit %d, last line %q, stderr %s", c, last, logs.String())
	}
}

// Ctrl-C ends a run that writes its results to whoever takes too long to read them; and what is generated or measured
// when it comes is left behind. All of them say that a limit was reached, not that anything was wrong.
func TestInterruptedWriting(t *testing.T) {
	reader, writer := io.Pipe()
	var logs bytes.Buffer
	code := make(chan int)
	go func() { code <- run([]string{"run", "--topology", "ring:5", "--json"}, writer, &logs) }()
	if _, err := reader.Read(make([]byte, 1)); err != nil { // and no further
		t.Fatal(err)
	}
	if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if c := <-code; c != exitUndecided || !strings.Contains(logs.String(), "no time to write so many results") {
		t.Errorf("exit %d, stderr %s", c, logs.String())
	}
	reader.Close() // lets the writer, which was left behind, go
	for _, args := range []string{"graph gen ring:400000", "graph info ring:400000", "run --topology ring:400000",
		"check --algo bounded --nodes 5"} { // they go on, nobody waits for them, which takes a processor all the same
		ctx, cancel := context.WithCancel(t.Context())
		root := newRootCommand()
		root.SetArgs(strings.Fields(args))
		root.SetOut(&endingWriter{ctx, io.Discard})
		root.SetErr(io.Discard)
		cancel()
		if err := root.ExecuteContext(ctx); exitCode(err) != exitUndecided {
			t.Errorf("%s: exit %d: %v", args, exitCode(err), err)
		}
	}
}

// A round that takes too long is left behind, the first one or a later.
func TestInterruptedRound(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for rounds, want := range []error{errNothingYet, errCutShort} {
		never := make(chan struct{})
		_, err := roundsIn(ctx, func() int { return rounds }, func() (*int, error) { <-never; return nil, nil })
		close(never)
		if err != want || exitCode(err) != exitUndecided {
			t.Errorf("after %d rounds: %v, want %v", rounds, err, want)
		}
	}
}

// Ctrl-C ends a check with what is decided.
func TestCheckInterrupt(t *testing.T) {
	for args, first := range map[string]string{
		"--algo bounded --param radius=2 --param heartbeat=0 --param clamp=off --nodes 4": "DAEMON",
		"--algo mega-merger --nodes 5":                      "PROMISE",
		"--algo mega-merger --topology grid:3x4 --walks 1G": "PROMISE",
		"--algo bounded --param radius=2 --param heartbeat=0 --param clamp=off --topology line:12 --counter 1 " +
			"--walks 1G": "DAEMON",
	} {
		reader, writer := io.Pipe()
		var logs bytes.Buffer
		code := make(chan int)
		go func() {
			c := run(append([]string{"check"}, strings.Fields(args)...), writer, &logs)
			writer.Close()
			code <- c
		}()
		lines := bufio.NewScanner(reader)
		lines.Scan() // the echo
		if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		head, last := "", ""
		for lines.Scan() {
			if last = lines.Text(); head == "" {
				head = last
			}
		}
		if c := <-code; c != exitUndecided || !strings.HasPrefix(head, first) ||
			!strings.HasPrefix(last, "verdict=undecided networks=") || !strings.Contains(logs.String(), "interrupted") {
			t.Errorf("%s: exit %d, %q, last line %q, stderr %s", args, c, head, last, logs.String())
		}
	}
}

// Ctrl-C ends a fleet, a search for figures and a study of one's own within two seconds, and the program says so.
func TestInterruptedVerbs(t *testing.T) {
	study := filepath.Join(t.TempDir(), "study.yaml")
	if err := os.WriteFile(study, []byte("version: 1\nname: large\ngrid: {radius: [3, 4]}\nseeds: 2\n"+
		"scenario: {topology: \"grid:800x800\", stable-for: 0, rounds: 1e9}\nalgorithms: [bounded]\n"+
		"measures: [leaders]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args, says string
		code       int
	}{
		{"up --topology clique:12 --kill none", "interrupted=true", exitOK},
		{"sweep " + study, "interrupted after 0 of 4 jobs", exitUndecided},
		{"tune --topology clique:60 --loss 20% --delay 20ms --success 99.9%", "interrupted after ", exitUndecided},
	} {
		reader, writer := io.Pipe()
		var out strings.Builder
		code := make(chan int)
		go func() {
			c := run(strings.Fields(c.args), writer, writer)
			writer.Close()
			code <- c
		}()
		lines := bufio.NewScanner(reader)
		lines.Scan() // the echo: it has begun
		began := time.Now()
		if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		for lines.Scan() {
			out.WriteString(lines.Text())
		}
		c2, took := <-code, time.Since(began)
		if c2 != c.code || took > 2*time.Second || !strings.Contains(out.String(), c.says) {
			t.Errorf("%s: exit %d after %v: %s", c.args, c2, took, out.String())
		}
	}
}

// Ctrl-C keeps the jobs that are done.
func TestReproduceInterrupt(t *testing.T) {
	dir := t.TempDir()
	done := func() int { // the journal has a header and a line for each job
		text, _ := os.ReadFile(filepath.Join(dir, "journal.jsonl"))
		return bytes.Count(text, []byte("\n")) - 1
	}
	code := make(chan int)
	var out, logs bytes.Buffer
	go func() { code <- run([]string{"reproduce", "prasle", "-o", dir}, &out, &logs) }()
	for done() < 1 {
		time.Sleep(10 * time.Millisecond)
	}
	if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	c := <-code
	want := fmt.Sprintf("interrupted after %d of 750 jobs; the same command goes on from there", done())
	if c != exitUndecided || !strings.Contains(logs.String(), want) {
		t.Errorf("exit %d, stderr %s, want %s", c, logs.String(), want)
	}
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("%d files beside the journal", len(files)-1)
	}
}
