package main

import (
	"context"
	"testing"
	"time"

	"caucus.example/caucus/examples/meshtest"
)

// Both cameras see the gate, each one thing besides: the plan has all three, and no camera has all of them. When one
// camera is gone the other one has what it sees.
func TestCameras(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
	defer stop()
	plans := make(chan map[string]string, 100)
	configs := meshtest.Configs(t, "", 2)
	start := func(ctx context.Context, name string, i int, sees ...string) {
		cfg := configs[i]
		cfg.Name, cfg.Profile = name, "loopback"
		watch(ctx, cfg, sees, func(p map[string]string) {
			if name == "south" {
				plans <- p
			}
		})
	}
	first, leave := context.WithCancel(ctx)
	go start(first, "north", 0, "car", "gate")
	go start(ctx, "south", 1, "gate", "yard")
	await := func(what string, holds func(p map[string]string) bool) {
		t.Helper()
		for {
			select {
			case p := <-plans:
				if holds(p) {
					return
				}
			case <-ctx.Done():
				t.Fatal("never: ", what)
			}
		}
	}
	await("all three are watched by those who see them", func(p map[string]string) bool {
		return len(p) == 3 && p["car"] == "north" && p["yard"] == "south" && p["gate"] != ""
	})
	leave()
	await("south watches both that it sees", func(p map[string]string) bool {
		return len(p) == 2 && p["gate"] == "south" && p["yard"] == "south"
	})
}
