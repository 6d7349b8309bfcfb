package agent

import (
	"context"
	"errors"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/agent/act"
)

// stance is what a node may do in this state.
func (s *Status) stance(now time.Time) act.Stance {
	l := &s.Leadership
	out := act.Stance{Role: act.Undecided, Strength: s.Strength}
	switch {
	case l.Role == Left || s.State == "stopped":
		out.Reason = act.Left
	case s.State == "starting":
		out.Reason = act.Starting
	case s.Stale(now):
		out.Reason = act.Stale
	case s.Unheard:
		out.Reason = act.Unheard
	case l.Leads():
		out.Role = act.Lead
	case l.Role == caucus.Leader.String() && l.Withdrawn != "":
		out.Reason = act.Withdrawn
	case l.Role == caucus.Leader.String() && l.Unleased:
		out.Reason = act.Unleased
	case l.Role == caucus.Leader.String() && l.Short:
		out.Reason = act.TooFew
	case l.Role == caucus.Leader.String():
		out.Reason = act.NoTerm
	case l.LeaderID == caucus.None || l.Role == caucus.Undecided.String():
		out.Reason = act.NoLeader
	default:
		out.Role = act.Follow
	}
	if out.Role == act.Undecided {
		return out
	}
	out.Reason, out.Leader, out.Term, out.Fence = act.Elected, l.Leader, l.Term, l.Token.String()
	out.LeaderAddr = s.LeaderAddr
	return out
}

// Stances tells what this node may do, now and at every change, until ctx is done or the agent has ended; then the
// channel is closed. Unlike Watch it looks at the clock as well: a node that has missed so many rounds that its
// neighbours have given it up knows nothing any more, and is undecided. Who reads slowly gets the latest and misses
// those between.
func (a *Agent) Stances(ctx context.Context) <-chan act.Stance {
	out := make(chan act.Stance, 1)
	changes := a.Watch(ctx)
	go func() {
		defer close(out)
		var told act.Stance
		gaps := a.Status().Counters.Gaps
		clock := time.NewTicker(max(a.Status().Period/2, time.Millisecond))
		defer clock.Stop()
		for open := true; open; {
			select {
			case _, open = <-changes:
			case <-clock.C:
			}
			if !open && ctx.Err() == nil {
				<-a.done // its last word is what has become of it
			}
			s := a.Status()
			now := s.stance(time.Now())
			if s.Counters.Gaps != gaps && now.Reason != act.Left { // the round came before anybody saw that it was late
				gaps = s.Counters.Gaps
				now = act.Stance{Role: act.Undecided, Reason: act.Stale, Strength: s.Strength}
			}
			if !now.Same(&told) || told.Role == "" || now.Reason == act.Left && told.Reason != act.Left {
				told = now
				replace(out, now)
			}
		}
	}()
	return out
}

// replace puts the latest into a channel of one place, and tells whether it took the place of one that nobody had read.
func replace[T any](c chan T, latest T) (missed bool) {
	select {
	case <-c:
		missed = true
	default:
	}
	c <- latest
	return missed
}

// OnLead calls f whenever this node begins to lead, with what it leads by, and cancels its context as soon as the
// node does not lead any more or cannot know: it has missed rounds, was suspended, or is not heard. No call begins
// before the last has returned, and each belongs to one fence: if the term grows f is called anew. OnLead ends with
// the first error of f, with ctx, or with the agent; after the last two it returns nil.
func (a *Agent) OnLead(ctx context.Context, f func(ctx context.Context, lead act.Stance) error) error {
	watch, enough := context.WithCancel(ctx)
	defer enough()
	stances := a.Stances(watch)
	var acting call
	for {
		select {
		case s, open := <-stances:
			if err := acting.stop(); err != nil || !open {
				return err
			}
			if s.Role == act.Lead {
				acting = begin(watch, f, s)
			}
		case err := <-acting.ended:
			acting.cancel()
			if acting = (call{}); err != nil {
				return err
			}
		}
	}
}

// call is a function that acts as the leader; the zero call is none.
type call struct {
	cancel context.CancelFunc
	ended  chan error
}

func begin(ctx context.Context, f func(context.Context, act.Stance) error, lead act.Stance) call {
	ctx, cancel := context.WithCancel(ctx)
	c := call{cancel, make(chan error, 1)}
	go func() {
		err := f(ctx, lead)
		if errors.Is(err, context.Canceled) && ctx.Err() != nil {
			err = nil // it was told to
		}
		c.ended <- err
	}()
	return c
}

// stop waits for the end.
func (c *call) stop() (err error) {
	if c.ended != nil {
		c.cancel()
		err = <-c.ended
	}
	*c = call{}
	return err
}

// hook takes over what is to be done from now on.
func (a *Agent) hook(hooks act.Hooks) {
	if r := a.hooks.Load(); r != nil {
		r.Set(hooks)
		return
	}
	if hooks.Empty() {
		return
	}
	r := &act.Runner{Group: a.cfg.Group, Node: a.cfg.Name, Logger: a.cfg.Logger}
	r.Set(hooks)
	a.hooks.Store(r)
	a.hooking.Go(func() { r.Run(a.Stances(context.Background())) })
}

// lastHooks waits for what is still to be told, unless the agent was killed.
func (a *Agent) lastHooks() {
	select {
	case <-a.kill.c:
	default:
		a.hooking.Wait()
	}
}
