package view

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
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

// crowd is the agents of which a page is told: those that were named, and those whose addresses others have told.
type crowd struct {
	agents []Source
	named  int // the first of them
	near   func(status json.RawMessage) []Source
	silent map[string]time.Time // those that were told of and do not answer, until when they are not asked again
}

func newCrowd(agents []Source, near func(json.RawMessage) []Source) *crowd {
	return &crowd{slices.Clone(agents), len(agents), near, map[string]time.Time{}}
}

const (
	maxCrowd = 1000             // agents that are asked at once
	tryAgain = 10 * time.Second // one that was told of and did not answer
)

// live tells of agents again and again, one line of JSON each time, for as long as the page reads. A page that reads
// slowly misses lines, and none waits for it.
func (c *crowd) live(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/x-ndjson")
	out, flush := json.NewEncoder(w), http.NewResponseController(w).Flush
	tick := time.NewTicker(livePeriod)
	defer tick.Stop()
	for {
		if out.Encode(c.look(r.Context())) != nil || flush() != nil {
			return
		}
		select {
		case <-tick.C:
		case <-r.Context().Done():
			return
		}
	}
}

// look asks all agents and takes up those that they tell of. One that was told of and does not answer is not shown: its
// neighbours tell what they know of it.
func (c *crowd) look(ctx context.Context) (list []snapshot) {
	all := ask(ctx, c.agents)
	kept := c.agents[:0:0]
	for i, s := range all {
		if a := c.agents[i]; i < c.named || s.Error == "" {
			kept, list = append(kept, a), append(list, s)
		} else {
			c.silent[a.Name] = time.Now().Add(tryAgain)
		}
	}
	c.agents = kept
	if c.near == nil {
		return list
	}
	known := map[string]bool{}
	for i, s := range list {
		var is struct{ Name string }
		if json.Unmarshal(s.Status, &is) == nil {
			known[is.Name] = true
		}
		known[kept[i].Name] = true
	}
	for _, s := range list {
		for _, a := range c.near(s.Status) {
			if !known[a.Name] && len(c.agents) < maxCrowd && time.Now().After(c.silent[a.Name]) {
				known[a.Name] = true
				c.agents = append(c.agents, a)
			}
		}
	}
	return list
}

// ask asks agents at once.
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
