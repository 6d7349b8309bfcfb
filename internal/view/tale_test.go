package view

import (
	"context"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"caucus.example/caucus"
	"caucus.example/caucus/check"
	"caucus.example/caucus/internal/frames"
	"caucus.example/caucus/registry"
)

// found gives the frames of a counterexample that a checker finds.
func found(t *testing.T, algo, faithful, network string, cfg check.Config) []byte {
	t.Helper()
	e, err := registry.Get(algo)
	if err != nil {
		t.Fatal(err)
	}
	resolved, err := e.Spec.Resolve(faithful, nil)
	if err != nil {
		t.Fatal(err)
	}
	net, err := check.Parse(network)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Networks, cfg.Ghosts, cfg.Counter, cfg.MaxStates, cfg.Model = []*caucus.Network{net}, 1, 3, 1e6, check.Shared
	rep, err := e.Check(context.Background(), resolved, cfg)
	if err != nil {
		t.Fatal(err)
	}
	tale := frames.Tale{Spec: e.Spec, Network: net, Title: "counterexample of " + algo, Again: "caucus check"}
	if rep.Events != nil {
		tale.Story = rep.Events.Counterexample
	} else {
		tale.Story = rep.Rows[0].Fair.Counterexample.Trace
	}
	record, err := tale.Record()
	if err != nil {
		t.Fatal(err)
	}
	return record
}

// A counterexample of rounds is gone through by the keyboard: who has acted and what has changed is marked, beside the
// same in another order.
func TestCounterexampleInThePage(t *testing.T) {
	t.Parallel()
	tale := found(t, "prasle", "paper", "2-3:1 3-4:1 strengths=1,1,1", check.Config{Start: check.Clean,
		Faults: check.Faults{Crash: 1}, Daemons: []check.Daemon{check.Central}})
	do := browser(t, &Server{Recorded: [][]byte{tale, tale}}, 1280, 800)
	var marks, steps int
	var at, current, acted string
	do(until(runs), chromedp.Evaluate(`caucus.seek(0); document.activeElement.blur(); caucus.stages[0].history.span`, &steps),
		chromedp.KeyEvent(kb.ArrowRight), chromedp.Evaluate(`String(caucus.time)`, &at),
		chromedp.Text(`.tale tr[aria-current]`, &current),
		chromedp.Evaluate(`document.querySelector(".tale tr[aria-current]").querySelectorAll("mark").length`, &marks),
		chromedp.Evaluate(`caucus.stages[0].history.h.told.rows[1].acted.join()`, &acted))
	if at != "1" || marks == 0 || steps < 2 || acted == "" {
		t.Errorf("at %s of %d steps, %d marks in %q, acted %q", at, steps, marks, current, acted)
	}
	shot(t, do, "counterexample")
	var hidden bool
	var facts string
	do(chromedp.KeyEvent(kb.End), chromedp.Text(`#facts`, &facts), chromedp.Evaluate(`caucus.stages[0].history.now.up.includes(0)`, &hidden))
	if !strings.Contains(facts, "whoever acts: wrong") || !strings.Contains(facts, "2-3:1 3-4:1") {
		t.Errorf("facts: %s", facts)
	}
	if !hidden {
		t.Error("nobody has crashed at the end")
	}
}

// One of events has messages on their way; narrow.
func TestCounterexampleOfEvents(t *testing.T) {
	t.Parallel()
	tale := found(t, "elect-min", "", "2-3:1 3-4:1 strengths=1,1,1", check.Config{Start: check.Clean,
		Faults: check.Faults{Crash: 1}})
	do := browser(t, &Server{Recorded: [][]byte{tale}}, 390, 844)
	var rows, moments int
	var wide bool
	do(until(runs), chromedp.Evaluate(`document.querySelectorAll(".tale tbody tr").length - 2`, &rows),
		chromedp.Evaluate(`caucus.stages[0].history.span`, &moments),
		chromedp.KeyEvent(kb.End),
		chromedp.Evaluate(`document.documentElement.scrollWidth <= innerWidth`, &wide))
	if rows != moments || rows == 0 || !wide {
		t.Errorf("%d steps told, %d moments, fits 390 columns: %t", rows, moments, wide)
	}
	shot(t, do, "counterexample-events")
}
