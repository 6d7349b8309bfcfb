package fleet

import (
	"context"
	"errors"
	"testing"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/agent"
	"caucus.example/caucus/algo/iot/prasle"
)

// follows waits until a node follows a leader.
func follows(t *testing.T, f *Fleet, node int, leader caucus.ID) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		s, err := f.Status(context.Background(), node)
		if err == nil && s.LeaderID == leader {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("node %d does not follow %d: %+v, %v", node, leader, s, err)
		}
	}
}

// Three nodes in a line: the last, which is held back, is the best. A cut leaves the others to themselves.
func TestPartitionAndLater(t *testing.T) {
	election, err := prasle.New(prasle.Config{K: 2, Patience: 3})
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{
		Edges: [][]Edge{{{To: 1}}, {{To: 0}, {To: 2}}, {{To: 1}}},
		Later: []int{2},
		New: func(c agent.Config) (*agent.Agent, error) {
			return agent.New[prasle.Claim, prasle.Claim](election, &prasle.Spec, c)
		},
	}
	for i := range 3 {
		cfg.Agents = append(cfg.Agents, agent.Config{Name: string(rune('a' + i)), ID: caucus.ID(i + 1),
			Strength: float64(i / 2), Period: 5 * time.Millisecond})
	}
	f, err := Start(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Stop()
	quit := make(chan struct{})
	defer close(quit)
	go func() {
		for {
			select {
			case <-f.Changes():
			case <-quit:
				return
			}
		}
	}()
	follows(t, f, 1, 1)
	if s, err := f.Status(context.Background(), 2); err != nil || s.State != "starting" || s.Counters.Sent != 0 {
		t.Errorf("the node that is held back: %+v, %v", s, err)
	}
	f.Begin(2)
	f.Begin(2) // no harm
	follows(t, f, 0, 3)
	if err := f.Partition([]int{2}); err != nil {
		t.Fatal(err)
	}
	follows(t, f, 0, 1)
	follows(t, f, 1, 1)
	follows(t, f, 2, 3)
	if err := f.Heal(); err != nil {
		t.Fatal(err)
	}
	follows(t, f, 0, 3)
	if err := (&Fleet{members: []member{&process{}}}).Partition(nil); !errors.Is(err, errOtherProcess) {
		t.Errorf("a fleet of processes: %v", err)
	}
}
