package view

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"caucus.example/caucus/internal/frames"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// strangers counts the nodes of other regions that the areas of regions, without their rims, cover, and says how wide
// the widest is, in links.
const strangers = `(() => {
	const s = caucus.stages[0], { n, now } = s.history, all = s.areas(), at = (i) => s.screen(i);
	const left = ([x, y], [u, v], [p, q]) => (u - x) * (q - y) - (v - y) * (p - x);
	let covered = 0, wide = 0, triangles = 0;
	for (const [leader, { triangles: t, sides }] of all) {
		const xs = [...t, ...sides].map((i) => at(i)[0]);
		wide = Math.max(wide, Math.max(...xs) - Math.min(...xs));
		triangles += t.length / 3;
		for (let i = 0; i < n; i++) for (let k = 0; now.leader[i] !== leader && k < t.length; k += 3) {
			const [a, b, c] = [t[k], t[k + 1], t[k + 2]].map(at), p = at(i), turns = [left(a, b, p), left(b, c, p), left(c, a, p)];
			covered += turns.every((v) => v > 1e-3) || turns.every((v) => v < -1e-3);
		}
	}
	return { Leaders: new Set(all.map(([l]) => l)).size, Parts: all.length, Wide: Math.round(wide / (at(1)[0] - at(0)[0])),
		Covered: covered, Triangles: triangles, Same: all.every(([l, a]) => [...a.triangles, ...a.sides].every((i) => now.leader[i] === l)) };
})()`

// The area of a region that reaches around a torus does not go across the picture, and no name leaves it. On no network
// does an area cover nodes of others.
func TestAreasAndNamesStayWhereTheyBelong(t *testing.T) {
	t.Parallel()
	do := browser(t, &Server{Begin: frames.Request{Scenario: "topology: torus:8x8\nradius: 2\n"}}, 390, 844)
	type areas struct {
		Leaders, Parts, Wide, Covered, Triangles int
		Same                                     bool
	}
	var drawn areas
	do(until(runs), chromedp.Evaluate(`caucus.seek(1e9)`, nil), chromedp.Evaluate(strangers, &drawn))
	if drawn.Leaders != 11 || drawn.Parts <= drawn.Leaders || drawn.Wide > 4 || drawn.Covered > 0 || !drawn.Same {
		t.Errorf("%+v: want 11 leaders, more parts, and none that is wider than 4 links", drawn)
	}
	for text, triangles := range map[string]bool{"topology: 'ba:200,m=2'\nradius: 2\n": true,
		"topology: 'rgg:n=400,radius=0.1'\nradius: 3\n": true, "topology: line:9\nradius: 2\n": false} {
		do(chromedp.Evaluate(fmt.Sprintf(runsAs, text), nil, awaited),
			chromedp.Evaluate(`caucus.seek(1e9)`, nil), chromedp.Evaluate(strangers, &drawn))
		if drawn.Covered > 0 || !drawn.Same || triangles != (drawn.Triangles > 0) || drawn.Leaders < 2 {
			t.Errorf("%s%+v: want areas that cover nobody else", text, drawn)
		}
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

// A node tells by whom its leader has reached it, each nearer than the one before by the length of their link, and
// which candidacies were not taken.
func TestWhyInThePage(t *testing.T) {
	t.Parallel()
	do := browser(t, &Server{Begin: frames.Request{Scenario: fading}}, 390, 844)
	why := func(node string) (lines []string) {
		var text string
		do(chromedp.Evaluate(`caucus.seek(1e9); caucus.select(caucus.stages[0].history.h.names.indexOf("`+node+`"))`, nil),
			until(`document.querySelector("#card h2")?.textContent === "`+node+`" && document.getElementById("play").textContent === "Play"`),
			chromedp.Evaluate(`[...document.querySelectorAll("#card dt")].find((e) => e.textContent.startsWith("why")).nextSibling.textContent`,
				&text))
		return strings.Split(text, "\n")
	}
	do(until(runs))
	if got := why("DE"); len(got) != 1 || !strings.HasPrefix(got[0], "DE (10), leads") {
		t.Errorf("DE, which leads: %q", got)
	}
	got := why("PL")
	if len(got) != 2 || !strings.HasPrefix(got[0], "PL (5), at 630.03, not ") ||
		!strings.HasPrefix(got[1], "DE (10), leads") {
		t.Errorf("PL, a link away from DE: %q", got)
	}
	do(chromedp.Evaluate(fmt.Sprintf(runsAs, "topology: line:6\nstrength: id\nradius: 4\n"), nil, awaited))
	got = why("5")
	for k, line := range got {
		at := fmt.Sprintf("at %d,", len(got)-1-k)
		if k == len(got)-1 {
			at = "leads"
		}
		if !strings.Contains(line, at) {
			t.Errorf("%q is not %q", line, at)
		}
	}
	if len(got) < 2 {
		t.Errorf("5 on a line: %q", got)
	}
}

// The picture is enlarged by keys, by the wheel and by two fingers, and drawn anew although nothing plays.
func TestEnlarge(t *testing.T) {
	t.Parallel()
	do := browser(t, &Server{Begin: frames.Request{Scenario: "topology: ring:12\nradius: 2\n"}}, 800, 600)
	do(until(runs))
	drawn := func(is string) chromedp.Action { // view is that of what was drawn last
		return until(`Math.abs(caucus.stages[0].view.k / window.first - ` + is + `) < 0.01`)
	}
	finger := func(id, x float64) *input.TouchPoint { return &input.TouchPoint{ID: id, X: x, Y: 300} }
	touch := func(kind input.TouchType, points ...*input.TouchPoint) chromedp.Action {
		return input.DispatchTouchEvent(kind, points)
	}
	do(chromedp.Evaluate(`window.first = caucus.stages[0].view.k`, nil),
		chromedp.KeyEvent("+"), drawn("1.25"), chromedp.KeyEvent("-"), drawn("1"),
		chromedp.KeyEvent("+"), chromedp.KeyEvent("+"), drawn("1.5625"), chromedp.KeyEvent("0"), drawn("1"),
		input.DispatchMouseEvent(input.MouseWheel, 250, 300).WithDeltaX(0).WithDeltaY(-500), drawn("Math.E"),
		chromedp.KeyEvent("0"), drawn("1"),
		touch(input.TouchStart, finger(1, 200)), touch(input.TouchStart, finger(1, 200), finger(2, 300)),
		touch(input.TouchMove, finger(1, 150), finger(2, 350)), drawn("2"),
		touch(input.TouchEnd), chromedp.KeyEvent("0"), drawn("1"))
}
