package agent

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

// A reader that stands still keeps nobody waiting, and gets what came last when it goes on, in order.
func TestStreamWithoutReader(t *testing.T) {
	out, in := io.Pipe()
	s := NewStream(in)
	line := strings.Repeat("x", 1000)
	const n = 3000 // about 3 MB, of which one waits
	for i := range n {
		fmt.Fprintf(s, "%s %d\n", line, i)
	}
	if d := s.Dropped(); d < n/2 || d > n*3/4 {
		t.Errorf("%d of %d lines are dropped", d, n)
	}
	var got bytes.Buffer
	read := make(chan error)
	go func() {
		_, err := io.Copy(&got, out)
		read <- err
	}()
	s.Close(10 * time.Second)
	in.Close()
	if err := <-read; err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(got.String()), "\n")
	first := n - (len(lines) - 1) // the very first was on its way
	for i, l := range lines[1:] {
		if !strings.HasSuffix(l, fmt.Sprint("x ", first+i)) {
			t.Fatalf("line %d ends in %q", i, l[len(l)-10:])
		}
	}
	if !strings.HasSuffix(lines[len(lines)-1], fmt.Sprint(" ", n-1)) {
		t.Error("the last line is missing")
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

// A reader that has gone costs nothing, and the end does not wait for one that stands still.
func TestStreamWithBrokenReader(t *testing.T) {
	s := NewStream(broken{})
	for range 10 {
		if _, err := s.Write([]byte("x\n")); err != nil {
			t.Fatal(err)
		}
	}
	s.Close(time.Second)
	if s.Dropped() != 10 {
		t.Errorf("%d dropped, want 10", s.Dropped())
	}
	out, in := io.Pipe()
	s = NewStream(in)
	s.Write([]byte("x"))
	began := time.Now()
	if s.Close(20 * time.Millisecond); time.Since(began) > 5*time.Second {
		t.Error("the end waits")
	}
	out.Close()
	<-s.done
}
