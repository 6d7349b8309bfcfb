package view

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"caucus.example/caucus/internal/frames"
)

// site writes a page with its simulator, made of these sources.
func site(t *testing.T, begin frames.Request) (folder string) {
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

// A page without a server simulates itself, to the same bit: rounds, events and lessons; be it from a server of files or
// from a folder. What the reader does is done there, too, and a run that is not wanted any more is ended.
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
	local := browse(t, "file://"+filepath.Join(folder, "index.html")+"?lesson=rings", 1280, 800)
	var text string
	local(until(runs), chromedp.Text(`#lessonbox`, &text), until(`caucus.stages[0].history.last?.trace`))
	shot(t, local, "site-lesson")
	t.Log(text)
}
