package main

import (
	"context"
	"testing"
	"time"

	"caucus.example/caucus/examples/meshtest"
)

// Readings of all three go over the uplink, each of them once, and all by one vehicle.
func TestUplink(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
	defer stop()
	type sending struct {
		by      int
		reading string
	}
	sent := make(chan sending, 1000)
	for i, cfg := range meshtest.Configs(t, "v", 3) {
		go share(ctx, cfg, func(reading string) { sent <- sending{i, reading} })
	}
	seen, of := map[string]bool{}, map[string]int{}
	for by := -1; of["v0"] < 2 || of["v1"] < 2 || of["v2"] < 2; {
		select {
		case s := <-sent:
			if by == -1 {
				by = s.by
			}
			if seen[s.reading] || s.by != by {
				t.Fatalf("vehicle %d sends %q, %t; the first was sent by %d", s.by, s.reading, seen[s.reading], by)
			}
			seen[s.reading] = true
			of[s.reading[:2]]++
		case <-ctx.Done():
			t.Fatal("sent: ", of)
		}
	}
}
