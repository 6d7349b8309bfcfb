package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/story"
)

// ReplayRounds carries out the story of a counterexample of rounds and tells it with all that nodes hold. Of the
// configuration counts the network. It is an error if the story does not fit the network, or does not end where it
// says; with the latter comes what has been carried out.
func ReplayRounds(algo columns.Nodes, cfg sim.Config, s *story.Story) (*story.Story, error) {
	cfg.NoNonces, cfg.Unsafe, cfg.Workers, cfg.Faults = true, true, 1, []sim.Fault{}
	e, err := NewRoundRun(algo, nil, cfg)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	r := &roundReplay{run: e, told: &story.Story{Run: s.Run, Network: s.Network, IDs: cfg.IDs, Rounds: true,
		Messages: s.Messages, Loop: s.Loop}}
	rest, err := r.open(s)
	if err != nil {
		return nil, err
	}
	was := ""
	for moment := 0; ; moment++ {
		if moment == s.Loop {
			was = r.moment()
		}
		if len(rest) == 0 {
			if s.Loop >= moment || s.Loop >= 0 && r.moment() != was {
				err = fmt.Errorf("the replay is not at its end as after %d steps, as it says: it is of another run",
					s.Loop)
			}
			break
		}
		together := 1
		for rest[0].What == story.Act && together < len(rest) && rest[together].What == story.Act &&
			rest[together].Time == rest[0].Time {
			together++
		}
		if err := r.do(rest[:together], float64(moment+1)); err != nil {
			return nil, err
		}
		rest = rest[together:]
	}
	r.told.Outcomes = e.Outcomes()
	if s.Loop < 0 {
		err = r.rest()
	}
	return r.told, err
}

// roundReplay is a run that is stepped by a story. Its engine is synchronous, so that positions are nodes.
type roundReplay struct {
	run  *RoundRun
	told *story.Story
}

// open makes nodes hold and hear what they begin with; it gives the steps that follow.
func (r *roundReplay) open(s *story.Story) ([]story.Step, error) {
	e, begins, heard := r.run, make([]*story.Step, r.run.n), 0
	rest := s.Steps
	for ; len(rest) > 0 && rest[0].Time == 0; rest = rest[1:] {
		switch x := &rest[0]; {
		case x.What == story.Begin && begins[x.Node] == nil:
			begins[x.Node] = x
			if err := r.put(x); err != nil {
				return nil, err
			}
		case x.What == story.Hear && s.Messages:
			heard++
		case x.What == story.Hear:
			return nil, caucus.Wrong("replay", x.Where, "after messages only")
		case x.What != story.Wake:
			return nil, caucus.Wrong("replay", x.Where, "begin, once for each node, and hear, before anything else")
		}
	}
	for i := range e.n {
		x := r.look(i, story.Wake, 0)
		if x.Initiator = begins[i] == nil; !x.Initiator {
			x.What = story.Begin
		}
		r.told.Steps = append(r.told.Steps, x)
	}
	if s.Messages {
		e.openBoxes()
	}
	for k := range s.Steps[:len(s.Steps)-len(rest)] {
		if x := &s.Steps[k]; x.What == story.Hear {
			slot, err := r.slot(x)
			if err != nil {
				return nil, err
			}
			says := e.tape.Cell(slot)
			if err := story.Set(x.Message.Plain(), says); err != nil {
				return nil, err
			}
			r.told.Steps = append(r.told.Steps, story.Step{What: story.Hear, Node: x.Node, From: x.From,
				Message: story.ValueOf(says)})
		}
	}
	return rest, nil
}

// put makes a node hold and say what a step tells. Nobody has heard of it yet.
func (r *roundReplay) put(x *story.Step) error {
	r.run.tape.Part()
	state, says := r.run.tape.State(x.Node), r.run.tape.Says(x.Node)
	return errors.Join(story.Set(x.After.Plain(), state), story.Set(x.Says.Plain(), says))
}

// look tells what a node holds and says.
func (r *roundReplay) look(i int, what string, time float64) story.Step {
	state, says := r.run.tape.State(i), r.run.tape.Says(i)
	var l caucus.Local
	return story.Step{Time: time, What: what, Node: i, Outcome: r.run.outcome(&l, i), After: story.ValueOf(state),
		Says: story.ValueOf(says)}
}

// slot is the end of an edge at which a node hears another.
func (r *roundReplay) slot(x *story.Step) (int, error) {
	e := r.run
	for s, end := e.rows.Span(x.Node); s < end; s++ {
		if e.rows.End(x.Node, s) == x.From {
			return s, nil
		}
	}
	return 0, caucus.Wrong("replay", x.Where, "two neighbours")
}

// do carries out what happens at one time: one step, or several nodes that act.
func (r *roundReplay) do(steps []story.Step, time float64) error {
	e := r.run
	var acts []int
	for k := range steps {
		x := &steps[k]
		from := x.What == story.Message || x.What == story.Lost
		switch {
		case e.status[x.Node] != running || from && e.status[x.From] != running:
			return caucus.Wrong("replay", x.Where, "nothing of a node that has crashed")
		case slices.Contains(acts, x.Node):
			return caucus.Wrong("replay", x.Where, "each node once")
		case from && !r.told.Messages:
			return caucus.Wrong("replay", x.Where, "after messages only")
		}
		acts = append(acts, x.Node)
	}
	x := &steps[0]
	switch x.What {
	case story.Act:
		e.act(acts)
		for _, i := range acts {
			r.told.Steps = append(r.told.Steps, r.look(i, story.Act, time))
		}
		return nil
	case story.Crash:
		e.status[x.Node] = absent
		r.told.Steps = append(r.told.Steps, story.Step{Time: time, What: story.Crash, Node: x.Node})
		return nil
	case story.Corrupt:
		if err := r.put(x); err != nil {
			return err
		}
		r.told.Steps = append(r.told.Steps, r.look(x.Node, story.Corrupt, time))
		return nil
	case story.Message, story.Lost:
		slot, err := r.slot(x)
		if err != nil {
			return err
		}
		if x.What == story.Message {
			e.hear(slot, x.From, float64(e.periods))
		} else {
			e.boxes[slot].missed++
		}
		r.told.Steps = append(r.told.Steps, story.Step{Time: time, What: x.What, Node: x.Node, From: x.From})
		return nil
	}
	return caucus.Wrong("replay", x.Where,
		"act, begin, corrupt, crash, hear, lost, message, for an algorithm of rounds")
}

// act runs one round of the given nodes, at the same time and each on what its neighbours have last sent, and of nobody
// else. It takes a period.
func (e *RoundRun) act(nodes []int) {
	now := float64(e.periods)
	e.tape.Keep()
	for _, i := range nodes {
		e.visit(&e.hands[0], i, now)
	}
	e.tape.Turn()
	e.periods++
	e.standStill()
}

// moment is what nodes that run hold and say, but for a number that all counters have more, and what has been heard.
func (r *roundReplay) moment() string {
	var b strings.Builder
	e, first := r.run, -1
	for i := range e.n {
		if e.status[i] != running {
			fmt.Fprint(&b, "crashed ")
			continue
		}
		if first < 0 {
			first = i
		}
		state, says := e.tape.Relative(i, first)
		for _, v := range []any{state, says} {
			x := story.ValueOf(v)
			b.WriteString(x.Plain() + " ")
		}
	}
	if r.told.Messages {
		for slot := range e.rows.Slots() {
			x := story.ValueOf(e.tape.Cell(slot))
			if first >= 0 {
				x = story.ValueOf(e.tape.RelativeCell(slot, first))
			}
			fmt.Fprint(&b, x.Plain(), " ", e.boxes[slot].missed, " ")
		}
	}
	return b.String()
}

// standstill is for how many rounds of all nothing must change at the end.
const standstill = 3

// rest finds out whether nothing changes any more.
func (r *roundReplay) rest() error {
	e := r.run
	var all []int
	for i := range e.n {
		if e.status[i] == running {
			all = append(all, i)
		}
	}
	for range standstill {
		for slot, j := range e.rows.All {
			if r.told.Messages {
				e.hear(slot, j, float64(e.periods))
			}
		}
		e.act(all)
		for i, o := range e.Outcomes() {
			if was := r.told.Outcomes[i]; o != was {
				return fmt.Errorf("the replay goes on after its end: %d comes from %s to %s", r.told.IDs[i],
					story.OutcomeText(was), story.OutcomeText(o))
			}
		}
	}
	return nil
}
