package frames

import (
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/check"
	"caucus.example/caucus/registry"
	"caucus.example/caucus/story"
)

// Trial is an algorithm on a network, as a checker has looked at it.
type Trial struct {
	Entry   *registry.Entry
	Args    caucus.Args
	Network *caucus.Network
	Config  check.Config
}

// Most of another execution: steps of a daemon, after which it is left alone, and events.
const (
	maxElsewhere = 64
	maxEvents    = 400
)

// Record gives the frames of a counterexample, and beside it of what comes of it under another daemon.
func (t *Trial) Record(x *story.Story, d check.Daemon, title, again string) (list [][]byte, err error) {
	tales := []Tale{{Spec: t.Entry.Spec, Network: t.Network, Story: x, Title: title, Again: again}}
	if other, name := t.Otherwise(x, d); other != nil {
		tales = append(tales, Tale{Spec: t.Entry.Spec, Network: t.Network, Story: other, Title: name})
	}
	for _, tale := range tales {
		frames, err := tale.Record()
		if err != nil {
			return nil, err
		}
		list = append(list, frames)
	}
	return list, nil
}

// Otherwise is what comes of the beginning and the faults of a counterexample under another daemon, and which that is:
// of rounds, all nodes act at once, or if they have done so, one after the other; with messages, all of these arrive
// before all nodes act. Of events, what arrives is what was sent first, or if it was that already, what was sent last.
// It is nil where nobody has chosen anything, where time or chance decide, too, and where it neither comes to rest nor
// goes round within some steps.
func (t *Trial) Otherwise(x *story.Story, d check.Daemon) (told *story.Story, name string) {
	const same = "from the same beginning, "
	switch {
	case !x.Rounds:
		if told = t.arriving(x, true); told != nil && told.Script() != x.Script() {
			return told, same + "what was sent first arrives first"
		}
		if told = t.arriving(x, false); told != nil && told.Script() != x.Script() {
			return told, same + "what was sent last arrives first"
		}
		return nil, ""
	case !slices.ContainsFunc(x.Steps, func(x story.Step) bool { return x.What == story.Act }):
		return nil, ""
	case x.Messages:
		return t.turning(x, true), same + "all messages arrive and all act at once"
	case d == check.Synchronous:
		return t.turning(x, false), same + "one after the other"
	}
	return t.turning(x, true), same + "all at once"
}

// turning has all nodes of a story of rounds act, again and again.
func (t *Trial) turning(x *story.Story, together bool) *story.Story {
	s := &story.Story{Rounds: true, Messages: x.Messages, Loop: -1}
	gone, now := t.otherwise(s, x, together)
	turn := t.turn(gone, together, x.Messages, 0)
	lap := int(turn[len(turn)-1].Time) + 1 // moments of a turn
	for range maxElsewhere {
		if told, err := t.Entry.Replay(t.Args, t.Network, t.Config, s); err == nil {
			return told
		}
		s.Steps = append(s.Steps, t.turn(gone, together, x.Messages, now+1)...)
		now += float64(lap)
	}
	for laps := 1; laps <= maxElsewhere/2; laps++ {
		s.Loop = int(now) - laps*lap
		if told, err := t.Entry.Replay(t.Args, t.Network, t.Config, s); err == nil {
			return told
		}
	}
	return nil
}

// otherwise gives a story the beginning and the faults of another, with a turn of all where some have acted. It tells
// who is gone by then, and when that is.
func (t *Trial) otherwise(s, x *story.Story, together bool) (gone []bool, now float64) {
	gone = make([]bool, len(x.IDs))
	for _, m := range x.Moments() {
		for k, step := range m.Steps {
			switch {
			case step.What == story.Begin || step.What == story.Hear:
				s.Steps = append(s.Steps, step)
			case step.What == story.Act && k == 0:
				s.Steps = append(s.Steps, t.turn(gone, together, x.Messages, now+1)...)
				now = s.Steps[len(s.Steps)-1].Time
			case step.What == story.Crash || step.What == story.Corrupt:
				gone[step.Node] = gone[step.Node] || step.What == story.Crash
				now++
				step.Time = now
				s.Steps = append(s.Steps, step)
			}
		}
	}
	return gone, now
}

// turn has all nodes act that run, at once or one after the other; with messages, once these have arrived.
func (t *Trial) turn(gone []bool, together, messages bool, time float64) (list []story.Step) {
	net := t.Config.Heard(t.Network)
	for i := range gone {
		for _, j := range net.Nbr[net.Off[i]:net.Off[i+1]] {
			if messages && !gone[i] && !gone[j] {
				list = append(list, story.Step{What: story.Message, Node: i, From: int(j), Time: time})
				time++
			}
		}
	}
	for i, is := range gone {
		if is {
			continue
		}
		list = append(list, story.Step{What: story.Act, Node: i, Time: time})
		if !together {
			time++
		}
	}
	return list
}

// arriving has the messages of a story of events arrive in the order in which they were sent, or the other way round,
// after all have started who start by themselves. A fault comes after as many steps as there, and the loss of a message
// is that of the next one on its link.
func (t *Trial) arriving(x *story.Story, oldest bool) *story.Story {
	s := &story.Story{Initiators: x.Initiators, Loop: -1}
	faults, decided := t.openEvents(s, x)
	if !decided {
		return nil
	}
	for range maxEvents {
		told, err := t.Entry.Replay(t.Args, t.Network, t.Config, s)
		if told == nil {
			return nil
		}
		if k := slices.IndexFunc(faults, func(f laterFault) bool {
			return f.What != story.Lost && (f.after <= len(s.Steps) || told.Pending == 0)
		}); k >= 0 {
			s.Steps = append(s.Steps, faults[k].Step)
			faults = slices.Delete(faults, k, k+1)
			continue
		}
		next, ok := t.pick(told, oldest)
		if !ok {
			if err != nil {
				return nil
			}
			return told
		}
		if k := slices.IndexFunc(faults, func(f laterFault) bool {
			return f.What == story.Lost && f.Node == next.Node && f.From == next.From
		}); k >= 0 {
			next.What = story.Lost
			faults = slices.Delete(faults, k, k+1)
		}
		s.Steps = append(s.Steps, next)
	}
	return nil
}

// laterFault is a fault that comes after so many steps.
type laterFault struct {
	story.Step
	after int
}

// openEvents gives a story of events the beginning of another, and tells of its faults. It says no where something else
// than the order of messages decides what happens.
func (t *Trial) openEvents(s, x *story.Story) (faults []laterFault, ok bool) {
	begun := map[int]bool{}
	for k, step := range x.Chosen() {
		if step.Of > 0 {
			return nil, false
		}
		switch step.What {
		case story.Begin, story.Wake:
			begun[step.Node] = true
			s.Steps = append(s.Steps, step)
		case story.Crash, story.Corrupt, story.Lost:
			faults = append(faults, laterFault{step, k})
		case story.Timer, story.Tick:
			return nil, false
		}
	}
	for _, i := range x.Initiators {
		if !begun[i] { // a message came first
			s.Steps = append(s.Steps, story.Step{What: story.Wake, Node: i, Initiator: true})
		}
	}
	return faults, true
}

// pick is the message of a story of events that arrives next: of those on their way to nodes that run, of each link
// only the first where messages keep their order.
func (t *Trial) pick(told *story.Story, oldest bool) (next story.Step, ok bool) {
	var way []story.Step // by the order of sending
	var gone []int
	for _, x := range told.Steps {
		switch x.What {
		case story.Message, story.Lost:
			way = slices.DeleteFunc(way, func(w story.Step) bool { return w.Number == x.Number })
		case story.Crash:
			gone = append(gone, x.Node)
		}
		for _, sent := range x.Sends {
			if sent.Number > 0 {
				way = append(way, story.Step{What: story.Message, Node: sent.To, From: x.Node, Number: sent.Number})
			}
		}
	}
	for _, w := range way {
		if slices.Contains(gone, w.Node) {
			continue
		}
		later := !t.Config.Reorder && slices.ContainsFunc(way, func(o story.Step) bool {
			return o.Node == w.Node && o.From == w.From && o.Number < w.Number
		})
		if !later && (!ok || !oldest) {
			next, ok = w, true
		}
	}
	return next, ok
}
