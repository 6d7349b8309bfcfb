package probe

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// Health is what all checks together do to a strength.
type Health struct {
	Factor float64 // 1: nothing
	Add    float64
	Veto   bool
}

// Healthy is the health without failing checks.
var Healthy = Health{Factor: 1}

// Strength is what is left of a strength.
func (h Health) Strength(x float64) float64 { return max(0, x*h.Factor+h.Add) }

// Result is the state of one check.
type Result struct {
	Name   string    `json:"name"`
	Passes bool      `json:"passes"` // after rise and fall; until the first result it does
	Since  time.Time `json:"since"`
	Last   string    `json:"last"` // what the last try said: "ok" or the error
	Veto   bool      `json:"veto"`
}

// Watch tries checks again and again, each at its own pace, and tells of every change of health.
type Watch struct {
	probes []Probe
	logger *slog.Logger
	tell   func(Health)

	mu      sync.Mutex
	results []Result
	streak  []int // tries in a row that contradict the result
	stop    context.CancelFunc
	done    sync.WaitGroup
}

// Start begins to watch probes that Check has seen.
func Start(probes []Probe, logger *slog.Logger, tell func(Health)) *Watch {
	ctx, stop := context.WithCancel(context.Background())
	w := &Watch{
		probes: probes, logger: logger, tell: tell, stop: stop,
		results: make([]Result, len(probes)), streak: make([]int, len(probes)),
	}
	for i := range probes {
		w.results[i] = Result{Name: probes[i].Name, Passes: true, Since: time.Now(), Veto: probes[i].Veto}
		w.done.Go(func() { w.run(ctx, i) })
	}
	return w
}

// Stop ends it, tries that are under way included.
func (w *Watch) Stop() {
	w.stop()
	w.done.Wait()
}

// Results gives the state of all checks.
func (w *Watch) Results() []Result {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]Result(nil), w.results...)
}

func (w *Watch) run(ctx context.Context, i int) {
	p := &w.probes[i]
	clock := time.NewTicker(p.Every)
	defer clock.Stop()
	for {
		within, cancel := context.WithTimeout(ctx, p.Timeout)
		err := p.try(within)
		cancel()
		if ctx.Err() != nil {
			return
		}
		w.count(i, err)
		select {
		case <-clock.C:
		case <-ctx.Done():
			return
		}
	}
}

// count takes a result into account.
func (w *Watch) count(i int, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p, r := &w.probes[i], &w.results[i]
	r.Last = "ok"
	if err != nil {
		r.Last = err.Error()
	}
	if r.Passes == (err == nil) {
		w.streak[i] = 0
		return
	}
	w.streak[i]++
	if need := map[bool]int{true: p.Fall, false: p.Rise}[r.Passes]; w.streak[i] < need {
		return
	}
	w.streak[i] = 0
	r.Passes, r.Since = err == nil, time.Now()
	if r.Passes {
		w.logger.Info("check passes", "check", r.Name)
	} else {
		w.logger.Warn("check fails", "check", r.Name, "error", err)
	}
	w.tell(w.health())
}

func (w *Watch) health() Health {
	h := Healthy
	for i, r := range w.results {
		if r.Passes {
			continue
		}
		p := &w.probes[i]
		h.Add += p.Add
		if p.Multiply != nil {
			h.Factor *= *p.Multiply
		}
		h.Veto = h.Veto || p.Veto
	}
	return h
}
