package study

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/network"
	"caucus.example/caucus/registry"
)

// Trial is an election to be held by real agents, each with its own UDP socket on the loopback interface.
type Trial struct {
	Graph     *network.Graph
	Algo      string
	Params    map[string]string
	Strengths []float64
	IDs       []caucus.ID
	Period    time.Duration
	Expiry    int
	Links     map[string]string // of the emulator, see fault.Parse
	Known     caucus.Known
	Ghosts    []int // nodes that start when Agents.Begin tells them to
}

// Start starts the agents of a trial of an algorithm. It comes from outside (internal/lab): a change of the agents is
// then none of the studies.
type Start func(context.Context, registry.Entry, caucus.Args, Trial) (Agents, error)

// Agents are those of a trial, while they run.
type Agents interface {
	Next(ctx context.Context, before time.Time) (n News, told bool, err error)
	Count(ctx context.Context, node int) (Count, error) // fails if the node has ended
	Begin(node int)
	Kill(node int)               // without a word, as a crash would
	Partition(nodes []int) error // from the others
	Heal() error
	Stop()
}

// News is what a node tells.
type News struct {
	Node         int
	Leader       caucus.ID
	Since        time.Time // it has had this leader, by the clock of the agent
	At           time.Time
	Final, Ended bool
}

// Count is what an agent has sent and received so far.
type Count struct {
	Running                        bool // it has spoken
	Late                           bool // it was, by more than a period
	Sent, SentBytes, Received      uint64
	MessagesSent, MessagesReceived uint64
}

// lab holds an election and watches it.
type lab struct {
	Trial
	agents Agents
	pulse  *pulse
	began  time.Time
	last   []News      // of each node
	at     []time.Time // its last change of leader, or decision
	late   bool        // a node was more than a period late
}

// open starts the agents of an algorithm that can be deployed.
func (t Trial) open(ctx context.Context, start Start) (*lab, error) {
	entry, args, err := named(t.Algo, t.Params)
	if err != nil {
		return nil, err
	}
	n := t.Graph.Len()
	l := &lab{Trial: t, last: make([]News, n), at: make([]time.Time, n), began: time.Now()}
	if l.agents, err = start(ctx, entry, args, t); err != nil {
		return nil, err
	}
	l.pulse = startPulse()
	return l, nil
}

// close ends the agents, without a word, since nobody listens any more.
func (l *lab) close() {
	l.pulse.stop()
	for i := range l.last {
		l.agents.Kill(i)
	}
	l.agents.Stop()
}

// next takes in one thing that a node tells. told is false if none does before a time.
func (l *lab) next(ctx context.Context, before time.Time) (told bool, err error) {
	n, told, err := l.agents.Next(ctx, before)
	if told && err == nil {
		l.hear(n)
	}
	return told, err
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
		if !l.last[i].Ended && whom[i] != caucus.None && l.last[i].Leader != whom[i] {
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

func (l *lab) hear(n News) {
	switch old := &l.last[n.Node]; {
	case n.Leader != old.Leader:
		l.at[n.Node] = n.Since
	case n.Final != old.Final:
		l.at[n.Node] = n.At
	}
	l.last[n.Node] = n
}

// decided tells whether nothing can change any more.
func (l *lab) decided() bool {
	for _, x := range l.last {
		if !x.Ended && !x.Final {
			return false
		}
	}
	return true
}

// lastChange of a node that runs; the start if there was none.
func (l *lab) lastChange() time.Time {
	last := l.began
	for i, at := range l.at {
		if !l.last[i].Ended && at.After(last) {
			last = at
		}
	}
	return last
}

// haunt lets the ghosts say who they are, and die after a while.
func (l *lab) haunt(ctx context.Context, after time.Duration) error {
	for _, i := range l.Ghosts {
		l.agents.Begin(i)
	}
	if err := l.watch(ctx, time.Now().Add(after), nil); err != nil {
		return err
	}
	for _, i := range l.Ghosts {
		for ctx.Err() == nil {
			c, err := l.agents.Count(ctx, i)
			if err != nil {
				return err
			}
			if c.Running {
				l.agents.Kill(i)
				break
			}
			time.Sleep(time.Millisecond)
		}
	}
	return ctx.Err()
}

// traffic is what the agents that run have sent and received so far. It notes whether one of them was late.
func (l *lab) traffic(ctx context.Context) (sum Count, err error) {
	for i := range l.last {
		if l.last[i].Ended || slices.Contains(l.Ghosts, i) {
			continue
		}
		c, err := l.agents.Count(ctx, i)
		if err != nil {
			return sum, err
		}
		sum.Sent += c.Sent
		sum.SentBytes += c.SentBytes
		sum.Received += c.Received
		sum.MessagesSent += c.MessagesSent
		sum.MessagesReceived += c.MessagesReceived
		l.late = l.late || c.Late
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
