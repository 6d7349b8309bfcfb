package view

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caucus.example/caucus/internal/frames"
	"github.com/chromedp/chromedp"
)

// little is a trace, and what it is of: all follow the one in the middle until it has crashed and a ghost deceives two.
const (
	line5  = "version: 1\nalgo: bounded\ntopology: line:5\nrounds: 40\nstable-for: 0\n"
	little = `{"schema":"caucus.trace/1","run":["caucus devel run"]}
{"time":0,"event":"act","node":"1","role":"leader","leader":"1","distance":0}
{"time":0,"event":"act","node":"3","role":"leader","leader":"3","distance":0}
{"time":1,"event":"act","node":"1","role":"follower","leader":"3","distance":2}
{"time":1,"event":"sent","number":8}
{"time":20,"event":"crash","node":"3"}
{"time":21,"event":"sent","number":6}
{"time":30,"event":"act","node":"4","role":"follower","leader":"#999","distance":0}
{"time":30,"event":"act","node":"5","role":"follower","leader":"#999","distance":1}
{"time":40,"event":"end","number":292}
`
)

func TestRecordedInThePage(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "run.jsonl")
	if err := os.WriteFile(file, []byte(little), 0o600); err != nil {
		t.Fatal(err)
	}
	q := frames.Request{Scenario: line5}
	stream, err := q.Recorded(file)
	if err != nil {
		t.Fatal(err)
	}
	do := browser(t, &Server{Begin: q, Recorded: [][]byte{stream}}, 1280, 800)
	var down, ghosts, charts int
	var facts string
	do(until(runs),
		chromedp.Evaluate(`caucus.seek(25); caucus.stages[0].history.now.up.filter(u => !u).length`, &down),
		chromedp.Evaluate(`caucus.seek(31); caucus.stages[0].history.now.leader.filter(l => l < -1).length`, &ghosts),
		chromedp.Evaluate(`document.querySelectorAll("#charts .chart").length`, &charts),
		chromedp.Text(`#facts`, &facts))
	if down == 0 || ghosts != 2 || charts != 3 || !strings.Contains(facts, "messages") {
		t.Errorf("%d down, %d follow a ghost, %d charts; %s", down, ghosts, charts, facts)
	}
	shot(t, do, "recorded")
}
