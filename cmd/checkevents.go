package cmd

import (
	"fmt"
	"io"
	"text/tabwriter"

	"caucus.example/caucus/check"
)

func (j *checkJob) printEvents(out io.Writer, rep *check.Report) error {
	e := rep.Events
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "PROMISE\tLINKS\tTIME\tNETWORKS\tINITIATOR SETS\tCONFIGURATIONS\tRIGHT\tMESSAGES\tBOUND\tSECONDS")
	fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\t%d\t%s\t%s\t%s\t%.2f\n", e.Promise, linksText(e), timeText(e), e.Networks,
		executions(e), e.Configurations,
		rightText(e), messagesText(e), boundText(e.Bound, e.Beyond), e.Seconds)
	if err := w.Flush(); err != nil {
		return err
	}
	for _, line := range eventLines(e) {
		fmt.Fprintln(out, line)
	}
	if x := e.Counterexample; x != nil {
		fmt.Fprintf(out, "\ncounterexample: %s\n%s%s\n%s\n", x.Network, x.Table(), j.command(x.Network, ""),
			j.simulation(x.Network, "", x))
	}
	_, err := fmt.Fprintln(out, j.lastLine(rep))
	return err
}

func linksText(e *check.EventRow) string {
	if e.FIFO {
		return "FIFO"
	}
	return "any order"
}

func initiatorsText(most int) string {
	if most == 0 {
		return "any"
	}
	return fmt.Sprintf("<=%d", most)
}

func timeText(e *check.EventRow) string {
	if e.Ticks == 0 {
		return "any"
	}
	return fmt.Sprintf("delay<=%d", e.Ticks)
}

func executions(e *check.EventRow) string {
	if e.Undecided > 0 {
		return fmt.Sprintf("%d of %d", e.Executions-e.Undecided, e.Executions)
	}
	return fmt.Sprint(e.Executions)
}

// rightText tells two leaders at a time from an election that does not come to its end.
func rightText(e *check.EventRow) string {
	switch {
	case e.Unsafe > 0:
		return fmt.Sprintf("violated on %d, unsafe on %d", e.Fails, e.Unsafe)
	case e.Fails > 0 && e.Promise == check.Ends && e.Undecided+e.Cut == 0 && e.Faults.Corrupt == 0 &&
		e.Start == check.Clean:
		return fmt.Sprintf("violated on %d, never two leaders", e.Fails)
	}
	return claim(e.Holds, e.Fails)
}

func messagesText(e *check.EventRow) string {
	switch {
	case e.Holds == 0 || e.Fails > 0 || e.Messages.N == -2:
		return "-"
	case e.Messages.N == -1:
		return "unbounded"
	}
	return fmt.Sprint(e.Messages.N)
}

// eventLines says what the columns leave open.
func eventLines(e *check.EventRow) []string {
	var lines []string
	switch e.Promise {
	case check.Rests:
		lines = append(lines, "promised: it comes to rest in the right result, and no node knows that it has")
	case check.Lasts:
		lines = append(lines, "promised: it goes on for ever, and from some moment on the result is right")
	}
	if e.Ticks > 0 {
		lines = append(lines,
			fmt.Sprintf("a message takes 0 to %d ticks, which is the bound; timers fire in their tick", e.Ticks))
	}
	if e.Draws {
		lines = append(lines, "every result of every draw; that it ends is meant with probability 1, whatever the "+
			"order of events")
	}
	if e.Hunted > 0 {
		lines = append(lines, fmt.Sprintf("%s of initiators too large to decide, but a random execution has gone wrong",
			plural(e.Hunted, "set")))
	}
	if e.Hunt.Networks > 0 && e.Undecided > 0 {
		lines = append(lines, fmt.Sprintf("%s of initiators too large to decide: %s", plural(e.Undecided, "set"),
			huntText(&e.Hunt)))
	}
	if e.Messages.N > 0 && e.Fails == 0 {
		lines = append(lines, fmt.Sprintf("most messages: %d on %s", e.Messages.N, e.Messages.Network))
	}
	return lines
}

type checkEvents struct {
	Promise        string     `json:"promise"` // ends, rests or lasts
	FIFO           bool       `json:"fifo"`
	Ticks          int        `json:"ticks"` // of the bound on delays; 0: time does not count
	Draws          bool       `json:"draws"`
	Faults         string     `json:"faults"`
	Executions     int        `json:"initiator_sets"`
	Undecided      int        `json:"undecided"`
	Why            string     `json:"why,omitempty"`    // the last of them is
	Hunted         int        `json:"hunted,omitempty"` // of fails: by random executions
	Hunt           *checkHunt `json:"hunt,omitempty"`   // of what is undecided
	Configurations int64      `json:"configurations"`
	Holds          int        `json:"holds"`
	Fails          int        `json:"fails"`
	Unsafe         int        `json:"unsafe"`   // of fails: two leaders at a time, or what was final changed
	Cut            int        `json:"cut"`      // of fails: a limit came before all was searched for two leaders
	Messages       *int       `json:"messages"` // most; null: without bound or not counted
	MessagesOn     string     `json:"messages_on,omitempty"`
	Bound          *int       `json:"bound"`
	Beyond         int        `json:"beyond"`
	Seconds        float64    `json:"seconds"`
	Counterexample any        `json:"counterexample"` // a *story.Story
}

func eventsDocument(e *check.EventRow) *checkEvents {
	d := &checkEvents{Promise: string(e.Promise), FIFO: e.FIFO, Ticks: e.Ticks, Draws: e.Draws,
		Faults: e.Faults.String(), Executions: e.Executions, Undecided: e.Undecided, Why: e.Why, Cut: e.Cut,
		Configurations: e.Configurations, Holds: e.Holds, Fails: e.Fails, Unsafe: e.Unsafe, Beyond: e.Beyond,
		Seconds: e.Seconds, Hunted: e.Hunted, Hunt: huntDocument(&e.Hunt)}
	if e.Counterexample != nil {
		d.Counterexample = e.Counterexample
	}
	if e.Holds > 0 && e.Messages.N >= 0 {
		d.Messages, d.MessagesOn = &e.Messages.N, e.Messages.Network
	}
	if e.Bound > 0 {
		d.Bound = &e.Bound
	}
	return d
}
