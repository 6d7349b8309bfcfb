// Command uplink is a fleet that shares one uplink: readings go to the leader, which alone sends them, and only while
// it holds the lease, so that the uplink is never used twice at a time. Try, in three terminals:
//
//	go run ./examples/uplink a 7501 7502 7503
//	go run ./examples/uplink b 7502 7501 7503
//	go run ./examples/uplink c 7503 7501 7502
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"caucus.example/caucus/agent"
	"caucus.example/caucus/algo/aggregate/bounded"
)

// takes is how long a transmission takes at most.
const takes = 100 * time.Millisecond

func main() {
	if len(os.Args) != 5 {
		log.Fatal("usage: uplink NAME PORT PORT PORT: the own port, and those of the two others")
	}
	cfg := agent.Config{Name: os.Args[1], Listen: "127.0.0.1:" + os.Args[2]}
	for _, port := range os.Args[3:] {
		cfg.Peers = append(cfg.Peers, agent.Peer{Addr: "127.0.0.1:" + port})
	}
	share(context.Background(), cfg, func(reading string) { log.Println("over the uplink:", reading) })
}

// share has a vehicle take part: it has a reading now and then, and transmits those of all while it leads.
func share(ctx context.Context, cfg agent.Config, transmit func(reading string)) {
	var node *agent.Agent
	cfg.Region, cfg.Lease = true, agent.Lease{Size: 3, For: 2 * time.Second}
	cfg.Answers = func(_ context.Context, q agent.Request) ([]byte, error) {
		if until, alone := node.Holds(); !alone || time.Until(until) < takes {
			return nil, errors.New("no lease for as long as it takes")
		}
		transmit(string(q.Data))
		return []byte("sent"), nil
	}
	election, _ := bounded.New(bounded.Default(10)) // an error only for a radius <= 0
	node, err := agent.New(election, &bounded.Spec, cfg)
	if err != nil {
		log.Fatal(err)
	}
	go node.Run(ctx)
	for n := 1; ctx.Err() == nil; time.Sleep(time.Second / 4) {
		_, err := node.Ask(ctx, fmt.Appendf(nil, "%s, reading %d", cfg.Name, n))
		var no *agent.Refusal
		if !errors.As(err, &no) { // refused: it is offered again; with any other error it may have been sent
			n++
		}
	}
}
