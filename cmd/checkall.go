package cmd

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/check"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/registry"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const allMaxStates = "500k"

// checkAll carries out the plan and writes what it found.
func (f *checkFlags) checkAll(cmd *cobra.Command) error {
	var astray *pflag.Flag
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		if !slices.Contains([]string{"all", "output", "force", "workers", "max-memory"}, flag.Name) {
			astray = flag
		}
	})
	if astray != nil {
		return misuse(&caucus.FieldError{Field: astray.Name, Found: astray.Value.String(),
			Allowed: "nothing with --all, which checks as planned"})
	}
	if ending := filepath.Ext(f.output); ending != ".md" && f.output != "-" {
		return misuse(&caucus.FieldError{Field: "output", Found: f.output,
			Allowed: "a file that ends in .md, or - for standard output"})
	}
	if err := checkOutput("output", f.output, f.force); err != nil {
		return err
	}
	began := time.Now()
	var table, details strings.Builder
	var differ claims
	undecidedLines := 0
	for _, p := range registry.Plans() {
		one := time.Now()
		text, err := f.planned(cmd, p, &table, &details, &differ)
		if err != nil {
			return err
		}
		if strings.HasPrefix(text, "undecided") {
			undecidedLines++
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "%-10s %-70s %s, %.1f s\n", p.Algo, p.Args, text, time.Since(one).Seconds())
	}
	err := writeOutput(cmd.OutOrStdout(), io.Discard, f.output, func(w io.Writer) error {
		_, err := io.WriteString(w, verdictsHead+differ.markdown()+tableHead+table.String()+"\n"+details.String())
		return err
	})
	if err != nil {
		return err
	}
	last := cmd.OutOrStdout()
	if f.output == "-" {
		last = cmd.ErrOrStderr()
	}
	fmt.Fprintf(last, "wrote=%s lines=%d undecided=%d seconds=%.0f\n", f.output, len(registry.Plans()), undecidedLines,
		time.Since(began).Seconds())
	if undecidedLines > 0 {
		return undecided(fmt.Errorf("%s of the plan not decided on all networks", plural(undecidedLines, "line")))
	}
	return nil
}

// planned checks one line of the plan as its own command would.
func (f *checkFlags) planned(cmd *cobra.Command, p registry.Plan, table, details *strings.Builder,
	differ *claims) (string, error) {
	workers := f.cmd.Flags().Lookup("workers").Value.String()
	words := strings.Fields("--workers " + workers + " --max-states " + allMaxStates + " --algo " + p.Algo + " " +
		p.Args)
	var flags checkFlags
	sub := checkCommand(&flags)
	sub.SetContext(cmd.Context())
	if err := sub.ParseFlags(words); err != nil {
		return "", err
	}
	flags.maxMemory = f.maxMemory
	job, err := flags.job()
	if err != nil {
		return "not checked: " + err.Error(), nil
	}
	rep, err := job.check(cmd.Context(), cmd.ErrOrStderr())
	switch {
	case cmd.Context().Err() != nil:
		return "", undecided(err)
	case err != nil:
		fmt.Fprintf(table, "| %s | %s | | not checked: %v | | | | | |\n", p.Algo, p.Note, err)
		return "not checked: " + err.Error(), nil
	}
	if rep.Events != nil {
		eventsMarkdown(table, details, job, p, rep.Events)
	}
	for k := range rep.Rows {
		rowMarkdown(table, p, &rep.Rows[k])
	}
	roundsDetails(details, job, p, rep)
	differ.add(job, p, rep)
	text, _, _ := strings.Cut(strings.TrimPrefix(job.lastLine(rep), "verdict="), " ")
	return text, nil
}

const verdictsHead = `# Verdicts

What the checker found about every algorithm, on all connected graphs of up to the given number of nodes, with every order of
IDs and every assignment of the given strengths and lengths. Written by

<!-- not run: six minutes of two cores, and it writes this page -->
` + "```console" + `
caucus check --all --output docs/verdicts.md --force
` + "```" + `

and not by hand. Each line of the plan comes with the command that checks it alone, with where its
executions began, and with the shortest counterexample where a claim fails.

`

const tableHead = `## All verdicts

*Closed*: there are configurations from which no wrong result comes any more. *Fair*, *unfair*: every execution gets there, under
the weakly fair daemon, under any. *Rounds*, *steps*: the exact worst case until then; a round is over when every node has acted. *At rest*: in the
end nothing changes any more. *Reduced*: not from every configuration, see below. *Leaders*: in the right result, from the network with the fewest to the one with the most.

Event algorithms have one line for all orders of events, all sets of initiators and all results of draws: under *fair* whether every execution is right
(*unsafe*: two nodes lead for good at the same time, or what was final changes), under *rounds* the exact most messages.
*Within delays*: messages arrive within the bound that the algorithm counts on.

| algorithm | parameters | daemon | networks | closed | fair | unfair | rounds | steps | at rest | leaders |
|---|---|---|---|---|---|---|---|---|---|---|
`

func rowMarkdown(b *strings.Builder, p registry.Plan, r *check.Row) {
	bound := ""
	if r.Bound > 0 {
		bound = " (theorem: " + strings.TrimPrefix(boundText(r.Bound, r.Beyond), "<= ") + ")"
	}
	rest, leaders := "no", ""
	if r.Silent {
		rest = "yes"
	}
	if r.Leaders[1] > 0 {
		leaders = fmt.Sprintf("%d to %d", r.Leaders[0], r.Leaders[1])
	}
	fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %s%s | %s | %s | %s |\n", p.Algo, p.Note, r.Daemon,
		networks(r), closedText(r),
		fairText(r), unfairText(r), worst(r.Rounds, r), bound, worst(r.Steps, r), rest, leaders)
}

func eventsMarkdown(table, details *strings.Builder, j *checkJob, p registry.Plan, e *check.EventRow) {
	order, rest, worst := "any order of events", "yes", messagesText(e)+" messages"
	if e.Ticks > 0 {
		order = "any order within delays"
	}
	if e.Promise == check.Lasts {
		rest = "no"
	}
	if worst == "- messages" {
		worst = ""
	}
	if e.Bound > 0 && e.Fails == 0 {
		worst += " (theorem: " + strings.TrimPrefix(boundText(e.Bound, e.Beyond), "<= ") + ")"
	}
	fmt.Fprintf(table, "| %s | %s | %s | %d | | %s | | %s | | %s | |\n", p.Algo, p.Note, order, e.Networks,
		rightText(e), worst, rest)
	heading(details, p)
	from := "from clean starts"
	if e.Start == check.Anywhere {
		from = "from any states"
	}
	fmt.Fprintf(details, "%d networks, %s with their initiators, %d configurations, %s.\n\n", e.Networks, executions(e),
		e.Configurations, from)
	lines := eventLines(e)
	if e.Faults.Any() {
		lines = append(lines, "faults at any moment, at most "+e.Faults.String())
	}
	if e.Undecided > 0 {
		lines = append(lines, fmt.Sprintf("undecided: %s of network and initiators, %s", plural(e.Undecided, "choice"),
			e.Why))
	}
	for _, line := range lines {
		fmt.Fprintf(details, "* %s\n", line)
	}
	if lines != nil {
		details.WriteString("\n")
	}
	if x := e.Counterexample; x != nil {
		fmt.Fprintf(details, "Counterexample on %s:\n\n```\n%s```\n\n`%s`\n\n`%s`\n\n", x.Network, x.Table(),
			j.command(x.Network, ""),
			j.simulation(x.Network, "", x))
	}
}

func heading(b *strings.Builder, p registry.Plan) {
	fmt.Fprintf(b, "## %s\n\n`caucus check --max-states %s --algo %s %s`\n\n", planTitle(p), allMaxStates, p.Algo,
		p.Args)
}

func roundsDetails(b *strings.Builder, j *checkJob, p registry.Plan, rep *check.Report) {
	if len(rep.Rows) == 0 {
		return
	}
	heading(b, p)
	total := int64(0)
	for _, r := range rep.Rows {
		total += r.Configurations
	}
	fmt.Fprintf(b, "%d networks, %d configurations over all daemons.\n\n", rep.Networks, total)
	fmt.Fprintf(b, "* right is %s; it elects %s\n", rep.Right, j.entry.Spec.Elects)
	for _, line := range append(fromLines(rep), j.faultLines(rep)...) {
		fmt.Fprintf(b, "* %s\n", line)
	}
	if r := rep.Rows[0]; r.Undecided > 0 {
		fmt.Fprintf(b, "* undecided: %s, %s\n", plural(r.Undecided, "network"), r.Why)
	}
	b.WriteString("\n")
	for _, fair := range []bool{true, false} {
		for _, r := range rep.Rows {
			c, name := r.Fair, "weakly fair"
			if !fair {
				c, name = r.Unfair, "unfair"
			}
			if x := c.Counterexample; x != nil {
				fmt.Fprintf(b, "%s daemon, %s, %s:\n\n```\n%s```\n\n`%s`\n\n", r.Daemon, name,
					scenario.Quote(x.Network), x.Trace.Table(), j.command(x.Network, r.Daemon))
				fmt.Fprintf(b, "`%s`\n\n", j.simulation(x.Network, r.Daemon, x.Trace))
				return
			}
		}
	}
}
