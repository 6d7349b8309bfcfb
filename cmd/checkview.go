package cmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"caucus.example/caucus"
	"caucus.example/caucus/check"
	"caucus.example/caucus/internal/frames"
	"caucus.example/caucus/internal/view"
	"caucus.example/caucus/story"
)

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

// record puts a counterexample on a page, and beside it what comes of the same beginning and the same faults under
// another daemon.
func (j *checkJob) record(s *view.Server, x *story.Story, d check.Daemon) error {
	net, err := j.networkOf(x)
	if err != nil {
		return err
	}
	title := "counterexample of " + j.entry.Spec.Name
	if d != "" {
		title += fmt.Sprintf(", %s daemon", d)
	}
	trial := frames.Trial{Entry: &j.entry, Args: j.args, Network: net, Config: j.cfg}
	s.Recorded, err = trial.Record(x, d, title, j.replaying(check.Describe(net), "'"+x.Script()+"'"))
	return err
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
