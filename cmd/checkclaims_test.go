package cmd

import (
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/check"
	"caucus.example/caucus/registry"
)

// A verdict below the claim, one above it, and one that fits: only the first two are listed, each in its table.
func TestClaims(t *testing.T) {
	fails := &check.Report{Rows: []check.Row{
		{Daemon: check.Central, Networks: 3, Closed: 3, Fair: check.Claim{Holds: 1, Fails: 2}}}}
	holds := &check.Report{Rows: []check.Row{
		{Daemon: check.Central, Networks: 3, Closed: 3, Fair: check.Claim{Holds: 3}}}}
	open := &check.Report{Rows: []check.Row{
		{Daemon: check.Central, Networks: 2, Undecided: 1, Closed: 2, Fair: check.Claim{Holds: 2}}}}
	events := &check.Report{Events: &check.EventRow{Holds: 1, Fails: 4}}
	beyond := &check.Report{Rows: []check.Row{{Networks: 1, Closed: 1, Beyond: 1, Fair: check.Claim{Holds: 1}}}}
	for _, c := range []struct {
		name    string
		claim   caucus.Claim
		start   check.Start
		faults  check.Faults
		args    string
		rep     *check.Report
		section string // "" for none
		says    string
	}{
		{"claimed and violated", caucus.Proved, check.Anywhere, check.Faults{}, "", fails, "Less",
			"violated on up to 2 networks, central"},
		{"claimed and verified", caucus.Proved, check.Anywhere, check.Faults{}, "", holds, "", ""},
		{"not claimed and violated", caucus.No, check.Anywhere, check.Faults{}, "", fails, "", ""},
		{"not claimed and verified", caucus.No, check.Anywhere, check.Faults{}, "", holds, "More",
			"holds on all networks from any state"},
		{"not claimed and undecided", caucus.No, check.Anywhere, check.Faults{}, "", open, "", ""},
		{"survives a crash", caucus.No, check.Clean, check.Faults{Crash: 1}, "", holds, "More",
			"from a clean start with at most crash=1"},
		{"wrong from a clean start", caucus.No, check.Clean, check.Faults{}, "", events, "Less",
			"violated with 4 choices of network and initiators"},
		{"right from a clean start", caucus.No, check.Clean, check.Faults{}, "", holds, "", ""},
		{"outside its assumptions", caucus.Proved, check.Anywhere, check.Faults{}, "--unsafe", fails, "Outside",
			"violated"},
		{"slower than its theorem", caucus.Proved, check.Anywhere, check.Faults{}, "", beyond, "Less",
			"more rounds than the theorem says on 1"},
	} {
		var got claims
		job := &checkJob{entry: registry.Entry{Spec: &caucus.Spec{Name: "x", Stabilising: c.claim}},
			cfg: check.Config{Start: c.start, Faults: c.faults}}
		got.add(job, registry.Plan{Algo: "x", Args: c.args, Note: c.name}, c.rep)
		text := got.markdown()
		if c.section == "" && text != "" || !strings.Contains(text, c.section) || !strings.Contains(text, c.says) ||
			strings.Count(text, "### ") > 1 {
			t.Errorf("%s: should be in %q and say %q\n%s", c.name, c.section, c.says, text)
		}
	}
	if got := anchor("mo, the equation's tie-break, k = 1"); got != "mo-the-equations-tie-break-k--1" {
		t.Errorf("anchor %s", got)
	}
}
