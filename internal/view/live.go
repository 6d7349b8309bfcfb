package view

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"
)

// Source tells of one real agent: its status as /v1/status has it.
type Source struct {
	Name string
	Ask  func(context.Context) (json.RawMessage, error)
	Kill func() // nil: nobody may, from the page
}

// snapshot is what the page is told of an agent.
type snapshot struct {
	Name   string          `json:"name"`
	Error  string          `json:"error,omitempty"`
	Status json.RawMessage `json:"status,omitempty"`
}

const (
	livePeriod = 200 * time.Millisecond
	liveWait   = 2 * time.Second
)

// live tells of agents again and again, one line of JSON each time, for as long as the page reads. A page that reads
// slowly misses lines, and none waits for it.
func live(agents []Source) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/x-ndjson")
		out, flush := json.NewEncoder(w), http.NewResponseController(w).Flush
		tick := time.NewTicker(livePeriod)
		defer tick.Stop()
		for {
			if out.Encode(ask(r.Context(), agents)) != nil || flush() != nil {
				return
			}
			select {
			case <-tick.C:
			case <-r.Context().Done():
				return
			}
		}
	}
}

// ask asks all agents at once.
func ask(ctx context.Context, agents []Source) []snapshot {
	ctx, stop := context.WithTimeout(ctx, liveWait)
	defer stop()
	list := make([]snapshot, len(agents))
	var all sync.WaitGroup
	for i, a := range agents {
		all.Go(func() {
			list[i].Name = a.Name
			status, err := a.Ask(ctx)
			if list[i].Status = status; err != nil {
				list[i].Error = err.Error()
			}
		})
	}
	all.Wait()
	return list
}
