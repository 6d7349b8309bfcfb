package sim

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"caucus.example/caucus"
	"caucus.example/caucus/fault"
)

// Over are the links that a fault of links concerns, in a network of n nodes.
func (f *Fault) Over(n int) fault.Links {
	var of []bool
	if f.Nodes != nil {
		of = make([]bool, n)
		for _, i := range f.Nodes {
			of[i] = true
		}
	}
	return f.over(of)
}

// over are its links, of the nodes that were chosen for it.
func (f *Fault) over(of []bool) fault.Links { return fault.Links{Of: of, Way: f.Way, Only: f.Links} }

// rule is what a fault of links does, to those of its nodes.
func (f *Fault) rule(of []bool) fault.Rule {
	r := fault.Rule{Links: f.over(of), Kind: fault.Kind(f.Kind), Rate: f.Rate,
		Time: float64(f.Rounds), Whole: true}
	if f.Kind == Latency {
		r.Rate, r.Time, r.Spread = 0, f.Value, f.Spread
	}
	return r
}

const maxPartitions = 64

// timed tells which faults last from At to Until.
var timed = map[FaultKind]bool{Loss: true, Duplication: true, Delay: true, Reordering: true, Latency: true,
	Expiry: true, Partition: true}

// checkFaults refuses a schedule that cannot be carried out.
func checkFaults(cfg *Config) error {
	partitions := 0
	for k := range cfg.Faults {
		f := &cfg.Faults[k]
		if err := checkFault(f, cfg.Graph.Len()); err != nil {
			err.Field = fmt.Sprintf("faults[%d].%s", k, err.Field)
			return err
		}
		if f.Kind == Partition {
			partitions++
		}
	}
	if partitions > maxPartitions {
		return caucus.Wrong("faults", fmt.Sprintf("%d partitions", partitions),
			fmt.Sprintf("at most %d", maxPartitions))
	}
	return nil
}

func checkFault(f *Fault, n int) *caucus.FieldError {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	if !(f.At >= 0) || math.IsInf(f.At, 1) {
		return caucus.Wrong("at", number(f.At), "a time >= 0, in rounds")
	}
	if f.Until != 0 && !(f.Until > f.At && timed[f.Kind]) {
		return caucus.Wrong("until", number(f.Until),
			"a time after the beginning, for loss, duplication, delay, reordering, expiry and partition only")
	}
	for _, i := range f.Nodes {
		if i < 0 || i >= n {
			return caucus.Wrong("nodes", strconv.Itoa(i), fmt.Sprintf("node indices from 0 to %d", n-1))
		}
	}
	if err := checkWay(f); err != nil {
		return err
	}
	if err := checkLinks(f, n); err != nil {
		return err
	}
	if f.Leaders && (f.Nodes != nil || f.Kind == Join || f.Kind == Restart || f.Kind == Heal || f.Kind == Expiry) {
		return caucus.Wrong("leaders", "true", "for faults of running nodes, and without a list of nodes")
	}
	if f.Nodes != nil && (f.Kind == Heal || f.Kind == Expiry) {
		return caucus.Wrong("nodes", fmt.Sprintf("%d nodes", len(f.Nodes)),
			"none: "+string(f.Kind)+" concerns the whole network")
	}
	if f.Values != nil && (f.Kind != Strength || len(f.Values) != n) {
		return caucus.Wrong("values", fmt.Sprintf("%d values", len(f.Values)),
			fmt.Sprintf("for strength only, one for each of %d nodes", n))
	}
	for _, v := range f.Values {
		if !validStrength(v) {
			return caucus.Wrong("values", number(v), strengthRange)
		}
	}
	return checkFigures(f)
}

// checkFigures checks what a fault says besides where and when it happens.
func checkFigures(f *Fault) *caucus.FieldError {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	switch f.Kind {
	case Loss, Duplication, Delay, Reordering:
		if !(f.Rate >= 0 && f.Rate <= 1) || f.Rate == 0 && (f.Kind == Loss || f.Kind == Reordering) {
			return caucus.Wrong("rate", number(f.Rate),
				"a probability > 0 and <= 1 (0, for all messages, with delay and duplication)")
		}
	case Latency:
		if !(f.Value >= 0 && f.Value <= maxFaultRounds && f.Spread >= 0 && f.Spread <= f.Value) {
			return caucus.Wrong("value", number(f.Value)+"±"+number(f.Spread),
				fmt.Sprintf("from 0 to %d rounds, and a spread of at most as much", maxFaultRounds))
		}
	case Strength, FakeLeader:
		if !validStrength(f.Value) {
			return caucus.Wrong("value", number(f.Value), strengthRange)
		}
	case Crash, Restart, Join, Leave, Expiry, Partition, Heal, Corrupt:
	default:
		return caucus.Wrong("kind", string(f.Kind),
			"crash, restart, join, leave, loss, duplication, delay, reordering, latency, expiry, partition, heal, "+
				"strength, corrupt, fake-leader")
	}
	switch f.Kind {
	case Duplication, Delay, Reordering, Expiry:
		if f.Rounds < 1 || f.Rounds > maxFaultRounds {
			return caucus.Wrong("rounds", strconv.Itoa(f.Rounds), fmt.Sprintf("from 1 to %d", maxFaultRounds))
		}
	}
	return nil
}

// ofLinks are the kinds of faults that concern messages on links.
var ofLinks = []FaultKind{Loss, Duplication, Delay, Reordering, Latency}

func checkLinks(f *Fault, n int) *caucus.FieldError {
	if f.Links == nil {
		return nil
	}
	found := fmt.Sprintf("%d links", len(f.Links))
	if !slices.Contains(ofLinks, f.Kind) || f.Nodes != nil || f.Leaders {
		return caucus.Wrong("links", found, "for loss, duplication, delay and reordering, and without nodes or leaders")
	}
	for _, l := range f.Links {
		if min(l[0], l[1]) < 0 || max(l[0], l[1]) >= n || l[0] == l[1] {
			return caucus.Wrong("links", l, fmt.Sprintf("pairs of different node indices from 0 to %d", n-1))
		}
	}
	return nil
}

func checkWay(f *Fault) *caucus.FieldError {
	switch {
	case f.Way == fault.BothWays:
		return nil
	case f.Way != fault.Out && f.Way != fault.In:
		return caucus.Wrong("way", string(f.Way), "out, in, or nothing for both")
	case !slices.Contains(ofLinks, f.Kind) || f.Nodes == nil:
		return caucus.Wrong("way", string(f.Way), "for loss, duplication, delay and reordering of listed nodes")
	}
	return nil
}

// maxFaultRounds bounds how many letters may be on their way at each end of an edge.
const maxFaultRounds = 1000

// startFaults sorts the schedule and takes away the nodes that join later.
func (e *RoundRun) startFaults() {
	f, schedule := &e.faults, e.cfg.Faults
	f.fate = caucus.NewRand(e.cfg.Seed, "link")
	if schedule == nil && !e.cfg.Traffic {
		return
	}
	f.sent = slices.Repeat([]float64{-1}, e.n)
	if e.ran == nil {
		e.ran = make([]uint32, e.n)
	}
	f.chosen = make([][]bool, len(schedule))
	for k, s := range schedule {
		f.actions = append(f.actions, action{at: s.At, fault: k})
		if s.Until > 0 {
			f.actions = append(f.actions, action{at: s.Until, fault: k, end: true})
		}
		if s.Kind == Strength && e.user == nil {
			e.strength = slices.Clone(e.strength) // it is the caller's
		}
		if s.Kind == Strength && e.strength == nil {
			e.strength = make([]float64, e.n)
		}
	}
	slices.SortStableFunc(f.actions, func(a, b action) int {
		if c := cmp.Compare(a.at, b.at); c != 0 || a.end == b.end {
			return c
		} else if a.end {
			return -1
		}
		return 1
	})
	e.awaitJoins()
	if e.cfg.Traffic {
		e.traffic = newTraffic(e.n)
		e.openBoxes()
		f.mute = true
	}
}

// awaitJoins makes absent every node whose first change of membership is to join.
func (e *RoundRun) awaitJoins() {
	known := make([]bool, e.n)
	for _, a := range e.faults.actions {
		kind := e.cfg.Faults[a.fault].Kind
		if a.end || kind != Join && kind != Leave && kind != Crash && kind != Restart || e.cfg.Faults[a.fault].Leaders {
			continue
		}
		for p := range e.listed(a.fault) {
			if !known[p] && kind == Join {
				e.status[p] = absent
			}
			known[p] = true
		}
	}
}

// listed gives the positions of the nodes that a fault lists: all of them if it lists none.
func (e *RoundRun) listed(fault int) func(yield func(p int) bool) {
	nodes := e.cfg.Faults[fault].Nodes
	return func(yield func(p int) bool) {
		if nodes == nil {
			for p := range e.n {
				if !yield(p) {
					return
				}
			}
		}
		for _, i := range nodes {
			if !yield(e.index(i)) {
				return
			}
		}
	}
}

// dueBefore reports whether an action is to come before a time.
func (f *faults) dueBefore(t float64) bool {
	return f.next < len(f.actions) && f.actions[f.next].at < t
}

// cut reports whether a partition separates two nodes.
func (e *RoundRun) cut(p, q int) bool {
	return e.faults.sides != nil && e.faults.sides[p] != e.faults.sides[q]
}

// applyFaults carries out what is scheduled up to now.
func (e *RoundRun) applyFaults(now float64) {
	f := &e.faults
	for f.next < len(f.actions) && f.actions[f.next].at <= now {
		a := f.actions[f.next]
		f.next++
		e.catchUp()
		e.catchUpTimes()
		e.unsure = true
		if e.traffic != nil {
			e.rest.hold = steadyTraffic
		}
		if a.end {
			e.endFault(a.fault)
		} else {
			e.beginFault(a.fault, now)
		}
	}
}

func (e *RoundRun) beginFault(k int, now float64) {
	s := &e.cfg.Faults[k]
	e.choose(k)
	switch s.Kind {
	case Loss, Duplication, Delay, Reordering, Latency:
		e.openBoxes()
		e.listen()
		e.faults.links = append(e.faults.links, active{k, s.rule(e.faults.chosen[k])})
		e.relink(&e.faults.links[len(e.faults.links)-1].Links)
	case Expiry:
		e.faults.expiry = float64(s.Rounds)
		e.fadeAnew()
	case Partition:
		e.repartition(func() { e.divide(k) })
	case Heal:
		e.repartition(func() { e.faults.sides = nil })
	default:
		var drawn overwriting
		if s.Kind == Corrupt || s.Kind == FakeLeader {
			drawn = e.draw(k)
		}
		of := e.faults.chosen[k]
		for p := range e.n {
			if of == nil || of[p] {
				e.strike(s, p, now, drawn)
			}
		}
	}
}

// listen lets nodes read from boxes that were there to count only.
func (e *RoundRun) listen() {
	for s, q := range e.nbr {
		if e.faults.mute {
			e.recall(s, int(q))
		}
	}
	e.faults.mute, e.rest.all = false, true
}

// relink names the nodes at the ends of links by their positions.
func (e *RoundRun) relink(l *fault.Links) {
	l.Only = slices.Clone(l.Only)
	for k, link := range l.Only {
		l.Only[k] = [2]int{e.index(link[0]), e.index(link[1])}
	}
}

// choose fixes the nodes of a fault at its beginning.
func (e *RoundRun) choose(k int) {
	s := &e.cfg.Faults[k]
	if s.Nodes == nil && !s.Leaders {
		return
	}
	of := make([]bool, e.n)
	if s.Leaders {
		for p := range of {
			of[p] = e.status[p] == running && e.outcome(&e.hands[0].local, p).Role == caucus.Leader
		}
	} else {
		for p := range e.listed(k) {
			of[p] = true
		}
	}
	e.faults.chosen[k] = of
}

func (e *RoundRun) endFault(k int) {
	f := &e.faults
	switch e.cfg.Faults[k].Kind {
	case Expiry:
		f.expiry = 0
		e.fadeAnew()
	case Partition:
		e.repartition(func() { e.join(k) })
	default:
		if e.air != nil { // what was sent before the end may not have been taken in yet
			return
		}
		f.links = slices.DeleteFunc(f.links, func(a active) bool { return a.fault == k })
	}
}

// strike does to the node at position p what a fault of nodes does.
func (e *RoundRun) strike(s *Fault, p int, now float64, drawn overwriting) {
	st := e.status[p]
	switch s.Kind {
	case Crash:
		if st != absent {
			e.status[p] = crashed
		}
	case Leave:
		e.leave(p)
	case Join:
		if st == absent {
			e.rise(p, now)
		}
	case Restart:
		switch {
		case st == crashed && s.Keep && e.ran[p] > 0:
			e.status[p] = running
		case st == crashed || st == absent:
			e.rise(p, now)
		}
	case Strength:
		e.strength[p] = s.Value
		if s.Values != nil {
			e.strength[p] = s.Values[e.node(p)]
		}
	case Corrupt, FakeLeader:
		if st == running || st == waiting {
			drawn(p, now)
		}
	}
	e.disturb(p)
}

// rise starts a node that did not run, as a new instance if it ran before.
func (e *RoundRun) rise(p int, now float64) {
	if e.lives == nil {
		e.lives = make([]uint32, e.n)
	}
	if e.ran[p] > 0 {
		e.lives[p]++
	}
	e.status[p] = waiting
	if e.cfg.Timing == Synchronous {
		e.boot(&e.hands[0], p, now)
	}
}

// leave takes a node and its messages out of the network.
func (e *RoundRun) leave(p int) {
	e.status[p] = absent
	e.faults.sent[p] = -1
	if e.faults.open {
		for s := e.off[p]; s < e.off[p+1]; s++ {
			e.forget(int(e.faults.back[s]))
		}
	}
}

// divide gives the nodes of a partition a bit of their own; join takes it back.
func (e *RoundRun) divide(k int) {
	if e.faults.sides == nil {
		e.faults.sides = make([]uint64, e.n)
	}
	bit := e.partitionBit(k)
	for p := range e.n {
		if of := e.faults.chosen[k]; of == nil || of[p] {
			e.faults.sides[p] |= bit
		}
	}
}

func (e *RoundRun) join(k int) {
	bit := e.partitionBit(k)
	for p := range e.faults.sides {
		e.faults.sides[p] &^= bit
	}
	if !slices.ContainsFunc(e.faults.sides, func(s uint64) bool { return s != 0 }) {
		e.faults.sides = nil
	}
}

func (e *RoundRun) partitionBit(k int) uint64 {
	bit := uint64(1)
	for _, s := range e.cfg.Faults[:k] {
		if s.Kind == Partition {
			bit <<= 1
		}
	}
	return bit
}

// repartition changes the partitions and sees to the boxes: an edge that is cut
// forgets at once, and one that comes back brings the last messages.
func (e *RoundRun) repartition(change func()) {
	before := slices.Clone(e.faults.sides)
	change()
	now := e.faults.sides
	if before == nil {
		before = make([]uint64, e.n)
	}
	if now == nil {
		now = make([]uint64, e.n)
	}
	for p := range e.n {
		for s := e.off[p]; s < e.off[p+1] && before[p] != now[p]; s++ { // an edge of two that stay is as it was
			q := int(e.nbr[s])
			if was, is := before[p] != before[q], now[p] != now[q]; was != is {
				e.turnEdge(p, q, s, is)
			}
		}
	}
}

// turnEdge cuts the edge from the node at position p to that at q, or brings it back.
func (e *RoundRun) turnEdge(p, q, s int, cut bool) {
	if e.rest.on {
		e.rest.due.add(p)
		e.rest.due.add(q)
	}
	switch f := &e.faults; {
	case !f.open:
	case cut:
		e.forget(s)
		e.forget(int(f.back[s]))
	default:
		e.recall(s, q)
		e.recall(int(f.back[s]), p)
	}
}
