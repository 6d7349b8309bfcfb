package view

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"caucus.example/caucus/check"
	"caucus.example/caucus/internal/frames"
)

// exported writes a page into a file and gives its address.
func exported(t *testing.T, recorded ...[]byte) string {
	t.Helper()
	var b bytes.Buffer
	if err := Export(&b, recorded...); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "run.html")
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return "file://" + file
}

// A run in a file shows what the run on the page of a server shows, and asks nobody for anything: browse sees to that.
func TestRunInAFile(t *testing.T) {
	t.Parallel()
	q := frames.Request{Scenario: fading, Faults: []string{"at: 30, kind: crash, leaders: true"}}
	record, err := q.Record(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := traceOf(t, q)
	do := browse(t, exported(t, record), 800, 600)
	var trace string
	var gone bool
	do(until(runs), chromedp.Evaluate(`caucus.stages[0].history.last.trace`, &trace),
		chromedp.Evaluate(`document.activeElement.blur()`, nil), chromedp.KeyEvent(kb.End), chromedp.KeyEvent("n"),
		chromedp.WaitVisible(`#card h2`), chromedp.WaitNotVisible(`#setup`), chromedp.WaitNotVisible(`#actions`),
		chromedp.Evaluate(`caucus.stages[0].history.now.up.includes(0)`, &gone))
	if trace != want || !gone {
		t.Errorf("the trace is %s, want %s; a leader has crashed: %t", trace, want, gone)
	}
	shot(t, do, "file")
	var fits bool
	for range 20 {
		do(chromedp.EmulateViewport(390, 844), chromedp.Sleep(100*time.Millisecond),
			chromedp.Evaluate(`document.documentElement.scrollWidth <= innerWidth`, &fits))
		if fits {
			break
		}
	}
	if !fits {
		t.Error("wider than 390 columns")
	}
	shot(t, do, "file-narrow")
}

// So does a counterexample.
func TestCounterexampleInAFile(t *testing.T) {
	t.Parallel()
	tale := found(t, "prasle", "paper", "2-3:1 strengths=1,1", check.Config{Start: check.Clean,
		Faults: check.Faults{Crash: 1}, Daemons: []check.Daemon{check.Central}})
	do := browse(t, exported(t, tale, tale), 390, 844)
	var current string
	do(until(runs+` && caucus.stages.length === 2`), chromedp.Evaluate(`document.activeElement.blur()`, nil),
		chromedp.KeyEvent(kb.End), chromedp.Text(`.tale tr[aria-current]`, &current))
	if current == "" {
		t.Error("no step is the present one")
	}
	shot(t, do, "file-counterexample")
}

// The whole page is small.
func TestPageIsSmall(t *testing.T) {
	const most = 300_000
	var b, squeezed bytes.Buffer
	if err := Export(&b); err != nil {
		t.Fatal(err)
	}
	w := gzip.NewWriter(&squeezed)
	if _, err := w.Write(b.Bytes()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if n := squeezed.Len(); n > most || n < 10_000 {
		t.Errorf("the page has %d bytes compressed, at most %d", n, most)
	}
	t.Logf("%d bytes, %d compressed", b.Len(), squeezed.Len())
}
