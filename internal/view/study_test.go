package view

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"

	"caucus.example/caucus/internal/frames"
)

// half and whole are what a sweep tells of itself at two looks.
const (
	half = `{"name": "small", "done": 2, "total": 4, "most": 8, "seconds": 3, "left": 3, "over": false,
		"columns": ["run", "radius", "algorithm", "seed", "leaders"], "runs": [[1, "1", "bounded", 1, "9"], [2, "2", "bounded", 1, "4"]],
		"charts": [{"measure": "leaders", "over": "radius", "lines": [{"name": "", "x": [1, 2], "y": [9, 4], "low": [9, 4], "high": [9, 4]}]}]}`
	whole = `{"name": "small", "done": 4, "total": 4, "most": 4, "seconds": 6, "left": 0, "over": true,
		"columns": ["run", "radius", "algorithm", "seed", "leaders"], "runs": [[3, "1", "bounded", 2, "11"], [4, "2", "bounded", 2, "4"]],
		"charts": [{"measure": "leaders", "over": "radius", "lines": [{"name": "", "x": [1, 2], "y": [10, 4], "low": [9, 4], "high": [11, 4]}]}]}`
)

// A sweep is shown as it goes, and a run of it that is picked by the keyboard plays; then there is a way back.
func TestSweepInThePage(t *testing.T) {
	t.Parallel()
	for _, width := range []int{1280, 390} {
		var mu sync.Mutex
		over := false
		s := &Server{Study: &Study{
			Look: func(from int) any {
				mu.Lock()
				defer mu.Unlock()
				text := half
				if from > 0 && over {
					text = whole
				} else if from > 0 {
					text = strings.Replace(half, `[[1, "1", "bounded", 1, "9"], [2, "2", "bounded", 1, "4"]]`, "[]", 1)
				}
				return json.RawMessage(text)
			},
			Run: func(number int) (frames.Request, error) {
				return frames.Request{Scenario: fmt.Sprintf("topology: ring:6\nradius: 2\nseed: %d\n", number)}, nil
			}}}
		do := browser(t, s, width, 800)
		var far, table string
		var ends []float64
		look := func() {
			do(chromedp.Text("#study p", &far), chromedp.Text("#study tbody", &table), chromedp.Evaluate(
				`[...caucus.study.figures.values()].flatMap((f) => [...f.plot.data[1], f.plot.scales.y.max])`, &ends))
		}
		do(until(`document.querySelectorAll("#study tbody tr").length === 2`))
		look()
		if far != "2 of 4 runs, at most 8; 3 s, 3 s left" || !strings.HasPrefix(table, "Watch\t2\t2\tbounded\t1\t4") ||
			fmt.Sprint(ends) != "[9 4 9.72]" {
			t.Errorf("at first: %q %q %v", far, table, ends)
		}
		mu.Lock()
		over = true
		mu.Unlock()
		do(until(`document.querySelectorAll("#study tbody tr").length === 4`))
		look()
		if far != "4 of 4 runs; 6 s; over" || fmt.Sprint(ends) != "[10 4 11.88]" {
			t.Errorf("in the end: %q %v", far, ends)
		}
		shot(t, do, fmt.Sprint("sweep-", width))
		// By the number of leaders, most first.
		do(chromedp.Focus(`[data-of="column leaders"]`), chromedp.KeyEvent("\r"), chromedp.KeyEvent("\r"))
		look()
		if !strings.HasPrefix(table, "Watch\t3\t1\tbounded\t2\t11") {
			t.Errorf("sorted: %q", table)
		}
		var scenario string
		do(chromedp.Focus(`[data-run="3"]`), chromedp.KeyEvent("\r"), until(runs),
			chromedp.Evaluate(`caucus.stages[0].history.h.scenario`, &scenario))
		if !strings.Contains(scenario, "seed: 3") {
			t.Errorf("the run that is watched:\n%s", scenario)
		}
		do(chromedp.WaitNotVisible("#study"), chromedp.WaitVisible("#panes"), chromedp.Click("#tostudy"),
			chromedp.WaitVisible("#study"), chromedp.WaitNotVisible("#panes"))
	}
}

// A sweep of which a run has failed says which, and goes on showing those that have not.
func TestFailedSweepInThePage(t *testing.T) {
	t.Parallel()
	failed := strings.Replace(half, `"over": false`, `"over": true, "wrong": "job 3: not connected"`, 1)
	do := browser(t, &Server{Study: &Study{Look: func(int) any { return json.RawMessage(failed) }}}, 390, 800)
	var far, wrong string
	do(until(`document.querySelectorAll("#study tbody tr").length === 2`), chromedp.Text("#study p", &far),
		chromedp.Text("#study .wrong", &wrong))
	if far != "2 of 4 runs, at most 8; 3 s; ended before all were made" || wrong != "job 3: not connected" {
		t.Errorf("%q %q", far, wrong)
	}
	shot(t, do, "sweep-failed")
}

// What is asked of a sweep has to be asked for with the key, and to be there.
func TestSweepRefuses(t *testing.T) {
	study := &Study{Look: func(int) any { return 1 }, Run: func(int) (q frames.Request, err error) {
		return q, fmt.Errorf("no such run")
	}}
	for _, c := range []struct {
		study     *Study
		path, key string
		want      int
	}{{study, "/api/study?from=0", "k", 200}, {study, "/api/study?from=0", "", 403},
		{study, "/api/study?from=-1", "k", 400},
		{study, "/api/study", "k", 400}, {nil, "/api/study?from=0", "k", 404}, {study, "/api/study/1", "k", 422},
		{study, "/api/study/1", "x", 403}, {study, "/api/study/x", "k", 400}, {nil, "/api/study/1", "k", 404}} {
		s := Server{Key: "k", Study: c.study}
		r := httptest.NewRequest("GET", "http://localhost"+c.path, nil)
		r.Header.Set("Authorization", "Bearer "+c.key)
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("%s with the key %q: %d %s, want %d", c.path, c.key, w.Code, w.Body, c.want)
		}
	}
}
