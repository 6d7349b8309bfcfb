package view

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"caucus.example/caucus/internal/frames"
)

// site writes a page with its simulator, made of these sources.
func site(t testing.TB, begin frames.Request) (folder string) {
	t.Helper()
	chromium(t)
	file := filepath.Join(t.TempDir(), Simulator)
	make := exec.Command("go", "run", "./internal/release", "-simulator", file)
	make.Dir = "../.."
	if said, err := make.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	simulator, err := os.ReadFile(file)
	if err == nil {
		folder = t.TempDir()
		err = Site(folder, simulator, begin)
	}
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// runsAs starts a run in the page and waits for its end.
const runsAs = `caucus.start({scenario: %q, folder: "", algo: "", faults: [], rounds: 0})` +
	`.then(() => caucus.stages[0].history.last?.trace ?? "no end")`

// A page without a server simulates itself, to the same bit: rounds, events and lessons; be it from a server of files
// or from a folder. What the reader does is done there, too, and a run that is not wanted any more is ended.
func TestSite(t *testing.T) {
	t.Parallel()
	folder := site(t, frames.Request{Scenario: fading})
	files := httptest.NewServer(http.FileServer(http.Dir(folder)))
	t.Cleanup(files.Close)
	do := browse(t, files.URL, 1280, 800)
	do(until(runs))
	for _, scenario := range []string{fading, "topology: grid:8x8\nradius: 3\n",
		"algo: prasle\ntopology: abilene\nrounds: 60\nfaults:\n  - {at: 20, kind: crash, leaders: true}\n",
		"algo: mega-merger\ntopology: er:n=40,m=90\nseed: 3\n", "algo: as-far\ntopology: ring:30\nids: random\n",
		"algo: bully\ntopology: clique:8\nfaults:\n  - {at: 3, kind: crash, nodes: [8]}\n"} {
		var got string
		do(chromedp.Evaluate(fmt.Sprintf(runsAs, scenario), &got, awaited))
		if want := traceOf(t, frames.Request{Scenario: scenario}); got != want {
			t.Errorf("the page has %s, the program %s:\n%s", got, want, scenario)
		}
	}
	shot(t, do, "site")
	// A long run that another one takes the place of ends, and what the reader does is done.
	const long = "topology: grid:60x60\nradius: 30\nrounds: 9000\nstable-for: 0\n"
	var first, status, text string
	var gone bool
	do(chromedp.Evaluate(fmt.Sprintf(`(async () => { const old = %s, next = %s; await next; return String(await old); })()`,
		fmt.Sprintf(runsAs, long), fmt.Sprintf(runsAs, "algo: prasle\ntopology: line:3\nfaithful: paper\n")), &first,
		awaited),
		chromedp.Evaluate(`caucus.select(0); [...document.querySelectorAll("#actions button")].find(b => b.textContent === "Crash").click()`,
			nil), until(`caucus.stages[0].history.h.faults?.length === 1 && caucus.stages[0].history.last`),
		chromedp.Evaluate(`caucus.seek(1e9); !caucus.stages[0].history.now.up[0]`, &gone),
		chromedp.Evaluate(`caucus.check().then(() => document.getElementById("status").textContent)`, &status, awaited))
	if !gone || !strings.Contains(status, "goes wrong") {
		t.Errorf("the node has crashed: %t; the check says %q", gone, status)
	}
	do(chromedp.Evaluate(`caucus.stages[0].history.h.told && document.getElementById("facts").textContent`, &text))
	if !strings.Contains(text, "counterexample of prasle") {
		t.Errorf("beside the counterexample stands %q", text)
	}
	shot(t, do, "site-check")
	local := browse(t, "file://"+filepath.Join(folder, "index.html")+"?lesson=rings", 1280, 800)
	local(until(runs), chromedp.Text(`#lessonbox`, &text))
	if !strings.Contains(text, "All the Way") {
		t.Errorf("the lesson: %s", text)
	}
	shot(t, local, "site-lesson")
}

// What a page without a server takes for a run, beside the program itself; neither draws.
func BenchmarkSite(b *testing.B) {
	do := browse(b, "file://"+filepath.Join(site(b, frames.Request{Scenario: fading}), "index.html"), 1280, 800)
	do(until(runs))
	for name, scenario := range map[string]string{"nothing": fading,
		"rounds": "topology: grid:100x100\nradius: 30\nrounds: 100\nstable-for: 0\n",
		"events": "algo: all-the-way\ntopology: ring:300\n"} {
		body, err := json.Marshal(frames.Request{Scenario: scenario})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			var page, own float64
			for b.Loop() {
				var took float64
				do(chromedp.Evaluate(fmt.Sprintf(`(async () => { const begin = performance.now();
					await (await caucus.ask("/api/run", %q)).arrayBuffer(); return performance.now() - begin })()`,
					body), &took, awaited))
				page += took
				begin, q := time.Now(), frames.Request{Scenario: scenario}
				if _, err := q.Record(b.Context()); err != nil {
					b.Fatal(err)
				}
				own += float64(time.Since(begin).Microseconds()) / 1e3
			}
			b.ReportMetric(page/float64(b.N), "page-ms")
			b.ReportMetric(own/float64(b.N), "own-ms")
		})
	}
}
