package cmd

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"caucus.example/caucus/internal/frames"
	"caucus.example/caucus/internal/jobs"
	"caucus.example/caucus/internal/sweep"
	"caucus.example/caucus/internal/view"
)

// watchSweep serves a page of a sweep. What it returns is called once that is over, however it ended: the page stays
// until Ctrl-C where there is something to look at, be it the run that failed.
func watchSweep(cmd *cobra.Command, l *sweep.Live, ended *error) (end func()) {
	page := newPage(cmd)
	page.Study = &view.Study{Look: func(from int) any { return l.Look(from) },
		Run: func(number int) (q frames.Request, err error) {
			q.Scenario, q.Folder, err = l.Scenario(number)
			return q, err
		}}
	ctx, stop := context.WithCancel(cmd.Context())
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		if err := servePage(ctx, anyPage, cmd.ErrOrStderr(), page, ""); err != nil {
			fmt.Fprintln(cmd.ErrOrStderr(), "no page:", err)
		}
	}()
	return func() {
		defer stop()
		l.End(*ended)
		var stopped *jobs.Interrupted
		switch {
		case *ended == nil || errors.Is(*ended, errRefuted):
			fmt.Fprintln(cmd.ErrOrStderr(), "the page stays until Ctrl-C")
		case errors.As(*ended, &stopped) || !l.Begun():
			return
		default:
			fmt.Fprintf(cmd.ErrOrStderr(), "no further run is begun, and the page stays until Ctrl-C: %v\n", *ended)
		}
		<-closed
	}
}
