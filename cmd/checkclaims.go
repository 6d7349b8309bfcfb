package cmd

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"caucus.example/caucus"
	"caucus.example/caucus/check"
	"caucus.example/caucus/registry"
)

// claims collects where verdicts and what algorithms claim of themselves differ.
type claims struct {
	less, more, outside strings.Builder // rows of tables
}

// add compares one line of the plan.
func (c *claims) add(j *checkJob, p registry.Plan, rep *check.Report) {
	spec := j.entry.Spec
	claimed := "comes right from any state: " + string(spec.Stabilising)
	if strings.Contains(p.Args, "--faithful") {
		claimed += ", of the defaults"
	}
	clean := j.cfg.Start == check.Clean
	switch {
	case clean && !j.cfg.Faults.Any():
		claimed = "comes right from a clean start"
	case spec.Stabilising == caucus.No:
		claimed = "not self-stabilising"
	}
	found := violations(rep)
	row := func(b *strings.Builder, found string) {
		fmt.Fprintf(b, "| %s | %s | %s | %s | [line](#%s) |\n", p.Algo, cmp.Or(p.Note, "defaults"), claimed, found,
			anchor(planTitle(p)))
	}
	switch {
	case found != "" && strings.Contains(p.Args, "--unsafe"):
		row(&c.outside, found)
	case found != "" && claimed != "not self-stabilising":
		row(&c.less, found)
	case found == "" && claimed == "not self-stabilising" && decided(rep) && !endures(j):
		row(&c.more, "holds on all networks "+startText(j, rep))
	}
}

// endures says that an event algorithm has been checked for what it may well claim without being self-stabilising.
func endures(j *checkJob) bool {
	return j.entry.Spec.Shape == caucus.ShapeEvents && j.cfg.Start == check.Clean && j.cfg.Faults.Corrupt == 0
}

func startText(j *checkJob, rep *check.Report) string {
	text := "from any state"
	switch {
	case j.cfg.Start == check.Clean:
		text = "from a clean start"
	case reduced(rep):
		text = "from the states tried, which are not all of them (reduced)"
	}
	if j.cfg.Faults.Any() {
		text += " with at most " + j.cfg.Faults.String()
	}
	return text
}

// reduced reports whether some network was not explored from every configuration.
func reduced(rep *check.Report) bool {
	return slices.ContainsFunc(rep.Rows, func(r check.Row) bool {
		for f := range r.Froms {
			if f.Reduced != "" {
				return true
			}
		}
		return false
	})
}

// violations says what a report holds against a claim; "" for nothing.
func violations(rep *check.Report) string {
	var words []string
	var daemons []string
	most := 0
	for _, r := range rep.Rows {
		if r.Fair.Fails > 0 || r.Hopeless() > 0 {
			daemons = append(daemons, string(r.Daemon))
			most = max(most, r.Fair.Fails, r.Hopeless())
		}
		if r.Beyond > 0 {
			words = append(words, fmt.Sprintf("more rounds than the theorem says on %d", r.Beyond))
		}
	}
	if daemons != nil {
		words = append(words, fmt.Sprintf("violated on up to %s, %s", plural(most, "network"),
			strings.Join(daemons, ", ")))
	}
	if e := rep.Events; e != nil && e.Fails > 0 {
		words = append(words, fmt.Sprintf("violated with %s of network and initiators", plural(e.Fails, "choice")))
	}
	if e := rep.Events; e != nil && e.Beyond > 0 {
		words = append(words, fmt.Sprintf("more messages than the theorem says with %s of network and initiators",
			plural(e.Beyond, "choice")))
	}
	return strings.Join(words, "; ")
}

// decided reports whether a report is on all networks.
func decided(rep *check.Report) bool {
	for _, r := range rep.Rows {
		if r.Undecided > 0 || r.Networks == 0 {
			return false
		}
	}
	return rep.Events == nil || rep.Events.Undecided == 0 && rep.Events.Holds > 0
}

// markdown is the section about them.
func (c *claims) markdown() string {
	var b strings.Builder
	section := func(title, text string, rows *strings.Builder) {
		if rows.Len() == 0 {
			return
		}
		fmt.Fprintf(&b, "### %s\n\n%s\n\n| algorithm | parameters | claimed | found | trace "+
			"|\n|---|---|---|---|---|\n%s\n", title, text, rows.String())
	}
	section("Less than claimed", "The algorithm's own claim (`caucus list ALGORITHM`), or that of its source in a "+
		"faithful mode, does not hold under these daemons and on these networks.", &c.less)
	section("More than claimed", "Nobody claims it, and on networks as small as these it holds. That proves nothing "+
		"about larger ones, nor about states not tried: other lines of the same algorithm may fail.", &c.more)
	section("Outside the assumptions", "The networks violate what the algorithm assumes; the check shows what for.",
		&c.outside)
	if b.Len() == 0 {
		return ""
	}
	return "## Where verdicts and claims differ\n\nFound by comparing what each algorithm claims with its verdicts, " +
		"by no human. A claim that is not listed agrees with what was checked of it.\n\n" + b.String()
}

func planTitle(p registry.Plan) string {
	if p.Note == "" {
		return p.Algo
	}
	return p.Algo + ", " + p.Note
}

// anchor is what GitHub makes of a title in a link.
func anchor(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		}
		return -1
	}, strings.ToLower(title))
}
