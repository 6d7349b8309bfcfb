package view

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"caucus.example/caucus/internal/frames"
	graphs "caucus.example/caucus/network"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// browser opens the page of a server in a real browser and gives what runs actions in it.
func browser(t *testing.T, s *Server, width, height int) func(...chromedp.Action) {
	t.Helper()
	chromium(t)
	s.Key = "key"
	s.Report = func(text string) { t.Error("the page: ", text) }
	server := httptest.NewServer(s.Handler())
	t.Cleanup(func() { // after the browser is gone
		server.CloseClientConnections()
		server.Close()
	})
	return browse(t, server.URL+"/#key", width, height)
}

// traceOf runs a request without a page and gives the hash of what has happened.
func traceOf(t *testing.T, q frames.Request) string {
	t.Helper()
	record, err := q.Record(t.Context())
	if err != nil {
		t.Fatalf("%v\n%s", err, q.Scenario)
	}
	_, after, _ := bytes.Cut(record, []byte(`{"trace":"`))
	trace, _, ok := bytes.Cut(after, []byte(`"`))
	if !ok {
		t.Fatalf("a run that does not end:\n%s", q.Scenario)
	}
	return string(trace)
}

var chromiums = []string{"chromium", "chromium-browser", "google-chrome"}

// chromium is the browser; without one there is nothing to test.
func chromium(t testing.TB) string {
	t.Helper()
	for _, name := range chromiums {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no chromium")
	return ""
}

// TestMain ends the browser.
func TestMain(m *testing.M) {
	code := m.Run()
	for _, end := range atEnd {
		end()
	}
	os.Exit(code)
}

var atEnd []func()

// opened is the browser, one for all tests: each has windows of its own, and nothing stored in common with others.
var opened = sync.OnceValues(func() (context.Context, error) {
	// Only WebGL needs what a graphics card does; where the processor has to do it, all else is cheaper without. Nor is
	// a process begun before it is asked for.
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.NoSandbox,
		chromedp.Flag("use-angle", "swiftshader"), chromedp.Flag("enable-unsafe-swiftshader", true),
		chromedp.Flag("disable-accelerated-2d-canvas", true), chromedp.Flag("disable-gpu-rasterization", true),
		chromedp.Flag("disable-features", "Translate,SpareRendererForSitePerProcess"))
	for _, name := range chromiums {
		if path, err := exec.LookPath(name); err == nil {
			options = append(options, chromedp.ExecPath(path))
			break
		}
	}
	ctx, endAll := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, endTab := chromedp.NewContext(ctx)
	atEnd = append(atEnd, endTab, endAll)
	return ctx, chromedp.Run(ctx)
})

// newWindow opens a window that shares nothing with others.
func newWindow(t testing.TB, browser context.Context) (target.ID, func()) {
	t.Helper()
	ctx := cdp.WithExecutor(browser, chromedp.FromContext(browser).Browser)
	apart, err := target.CreateBrowserContext().Do(ctx)
	if err != nil {
		t.Fatal(err)
	}
	id, err := target.CreateTarget("about:blank").WithNewWindow(true).WithBrowserContextID(apart).Do(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return id, func() {
		if err := target.DisposeBrowserContext(apart).Do(ctx); err != nil {
			t.Error(err)
		}
	}
}

// browse opens a page. The test fails at its end if the page has asked another origin for anything, has written an
// error to the console, or has failed.
func browse(t testing.TB, address string, width, height int) func(...chromedp.Action) {
	t.Helper()
	chromium(t)
	all, err := opened()
	if err != nil {
		t.Fatal(err)
	}
	window, endWindow := newWindow(t, all)
	ctx, endTab := chromedp.NewContext(all, chromedp.WithTargetID(window))
	most := 3 * time.Minute
	if _, measured := t.(*testing.B); measured {
		most = 2 * time.Hour
	}
	ctx, endTime := context.WithTimeout(ctx, most)
	origin, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var wrong []string
	heard := func(text string) {
		mu.Lock()
		defer mu.Unlock()
		wrong = append(wrong, text)
	}
	t.Cleanup(func() {
		endTime()
		endTab()
		endWindow()
		mu.Lock()
		defer mu.Unlock()
		for _, w := range wrong {
			t.Error("the page: ", w)
		}
	})
	chromedp.ListenTarget(ctx, func(e any) {
		switch e := e.(type) {
		case *network.EventRequestWillBeSent:
			u, err := url.Parse(e.Request.URL)
			own := err == nil && u.Scheme == origin.Scheme && u.Host == origin.Host &&
				(u.Scheme != "file" || filepath.Dir(u.Path) == filepath.Dir(origin.Path))
			if !own && (err != nil || u.Scheme != "blob" && u.Scheme != "data") {
				heard("asked for " + e.Request.URL)
			}
		case *runtime.EventExceptionThrown:
			heard(e.ExceptionDetails.Error())
		case *log.EventEntryAdded:
			if e.Entry.Level == log.LevelError {
				heard(e.Entry.Text + " " + e.Entry.URL)
			}
		}
	})
	do := func(actions ...chromedp.Action) {
		t.Helper()
		if err := chromedp.Run(ctx, actions...); err != nil {
			t.Fatal(err)
		}
	}
	// Windows have a least width.
	do(network.Enable(), log.Enable(), chromedp.EmulateViewport(int64(width), int64(height)),
		chromedp.Navigate(address))
	return do
}

// until waits for the page to hold a condition.
func until(condition string) chromedp.Action {
	return chromedp.Poll("Boolean("+condition+")", nil, chromedp.WithPollingTimeout(90*time.Second),
		chromedp.WithPollingInterval(50*time.Millisecond))
}

const runs = `window.caucus && caucus.stages.length && caucus.stages.every(s => s.history.last)`

// shot keeps a picture of the page where the environment says so, to be looked at.
func shot(t *testing.T, do func(...chromedp.Action), name string) {
	t.Helper()
	if dir := os.Getenv("CAUCUS_SHOTS"); dir != "" {
		var png []byte
		do(chromedp.CaptureScreenshot(&png))
		if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// awaited has an evaluation wait for a promise.
func awaited(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }

const fading = "version: 1\nalgo: bounded\ntopology: geant2012\nradius: 1500 km\nstrength: degree\nrounds: " +
	"60\nstable-for: 0\n"

// pixel gives the colour of the page at the place of a node, as a browser has drawn it.
func pixel(node int) string {
	return fmt.Sprintf(`(() => { const s = caucus.stages[0], i = new Image(), c = document.createElement("canvas");
		return new Promise(done => { i.onload = () => { c.width = i.width; c.height = i.height; const g = c.getContext("2d");
			g.drawImage(i, 0, 0); const [x, y] = s.screen(%d), r = devicePixelRatio, d = g.getImageData(x * r, y * r, 1, 1).data;
			done("#" + [d[0], d[1], d[2]].map(v => v.toString(16).padStart(2, "0")).join("")); };
			i.src = caucus.picture(); }) })()`, node)
}

// near tells whether two colours differ by no more than what blending rounds.
func near(a, b string) bool {
	var x, y [3]int
	_, err1 := fmt.Sscanf(a, "#%02x%02x%02x", &x[0], &x[1], &x[2])
	_, err2 := fmt.Sscanf(b, "#%02x%02x%02x", &y[0], &y[1], &y[2])
	for k := range x {
		if d := x[k] - y[k]; d < -8 || d > 8 {
			return false
		}
	}
	return err1 == nil && err2 == nil
}

// A leader is crashed in the page: others take over, in their colours; what the page gives as the scenario is the same
// run.
func TestCrashInThePage(t *testing.T) {
	t.Parallel()
	do := browser(t, &Server{Begin: frames.Request{Scenario: fading}}, 800, 600)
	var leader, after int
	var trace, scenario, colour, want string
	do(until(runs),
		chromedp.Evaluate(`caucus.seek(30); caucus.stages[0].history.now.role.indexOf(caucus.leads)`, &leader))
	do(chromedp.Evaluate(fmt.Sprintf(`caucus.select(%d)`, leader), nil))
	shot(t, do, "settled")
	// The coast of Europe lies behind it, at Brittany as on any map: 48.4° north, 4.8° west.
	var coast bool
	do(chromedp.Evaluate(`(() => {
		const s = caucus.stages[0], c = s.history.h.chart, p = s.view, r = devicePixelRatio;
		const x = (-4.8 * c.shrink - c.west) / c.scale * p.k + p.dx, y = p.dy - (48.4 - c.south) / c.scale * p.k;
		const g = s.el.firstElementChild.getContext("2d"), d = g.getImageData((x - 9) * r, (y - 9) * r, 18 * r, 18 * r).data;
		return d.some((v) => v) && !g.getImageData((x - 60) * r, y * r, 9, 9).data.some((v) => v);
	})()`, &coast))
	if !coast {
		t.Error("no coast of Brittany, or one in the sea before it")
	}
	do(press("Crash"),
		until(fmt.Sprintf(`%s && caucus.stages[0].history.h.faults?.length === 1`, runs)),
		chromedp.Evaluate(`caucus.seek(59)`, nil))
	var down, others bool
	do(chromedp.Evaluate(fmt.Sprintf(`caucus.stages[0].history.now.up[%d] === 0`, leader), &down),
		chromedp.Evaluate(fmt.Sprintf(`caucus.stages[0].history.now.leader.every(l => l !== %d)`, leader), &others),
		chromedp.Evaluate(`caucus.stages[0].history.last.trace`, &trace),
		chromedp.Evaluate(`caucus.stages[0].history.h.scenario`, &scenario))
	if !down || !others {
		t.Errorf("after the crash: down %t, led by others %t", down, others)
	}
	// A follower has the colour of its leader.
	do(chromedp.Evaluate(`(() => { const n = caucus.stages[0].history.now; caucus.select(-1);
			return n.role.findIndex((r, i) => r !== caucus.leads && n.up[i] && n.leader[i] >= 0) })()`, &after))
	do(chromedp.Evaluate(pixel(after), &colour, awaited),
		chromedp.Evaluate(fmt.Sprintf(`caucus.stages[0].cssOf(caucus.stages[0].history.now.leader[%d])`, after), &want))
	if !near(colour, want) {
		t.Errorf("node %d is drawn in %s, its leader's colour is %s", after, colour, want)
	}
	shot(t, do, "crashed")
	if own := traceOf(t, frames.Request{Scenario: scenario}); own != trace || !strings.Contains(scenario, "crash") {
		t.Errorf("the scenario of the page has the trace %s, the page %s\n%s", own, trace, scenario)
	}
}

// Scrubbing shows at each time what a reader who plays to it sees, also from a picture of all nodes kept on the way.
// Two algorithms are shown side by side.
func TestScrub(t *testing.T) {
	t.Parallel()
	do := browser(t, &Server{Begin: frames.Request{
		Scenario: "version: 1\nalgo: bounded\ntopology: rgg:n=1000,radius=0.06\nradius: 4\n" +
			"rounds: 600\nstable-for: 0\nstrength: random\nfaults:\n  - {at: 40, kind: crash, leaders: true}\n  - " +
			"{at: 100, kind: restart}\n  - {at: 300, kind: crash, leaders: true}\n"}}, 800, 600)
	var same bool
	var slow, script float64
	do(until(runs), chromedp.Evaluate(`(() => { const h = caucus.stages[0].history, say = () => h.now.leader.join();
		caucus.seek(0); const played = []; for (let t = 0; t <= 600; t += 25) { caucus.seek(t); played.push(say()); }
		let same = h.frames.length > 0, slow = 0; for (let k = played.length - 1; k >= 0; k -= 2) { const begun = performance.now(); caucus.seek(25 * k);
			slow = Math.max(slow, performance.now() - begun); same &&= say() === played[k]; }
		window.slow = slow; return same })()`, &same),
		chromedp.Evaluate(`window.slow`, &slow), chromedp.Evaluate(`caucus.stages[0].scriptTime`, &script))

	t.Logf("slowest jump %.1f ms, script of a frame %.2f ms", slow, script)
	if !same {
		t.Error("jumps show other leaders than playing")
	}
	var two, equal bool
	do(chromedp.SetValue("#beside", "sparse", chromedp.ByID),
		chromedp.Evaluate(`document.getElementById("beside").dispatchEvent(new Event("change"))`, nil),
		until(`caucus.stages.length === 2 && `+runs), chromedp.Evaluate(`caucus.seek(70); true`, &two),
		chromedp.Evaluate(`caucus.stages[0].history.h.edges.join() === caucus.stages[1].history.h.edges.join()`,
			&equal))
	if !equal {
		t.Error("two algorithms on two networks")
	}
	shot(t, do, "beside")
}

// A hundred thousand nodes are drawn with little script; what a frame takes on the screen is the graphics card's.
func TestHundredThousand(t *testing.T) {
	t.Parallel()
	do := browser(t, &Server{Begin: frames.Request{
		Scenario: "version: 1\nalgo: bounded\ntopology: grid:250x400\nradius: 12\nrounds: 12\n" +
			"stable-for: 0\nstrength: random\n"}}, 800, 600)
	var script float64
	do(until(runs), chromedp.Evaluate(`(() => { const list = []; for (let t = 5; t < 12; t += .5) { caucus.seek(t);
		list.push(caucus.stages[0].scriptTime); } return list.sort((a, b) => a - b)[7] })()`, &script))
	t.Logf("script of a frame, median %.2f ms", script)
	shot(t, do, "many")
}

// An algorithm of events: messages on their way, the diagram, step by step with the keyboard alone.
func TestMessagesInThePage(t *testing.T) {
	t.Parallel()
	do := browser(t, &Server{Begin: frames.Request{
		Scenario: "version: 1\nalgo: as-far\ntopology: ring:12\nids: random\n"}},
		390, 844)
	var wide bool
	var first, second float64
	var messages int
	do(until(runs), chromedp.Evaluate(`caucus.seek(0); document.activeElement.blur()`, nil),
		chromedp.KeyEvent(kb.ArrowRight), chromedp.Evaluate(`caucus.time`, &first),
		chromedp.KeyEvent(kb.ArrowRight), chromedp.Evaluate(`caucus.time`, &second),
		chromedp.KeyEvent("n"), chromedp.WaitVisible(`#card h2`),
		chromedp.Evaluate(`caucus.stages[0].history.msgSent.length`, &messages),
		chromedp.Evaluate(`document.documentElement.scrollWidth <= innerWidth`, &wide))
	if !(first < second) || messages != 46 || !wide {
		t.Errorf("steps at %v and %v, %d messages (46 by the simulator), fits 390 columns: %t", first, second, messages,
			wide)
	}
	shot(t, do, "narrow")
}

// A lesson asks and the run answers.
func TestLessonInThePage(t *testing.T) {
	t.Parallel()
	do := browser(t, &Server{Begin: frames.Request{Scenario: fading}}, 800, 600)
	for _, c := range []struct{ lesson, is, guess, answer string }{
		{"ghosts", `h.algo === "prasle"`, "0", "Yes: in the end 0 lead. All 64 follow"},
		{"rings", `h.algo === "all-the-way"`, "144", "Yes: the run took 144 messages."},
	} {
		var answer string
		do(until(runs), until(`document.getElementById("lesson").options.length > 3`),
			chromedp.SetValue("#lesson", c.lesson, chromedp.ByID),
			chromedp.Evaluate(`document.getElementById("lesson").dispatchEvent(new Event("change"))`, nil),
			until(runs+` && caucus.stages[0].history.`+c.is),
			chromedp.SendKeys(`#lessonbox input`, c.guess), chromedp.Click(`//button[text()="Is it?"]`, chromedp.BySearch),
			chromedp.Text(`#answer`, &answer))
		if !strings.HasPrefix(answer, c.answer) {
			t.Error(answer)
		}
	}
	shot(t, do, "lesson")
}

// press presses a button by what is on it.
func press(name string) chromedp.Action {
	return chromedp.Evaluate(fmt.Sprintf(
		`[...document.querySelectorAll("#actions button")].find(b => b.textContent === %q).click()`, name), nil)
}

// dragged drags a node to the middle of the picture and tells where that is.
const dragged = `((node) => { const s = caucus.stages[0], r = s.el.getBoundingClientRect();
	const [x, y] = s.screen(node), u = r.width / 2, v = r.height / 2, c = s.el.querySelector("canvas:last-of-type");
	const send = (what, x, y) => c.dispatchEvent(new PointerEvent(what, { clientX: r.left + x, clientY: r.top + y,
		pointerId: 1 }));
	c.setPointerCapture = () => {}; send("pointerdown", x, y); send("pointermove", u, v); send("pointerup", u, v);
	return [(u - s.view.dx) / s.view.k, (s.view.dy - v) / s.view.k] })`

// Nodes that stand still are put elsewhere where links follow from places: before that the same has happened as
// without, and what is downloaded is what is shown. Elsewhere the page says why not.
func TestStandingNodesInThePage(t *testing.T) {
	t.Parallel()
	begin := "topology: 'rgg:n=40,radius=0.25,box=2x1,connected'\nradius: 2\nrounds: 60\nstable-for: 0\n"
	do := browser(t, &Server{Begin: frames.Request{Scenario: begin}}, 800, 600)
	var to, was, is []float64
	var before, after, says, trace, scenario string
	changes := `(h => Array.from(h.times.data.slice(0, h.times.length)).filter((t) => t <= 20).join() + " " +
		h.leader.data.slice(0, h.first.data[h.momentAt(20) + 1]).join())(caucus.stages[0].history)`
	do(until(runs), chromedp.Evaluate(`document.getElementById("play").click(); caucus.seek(20)`, nil), chromedp.Evaluate(changes, &before), press("Move nodes"),
		chromedp.Evaluate(dragged+"(3)", &to),
		until(`caucus.stages[0].history.h.faults?.length === 1 && caucus.stages[0].history.last`),
		chromedp.Evaluate(changes, &after),
		chromedp.Evaluate(`[...caucus.stages[0].history.placesAt(19).a.xy.slice(6, 8)]`, &was),
		chromedp.Evaluate(`[...caucus.stages[0].history.placesAt(22).a.xy.slice(6, 8)]`, &is),
		chromedp.Evaluate(`caucus.stages[0].history.last.trace`, &trace),
		chromedp.Evaluate(`caucus.stages[0].history.h.scenario`, &scenario))
	if math.Hypot(to[0]-is[0], to[1]-is[1]) > 1e-3 || math.Hypot(was[0]-is[0], was[1]-is[1]) < 0.1 {
		t.Errorf("dragged to %v, it is at %v, and was at %v\n%s", to, is, was, scenario)
	}
	if before == "" || before != after {
		t.Errorf("before the move\n%s\nand then\n%s", before, after)
	}
	if own := traceOf(t, frames.Request{Scenario: scenario}); own != trace {
		t.Errorf("the scenario has the trace %s, the page %s\n%s", own, trace, scenario)
	}
	shot(t, do, "standing")
	do(chromedp.SetValue("#text", "topology: ring:8\n"),
		chromedp.Evaluate(`document.getElementById("apply").click()`, nil),
		until(`caucus.stages[0].history.n === 8`), press("Move nodes"), chromedp.Text("#doing", &says))
	if says != "Nodes stay where they are: links do not follow from places here, as they do for walkers and in a "+
		"random geometric graph (rgg)." {
		t.Errorf("on a ring: %q", says)
	}
}

// Nodes that walk are drawn where they are.
func TestWalkersInThePage(t *testing.T) {
	t.Parallel()
	list, err := frames.Lessons()
	if err != nil {
		t.Fatal(err)
	}
	page := list[slices.IndexFunc(list, func(l frames.Lesson) bool { return l.Name == "bounded" })].Pages[2]
	do := browser(t, &Server{Begin: frames.Request{Scenario: page.Scenario}}, 800, 600)
	var moved, links bool
	do(until(runs),
		chromedp.Evaluate(`caucus.seek(60.5); const p = caucus.stages[0].history.placed; p[0].xy[0] !== p[60].xy[0]`,
			&moved),
		chromedp.Evaluate(`caucus.stages[0].history.placesAt(60.5).a.links.length > 300`, &links))
	if !moved || !links {
		t.Errorf("moved %t, links %t", moved, links)
	}
	shot(t, do, "walkers")
	// One that is dragged is there from then on, and the scenario says so.
	var to, is []float64
	var trace, scenario string
	do(press("Move nodes"), chromedp.Evaluate(dragged+"(3)", &to),
		until(`caucus.stages[0].history.h.faults?.length === 1 && caucus.stages[0].history.last`),
		chromedp.Evaluate(`(h => [...h.placesAt(Math.ceil(h.h.faults[0].at)).a.xy.slice(6, 8)])(caucus.stages[0].history)`, &is),
		chromedp.Evaluate(`caucus.stages[0].history.last.trace`, &trace),
		chromedp.Evaluate(`caucus.stages[0].history.h.scenario`, &scenario))
	if math.Hypot(to[0]-is[0], to[1]-is[1]) > 5 { // it may have made two steps
		t.Errorf("dragged to %v, it is at %v\n%s", to, is, scenario)
	}
	if own := traceOf(t, frames.Request{Scenario: scenario}); own != trace {
		t.Errorf("the scenario of the page has the trace %s, the page %s\n%s", own, trace, scenario)
	}
}

// What is drawn again and again leaves nothing behind, as much as an hour has of frames or a part of it.
func TestMemory(t *testing.T) {
	t.Parallel()
	do := browser(t, &Server{Begin: frames.Request{Scenario: fading}}, 390, 844)
	// The browser itself holds some 0.6 MB at times, as compiled scripts: the least is what the page holds.
	used := func() float64 {
		least := math.Inf(1)
		for range 3 {
			var now float64
			do(chromedp.Evaluate(`(() => { for (let k = 0; k < 400; k++) caucus.seek(k % 60 + k / 400); })()`, nil),
				heapprofiler.CollectGarbage(), chromedp.ActionFunc(func(ctx context.Context) (err error) {
					now, _, _, _, err = runtime.GetHeapUsage().Do(ctx)
					return err
				}))
			least = min(least, now)
		}
		return least
	}
	do(until(runs))
	before := used()
	if after := used(); after-before > 200_000 {
		t.Errorf("1,200 frames leave %.0f of %.0f bytes", after-before, before)
	} else {
		t.Logf("%.0f bytes, %.0f more after 1,200 frames", before, after-before)
	}
}

// Agents that answer, one of which goes away; they stand on the map where their network does.
func TestAgentsInThePage(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	leader, gone := "a", false
	source := func(name string, others ...string) Source {
		return Source{Name: name, Ask: func(context.Context) (json.RawMessage, error) {
			mu.Lock()
			defer mu.Unlock()
			if gone && name == "a" {
				return nil, fmt.Errorf("no answer")
			}
			role := "follower"
			if name == leader {
				role = "leader"
			}
			return json.Marshal(map[string]any{"name": name, "role": role, "leader": leader, "distance": 1,
				"neighbours": []map[string]any{{"name": others[0], "live": true, "hears": true}}})
		}}
	}
	a := source("a", "b")
	a.Kill = func() {
		mu.Lock()
		defer mu.Unlock()
		leader, gone = "b", true
	}
	net, _ := graphs.BuildPairs(3, []int32{0, 1, 1, 2, 2, 0})
	net.X, net.Y, net.Geographic = []float64{2.4, 13.4, 12.5}, []float64{48.9, 52.5, 41.9}, true // Paris, Berlin, Rome
	places := frames.PlacesOf(net, []string{"a", "b", "c"})
	do := browser(t, &Server{Agents: []Source{a, source("b", "c"), source("c", "a")}, Places: places}, 800, 600)
	do(until(`window.caucus && caucus.stages.length && caucus.stages[0].history.now.leader.join() === "0,0,0"`))
	var mapped bool
	do(chromedp.Evaluate(`(({ x, y, chart }) => !!chart && x[0] < x[2] && x[2] < x[1] && y[2] < y[0] && y[0] < y[1])(
		caucus.stages[0].history.h)`, &mapped))
	if !mapped {
		t.Error("the agents are not where their network is")
	}
	do(chromedp.Evaluate(`caucus.select(0)`, nil), chromedp.Click(`//button[text()="Kill a"]`, chromedp.BySearch))
	do(until(`caucus.stages[0].history.now.leader.join() === "-1,1,1" && caucus.stages[0].history.now.up.join() === "0,1,1"`))
	shot(t, do, "agents")
}

// The reader says which message arrives next, by the keyboard alone; what the page gives as the scenario is the same
// run.
func TestAdversaryInThePage(t *testing.T) {
	t.Parallel()
	do := browser(t, &Server{Begin: frames.Request{
		Scenario: "version: 1\nalgo: as-far\ntopology: ring:5\nids: random\n"}},
		390, 844)
	choices := `[...document.querySelectorAll("[data-message]")]`
	do(until(runs), chromedp.Click(`//button[text()="Choose what arrives next"]`, chromedp.BySearch),
		until(choices+`.length === 5`), chromedp.Evaluate(`document.activeElement.blur()`, nil))
	var first string
	do(chromedp.Evaluate(choices+`[2].textContent`, &first), chromedp.KeyEvent("3"),
		until(`document.getElementById("done").children.length === 2 && `+runs),
		until(choices+`.length && `+choices+`[0].dataset.message`))
	var delivered int
	var trace, scenario, facts string
	do(chromedp.Evaluate(`caucus.stages[0].history.what.data.slice(0, caucus.time).filter(w => w === 1).length`, &delivered),
		chromedp.KeyEvent("1"), until(`document.getElementById("done").children.length === 3 && `+runs),
		chromedp.Evaluate(`caucus.stages[0].history.last.trace`, &trace),
		chromedp.Evaluate(`caucus.stages[0].history.h.scenario`, &scenario),
		chromedp.Text(`#facts`, &facts))
	_, number, _ := strings.Cut(first, "#")
	if delivered != 1 || !strings.Contains(scenario, "#"+number+"; message ") {
		t.Errorf("%q chosen, %d delivered\n%s", first, delivered, scenario)
	}
	if !strings.Contains(facts, "at most") {
		t.Errorf("no theorem: %s", facts)
	}
	shot(t, do, "adversary")
	if own := traceOf(t, frames.Request{Scenario: scenario}); own != trace {
		t.Errorf("the scenario of the page has the trace %s, the page %s\n%s", own, trace, scenario)
	}
	do(chromedp.Click(`#undo`), until(`document.getElementById("done").children.length === 2`))
}

// What is shown can be taken away: as a drawing with a circle of the right colour for each node and a line for each
// link, and as a film of what plays.
func TestTakeAway(t *testing.T) {
	t.Parallel()
	begin := frames.Request{Scenario: "topology: ring:12\nradius: 2\nstrength: id\n"}
	do := browser(t, &Server{Begin: begin}, 800, 600)
	do(until(`window.caucus && caucus.stages.length && caucus.stages[0].history.last`))
	var drawn struct{ Nodes, Links, Names, Right int }
	do(chromedp.Evaluate(`caucus.seek(1e9); (() => {
		const s = caucus.stages[0], d = new DOMParser().parseFromString(s.svg(caucus.time), "image/svg+xml");
		const nodes = [...d.querySelectorAll("circle")].filter((c) => c.firstElementChild);
		return { Nodes: nodes.length, Links: d.querySelectorAll("line").length, Names: d.querySelectorAll("text").length,
			Right: nodes.filter((c, i) => c.getAttribute("fill") === s.cssOf(s.history.now.leader[i])).length };
	})()`, &drawn))
	if drawn.Nodes != 12 || drawn.Links != 12 || drawn.Names != 12 || drawn.Right != 12 {
		t.Errorf("the drawing has %+v, of 12 each", drawn)
	}
	var head string
	do(chromedp.Evaluate(`caucus.seek(0); window.made = undefined; {
		const create = URL.createObjectURL;
		URL.createObjectURL = (b) => { if (b.type === "video/webm") window.made = b; return create(b); };
	}`, nil), chromedp.Click("#film"), until(`document.getElementById("film").textContent === "End the film"`),
		until(`caucus.time > 2`), chromedp.Click("#film"), until(`window.made`),
		chromedp.Evaluate(`window.made.slice(0, 4).arrayBuffer().then((b) => [window.made.size > 1000, ...new Uint8Array(b)].join())`,
			&head, awaited))
	if head != "true,26,69,223,163" { // EBML, which WebM is
		t.Errorf("the film: %s", head)
	}
}

// Who has the key can kill agents that were started here, and no others.
func TestKill(t *testing.T) {
	killed := 0
	s := Server{Key: "k", Agents: []Source{{Name: "a", Kill: func() { killed++ }}, {Name: "b"}}}
	for _, c := range []struct {
		key, body string
		want      int
	}{{"k", `{"name": "a"}`, 204}, {"k", `{"name": "b"}`, 404}, {"k", `{}`, 404}, {"k", `a`, 400}, {"", `{"name": "a"}`, 403}} {
		r := httptest.NewRequest("POST", "http://localhost/api/kill", strings.NewReader(c.body))
		r.Header.Set("Authorization", "Bearer "+c.key)
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("%s with the key %q: %d %s, want %d", c.body, c.key, w.Code, w.Body, c.want)
		}
	}
	if killed != 1 {
		t.Errorf("killed %d times", killed)
	}
}
