package view

import (
	"math"
	"strings"
	"testing"

	"caucus.example/caucus/internal/frames"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// enter presses a button of the page by the keyboard.
func enter(name string) chromedp.Tasks {
	return chromedp.Tasks{chromedp.Evaluate(
		`[...document.querySelectorAll("#actions button")].find(b => b.textContent === "`+name+`").focus()`, nil),
		chromedp.KeyEvent(kb.Enter)}
}

// done waits for as many things to have been done to the network, and then stops it at a time.
func done(count, at string) chromedp.Tasks {
	return chromedp.Tasks{until(`caucus.stages[0].history.h.faults?.length === ` + count + ` && ` + runs),
		chromedp.Evaluate(`document.getElementById("play").textContent === "Pause" && document.getElementById("play").click();
			caucus.seek(`+at+`)`, nil)}
}

// Links are cut, the network is divided and a node is moved by the keyboard alone, and the page says which keys do it.
func TestKeysInThePage(t *testing.T) {
	t.Parallel()
	begin := "topology: 'rgg:n=40,radius=0.25,box=2x1,connected'\nradius: 2\nrounds: 60\nstable-for: 0\n"
	do := browser(t, &Server{Begin: frames.Request{Scenario: begin}}, 800, 600)
	var asks, names, link, hint, apart, moved string
	var neighbour bool
	var was, is []float64
	end := `caucus.stages[0].history.h.names[caucus.stages[0].selected]`
	do(until(runs), done("undefined", "20"), chromedp.KeyEvent("n"), chromedp.KeyEvent("n"),
		chromedp.Evaluate(end, &names), enter("Cut one direction"), chromedp.Text("#doing", &asks),
		chromedp.KeyEvent("n"), chromedp.KeyEvent("n"), chromedp.KeyEvent("p"), chromedp.KeyEvent("n"),
		chromedp.Evaluate(end, &link), chromedp.Text("#doing", &hint),
		chromedp.Evaluate(`caucus.stages[0].nearby(1, 20).includes(caucus.stages[0].selected)`, &neighbour),
		chromedp.KeyEvent(kb.Enter), done("1", "30"))
	if !neighbour || !strings.Contains(asks, "Enter") || !strings.Contains(hint, "Enter takes "+link) {
		t.Errorf("%s, a neighbour of %s: %t; asks %q, then %q", link, names, neighbour, asks, hint)
	}
	// A line that stands upright goes to the right of the middle: what lies beyond it is apart.
	do(enter("Draw a cut"), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowUp),
		chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.Enter), done("2", "40"),
		enter("Move nodes"), chromedp.KeyEvent(kb.ArrowUp), chromedp.KeyEvent(kb.ArrowUp),
		chromedp.KeyEvent(kb.ArrowRight),
		chromedp.KeyEvent(kb.Enter), done("3", "42"),
		chromedp.Evaluate(`[...caucus.stages[0].history.placesAt(39).a.xy.slice(2, 4)]`, &was),
		chromedp.Evaluate(`[...caucus.stages[0].history.placesAt(42).a.xy.slice(2, 4)]`, &is))
	var scenario, trace string
	do(chromedp.Evaluate(`caucus.stages[0].history.h.scenario`, &scenario),
		chromedp.Evaluate(`caucus.stages[0].history.last.trace`, &trace))
	for _, line := range strings.Split(scenario, "\n") {
		switch {
		case strings.Contains(line, names+"->"+link):
			hint = ""
		case strings.Contains(line, "partition"):
			apart = line
		case strings.Contains(line, "kind: move"):
			moved = line
		}
	}
	if hint != "" || apart == "" || moved == "" || strings.Count(apart, ",") < 10 {
		t.Errorf("not all was done:\n%s", scenario)
	}
	if dx, dy := is[0]-was[0], is[1]-was[1]; dx <= 0 || math.Abs(dy-2*dx) > dx/10 {
		t.Errorf("twice up and once to the right leads from %v to %v", was, is)
	}
	if own := traceOf(t, frames.Request{Scenario: scenario}); own != trace {
		t.Errorf("the scenario has the trace %s, the page %s\n%s", own, trace, scenario)
	}
}
