// Package lab holds elections of real agents for package study, which is thus not compiled again with every change of
// the agents.
package lab

import (
	"context"
	"fmt"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/agent"
	"caucus.example/caucus/internal/fleet"
	"caucus.example/caucus/internal/study"
	"caucus.example/caucus/registry"
	"caucus.example/caucus/registry/agents"
)

// election is the agents of a trial.
type election struct{ *fleet.Fleet }

// Start starts the agents of a trial; it is a study.Start.
func Start(ctx context.Context, entry registry.Entry, args caucus.Args, t study.Trial) (study.Agents, error) {
	cfg := fleet.Config{Later: t.Ghosts, New: func(c agent.Config) (*agent.Agent, error) {
		return agents.Of(entry, args, c)
	}}
	for i := range t.Graph.Len() {
		c := agent.Config{Group: "caucus-lab", Name: fmt.Sprint("n", i), ID: t.IDs[i], Algo: t.Algo, Params: t.Params,
			Strength: t.Strengths[i], Period: t.Period, Expiry: t.Expiry, Link: t.Links, Known: t.Known}
		cfg.Agents = append(cfg.Agents, c)
		edges := make([]fleet.Edge, 0, t.Graph.Degree(i))
		for _, j := range t.Graph.Neighbours(i) {
			edges = append(edges, fleet.Edge{To: int(j), Length: 1})
		}
		cfg.Edges = append(cfg.Edges, edges)
	}
	f, err := fleet.Start(context.WithoutCancel(ctx), cfg)
	if err != nil {
		return nil, err
	}
	return election{f}, nil
}

// Next is one thing that a node tells. told is false if none does before a time.
func (e election) Next(ctx context.Context, before time.Time) (n study.News, told bool, err error) {
	timer := time.NewTimer(time.Until(before))
	defer timer.Stop()
	select {
	case c := <-e.Changes():
		if c.Err != nil {
			return n, true, fmt.Errorf("agent of node %d: %w", c.Node+1, c.Err)
		}
		return study.News{Node: c.Node, Leader: c.Lead.LeaderID, Since: c.Lead.Since, Final: c.Lead.Final, At: c.At,
			Ended: c.Ended}, true, nil
	case <-timer.C:
		return n, false, nil
	case <-ctx.Done():
		return n, false, ctx.Err()
	}
}

// Count is what a node says of itself.
func (e election) Count(ctx context.Context, node int) (study.Count, error) {
	s, err := e.Status(ctx, node)
	if err != nil {
		return study.Count{}, err
	}
	c := &s.Counters
	return study.Count{Running: s.State == "running", Late: c.LateRounds > 0, Sent: c.Sent, Received: c.Received,
		SentBytes: c.SentBytes, MessagesSent: c.Messages.Sent, MessagesReceived: c.Messages.Received}, nil
}
