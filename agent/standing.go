package agent

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/agent/probe"
	"caucus.example/caucus/internal/wire"
)

// How strong a node is for the election is more than its strength: checks take from it, a node may be kept from
// leading, and one that leads may have an advantage. Algorithms only compare strengths, so each wish is a place on
// the same scale, and within each of them the order of strengths stays:
//
//	withdrawn   -3 < x < -2   leads only where everybody is, and does not act even then
//	waiting     -1 <= x < 0   would be better than the leader it follows, but is too young
//	candidate    0 <= x
//	chosen      above all, see HandOver
//	incumbent   margin more, or above all candidates with preempt: no
const incumbency = 1 << 40 // above every candidate; strengths are then told apart to 2.4e-4

// inverse maps strengths to 0 < x <= 1, the greater to the smaller.
func inverse(x float64) float64 { return 1 / (1 + x) }

// standing is what decides over the strength for the election besides the strength.
type standing struct {
	health   probe.Health
	resigned time.Time // until then it does not lead,
	since    time.Time // since then
	chosen   time.Time // until then it stands above all, see HandOver
	free     time.Time // since then nothing keeps it from leading
}

const resigned = "resigned"

// withdrawn tells whether something keeps the node from leading, and what.
func (a *Agent) withdrawn(now time.Time) (bool, string) {
	switch {
	case a.cfg.Leads != nil && !*a.cfg.Leads:
		return true, "leads: false"
	case a.standing.health.Veto:
		return true, "a check"
	case now.Before(a.standing.resigned):
		return true, resigned
	}
	return false, ""
}

// stand gives the strength for the election.
func (a *Agent) stand(now time.Time) float64 {
	x := a.standing.health.Strength(math.Float64frombits(a.strength.Load()))
	s := &a.standing
	if withdrawn, _ := a.withdrawn(now); withdrawn {
		s.free = time.Time{}
		return -2 - inverse(x)
	}
	if s.free.IsZero() {
		s.free = now
	}
	// A node that has just started may take itself for a leader before it has heard one.
	acts := a.lead.Leads() && now.Sub(a.lead.Since) >= time.Duration(a.cfg.Expiry)*a.cfg.Period
	switch {
	case now.Before(s.chosen):
		return x + choosing
	case acts:
		return incumbent(x, a.cfg.stays, a.cfg.Margin)
	case now.Sub(s.free) < a.cfg.waits:
		return -inverse(x)
	}
	return x
}

// incumbent is the place of one that leads.
func incumbent(x float64, stays bool, margin float64) float64 {
	if stays {
		return x + incumbency
	}
	return x + margin
}

// parsePreempt reads "yes", "no" and "after 30s".
func parsePreempt(text string) (no bool, after time.Duration, err error) {
	switch text {
	case "", "yes":
		return false, 0, nil
	case "no":
		return true, 0, nil
	}
	if wait, ok := strings.CutPrefix(text, "after "); ok {
		if after, err := time.ParseDuration(wait); err == nil && after >= 0 && after <= 24*time.Hour {
			return false, after, nil
		}
	}
	return false, 0, caucus.Wrong("preempt", text, "yes, no, or after and a duration of at most 24h, as in after 30s")
}

// wishes names a field that says more of who leads than a strength does, "" if there is none.
func (c *Config) wishes() string {
	for _, x := range []struct {
		field string
		set   bool
	}{
		{"checks", len(c.Checks) > 0}, {"leads", c.Leads != nil && !*c.Leads},
		{"preempt", c.Preempt != "" && c.Preempt != "yes"}, {"margin", c.Margin > 0},
	} {
		if x.set {
			return x.field
		}
	}
	return ""
}

func (c *Config) checkStanding() error {
	var err error
	c.stays, c.waits, err = parsePreempt(c.Preempt)
	switch {
	case err != nil:
		return err
	case !(c.Margin >= 0) || c.Margin > 1e9:
		return caucus.Wrong("margin", c.Margin, "0 to 1e9")
	case c.Margin > 0 && c.stays:
		return caucus.Wrong("margin", c.Margin, "only where preempt is not no")
	}
	c.Checks = slices.Clone(c.Checks) // which gets defaults
	return probe.Check(c.Checks)
}

// MaxResign is how long a node may resign for at a time.
const MaxResign = 24 * time.Hour

// errResign is what Resign refuses.
var errResign = errors.New("agent: a time of 0 to 24h is allowed")

// Resign keeps this node from leading for a while; 0 ends that. Others take over as if it were the weakest, and it
// follows them; where there is nobody else nobody acts.
func (a *Agent) Resign(during time.Duration) error {
	if during < 0 || during > MaxResign {
		return errResign
	}
	return a.command(func(now time.Time) { a.resign(now, during) })
}

func (a *Agent) resign(now time.Time, during time.Duration) {
	a.standing.resigned, a.standing.since = now.Add(during), now
	a.cfg.Logger.Info("resigned", "for", during)
	a.round(now)
}

// keptFromActing tells what keeps the node from acting, "" if nothing does. Who resigns has time to be succeeded first.
func (a *Agent) keptFromActing(now time.Time) string {
	withdrawn, why := a.withdrawn(now)
	if !withdrawn || why == resigned && a.cfg.MinRegion == 0 && now.Sub(a.standing.since) < a.mostHeld() {
		return ""
	}
	return why
}

// command has the loop do something.
func (a *Agent) command(f func(now time.Time)) error {
	done := make(chan struct{})
	select {
	case a.commands <- func() { f(time.Now()); close(done) }:
		<-done
		return nil
	case <-a.done:
		return ErrNotRunning
	}
}

// watchChecks begins to look after what the configuration says, instead of what it said before.
func (a *Agent) watchChecks() {
	if w := a.checks.Swap(nil); w != nil {
		go w.Stop() // it may be telling this loop something
	}
	a.standing.health = probe.Healthy
	if len(a.cfg.Checks) == 0 {
		return
	}
	var w *probe.Watch
	begun := make(chan struct{})
	w = probe.Start(a.cfg.Checks, a.cfg.Logger, func(h probe.Health) {
		<-begun
		_ = a.command(func(time.Time) {
			if a.checks.Load() == w {
				a.standing.health = h
			}
		})
	})
	a.checks.Store(w)
	close(begun)
}

// A hand-over names the node that is to lead, and for how long. Nodes pass that on for some periods; the one that is
// named stands above all others for that time, and so leads wherever its claim reaches. What is not renewed ends by
// itself, with the time or with the node.

// choosing is the standing of who is chosen: above those who lead and do not give way.
const choosing = 2 * incumbency

// choicePeriods is for how many periods a choice is passed on after it has come.
const choicePeriods = 32

// MaxHandOver is how long a node may be chosen for at a time.
const MaxHandOver = 24 * time.Hour

// choice is the latest that this node knows of.
type choice struct {
	wire.Choice
	until time.Time // it holds
	told  time.Time // until then it is passed on
}

// HandOver has the node with a name lead for a while, and then leaves it to the election again; 0 ends that at once. It
// may be asked for at any node; that the node is there, and may lead, is seen by its leading.
func (a *Agent) HandOver(to string, during time.Duration) error {
	switch {
	case during < 0 || during > MaxHandOver:
		return caucus.Wrong("for", during, "0 to 24h")
	case wire.CheckName(to) != nil:
		return wire.CheckName(to)
	case !a.cfg.byStrength || a.rounds == nil:
		return fmt.Errorf("the algorithm %s does not elect by strength: nobody can be chosen", a.cfg.Algo)
	}
	return a.command(func(now time.Time) {
		// A number above the last known: whose clock is wrong would else be heard by nobody, or shut out all others.
		at := max(uint64(now.UnixMilli()), a.choice.At+1)
		a.takeChoice(&wire.Choice{Name: to, At: at, Left: uint32(during.Milliseconds())}, now)
		a.broadcast(now)
	})
}

// takeChoice takes over a choice that is newer than the one known.
func (a *Agent) takeChoice(c *wire.Choice, now time.Time) {
	if c == nil || c.At <= a.choice.At && now.Before(a.choice.until) {
		return
	}
	a.choice = choice{*c, now.Add(time.Duration(c.Left) * time.Millisecond), now.Add(choicePeriods * a.cfg.Period)}
	was := now.Before(a.standing.chosen)
	a.standing.chosen = time.Time{}
	if c.Name == a.cfg.Name {
		a.standing.chosen = a.choice.until
	}
	if is := now.Before(a.standing.chosen); is != was {
		a.cfg.Logger.Info("hand-over", "chosen", is, "until", a.standing.chosen)
	}
}

// tellChoice is what a datagram says of it, nil for nothing.
func (a *Agent) tellChoice(now time.Time) *wire.Choice {
	if a.choice.Name == "" || now.After(a.choice.told) {
		return nil
	}
	c := a.choice.Choice
	c.Left = uint32(max(0, a.choice.until.Sub(now).Milliseconds()))
	return &c
}
