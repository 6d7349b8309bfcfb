package view

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"caucus.example/caucus/internal/frames"
	"github.com/chromedp/chromedp"
)

// The hull of a region that reaches around a torus does not go across the picture, and no name leaves it.
func TestHullsAndNamesStayWhereTheyBelong(t *testing.T) {
	t.Parallel()
	do := browser(t, &Server{Begin: frames.Request{Scenario: "topology: torus:8x8\nradius: 2\n"}}, 390, 844)
	var drawn struct{ Leaders, Parts, Wide int }
	do(until(runs), chromedp.Evaluate(`caucus.seek(1e9); (() => {
		const s = caucus.stages[0], step = s.screen(1)[0] - s.screen(0)[0], parts = s.regions();
		const wide = (p) => Math.max(...p.map((q) => q[0])) - Math.min(...p.map((q) => q[0]));
		return { Leaders: new Set(parts.map((r) => r[0])).size, Parts: parts.length,
			Wide: Math.round(Math.max(...parts.map((r) => wide(r[1]))) / step) };
	})()`, &drawn))
	if drawn.Leaders != 11 || drawn.Parts <= drawn.Leaders || drawn.Wide > 4 {
		t.Errorf("%+v: want 11 leaders, more parts, and none that is wider than 4 links", drawn)
	}
	var out []string
	do(chromedp.Evaluate(fmt.Sprintf(runsAs, "algo: elect-min\ntopology: tree:16\n"), nil, awaited),
		chromedp.Evaluate(`[...new DOMParser().parseFromString(caucus.stages[0].svg(0), "image/svg+xml").querySelectorAll("text")]
			.filter((e) => +e.getAttribute("x") + 6.5 * e.textContent.length > caucus.stages[0].el.clientWidth).map((e) => e.textContent)`,
			&out))
	if len(out) > 0 {
		t.Errorf("names that leave the picture: %v", out)
	}
}

// A single agent is seen, too.
func TestASingleAgentInThePage(t *testing.T) {
	t.Parallel()
	do := browser(t, &Server{Agents: []Source{{Name: "a", Ask: func(context.Context) (json.RawMessage, error) {
		return json.Marshal(map[string]any{"name": "a", "role": "leader", "leader": "a", "distance": 0})
	}}}}, 800, 600)
	var colour, want string
	do(until(`window.caucus && caucus.stages.length && caucus.stages[0].history.now.leader.join() === "0"`),
		chromedp.Evaluate(pixel(0), &colour, awaited), chromedp.Evaluate(`caucus.stages[0].cssOf(0)`, &want))
	if !near(colour, want) {
		t.Errorf("it is drawn in %s, not in %s", colour, want)
	}
}
