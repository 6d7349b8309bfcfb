package engine

import (
	"math"
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/story"
)

// chooser holds the messages on their way for a scheduler.
type chooser struct {
	slab[parcel]
	hooks          []hook  // by slot
	all            []int32 // slots in use, in no order that means anything
	oldest, newest int32   // ends of the list in the order of sending; -1: empty
	first, final   []int32 // by port of the receiver: ends of the queue of that link and direction; -1: empty

	kind     sim.Scheduler
	fifo     bool
	heads    byTime // of StarvedLast: first messages of the links, the newest on top
	random   caucus.Rand
	replay   []story.Step
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

func newChooser(cfg *sim.Config, ports int) *chooser {
	c := &chooser{
		oldest: -1, newest: -1, first: slices.Repeat([]int32{-1}, ports), final: slices.Repeat([]int32{-1}, ports),
		kind: cfg.Scheduler, fifo: !cfg.NoFIFO && !slices.ContainsFunc(cfg.Faults, overtake),
		random: caucus.NewRand(cfg.Seed, "scheduler"),
	}
	if cfg.Replay != nil {
		c.kind, c.byNumber, c.replay = sim.OldestFirst, map[uint32]int32{}, cfg.Replay.Steps
	}
	return c
}

func (c *chooser) put(p parcel, link int, chain float64) {
	slot := c.slab.put(p)
	if int(slot) == len(c.hooks) {
		c.hooks = append(c.hooks, hook{})
	}
	c.hooks[slot] = hook{older: c.newest, newer: -1, behind: -1, link: int32(link), index: int32(len(c.all)),
		chain: chain}
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
	if c.kind == sim.StarvedLast && (c.first[link] == slot || !c.fifo) {
		c.lead(slot)
	}
	c.final[link] = slot
	if c.byNumber != nil {
		c.byNumber[p.number] = slot
	}
}

// lead notes that a message may be delivered next.
func (c *chooser) lead(slot int32) {
	number := c.kept[slot].number
	c.heads.push(parcel{at: float64(math.MaxUint32 - number), number: number, slot: slot})
}

// pick gives the slot of the next message. There is one.
func (c *chooser) pick() int32 {
	slot := c.oldest
	switch c.kind {
	case sim.NewestFirst:
		slot = c.newest
	case sim.RandomNext:
		slot = c.all[c.random.IntN(len(c.all))]
	case sim.StarvedLast:
		return c.heads[0].slot
	}
	if c.fifo {
		return c.first[c.hooks[slot].link]
	}
	return slot
}

// take removes a message.
func (c *chooser) take(slot int32) parcel {
	h, p := c.hooks[slot], c.kept[slot]
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
	if c.kind == sim.StarvedLast {
		c.heads.drop()
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
func (e *eventRun) stepChosen() bool {
	c := e.chosen
	if len(c.replay) > 0 {
		return e.stepReplay()
	}
	if len(c.all) > 0 {
		slot := c.pick()
		p := &e.times[c.kept[slot].to.node]
		at := max(p.clock, c.hooks[slot].chain)
		if at > e.limit {
			return false
		}
		if e.stable = e.cfg.Replay != nil && at > e.restAt && e.faults.over(); e.stable {
			return false // as the run that is repeated
		}
		p.clock = at
		e.setNow(at)
		v := c.take(slot)
		e.deliver(v)
		return true
	}
	if at := e.faults.next; at <= e.limit && (len(e.alarms.byTime) == 0 || at <= e.alarms.byTime[0].at) {
		e.dueFaults(at) // of a replay, after its last step
		return true
	}
	if e.stable = len(e.alarms.byTime) > 0 && e.alarms.byTime[0].at > e.restAt; e.stable {
		return false
	}
	if len(e.alarms.byTime) == 0 || e.alarms.byTime[0].at > e.limit {
		return false
	}
	p := &e.times[e.alarms.byTime[0].to.node]
	p.clock = max(p.clock, e.alarms.byTime[0].at)
	e.setNow(p.clock)
	e.ring()
	return true
}
