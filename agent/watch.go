package agent

import (
	"context"
	"sync"
)

// watchers get leaderships. Nobody waits for a slow one: it misses what is outdated.
type watchers struct {
	mu     sync.Mutex
	list   map[chan Leadership]bool
	last   Leadership
	missed uint64 // leaderships that a slow one has not read
	closed bool
}

// Watch tells about the present leadership and every change from now on, until ctx is done
// or the agent ends; then the channel is closed. Who reads slowly gets the latest state
// and misses those between (see Leadership.Number).
func (a *Agent) Watch(ctx context.Context) <-chan Leadership {
	c := make(chan Leadership, 1)
	w := &a.watchers
	w.mu.Lock()
	defer w.mu.Unlock()
	c <- w.last
	if w.closed {
		close(c)
		return c
	}
	if w.list == nil {
		w.list = make(map[chan Leadership]bool)
	}
	w.list[c] = true
	context.AfterFunc(ctx, func() { w.remove(c) })
	return c
}

func (w *watchers) remove(c chan Leadership) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.list[c] {
		delete(w.list, c)
		close(c)
	}
}

// publish is called from one goroutine.
func (w *watchers) publish(l Leadership) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.last = l
	for c := range w.list {
		if replace(c, l) {
			w.missed++
		}
	}
}

func (w *watchers) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for c := range w.list {
		close(c)
	}
	w.list, w.closed = nil, true
}

// unread counts what was dropped for readers that are slow or gone.
func (a *Agent) unread() map[string]uint64 {
	counts := make(map[string]uint64, len(a.cfg.Outputs)+1)
	for name, out := range a.cfg.Outputs {
		counts[name] = out.Dropped()
	}
	a.watchers.mu.Lock()
	counts["watch"] = a.watchers.missed
	a.watchers.mu.Unlock()
	return counts
}
