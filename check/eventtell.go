package check

import (
	"fmt"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"caucus.example/caucus/story"
)

// ReplayEvents carries out the story of a counterexample of the event shape, such as story.Parse reads, in the
// simulator, and says what is wrong with it. Of the configuration count Reorder, Timed and Mute. It is an error if the
// story does not fit the network, or does not end as it says.
func ReplayEvents[S, M any](algo caucus.Events[S, M], spec *caucus.Spec, net *caucus.Network, cfg Config,
	s *story.Story) (*story.Story, error) {
	return ReplayEventColumns(columns.OfEvents(algo), spec, net, cfg, s)
}

// ReplayEventColumns is ReplayEvents of an algorithm whose types are forgotten.
func ReplayEventColumns(algo columns.Events, spec *caucus.Spec, net *caucus.Network, cfg Config,
	s *story.Story) (*story.Story, error) {
	start := uint16(0)
	for _, i := range s.Initiators {
		start |= 1 << i
	}
	cfg.Start, cfg.Faults = Clean, Faults{}
	cfg.fill()
	w, err := newPlay(algo, spec, &cfg, net, start)
	if err != nil {
		return nil, err
	}
	told, err := w.simulate(spec, s)
	if err != nil {
		return nil, err
	}
	return told, w.judge(told)
}

// simulate has a story carried out. What says no time comes one later than what was before it, and ticks take none.
func (w *play) simulate(spec *caucus.Spec, s *story.Story) (*story.Story, error) {
	own := *s
	own.Network, own.Steps = Describe(w.net), s.Chosen()
	now := 0.0
	for k := range own.Steps {
		x := &own.Steps[k]
		if x.What != story.Begin && x.What != story.Tick {
			now = max(now+1, x.Time)
		}
		x.Time = now
	}
	cfg := simConfig(w.net)
	cfg.NoFIFO = !w.fifo
	var mute [][2]int
	for link, is := range w.mute {
		if is {
			mute = append(mute, [2]int{w.from[link], w.to[link]})
		}
	}
	if mute != nil {
		cfg.Faults = []sim.Fault{{Kind: sim.Loss, Rate: 1, Links: mute}}
	}
	return engine.ReplayEvents(w.algo, spec, cfg, &own)
}

// judge says what is wrong with a story that the simulator has told.
func (w *play) judge(told *story.Story) error {
	var now []caucus.Outcome
	for i := range w.locals {
		now = append(now, w.outcome(i, 0))
	}
	dead, spoiled := uint16(0), false
	for _, x := range told.Steps {
		before := now[x.Node]
		switch x.What {
		case story.Tick, story.Lost:
			continue
		case story.Crash:
			dead |= 1 << x.Node
		}
		now[x.Node] = x.Outcome
		// by a corruption: what happens on the way proves nothing then
		spoiled = spoiled || x.What == story.Begin || x.What == story.Corrupt
		if spoiled || x.What == story.Crash {
			continue
		}
		if before.Final && x.Outcome != before {
			told.Wrong = fmt.Sprintf("the outcome of %d was final and has changed", w.net.IDs[x.Node])
		}
		if leads := w.rivals(now, dead); leads > 1 && w.promise == Ends {
			told.Wrong = fmt.Sprintf("%d leaders at a time", leads)
		}
	}
	end := w.wrong(now, dead)
	switch {
	case told.Loop >= 0 && w.promise != Lasts:
		told.Wrong = "it never ends: the same can happen again and again"
	case told.Loop >= 0 && end != "":
		told.Wrong = end + ", again and again"
	case told.Loop >= 0 || told.Wrong != "":
	case told.Pending > 0:
		return caucus.Wrong("replay", "an end while messages are on their way", "what happens until nothing is left")
	case end != "":
		told.Wrong = "nothing is left to happen, and " + end
	}
	return nil
}

// teller has the choices of an execution that goes wrong carried out, and compares what comes of them.
func teller(algo columns.Events, spec *caucus.Spec, cfg Config, net *caucus.Network, s *story.Story) (*story.Story,
	error) {
	told, err := ReplayEventColumns(algo, spec, net, cfg, s)
	if err != nil {
		return nil, fmt.Errorf("%w: %w: %s on %s", errAstray, err, s.Script(), s.Network)
	}
	for i, o := range told.Outcomes {
		if story.OutcomeText(o) != story.OutcomeText(s.Outcomes[i]) {
			return nil, fmt.Errorf("%w: %d ends with %s and not %s: %s on %s", errAstray, s.IDs[i],
				story.OutcomeText(o),
				story.OutcomeText(s.Outcomes[i]), s.Script(), s.Network)
		}
	}
	if told.Loop < 0 && told.Wrong != s.Wrong || told.Wrong == "" {
		return nil, fmt.Errorf("%w: it ends with %q and not %q: %s on %s", errAstray, told.Wrong, s.Wrong, s.Script(),
			s.Network)
	}
	told.Wrong = s.Wrong // of what goes on for ever the search has seen every outcome
	return told, nil
}
