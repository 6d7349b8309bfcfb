package sim

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"caucus.example/caucus"
)

// Scheduler is who picks the message that arrives next when it is not time that decides.
// Whatever holds for every order of arrival holds under each of them. Messages of one link and
// direction keep their order unless Config.NoFIFO says otherwise. Time is then the length of the longest chain of
// messages that led to an event; timers go off when no message is on its way.
type Scheduler string

// Schedulers.
const (
	OldestFirst Scheduler = "fifo"                 // what was sent first
	NewestFirst Scheduler = "lifo"                 // what was sent last
	RandomNext  Scheduler = "random"               // any, with equal probability
	StarvedLast Scheduler = "longest-waiting-last" // the link whose next message has waited least
)

// Choice is one event of a recorded run, for Config.Replay.
type Choice struct {
	Time   float64
	What   string // as in Happening; wake-ups and crashes follow from other things and are no choice
	Node   int
	Number uint64 // of the message
	Timer  int
	Where  string // place in the record, for errors
}

var schedulers = []string{string(OldestFirst), string(NewestFirst), string(RandomNext), string(StarvedLast)}

func checkScheduler(cfg *Config, spec *caucus.Spec) error {
	switch {
	case cfg.Scheduler != "" && !slices.Contains(schedulers, string(cfg.Scheduler)):
		return caucus.NotAmong("scheduler", string(cfg.Scheduler), schedulers)
	case cfg.Scheduler != "" && cfg.Replay != nil:
		return caucus.Wrong("replay", fmt.Sprintf("%d events", len(cfg.Replay)), "none together with a scheduler: the record says what comes next")
	case cfg.Scheduler != "" && cfg.Delays != UnitDelay:
		return caucus.Wrong("delays", string(cfg.Delays), "unit, when a scheduler and not time orders the messages")
	case !(cfg.Least >= 0 && cfg.Least <= 1e9) || cfg.Least > 0 && (cfg.Scheduler != "" || cfg.Replay != nil):
		return caucus.Wrong("least", cfg.Least, "a number of periods from 0 to 1e9; 0 with a scheduler or a replay")
	case cfg.Scheduler != "" && len(cfg.Faults) > 0:
		return caucus.Wrong("faults", len(cfg.Faults), "none: they happen at times, and a scheduler has none")
	}
	return nil
}

// chooser holds the messages on their way for a scheduler.
type chooser struct {
	slab[int32]
	hooks          []hook  // by slot
	all            []int32 // slots in use, in no order that means anything
	oldest, newest int32   // ends of the list in the order of sending; -1: empty
	first, final   []int32 // by port of the receiver: ends of the queue of that link and direction; -1: empty

	kind     Scheduler
	fifo     bool
	heads    byTime[int32] // of StarvedLast: first messages of the links, the newest on top
	random   caucus.Rand
	replay   []Choice
	byNumber map[uint32]int32 // of a replay
	err      error
}

// hook is where a message hangs.
type hook struct {
	older, newer int32 // in the order of sending
	behind       int32 // the next one of the same link
	link         int32
	index        int32 // in all
	chain        float64
}

func newChooser(cfg *Config, ports int) *chooser {
	c := &chooser{
		oldest: -1, newest: -1, first: slices.Repeat([]int32{-1}, ports), final: slices.Repeat([]int32{-1}, ports),
		kind: cfg.Scheduler, fifo: !cfg.NoFIFO, random: caucus.NewRand(cfg.Seed, "scheduler"), replay: cfg.Replay,
	}
	if cfg.Replay != nil {
		c.kind, c.byNumber = OldestFirst, map[uint32]int32{}
	}
	return c
}

func (c *chooser) put(p parcel[int32], link int, chain float64) {
	slot := c.slab.put(p)
	if int(slot) == len(c.hooks) {
		c.hooks = append(c.hooks, hook{})
	}
	c.hooks[slot] = hook{older: c.newest, newer: -1, behind: -1, link: int32(link), index: int32(len(c.all)), chain: chain}
	c.all = append(c.all, slot)
	if c.newest >= 0 {
		c.hooks[c.newest].newer = slot
	} else {
		c.oldest = slot
	}
	c.newest = slot
	if c.final[link] >= 0 {
		c.hooks[c.final[link]].behind = slot
	} else {
		c.first[link] = slot
	}
	if c.kind == StarvedLast && (c.first[link] == slot || !c.fifo) {
		c.lead(slot)
	}
	c.final[link] = slot
	if c.byNumber != nil {
		c.byNumber[p.number] = slot
	}
}

// lead notes that a message may be delivered next.
func (c *chooser) lead(slot int32) {
	number := c.parcels[slot].number
	c.heads.push(-float64(number), parcel[int32]{number: number, msg: slot})
}

// pick gives the slot of the next message. There is one.
func (c *chooser) pick() int32 {
	slot := c.oldest
	switch c.kind {
	case NewestFirst:
		slot = c.newest
	case RandomNext:
		slot = c.all[c.random.IntN(len(c.all))]
	case StarvedLast:
		return c.heads.parcels[c.heads.due[0].slot].msg
	}
	if c.fifo {
		return c.first[c.hooks[slot].link]
	}
	return slot
}

// take removes a message.
func (c *chooser) take(slot int32) parcel[int32] {
	h, p := c.hooks[slot], c.parcels[slot]
	if h.older >= 0 {
		c.hooks[h.older].newer = h.newer
	} else {
		c.oldest = h.newer
	}
	if h.newer >= 0 {
		c.hooks[h.newer].older = h.older
	} else {
		c.newest = h.older
	}
	end := len(c.all) - 1
	c.all[h.index] = c.all[end]
	c.hooks[c.all[end]].index = h.index
	c.all = c.all[:end]
	c.unlink(slot, h)
	if c.byNumber != nil {
		delete(c.byNumber, p.number)
	}
	if c.kind == StarvedLast {
		head := c.heads.due[0].slot
		c.heads.drop()
		c.heads.release(head)
		if next := c.first[h.link]; c.fifo && next >= 0 {
			c.lead(next)
		}
	}
	c.release(slot)
	return p
}

// unlink takes a message out of the queue of its link; only without FIFO it may stand in the middle.
func (c *chooser) unlink(slot int32, h hook) {
	if c.first[h.link] == slot {
		c.first[h.link] = h.behind
		if h.behind < 0 {
			c.final[h.link] = -1
		}
		return
	}
	before := c.first[h.link]
	for c.hooks[before].behind != slot {
		before = c.hooks[before].behind
	}
	c.hooks[before].behind = h.behind
	if c.final[h.link] == slot {
		c.final[h.link] = before
	}
}

// stepChosen is Step when a scheduler or a record decides.
func (e *EventRun) stepChosen() bool {
	c := e.chosen
	if len(c.replay) > 0 {
		return e.stepReplay()
	}
	if len(c.all) > 0 {
		slot := c.pick()
		p := &e.nodes[c.parcels[slot].node]
		at := max(p.clock, c.hooks[slot].chain)
		if at > e.limit {
			return false
		}
		p.clock = at
		e.setNow(at)
		v := c.take(slot)
		e.deliver(int(v.node), int(v.port), v.msg, v.number)
		return true
	}
	if e.stable = len(e.alarms.due) > 0 && e.alarms.due[0].at > e.restAt; e.stable {
		return false
	}
	if len(e.alarms.due) == 0 || e.alarms.due[0].at > e.limit {
		return false
	}
	p := &e.nodes[e.alarms.parcels[e.alarms.due[0].slot].node]
	p.clock = max(p.clock, e.alarms.due[0].at)
	e.setNow(p.clock)
	e.ring()
	return true
}

// stepReplay does what the record says next.
func (e *EventRun) stepReplay() bool {
	c := e.chosen
	next := c.replay[0]
	c.replay = c.replay[1:]
	if next.Time > e.limit {
		return false
	}
	for e.faults.next <= next.Time {
		e.dueFaults(e.faults.next)
	}
	if next.What == WakeUp || next.What == Crashed {
		return true
	}
	e.setNow(next.Time)
	e.nodes[next.Node].clock = next.Time
	if next.What == TimerFired {
		return e.replayTimer(next)
	}
	slot, ok := c.byNumber[uint32(next.Number-1)]
	switch {
	case !ok:
		return e.fail(next, "message #%d is not on its way at this point", next.Number)
	case int(c.parcels[slot].node) != next.Node:
		return e.fail(next, "message #%d is on its way to %s, not to %s", next.Number, e.cfg.Graph.NodeName(int(c.parcels[slot].node)), e.cfg.Graph.NodeName(next.Node))
	case c.fifo && c.first[c.hooks[slot].link] != slot:
		return e.fail(next, "message #%d overtakes #%d of the same link; only a run without FIFO allows that", next.Number, c.parcels[c.first[c.hooks[slot].link]].number+1)
	}
	v := c.take(slot)
	e.deliver(int(v.node), int(v.port), v.msg, v.number)
	return true
}

// replayTimer lets the next timer go off: they keep their order in every run. Those of nodes that are
// down stand in no record.
func (e *EventRun) replayTimer(next Choice) bool {
	for len(e.alarms.due) > 0 {
		v := &e.alarms.parcels[e.alarms.due[0].slot]
		if p := &e.nodes[v.node]; p.down || p.life != v.msg.life {
			slot := e.alarms.due[0].slot
			e.alarms.drop()
			e.alarms.release(slot)
			continue
		}
		if int(v.node) != next.Node || v.msg.timer != next.Timer {
			return e.fail(next, "the next timer is %d of %s, not %d of %s", v.msg.timer, e.cfg.Graph.NodeName(int(v.node)), next.Timer, e.cfg.Graph.NodeName(next.Node))
		}
		e.ring()
		return true
	}
	return e.fail(next, "no timer is set")
}

func (e *EventRun) fail(c Choice, format string, args ...any) bool {
	e.chosen.err = fmt.Errorf("%s: %s; the record is of another run", c.Where, strings.TrimSpace(fmt.Sprintf(format, args...)))
	e.chosen.replay = nil
	return false
}

// failure tells why a replay could not go on.
func (e *EventRun) failure() error {
	if e.chosen == nil {
		return nil
	}
	return e.chosen.err
}

var never = math.Inf(1)
