package cmd

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"

	"caucus.example/caucus/check"
)

func TestProgressSaysWhatIsLeft(t *testing.T) {
	for _, c := range []struct {
		most    int
		certain bool
		want    string
	}{
		{0, false, "round 30, 10s"},
		{120, true, "round 30 of 120, 10s, 30s left"},
		{120, false, "round 30 of 120 at most, 10s, at most 30s left"},
	} {
		if got := roundsDone(30, c.most, c.certain, 10*time.Second); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
	if got, want := roundsDone(0, 60, false, 2*time.Second), "round 0 of 60 at most, 2s"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	p := check.Progress{Networks: 2, Of: 7, Configurations: 4000, Elapsed: 20 * time.Second}
	if got, want := soFar(p), "2 of 7 networks, 4000 configurations, 200/s, 20s"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// locked is a buffer that a bar writes into while a test reads it.
type locked struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *locked) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// A bar is there while the first job lasts, with the time that has passed.
func TestBarInTheFirstJob(t *testing.T) {
	t.Parallel()
	logs := &locked{}
	s := &jobBar{logs: logs, start: time.Now().Add(-time.Minute), earlier: -1}
	s.late = time.AfterFunc(time.Hour, func() {})
	s.tell(0, 3)
	s.open()
	for begun := time.Now(); !strings.Contains(logs.String(), "0 of 3 jobs"); time.Sleep(10 * time.Millisecond) {
		if time.Since(begun) > 10*time.Second {
			t.Fatalf("shown: %q", logs)
		}
	}
	s.end()
	if !strings.Contains(logs.String(), " 1m") { // and some seconds, on a slow machine
		t.Errorf("no time in %q", logs)
	}
}

// Jobs that end while the bar is drawn wait for nobody who waits for them; and where there are more than it was said
// at first, as with seeds until an interval is small, the bar goes on.
func TestBarMovesWhileItIsDrawn(t *testing.T) {
	t.Parallel()
	logs := &locked{}
	s := &jobBar{logs: logs, start: time.Now(), earlier: -1}
	s.late = time.AfterFunc(time.Hour, func() {})
	s.tell(0, 3)
	s.open()
	over := make(chan struct{})
	go func() {
		defer close(over)
		for begun := time.Now(); time.Since(begun) < time.Second; {
			for done := range 4 {
				s.tell(done, 3)
			}
		}
		s.tell(3, 7)
		time.Sleep(500 * time.Millisecond)
		s.end()
	}()
	select {
	case <-over:
	case <-time.After(20 * time.Second):
		t.Fatal("the bar and what it shows wait for each other")
	}
	if !strings.Contains(logs.String(), "3 of 7 jobs") {
		t.Errorf("shown: %q", logs)
	}
}
