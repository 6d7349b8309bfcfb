package agent

import (
	"io"
	"sync"
	"time"
)

// maxWaiting bounds what waits in a stream, in bytes.
const maxWaiting = 1 << 20

// Stream is a writer that keeps nobody waiting: what is written is kept and written on elsewhere. A reader that
// stands still or goes away costs nothing but the oldest of what waits; what comes last is there when it reads
// again. Lines that are written at once are kept or dropped as a whole.
type Stream struct {
	out io.Writer

	mu      sync.Mutex
	more    sync.Cond
	queue   [][]byte
	waiting int // bytes of queue
	dropped uint64
	closed  bool
	done    chan struct{}
}

// NewStream begins to write to out; Close ends that.
func NewStream(out io.Writer) *Stream {
	s := &Stream{out: out, done: make(chan struct{})}
	s.more.L = &s.mu
	go s.drain()
	return s
}

// Write never fails, and never waits.
func (s *Stream) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || len(b) > maxWaiting {
		s.dropped++
		return len(b), nil
	}
	for s.waiting+len(b) > maxWaiting {
		s.waiting -= len(s.queue[0])
		s.queue = s.queue[1:]
		s.dropped++
	}
	s.queue = append(s.queue, append([]byte(nil), b...))
	s.waiting += len(b)
	s.more.Signal()
	return len(b), nil
}

func (s *Stream) drain() {
	defer close(s.done)
	for {
		b, ok := s.next()
		if !ok {
			return
		}
		if _, err := s.out.Write(b); err != nil {
			s.mu.Lock()
			s.dropped++
			s.mu.Unlock()
		}
	}
}

// next waits for something to write; false at the end.
func (s *Stream) next() ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.queue) == 0 && !s.closed {
		s.more.Wait()
	}
	if len(s.queue) == 0 {
		return nil, false
	}
	b := s.queue[0]
	s.queue = s.queue[1:]
	s.waiting -= len(b)
	return b, true
}

// Dropped counts what was written and did not get out.
func (s *Stream) Dropped() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dropped
}

// Close waits until all is out, but not for long.
func (s *Stream) Close(atMost time.Duration) {
	s.mu.Lock()
	s.closed = true
	s.more.Signal()
	s.mu.Unlock()
	select {
	case <-s.done:
	case <-time.After(atMost):
	}
}
