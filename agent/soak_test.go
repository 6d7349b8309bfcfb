package agent

import (
	"context"
	"io"
	"net/http"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"caucus.example/caucus"
)

// soak is a fleet whose nodes crash, leave and come back while their configurations change and others watch them.
type soak struct {
	t    *testing.T
	rand caucus.Rand
	cfgs []Config
	f    *fleet

	mu     sync.Mutex
	agents []*Agent // those that run, for who watches
}

func (s *soak) some() *Agent {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.agents[s.rand.IntN(len(s.agents))]
}

// churn ends one node, as a crash or in order, and starts it again.
func (s *soak) churn(i int, crash bool) {
	old := s.f.agents[i]
	if crash {
		old.Kill()
	} else if err := old.Leave(context.Background()); err != nil {
		s.t.Error(err)
	}
	s.mu.Lock()
	s.cfgs[i].Transport = reopen(s.t, s.cfgs[i].Transport)
	cfg := s.cfgs[i]
	s.mu.Unlock()
	a := restart(s.t, s.f, i, cfg)
	s.mu.Lock()
	s.agents[i] = a
	s.mu.Unlock()
}

// reload changes all that may be changed, to and fro.
func (s *soak) reload(n int) {
	s.mu.Lock()
	a, next := s.agents[n%len(s.agents)], s.cfgs[n%len(s.cfgs)]
	s.mu.Unlock()
	next.Transport = nil
	next.Listen = "127.0.0.1:0" // needs a restart: left alone
	switch n % 5 {
	case 1:
		next.Period = 3 * next.Period
	case 2:
		next.Link = map[string]string{"loss": "20%", "delay": "5ms", "duplicate": "10%"}
	case 3:
		next.Peers = next.Peers[:1]
	case 4:
		next.Damping, next.MinRegion, next.Strength = Off, 2, 3
	}
	if _, _, err := a.Reload(next); err != nil && err != ErrNotRunning {
		s.t.Error(err)
	}
}

// watch reads for a moment, or does not, and asks over HTTP.
func (s *soak) watch(ctx context.Context, n int) {
	a := s.some()
	ctx, stop := context.WithTimeout(ctx, 50*time.Millisecond)
	defer stop()
	changes := a.Watch(ctx)
	if n%3 == 0 {
		<-ctx.Done() // without reading
		return
	}
	path := []string{"/v1/status", "/metrics", "/v1/watch", "/readyz"}[n%4]
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+a.HTTPAddr()+path, nil)
	if err != nil {
		s.t.Error(err)
		return
	}
	if answer, err := http.DefaultClient.Do(req); err == nil { // it may have ended meanwhile
		io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
	}
	for range changes {
	}
}

// TestSoak is for the race detector: go test -race -run Soak ./agent, for as long as CAUCUS_SOAK says (2m), else
// for a moment. In the end all agree on the first node.
func TestSoak(t *testing.T) {
	length := 3 * time.Second
	if text := os.Getenv("CAUCUS_SOAK"); text != "" {
		var err error
		if length, err = time.ParseDuration(text); err != nil {
			t.Fatalf("CAUCUS_SOAK: %v", err)
		}
	}
	const n = 8
	links := append(ring(n), [2]int{0, 4}, [2]int{2, 6})
	s := &soak{t: t, rand: caucus.NewRand(1, "soak"), cfgs: configs(onLoopback("127.0.0.1")(t, n), links)}
	for i := range s.cfgs {
		s.cfgs[i].HTTP, s.cfgs[i].StateDir = "127.0.0.1:0", t.TempDir()
	}
	s.f = launch(t, s.cfgs)
	s.agents = slices.Clone(s.f.agents)
	ctx, stop := context.WithTimeout(context.Background(), length)
	defer stop()
	var others sync.WaitGroup
	for w := range 4 {
		others.Go(func() {
			for k := w; ctx.Err() == nil; k++ {
				s.watch(ctx, k)
			}
		})
	}
	others.Go(func() {
		for k := 0; ctx.Err() == nil; k++ {
			s.reload(k)
			time.Sleep(7 * time.Millisecond)
		}
	})
	order := caucus.NewRand(1, "soak, order")
	restarts := 0
	for ; ctx.Err() == nil; restarts++ {
		s.churn(order.IntN(n), order.IntN(2) == 0)
		time.Sleep(50 * time.Millisecond)
	}
	others.Wait()
	http.DefaultClient.CloseIdleConnections()
	for i, a := range s.f.agents {
		next := s.cfgs[i]
		next.Transport, next.Listen = nil, "127.0.0.1:0"
		if _, _, err := a.Reload(next); err != nil {
			t.Error(err)
		}
	}
	agree(t, "n1", s.f.agents...)
	t.Logf("%d restarts", restarts)
}
