package view

import (
	"testing"

	"caucus.example/caucus/internal/frames"
	"github.com/chromedp/chromedp"
)

func TestZPerf(t *testing.T) {
	do := browser(t, &Server{Begin: frames.Request{
		Scenario: "version: 1\nalgo: bounded\ntopology: grid:250x400\nradius: 12\nrounds: 12\n" +
			"stable-for: 0\nstrength: random\n"}}, 800, 600)
	var out any
	do(until(runs), chromedp.Evaluate(`(() => { const s = caucus.stages[0], r = {};
	 for (const name of ["recolour","fill","overlay","upload","hulls","shores"]) { const f = s[name]; r[name] = []; s[name] = function(...a) { const b = performance.now(); f.apply(s, a); r[name].push(+(performance.now()-b).toFixed(2)); } }
	 r.all = []; r.edges = s.history.h.edges.length;
	 for (let t = 5; t < 12; t += .5) { caucus.seek(t); r.all.push(+s.scriptTime.toFixed(2)); } return JSON.stringify(r) })()`, &out))
	t.Log(out)
}
