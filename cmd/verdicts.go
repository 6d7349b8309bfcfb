package cmd

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"caucus.example/caucus"
	"caucus.example/caucus/docs"
	"caucus.example/caucus/registry"
)

// verdict is a line of the table of all verdicts: what the checker found with some settings under a daemon.
type verdict struct {
	settings, daemon, networks, found string
}

// notTheClaim are flags of lines of the plan that check something else than what an algorithm claims of itself.
var notTheClaim = []string{"--faithful", "--unsafe", "--start", "--faults", "--restart"}

// verdictsOn finds what the checker said about the claim of an algorithm to come right from any state: lines of the
// page that have its own settings, within its assumptions, with no fault but the first state.
func verdictsOn(name string) (list []verdict) {
	_, table, _ := strings.Cut(docs.Verdicts, "\n|---|---|---|---|---|---|---|---|---|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	for _, p := range registry.Plans() {
		if p.Algo != name || slices.ContainsFunc(notTheClaim, func(flag string) bool {
			return slices.Contains(strings.Fields(p.Args), flag)
		}) {
			continue
		}
		for line := range strings.Lines(table) {
			cell := strings.Split(strings.Trim(line, "|\n "), " | ")
			if len(cell) > 5 && cell[0] == name && cell[1] == p.Note {
				list = append(list, verdict{p.Note, cell[2], cell[3], cell[5]})
			}
		}
	}
	return list
}

// refuted names the daemons under which an algorithm does not do what it claims: with its defaults, or whatever the
// settings are.
func refuted(s *caucus.Spec) (daemons []string) {
	if s.Stabilising == caucus.No {
		return nil
	}
	for _, v := range verdictsOn(s.Name) {
		if strings.HasPrefix(v.found, "violated") && !slices.Contains(daemons, v.daemon) {
			daemons = append(daemons, v.daemon)
		}
	}
	return daemons
}

// checked says in words what the checker found, settings by settings.
func checked(s *caucus.Spec) (lines []string) {
	if s.Stabilising == caucus.No {
		return nil
	}
	list := verdictsOn(s.Name)
	for k, v := range list {
		text := strings.ReplaceAll(v.found, " (reduced)", ", not from all states,")
		if strings.HasPrefix(v.found, "violated") {
			text = fmt.Sprintf("%s of %s networks", v.found, v.networks)
		}
		switch before := list[max(0, k-1)]; {
		case k == 0 || before.settings != v.settings:
			lines = append(lines, cmp.Or(v.settings, "defaults")+": "+text+" under fair "+v.daemon)
		case before.found != v.found:
			lines[len(lines)-1] += "; " + text + " under fair " + v.daemon
		default:
			lines[len(lines)-1] += ", " + v.daemon
		}
	}
	return lines
}
