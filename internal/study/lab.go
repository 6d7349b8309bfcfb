package study

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/agent"
	"caucus.example/caucus/internal/fleet"
	"caucus.example/caucus/network"
	"caucus.example/caucus/registry/agents"
)

// trial is an election to be held by real agents, each with its own UDP socket on the loopback interface.
type trial struct {
	graph     *network.Graph
	algo      string
	params    map[string]string
	strengths []float64
	ids       []caucus.ID
	period    time.Duration
	expiry    int
	links     map[string]string // of the emulator, see fault.Parse
	known     caucus.Known
	ghosts    []int // nodes that start when haunt tells them to
}

// lab holds an election and watches it.
type lab struct {
	trial
	fleet *fleet.Fleet
	pulse *pulse
	began time.Time
	lead  []agent.Leadership // of each node, as last told
	at    []time.Time        // its last change of leader, or decision
	ended []bool
	late  bool // a node was more than a period late
}

// open starts the agents of an algorithm that can be deployed.
func (t trial) open(ctx context.Context) (*lab, error) {
	entry, args, err := named(t.algo, t.params)
	if err != nil {
		return nil, err
	}
	n := t.graph.Len()
	cfg := fleet.Config{Later: t.ghosts, New: func(c agent.Config) (*agent.Agent,
		error) {
		return agents.Of(entry, args, c)
	}}
	for i := range n {
		c := agent.Config{Group: "caucus-lab", Name: fmt.Sprint("n", i), ID: t.ids[i], Algo: t.algo, Params: t.params,
			Strength: t.strengths[i], Period: t.period, Expiry: t.expiry, Link: t.links, Known: t.known}
		cfg.Agents = append(cfg.Agents, c)
		edges := make([]fleet.Edge, 0, t.graph.Degree(i))
		for _, j := range t.graph.Neighbours(i) {
			edges = append(edges, fleet.Edge{To: int(j), Length: 1})
		}
		cfg.Edges = append(cfg.Edges, edges)
	}
	l := &lab{trial: t, lead: make([]agent.Leadership, n), at: make([]time.Time, n), ended: make([]bool, n),
		began: time.Now()}
	if l.fleet, err = fleet.Start(context.WithoutCancel(ctx), cfg); err != nil {
		return nil, err
	}
	l.pulse = startPulse()
	return l, nil
}

// close ends the agents, without a word, since nobody listens any more.
func (l *lab) close() {
	l.pulse.stop()
	for i := range l.lead {
		l.fleet.Kill(i)
	}
	l.fleet.Stop()
}

// next takes in one thing that a node tells. told is false if none does before a time.
func (l *lab) next(ctx context.Context, before time.Time) (told bool, err error) {
	timer := time.NewTimer(time.Until(before))
	defer timer.Stop()
	select {
	case c := <-l.fleet.Changes():
		if c.Err != nil {
			return true, fmt.Errorf("agent of node %d: %w", c.Node+1, c.Err)
		}
		l.hear(c)
		return true, nil
	case <-timer.C:
		return false, nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// watch takes in what the nodes tell until a time, or until done, unless that is nil, says so.
func (l *lab) watch(ctx context.Context, until time.Time, done func() bool) error {
	for told := true; told && (done == nil || !done()); {
		var err error
		if told, err = l.next(ctx, until); err != nil {
			return err
		}
	}
	return nil
}

// right tells whether every node that runs follows whom it should; whom has the IDs, by node, and None where it does
// not matter.
func (l *lab) right(whom []caucus.ID) bool {
	for i := range whom {
		if !l.ended[i] && whom[i] != caucus.None && l.lead[i].LeaderID != whom[i] {
			return false
		}
	}
	return true
}

// settle waits until every node that runs follows whom it should and none has changed for a while, and tells since
// when. ok is false if that is not so within the limit.
func (l *lab) settle(ctx context.Context, whom []caucus.ID, quiet, limit time.Duration) (since time.Time, ok bool,
	err error) {
	end := time.Now().Add(limit)
	for {
		since = l.lastChange()
		still := max(0, quiet-time.Since(since))
		if !l.right(whom) {
			still = time.Until(end)
		} else if still == 0 {
			return since, true, nil
		}
		if !time.Now().Before(end) {
			return since, l.right(whom), nil
		}
		if _, err := l.next(ctx, time.Now().Add(min(still, time.Until(end)))); err != nil {
			return since, false, err
		}
	}
}

func (l *lab) hear(c fleet.Change) {
	old := &l.lead[c.Node]
	switch {
	case c.Lead.LeaderID != old.LeaderID:
		l.at[c.Node] = c.Lead.Since // by the clock of the agent
	case c.Lead.Final != old.Final:
		l.at[c.Node] = c.At
	}
	*old, l.ended[c.Node] = c.Lead, c.Ended
}

// decided tells whether nothing can change any more.
func (l *lab) decided() bool {
	for i, x := range l.lead {
		if !l.ended[i] && !x.Final {
			return false
		}
	}
	return true
}

// lastChange of a node that runs; the start if there was none.
func (l *lab) lastChange() time.Time {
	last := l.began
	for i, at := range l.at {
		if !l.ended[i] && at.After(last) {
			last = at
		}
	}
	return last
}

// haunt lets the ghosts say who they are, and die after a while.
func (l *lab) haunt(ctx context.Context, after time.Duration) error {
	for _, i := range l.ghosts {
		l.fleet.Begin(i)
	}
	if err := l.watch(ctx, time.Now().Add(after), nil); err != nil {
		return err
	}
	for _, i := range l.ghosts {
		for ctx.Err() == nil {
			s, err := l.fleet.Status(ctx, i)
			if err != nil {
				return err
			}
			if s.State == "running" { // it has spoken
				l.fleet.Kill(i)
				break
			}
			time.Sleep(time.Millisecond)
		}
	}
	return ctx.Err()
}

// traffic is what the agents that run have sent and received so far. It notes whether one of them was late.
func (l *lab) traffic(ctx context.Context) (sum agent.Counters, err error) {
	for i := range l.lead {
		if l.ended[i] || slices.Contains(l.ghosts, i) {
			continue
		}
		s, err := l.fleet.Status(ctx, i)
		if err != nil {
			return sum, err
		}
		sum.Sent += s.Counters.Sent
		sum.SentBytes += s.Counters.SentBytes
		sum.Received += s.Counters.Received
		sum.Messages.Sent += s.Counters.Messages.Sent
		sum.Messages.Received += s.Counters.Messages.Received
		l.late = l.late || s.Counters.LateRounds > 0
	}
	return sum, nil
}

// pulse tells how late this machine's timers are.
type pulse struct {
	worst, total, beats atomic.Int64 // ns
	quit                chan struct{}
}

// pulseEvery is short beside a round.
const pulseEvery = 5 * time.Millisecond

func startPulse() *pulse {
	p := &pulse{quit: make(chan struct{})}
	go func() {
		for {
			due := time.Now().Add(pulseEvery)
			select {
			case <-time.After(pulseEvery):
			case <-p.quit:
				return
			}
			late := int64(time.Since(due))
			p.total.Add(late)
			p.beats.Add(1)
			p.worst.Store(max(p.worst.Load(), late))
		}
	}()
	return p
}

func (p *pulse) stop() { close(p.quit) }

// mean lateness of a timer, in seconds.
func (p *pulse) mean() float64 {
	return float64(p.total.Load()) / float64(max(1, p.beats.Load())) / 1e9
}
