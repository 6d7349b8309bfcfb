// Command cameras is a site of cameras that share out what is to be watched: each tells the leader of the region what
// it sees, and the leader, which knows it all, tells all of them who watches what: whatever several see is watched by
// that of them which has least to do. Try, in two terminals:
//
//	go run ./examples/cameras north 7501 7502 gate car
//	go run ./examples/cameras south 7502 7501 gate yard
package main

import (
	"context"
	"encoding/json"
	"log"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"caucus.example/caucus/agent"
	"caucus.example/caucus/algo/aggregate/bounded"
)

func main() {
	if len(os.Args) < 4 {
		log.Fatal("usage: cameras NAME PORT PORT-OF-NEIGHBOUR [WHAT IT SEES]...")
	}
	cfg := agent.Config{Name: os.Args[1], Listen: "127.0.0.1:" + os.Args[2],
		Peers: []agent.Peer{{Addr: "127.0.0.1:" + os.Args[3]}}}
	watch(context.Background(), cfg, os.Args[4:], func(plan map[string]string) {
		log.Println("who watches what:", plan)
	})
}

// watch has a camera take part, and tells of each plan: for everything in sight its camera.
func watch(ctx context.Context, cfg agent.Config, sees []string, plan func(map[string]string)) {
	site := &site{seen: map[string][]string{}}
	cfg.Region, cfg.Answers = true, site.merge
	election, _ := bounded.New(bounded.Default(10)) // an error only for a radius <= 0
	node, err := agent.New(election, &bounded.Spec, cfg)
	if err != nil {
		log.Fatal(err)
	}
	go node.Run(ctx)
	go func() {
		for ctx.Err() == nil {
			_, _ = node.Ask(ctx, []byte(strings.Join(sees, ","))) // an error: it is told again
			if node.Status().Leads() {
				_, _ = node.Publish(site.decide(node))
			}
			time.Sleep(time.Second / 4)
		}
	}()
	for d := range node.WatchDirective(ctx) {
		var p map[string]string
		if json.Unmarshal(d.Data, &p) == nil {
			plan(p)
		}
	}
}

// site is what the leader has been told.
type site struct {
	mu   sync.Mutex
	seen map[string][]string // by camera
}

func (s *site) merge(_ context.Context, q agent.Request) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen[q.From] = strings.Split(string(q.Data), ",")
	return []byte("noted"), nil
}

// decide gives each thing to that camera of those in the region which see it that has least to do.
func (s *site) decide(node *agent.Agent) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	region, _ := node.Region()
	seers := map[string][]string{}
	for _, m := range region.Members {
		for _, what := range s.seen[m.Name] {
			seers[what] = append(seers[what], m.Name)
		}
	}
	plan, load := map[string]string{}, map[string]int{}
	for _, what := range slices.Sorted(maps.Keys(seers)) {
		plan[what] = slices.MinFunc(seers[what], func(a, b string) int { return load[a] - load[b] })
		load[plan[what]]++
	}
	b, _ := json.Marshal(plan)
	return b
}
