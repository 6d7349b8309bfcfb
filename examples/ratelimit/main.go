// Command ratelimit shares one limit of calls a second among all nodes of a region: the leader counts its members and
// tells each its share. A lease keeps two leaders from giving out the limit at the same time. Now and then a node asks
// for a burst on top, of which there is one in ten seconds for all. Try, in three terminals:
//
//	go run ./examples/ratelimit a 7501 7502 7503
//	go run ./examples/ratelimit b 7502 7501 7503
//	go run ./examples/ratelimit c 7503 7501 7502
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"sync"
	"time"

	"caucus.example/caucus/agent"
	"caucus.example/caucus/algo/aggregate/bounded"
)

const limit = 1200 // calls a second of all together

func main() {
	if len(os.Args) != 5 {
		log.Fatal("usage: ratelimit NAME PORT PORT PORT: the own port, and those of the two others")
	}
	cfg := agent.Config{Name: os.Args[1], Listen: "127.0.0.1:" + os.Args[2]}
	for _, port := range os.Args[3:] {
		cfg.Peers = append(cfg.Peers, agent.Peer{Addr: "127.0.0.1:" + port})
	}
	obey(context.Background(), cfg, func(d agent.Directive) {
		log.Printf("directive %d: %s calls a second for me", d.Version, d.Data)
	})
}

// obey has a node take part, and tells of each share that it is given.
func obey(ctx context.Context, cfg agent.Config, told func(agent.Directive)) {
	cfg.Region, cfg.Lease, cfg.Answers = true, agent.Lease{Size: 3, For: 2 * time.Second}, grantBurst()
	election, _ := bounded.New(bounded.Default(10)) // an error only for a radius <= 0
	node, err := agent.New(election, &bounded.Spec, cfg)
	if err != nil {
		log.Fatal(err)
	}
	go node.Run(ctx)
	go share(node)
	go burst(ctx, node)
	for d := range node.WatchDirective(ctx) {
		told(d)
	}
}

// share tells the region the share of each member whenever there are more or fewer of them.
func share(node *agent.Agent) {
	told := ""
	for range time.Tick(time.Second / 4) {
		region, _ := node.Region()
		if _, alone := node.Holds(); !alone || !region.Whole {
			told = "" // the next time it leads, others may have been told something else
			continue
		}
		if each := fmt.Sprint(limit / region.Count); each != told {
			if _, err := node.Publish([]byte(each)); err == nil {
				told = each
			}
		}
	}
}

// grantBurst answers, where this node leads, those who ask for a burst.
func grantBurst() func(context.Context, agent.Request) ([]byte, error) {
	var mu sync.Mutex
	var last time.Time
	return func(_ context.Context, q agent.Request) ([]byte, error) {
		mu.Lock()
		defer mu.Unlock()
		if time.Since(last) < 10*time.Second {
			return nil, errors.New("somebody has had a burst in the last ten seconds")
		}
		last = time.Now()
		return fmt.Appendf(nil, "a burst of %d calls for %s", limit/10, q.From), nil
	}
}

// burst asks for one now and then.
func burst(ctx context.Context, node *agent.Agent) {
	for range time.Tick(7 * time.Second) {
		ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
		answer, err := node.Ask(ctx, []byte("burst"))
		cancel()
		var no *agent.Refusal
		switch {
		case errors.As(err, &no):
			log.Print("no burst: ", no.Why)
		case errors.Is(err, agent.ErrChanged):
			log.Print("no burst as far as this node knows: another node leads now")
		case err != nil:
			log.Print("no burst: ", err)
		default:
			log.Printf("%s", answer)
		}
	}
}
