package cmd

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"caucus.example/caucus"
	"caucus.example/caucus/check"
	"caucus.example/caucus/internal/frames"
	"caucus.example/caucus/internal/view"
	"caucus.example/caucus/story"
)

// maxElsewhere is after how many steps another daemon is left alone.
const maxElsewhere = 64

// present writes and shows a counterexample where the flags say so.
func (f *checkFlags) present(cmd *cobra.Command, j *checkJob, rep *check.Report) error {
	x, d := j.counterexample(rep)
	if err := f.writeStory(cmd, j, x); err != nil {
		return err
	}
	return f.show(cmd, j, x, d)
}

// show puts a counterexample, if there is one, on the page of caucus view: into a file, and until Ctrl-C.
func (f *checkFlags) show(cmd *cobra.Command, j *checkJob, x *story.Story, d check.Daemon) error {
	logs := cmd.ErrOrStderr()
	switch {
	case f.page == "" && !f.view:
		return nil
	case x == nil:
		fmt.Fprintln(logs, "page: no counterexample, so there is none")
		return nil
	}
	s := newPage(cmd)
	err := j.record(s, x, d)
	if err == nil && f.page != "" {
		err = writePage(cmd, f.page, s.Recorded...)
	}
	if err != nil || !f.view {
		return failed(err)
	}
	return servePage(cmd.Context(), anyPage, logs, s, "")
}

// record puts a counterexample on a page, and beside it, of rounds, what comes of the same beginning and the same
// faults under another daemon.
func (j *checkJob) record(s *view.Server, x *story.Story, d check.Daemon) error {
	net, err := j.networkOf(x)
	if err != nil {
		return err
	}
	title := "counterexample of " + j.entry.Spec.Name
	if d != "" {
		title += fmt.Sprintf(", %s daemon", d)
	}
	tales := []frames.Tale{{Spec: j.entry.Spec, Network: net, Story: x, Title: title,
		Again: j.replaying(check.Describe(net), "'"+x.Script()+"'")}}
	if other, name := j.elsewhere(net, x, d); other != nil {
		tales = append(tales, frames.Tale{Spec: j.entry.Spec, Network: net, Story: other,
			Title: "from the same beginning, " + name})
	}
	for _, t := range tales {
		frames, err := t.Record()
		if err != nil {
			return err
		}
		s.Recorded = append(s.Recorded, frames)
	}
	return nil
}

// networkOf is the network of a counterexample.
func (j *checkJob) networkOf(x *story.Story) (*caucus.Network, error) {
	for _, net := range j.cfg.Networks {
		heard := j.cfg.Heard(net)
		if len(j.cfg.Networks) == 1 || x.Network == check.Describe(net) || x.Network == check.Describe(heard) {
			return net, nil
		}
	}
	return nil, fmt.Errorf("no network is %s", x.Network)
}

// elsewhere is what comes of the beginning and the faults of a counterexample of rounds when all nodes act at once, or
// if they have done so, one after the other. It is nil where nobody has acted, and where it neither comes to rest nor
// goes round within some steps.
func (j *checkJob) elsewhere(net *caucus.Network, x *story.Story, d check.Daemon) (*story.Story, string) {
	acted := slices.ContainsFunc(x.Steps, func(x story.Step) bool { return x.What == story.Act })
	if !x.Rounds || x.Messages || !acted {
		return nil, ""
	}
	together, name := true, "all at once"
	if d == check.Synchronous {
		together, name = false, "one after the other"
	}
	s := &story.Story{Rounds: true, Loop: -1}
	gone, now := otherwise(s, x, together)
	lap := len(turn(gone, together, 0)) // moments of a turn
	if together {
		lap = 1
	}
	for range maxElsewhere {
		if told, err := j.entry.Replay(j.args, net, j.cfg, s); err == nil {
			return told, name
		}
		s.Steps = append(s.Steps, turn(gone, together, now+1)...)
		now += float64(lap)
	}
	for laps := 1; laps <= maxElsewhere/2; laps++ {
		s.Loop = int(now) - laps*lap
		if told, err := j.entry.Replay(j.args, net, j.cfg, s); err == nil {
			return told, name
		}
	}
	return nil, ""
}

// otherwise gives a story the beginning and the faults of another, with a turn of all where some have acted. It tells
// who is gone by then, and when that is.
func otherwise(s, x *story.Story, together bool) (gone []bool, now float64) {
	gone = make([]bool, len(x.IDs))
	for _, m := range x.Moments() {
		for k, step := range m.Steps {
			switch {
			case step.What == story.Begin:
				s.Steps = append(s.Steps, step)
			case step.What == story.Act && k == 0:
				s.Steps = append(s.Steps, turn(gone, together, now+1)...)
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

// turn has all nodes act that run: at once, or one after the other.
func turn(gone []bool, together bool, time float64) (list []story.Step) {
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
