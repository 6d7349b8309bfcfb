package frames

import (
	"context"
	"fmt"

	"caucus.example/caucus"
	"caucus.example/caucus/check"
	"caucus.example/caucus/registry"
	"caucus.example/caucus/story"
)

// Limits of a check that a reader waits for.
const (
	maxChecked        = 5 // nodes
	maxConfigurations = 1 << 16
)

// Finding is what a check has found.
type Finding struct {
	Says  string   `json:"says"`
	Tales [][]byte `json:"tales"` // the frames of a counterexample and of what comes of it otherwise; none: there is none
}

// Check looks at every execution of the algorithm on the network of the run, without its faults: of events in every
// order of arrival from a clean start, of rounds from any state under every classical daemon; from a clean start where
// there are too many states.
func (q *Request) Check(ctx context.Context) (*Finding, error) {
	p, err := q.Prepare()
	if err != nil {
		return nil, err
	}
	if n := p.Config.Graph.Len(); p.moves != nil || n > maxChecked {
		return nil, caucus.Wrong("nodes", n, fmt.Sprintf("at most %d that stand still, for a check in a page",
			maxChecked))
	}
	spec, err := registry.Get(p.Entry.Spec.Name) // without the restart layer
	if err != nil {
		return nil, err
	}
	net := p.Whole()
	cfg, from := check.Config{Networks: []*caucus.Network{net}, Ghosts: 1, MaxStates: maxConfigurations}, "any state"
	report, err := spec.Check(ctx, p.Args, cfg)
	if err == nil && len(report.Rows) > 0 && report.Rows[0].Undecided > 0 {
		cfg.Start, from = check.Clean, "a clean start"
		report, err = spec.Check(ctx, p.Args, cfg)
	}
	if err != nil {
		return nil, err
	}
	f := &Finding{Tales: [][]byte{}}
	var wrong *story.Story
	var under check.Daemon
	if report.Events != nil {
		wrong = f.ofEvents(report.Events)
	} else {
		wrong, under = f.ofRounds(report.Rows, from)
	}
	if wrong != nil {
		trial := Trial{&spec, p.Args, net, cfg}
		f.Tales, err = trial.Record(wrong, under, "counterexample of "+p.Entry.Spec.Name, "")
	}
	return f, err
}

func (f *Finding) ofEvents(row *check.EventRow) *story.Story {
	switch {
	case row.Undecided > 0:
		f.Says = "not decided: " + row.Why
	case row.Fails > 0:
		f.Says = fmt.Sprintf("wrong in some order of arrival, with %d of %d sets of initiators", row.Fails,
			row.Executions)
	default:
		f.Says = fmt.Sprintf("right in every order of arrival, for each of %d sets of initiators: %d configurations",
			row.Executions, row.Configurations)
		if row.Messages.N > 0 {
			f.Says += fmt.Sprintf(", at most %d messages", row.Messages.N)
		}
	}
	return row.Counterexample
}

func (f *Finding) ofRounds(rows []check.Row, from string) (*story.Story, check.Daemon) {
	configurations := int64(0)
	for _, row := range rows {
		switch {
		case row.Undecided > 0:
			f.Says = "not decided: " + row.Why
			return nil, ""
		case row.Fair.Counterexample != nil:
			f.Says = fmt.Sprintf("from %s some execution under the %s daemon goes wrong", from, row.Daemon)
			return row.Fair.Counterexample.Trace, row.Daemon
		}
		configurations = max(configurations, row.Configurations)
	}
	f.Says = fmt.Sprintf("right from %s under every daemon: %d configurations", from, configurations)
	return nil, ""
}
