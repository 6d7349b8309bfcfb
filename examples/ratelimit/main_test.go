package main

import (
	"context"
	"fmt"
	"testing"
	"time"

	"caucus.example/caucus/agent"
)

// Of three nodes each is told a third of the limit; when one has left, each of the others half.
func TestRateLimit(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
	defer stop()
	var ports [3]agent.Transport
	for i := range ports {
		p, err := agent.Listen("127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ports[i] = p
	}
	first, leave := context.WithCancel(ctx)
	defer leave()
	shares := make(chan string, 100)
	for i, own := range ports {
		cfg := agent.Config{Name: fmt.Sprint("n", i), Profile: "lan", Strength: float64(3 - i), Transport: own}
		for _, p := range ports {
			if p != own {
				cfg.Peers = append(cfg.Peers, agent.Peer{Addr: p.Addr().String()})
			}
		}
		of := ctx
		if i == 2 {
			of = first
		}
		go obey(of, cfg, func(d agent.Directive) {
			if i == 1 {
				shares <- string(d.Data)
			}
		})
	}
	for _, want := range []string{"400", "600"} {
		for got := ""; got != want; {
			select {
			case got = <-shares:
			case <-ctx.Done():
				t.Fatalf("never told %s", want)
			}
		}
		leave()
	}
}
