package agent

import (
	"testing"
	"time"
)

// asksOf counts the datagrams that ask for an answer, while something runs.
func (v *virtual) asksOf(run func()) (asks int) {
	v.sent = func(p packet) {
		if e, err := v.decode(p); err == nil && e.Challenge != 0 {
			asks++
		}
	}
	run()
	v.sent = nil
	return asks
}

// News that is overdue is asked for, so that patience is short although links lose much; what they lose is measured
// as it is all the same. While news comes, nothing is asked. Where answers take longer than a period nobody relies on
// them.
func TestNewsIsAskedFor(t *testing.T) {
	t.Parallel()
	v := newVirtual(t, 1, 4, line(4))
	v.upAll()
	v.settle("n1", 100)
	v.run(5 * time.Second)
	if asks := v.asksOf(func() { v.run(time.Minute) }); asks > 0 {
		t.Errorf("%d asks while nothing is lost", asks)
	}
	last := v.nodes[3].agent
	for _, c := range []struct {
		delay       time.Duration
		least, most int
	}{{0, 1, 3}, {3 * period / 2, 5, 8}} {
		v.loss, v.delay = 0.1, c.delay
		v.run(2 * time.Minute)
		p := last.inbox()[0]
		if p.loss < 0.02 || p.loss > 0.2 {
			t.Errorf("delay %v: loss is taken for %.2f, not for 0.1", c.delay, p.loss)
		}
		if got := last.patience(v.now); got < c.least || got > c.most {
			t.Errorf("delay %v, loss %.2f, answers %.2f: patience of %d periods, want %d to %d", c.delay, p.loss,
				p.recall.share(last.recalls), got, c.least, c.most)
		}
	}
}

// A beat that is lost comes a moment later: the neighbour that it should have come from is asked for it, once it is
// known that its datagrams may get lost.
func TestLostBeatIsFetched(t *testing.T) {
	t.Parallel()
	v := newVirtual(t, 1, 2, line(2))
	v.upAll()
	v.settle("n1", 100)
	v.loss = 0.1
	v.run(30 * time.Second)
	v.loss = 0
	v.run(time.Second)
	follower := v.nodes[1].agent
	v.within(period, "a beat", func() bool { return v.now.Sub(follower.peers[0].heard) < 5*time.Millisecond })
	lose := true
	v.cut = func(from, _ int) bool { // the next beat, and nothing else
		cut := from == 0 && lose
		lose = lose && !cut
		return cut
	}
	asks := v.asksOf(func() { v.run(period + period/4) })
	if heard := v.now.Sub(follower.peers[0].heard); lose || asks != 1 || heard > period/4 {
		t.Errorf("beat lost %v; %d asks; heard %v ago", !lose, asks, heard)
	}
}

// A leader that has died is asked in vain, for a bounded time, and is not waited for longer by that, nor is its next
// life.
func TestDeadLeaderIsAskedInVain(t *testing.T) {
	t.Parallel()
	v := newVirtual(t, 1, 2, line(2))
	v.upAll()
	v.settle("n1", 100)
	v.loss = 0.1
	v.run(2 * time.Minute)
	follower := v.nodes[1].agent
	before := follower.peers[0].recall.share(follower.recalls)
	v.loss = 0
	v.kill(0)
	asks := v.asksOf(func() { v.run(20 * period) })
	if after := follower.peers[0].recall.share(follower.recalls); asks == 0 || asks > 24 || after < before-0.05 {
		t.Errorf("%d asks; %.2f were answered before, %.2f after", asks, before, after)
	}
	v.settle("n2", 1)
	v.up(0)
	v.settle("n1", 100)
	v.loss = 0.1
	v.run(3 * time.Second) // some silences, and each adds the one before
	if after := follower.peers[0].recall.share(follower.recalls); after < before-0.05 {
		t.Errorf("%.2f were answered before, %.2f in the next life", before, after)
	}
}
