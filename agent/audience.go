package agent

import (
	"context"
	"net"
	"sync"
)

// maxStreams bounds the watchers over HTTP at a time.
const maxStreams = 64

// audience are the watchers. When all places are taken a newcomer gets that of the oldest watcher of whichever client
// has the most: nobody shuts out all others by being there.
type audience struct {
	mu   sync.Mutex
	list []*listener // in the order in which they came
}

type listener struct {
	client string
	end    context.CancelFunc
}

// join gives a watcher a place until ctx is done, and a context that ends when it loses it.
func (a *audience) join(ctx context.Context, addr string) (context.Context, func()) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		host = addr // of a unix socket, which has none
	}
	ctx, end := context.WithCancel(ctx)
	l := &listener{host, end}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.list) >= maxStreams {
		a.drop(a.crowd())
	}
	a.list = append(a.list, l)
	return ctx, func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.drop(l)
	}
}

// crowd is the oldest watcher of the client that has the most.
func (a *audience) crowd() *listener {
	count := make(map[string]int)
	most := a.list[0]
	for _, l := range a.list {
		count[l.client]++
	}
	for _, l := range a.list {
		if count[l.client] > count[most.client] {
			most = l
		}
	}
	return most
}

func (a *audience) drop(l *listener) {
	l.end()
	for i, x := range a.list {
		if x == l {
			a.list = append(a.list[:i], a.list[i+1:]...)
			return
		}
	}
}

func (a *audience) size() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.list)
}
