package cmd

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"caucus.example/caucus/check"
	"caucus.example/caucus/story"
)

func (j *checkJob) print(out io.Writer, rep *check.Report) error {
	if rep.Events != nil {
		return j.printEvents(out, rep)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "DAEMON\tNETWORKS\tCONFIGURATIONS\tCLOSED\tFAIR\tUNFAIR\tROUNDS\tBOUND\tSTEPS\tSECONDS")
	for _, r := range rep.Rows {
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%.2f\n", r.Daemon, networks(&r), r.Configurations,
			closedText(&r), fairText(&r), unfairText(&r),
			worst(r.Rounds, &r), boundText(r.Bound, r.Beyond), worst(r.Steps, &r), r.Seconds)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "right is %s; it elects %s\n", rep.Right, j.entry.Spec.Elects)
	for _, line := range append(fromLines(rep), j.faultLines(rep)...) {
		fmt.Fprintln(out, line)
	}
	j.printWorst(out, rep)
	j.printCounterexample(out, rep)
	_, err := fmt.Fprintln(out, j.lastLine(rep))
	return err
}

func networks(r *check.Row) string {
	if r.Undecided > 0 {
		return fmt.Sprintf("%d of %d", r.Networks, r.Networks+r.Undecided)
	}
	return fmt.Sprint(r.Networks)
}

func claim(holds, fails int) string {
	switch {
	case fails > 0:
		return fmt.Sprintf("violated on %d", fails)
	case holds == 0:
		return "-"
	}
	return "holds"
}

// closedText leaves out what was not decided but refuted.
func closedText(r *check.Row) string {
	text := claim(r.Closed, r.Hopeless())
	if r.Hunted > 0 && text == "holds" {
		return fmt.Sprintf("holds on %d", r.Closed)
	}
	return text
}

// fairText and unfairText add where a claim was not checked from everywhere.
func fairText(r *check.Row) string {
	return reducedText(claim(r.Fair.Holds, r.Fair.Fails), r, func(f check.From) bool { return f.Reduced != "" })
}

func unfairText(r *check.Row) string {
	return reducedText(claim(r.Unfair.Holds, r.Unfair.Fails), r,
		func(f check.From) bool { return f.Reduced != "" || f.After > 0 })
}

func reducedText(text string, r *check.Row, less func(check.From) bool) string {
	for _, froms := range []map[check.From]int{r.Froms, r.Hits} {
		for f := range froms {
			if text == "holds" && less(f) {
				return "holds (reduced)"
			}
		}
	}
	return text
}

func worst(w check.Worst, r *check.Row) string {
	switch {
	case r.Networks == 0 || w.N == -2:
		return "-"
	case w.N < 0:
		return "unbounded"
	}
	return fmt.Sprint(w.N)
}

// boundText compares the worst cases of a row with a theorem's bound.
func boundText(bound, beyond int) string {
	switch {
	case bound == 0:
		return "-"
	case beyond > 0:
		return fmt.Sprintf("exceeded on %d", beyond)
	}
	return fmt.Sprint("<= ", bound)
}

// fromLines says from where the networks were explored.
func fromLines(rep *check.Report) []string {
	var lines []string
	if len(rep.Rows) == 0 {
		return nil
	}
	froms := rep.Rows[0].Froms
	for _, f := range slices.SortedFunc(maps.Keys(froms), compareFroms) {
		lines = append(lines, fmt.Sprintf("from %s: %s", fromText(f), plural(froms[f], "network")))
	}
	for _, r := range rep.Rows {
		if r.Hunted > 0 {
			lines = append(lines, fmt.Sprintf("%s, %s: too large to decide, but a hunt has found what goes wrong for "+
				"ever", r.Daemon, plural(r.Hunted, "network")))
		}
		if r.Hunt.Networks > 0 {
			lines = append(lines, fmt.Sprintf("%s, %s too large to decide: %s", r.Daemon,
				plural(r.Hunt.Networks, "network"), huntText(&r.Hunt)))
		}
	}
	return lines
}

// huntText says how little a hunt has seen that has found nothing.
func huntText(h *check.Hunt) string {
	met, of := fmt.Sprint(h.Met), ""
	if h.Full {
		met = "more than " + met
	}
	switch {
	case h.Of > 0 && h.Networks > 1:
		of = fmt.Sprintf(", of some 10^%.0f with which one may begin on the largest", h.Of)
	case h.Of > 0:
		of = fmt.Sprintf(", of some 10^%.0f with which one may begin", h.Of)
	}
	return fmt.Sprintf("none of %s, of at most %s, went wrong; they met %s configurations%s, and say nothing of the "+
		"others", plural(h.Walks, "random execution"), plural(h.Steps, "step"), met, of)
}

// faultLines say what faults there were, beside the steps of the daemon.
func (j *checkJob) faultLines(rep *check.Report) []string {
	f := j.cfg.Faults
	if !f.Any() || len(rep.Rows) == 0 {
		return nil
	}
	lines := []string{fmt.Sprintf("faults at any moment, at most %s; rounds and steps are counted from the last one on",
		f)}
	hits := rep.Rows[0].Hits
	for _, from := range slices.SortedFunc(maps.Keys(hits), compareFroms) {
		lines = append(lines, fmt.Sprintf("what corrupted nodes may hold: %s: %s", hitText(from),
			plural(hits[from], "network")))
	}
	if f.Corrupt > 0 && len(hits) == 0 && rep.Rows[0].Networks > 0 {
		lines = append(lines, "what a corruption leaves is among what executions begin with")
	}
	return lines
}

func hitText(f check.From) string {
	values := fmt.Sprintf("(%s of each counter)", plural(f.Counter, "value"))
	switch f.Reduced {
	case check.Candid:
		return "the values that it both holds and says, reduced " + values
	case check.Plausible:
		return "the values that it holds when it has run once while its neighbours agreed, reduced " + values
	}
	return "all states and messages " + values
}

func compareFroms(a, b check.From) int {
	return cmp.Or(cmp.Compare(a.Reduced, b.Reduced), cmp.Compare(b.Struck, a.Struck), cmp.Compare(a.After, b.After),
		cmp.Compare(b.Counter, a.Counter))
}

func fromText(f check.From) string {
	switch {
	case f.Counter == 0:
		return "a clean start"
	case f.Reduced != "" && f.Struck > 0:
		return fmt.Sprintf("where a synchronous clean start ends, %s of them with %s (reduced; %s of each counter)",
			plural(f.Struck, "node"), lettersText[f.Reduced], plural(f.Counter, "value"))
	case f.Reduced != "":
		return fmt.Sprintf("every combination of %s (reduced; %s of each counter)", lettersText[f.Reduced],
			plural(f.Counter, "value"))
	case f.After > 0:
		return fmt.Sprintf("every combination of what nodes can hold after %s (%s of each counter)",
			plural(f.After, "round"), plural(f.Counter, "value"))
	}
	return fmt.Sprintf("every combination of states and messages (%s of each counter)", plural(f.Counter, "value"))
}

var lettersText = map[check.Reduction]string{
	check.Candid:    "values that nodes both hold and say",
	check.Plausible: "what nodes hold that have run once while their neighbours agreed",
}

func (j *checkJob) printWorst(out io.Writer, rep *check.Report) {
	for _, r := range rep.Rows {
		if r.Rounds.N > 0 {
			fmt.Fprintf(out, "worst rounds, %s: %d on %s\n", r.Daemon, r.Rounds.N, r.Rounds.Network)
		}
	}
}

// shown is the counterexample that is shown of some, with what a line says of it; nil if there is none.
func (j *checkJob) shown(rep *check.Report) (x *story.Story, d check.Daemon, fairness string) {
	for _, r := range rep.Rows {
		for _, c := range []struct {
			claim    check.Claim
			fairness string
			wanted   bool
		}{{r.Fair, "weakly fair", true}, {r.Unfair, "unfair", j.unfair || r.Fair.Fails == 0}} {
			if x := c.claim.Counterexample; x != nil && c.wanted {
				return x.Trace, r.Daemon, c.fairness
			}
		}
	}
	return nil, "", ""
}

// counterexample is the one that is shown, and of rounds its daemon.
func (j *checkJob) counterexample(rep *check.Report) (*story.Story, check.Daemon) {
	if rep.Events != nil {
		return rep.Events.Counterexample, ""
	}
	x, d, _ := j.shown(rep)
	return x, d
}

func (j *checkJob) printCounterexample(out io.Writer, rep *check.Report) {
	if x, d, fairness := j.shown(rep); x != nil {
		fmt.Fprintf(out, "\ncounterexample, %s daemon, %s: %s\n%s%s\n%s\n", d, fairness, x.Network, x.Table(),
			j.command(x.Network, d), j.simulation(x.Network, d, x))
	}
}

func (j *checkJob) lastLine(rep *check.Report) string {
	verdict := "verified"
	if err := j.verdict(rep); err != nil {
		verdict = map[int]string{exitFailed: "violated", exitUndecided: "undecided"}[exitCode(err)]
	}
	total := int64(0)
	if rep.Events != nil {
		total = rep.Events.Configurations
	}
	for _, r := range rep.Rows {
		total += r.Configurations
	}
	return fmt.Sprintf("verdict=%s networks=%d configurations=%d", verdict, rep.Networks, total)
}

// Schema caucus.check/2.
type checkDocument struct {
	Schema    string            `json:"schema"`
	Version   string            `json:"version"`
	Algorithm string            `json:"algorithm"`
	Options   map[string]string `json:"options"`
	Verdict   string            `json:"verdict"`
	Networks  int               `json:"networks"`
	Right     string            `json:"right,omitempty"` // what counts as a right result
	Rows      []checkRow        `json:"rows,omitempty"`
	Events    *checkEvents      `json:"events,omitempty"`
}

type checkRow struct {
	Daemon         string         `json:"daemon"`
	Networks       int            `json:"networks"`
	Undecided      int            `json:"undecided"`
	Hunted         int            `json:"hunted,omitempty"`
	Hunt           *checkHunt     `json:"hunt,omitempty"` // of what is undecided
	Why            string         `json:"why,omitempty"`  // for how many of them, if there are several reasons
	Configurations int64          `json:"configurations"`
	Legitimate     int64          `json:"legitimate"`
	Silent         bool           `json:"silent"`
	Closed         int            `json:"closed"`
	FairHolds      int            `json:"fair_holds"`
	FairFails      int            `json:"fair_fails"`
	UnfairHolds    int            `json:"unfair_holds"`
	UnfairFails    int            `json:"unfair_fails"`
	Rounds         *int           `json:"rounds"`              // null: unbounded or not computed
	RoundsOn       string         `json:"rounds_on,omitempty"` // the network with the most
	Bound          *int           `json:"bound"`
	Beyond         int            `json:"beyond"` // networks with more rounds than the bound
	Steps          *int           `json:"steps"`
	StepsOn        string         `json:"steps_on,omitempty"`
	From           map[string]int `json:"from"`
	Corrupted      map[string]int `json:"corrupted,omitempty"` // what corrupted nodes held, by network
	Seconds        float64        `json:"seconds"`
	Fair           *checkTrace    `json:"fair_counterexample"`
	Unfair         *checkTrace    `json:"unfair_counterexample"`
}

type checkHunt struct {
	Networks int     `json:"networks"`
	Walks    int     `json:"walks"` // random executions
	Steps    int     `json:"steps"` // of the longest
	Met      int64   `json:"met"`   // different configurations; more if memory was full
	Full     bool    `json:"full,omitempty"`
	Of       float64 `json:"of_log10,omitempty"` // of how many the largest network may begin with
}

func huntDocument(h *check.Hunt) *checkHunt {
	if h.Networks == 0 {
		return nil
	}
	return &checkHunt{h.Networks, h.Walks, h.Steps, h.Met, h.Full, math.Round(10*h.Of) / 10}
}

type checkTrace struct {
	Network  string `json:"network"`
	Replay   string `json:"replay"`   // the command that checks it alone
	Simulate string `json:"simulate"` // the command that carries it out in the simulator
	Story    any    `json:"story"`    // a *story.Story
}

func (j *checkJob) document(rep *check.Report) checkDocument {
	d := checkDocument{Schema: "caucus.check/2", Version: version(), Algorithm: j.entry.Spec.Name,
		Options: j.options(j.limits()...), Networks: rep.Networks, Right: string(rep.Right)}
	_, d.Verdict, _ = strings.Cut(strings.Fields(j.lastLine(rep))[0], "=")
	if e := rep.Events; e != nil {
		d.Events = eventsDocument(e)
	}
	for _, r := range rep.Rows {
		row := checkRow{
			Daemon: string(r.Daemon), Networks: r.Networks, Undecided: r.Undecided, Why: r.Why, Beyond: r.Beyond,
			Configurations: r.Configurations, Legitimate: r.Legitimate,
			Silent: r.Silent, Hunted: r.Hunted, Closed: r.Closed, FairHolds: r.Fair.Holds, FairFails: r.Fair.Fails,
			UnfairHolds: r.Unfair.Holds, UnfairFails: r.Unfair.Fails,
			From: map[string]int{}, Seconds: r.Seconds,
		}
		row.Hunt = huntDocument(&r.Hunt)
		if r.Rounds.N >= 0 && r.Networks > 0 {
			row.Rounds, row.RoundsOn = &r.Rounds.N, r.Rounds.Network
		}
		if r.Steps.N >= 0 && r.Networks > 0 {
			row.Steps, row.StepsOn = &r.Steps.N, r.Steps.Network
		}
		if r.Bound > 0 {
			row.Bound = &r.Bound
		}
		for f, n := range r.Froms {
			row.From[fromText(f)] += n
		}
		for f, n := range r.Hits {
			if row.Corrupted == nil {
				row.Corrupted = map[string]int{}
			}
			row.Corrupted[hitText(f)] += n
		}
		row.Fair, row.Unfair = j.traceOf(r.Fair, r.Daemon), j.traceOf(r.Unfair, r.Daemon)
		d.Rows = append(d.Rows, row)
	}
	return d
}

// options are what was checked, and more if that is given as name=value, by name.
func (j *checkJob) options(more ...string) map[string]string {
	options := map[string]string{}
	for _, pair := range append(append(j.args.Pairs(), j.echoed...), more...) {
		name, value, _ := strings.Cut(pair, "=")
		options[name] = value
	}
	return options
}

func (j *checkJob) traceOf(c check.Claim, d check.Daemon) *checkTrace {
	if c.Counterexample == nil {
		return nil
	}
	x := c.Counterexample
	return &checkTrace{x.Network, j.command(x.Network, d), j.simulation(x.Network, d, x.Trace), x.Trace}
}
