package agent

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/agent/act"
	"caucus.example/caucus/algo/aggregate/bounded"
)

// What a node may do in each state; only who leads with a term, heard and in time, acts.
func TestStance(t *testing.T) {
	now := time.Now()
	running := Status{State: "running", LastRound: now, Expiry: 3, Period: time.Second}
	with := func(change func(*Status)) Status {
		s := running
		s.Leadership = Leadership{Role: caucus.Leader.String(), Leader: "a", LeaderID: 1, Term: 2}
		change(&s)
		return s
	}
	for _, x := range []struct {
		role, reason string
		state        Status
	}{
		{act.Lead, act.Elected, with(func(*Status) {})},
		{act.Follow, act.Elected, with(func(s *Status) { s.Role = caucus.Follower.String() })},
		{act.Undecided, act.NoTerm, with(func(s *Status) { s.Term = 0 })},
		{act.Undecided, act.TooFew, with(func(s *Status) { s.Short = true })},
		{act.Undecided, act.Unheard, with(func(s *Status) { s.Unheard = true })},
		{act.Undecided, act.Stale, with(func(s *Status) { s.LastRound = now.Add(-3001 * time.Millisecond) })},
		{act.Undecided, act.Starting, with(func(s *Status) { s.State = "starting" })},
		{act.Undecided, act.NoLeader, with(func(s *Status) {
			s.Leadership = Leadership{Role: caucus.Undecided.String()}
		})},
		{act.Undecided, act.Left, with(func(s *Status) { s.Role = Left })},
		{act.Undecided, act.Left, with(func(s *Status) { s.State = "stopped" })},
	} {
		if got := x.state.stance(now); got.Role != x.role || got.Reason != x.reason {
			t.Errorf("got %+v, want %s because of %s", got, x.role, x.reason)
		}
	}
	s := with(func(s *Status) {
		s.Role = caucus.Follower.String()
		s.LeaderAddr = "y:1"
	})
	if got := s.stance(now); got.LeaderAddr != "y:1" {
		t.Errorf("%+v", got)
	}
}

func alone(t *testing.T, change func(*Config)) *Agent {
	t.Helper()
	election, err := bounded.New(bounded.Default(10))
	if err != nil {
		t.Fatal(err)
	}
	transport, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Name: "a", Profile: "loopback", Transport: transport}
	change(&cfg)
	a, err := New(election, &bounded.Spec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Who acts as the leader is stopped while the agent's own rounds stand still, before the agent itself can notice, and
// goes on afterwards; at the end it is stopped before OnLead returns.
func TestOnLeadWhileTheLoopStands(t *testing.T) {
	t.Parallel()
	a := alone(t, func(*Config) {})
	left := make(chan error, 1)
	go func() { left <- a.Run(context.Background()) }()
	ctx, stop := context.WithCancel(context.Background())
	calls, ends := make(chan act.Stance, 10), make(chan time.Time, 10)
	guarded := make(chan error, 1)
	go func() {
		guarded <- a.OnLead(ctx, func(ctx context.Context, lead act.Stance) error {
			calls <- lead
			<-ctx.Done()
			ends <- time.Now()
			return ctx.Err()
		})
	}()
	first := <-calls
	if first.Leader != "a" || first.Term == 0 || first.Fence == "" {
		t.Errorf("%+v", first)
	}
	a.commands <- func() { time.Sleep(2 * time.Second) }
	begun := time.Now()
	if stood := (<-ends).Sub(begun); stood > 1900*time.Millisecond {
		t.Errorf("stopped after %v only", stood)
	}
	if again := <-calls; again.Fence < first.Fence {
		t.Errorf("%+v after %+v", again, first)
	}
	stop()
	if err := <-guarded; err != nil {
		t.Error(err)
	}
	if len(ends) != 1 {
		t.Error("OnLead has returned before what it called")
	}
	a.Kill()
	<-left
}

func TestOnLeadEndsWithAnError(t *testing.T) {
	a := alone(t, func(*Config) {})
	left := make(chan error, 1)
	go func() { left <- a.Run(context.Background()) }()
	bad := errors.New("does not work")
	if err := a.OnLead(context.Background(), func(context.Context, act.Stance) error { return bad }); err != bad {
		t.Error(err)
	}
	a.Kill()
	<-left
	if err := a.OnLead(context.Background(), func(context.Context, act.Stance) error { return bad }); err != nil {
		t.Error("called by an agent that has ended", err)
	}
}

// The last hook has been told of the end when Run returns, and the status counts them.
func TestHooksOfAnAgent(t *testing.T) {
	file := t.TempDir() + "/log"
	a := alone(t, func(c *Config) {
		c.On = act.Hooks{Any: []act.Hook{{Shell: `sleep 0.1; echo "$CAUCUS_ROLE $CAUCUS_REASON" >> ` + file}}}
	})
	ctx, stop := context.WithCancel(context.Background())
	left := make(chan error, 1)
	go func() { left <- a.Run(ctx) }()
	for s := range a.Stances(ctx) {
		if s.Role == act.Lead {
			break
		}
	}
	stop()
	<-left
	text, err := readRegular(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if last := lines[len(lines)-1]; last != "undecided left" {
		t.Errorf("%q", lines)
	}
	if h := a.Status().Hooks; h == nil || h.Runs != uint64(len(lines)) || h.Failures != 0 {
		t.Errorf("%+v after %q", h, lines)
	}
}
