package main

import (
	"context"
	"testing"
	"time"

	"caucus.example/caucus/agent"
	"caucus.example/caucus/examples/meshtest"
)

// Of three nodes each is told a third of the limit; when one has left, each of the others half.
func TestRateLimit(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
	defer stop()
	first, leave := context.WithCancel(ctx)
	defer leave()
	shares := make(chan string, 100)
	for i, cfg := range meshtest.Configs(t, "n", 3) {
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
