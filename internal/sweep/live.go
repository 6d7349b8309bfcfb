package sweep

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/jobs"
	"caucus.example/caucus/internal/results"
	"caucus.example/caucus/internal/scenario"
)

// Live is a sweep under way, for those who look on.
type Live struct {
	s *Sweep

	mu                   sync.Mutex // of all below
	rows                 []results.Rows
	ended                []int // jobs, as they come to an end
	earlier, done, total int
	began, last          time.Time
	over                 bool
	wrong                string

	drawing sync.Mutex // of all below
	charts  []Curves
	fresh   time.Time // until then, the charts
	charted int       // jobs that the charts have
}

// Look is what there is of a sweep at a moment.
type Look struct {
	Name    string   `json:"name"`
	Done    int      `json:"done"`
	Total   int      `json:"total"`
	Most    int      `json:"most"`    // there may come more, up to these
	Seconds float64  `json:"seconds"` // since it began
	Left    float64  `json:"left"`    // as many more; below 0: nobody knows
	Over    bool     `json:"over"`
	Wrong   string   `json:"wrong,omitempty"` // why it ended before its end
	Columns []string `json:"columns"`
	Runs    [][]any  `json:"runs"` // those that have ended since the last look
	Charts  []Curves `json:"charts"`
}

// Curves are what a measure is, over a variable or, without one, the shares of runs with at most that.
type Curves struct {
	Measure string  `json:"measure"`
	Over    string  `json:"over"`
	Lines   []Curve `json:"lines"`
}

// Curve is of one group of runs: means with their intervals, which the shares of runs have not.
type Curve struct {
	Name string    `json:"name"`
	X    []float64 `json:"x"`
	Y    []float64 `json:"y"`
	Low  []float64 `json:"low"`
	High []float64 `json:"high"`
}

// Live prepares to be looked at while the runs are made with the setting.
func (s *Sweep) Live(at *jobs.Setting) *Live {
	_, most := s.Runs()
	l := &Live{s: s, rows: make([]results.Rows, most), earlier: -1, began: time.Now()}
	at.Finished = l.finished
	shown := at.Progress
	at.Progress = func(done, total int) {
		l.progress(done, total)
		if shown != nil {
			shown(done, total)
		}
	}
	return l
}

func (l *Live) finished(job int, rows results.Rows) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rows[job] = rows
	l.ended = append(l.ended, job)
}

func (l *Live) progress(done, total int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.earlier < 0 {
		l.earlier = done
	}
	l.done, l.total, l.last = done, total, time.Now()
}

// End says that no more runs come, and if that is so before all were made, why.
func (l *Live) End(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over, l.last = true, time.Now(); err != nil {
		l.wrong = err.Error()
	}
}

// Begun tells whether runs have been begun, or found in what was kept.
func (l *Live) Begun() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.earlier >= 0
}

// maxTold is how many runs one look tells of.
const maxTold = 5000

// Look tells how far the sweep is, and of the runs that have ended after so many.
func (l *Live) Look(from int) Look {
	charts := l.draw()
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if l.over {
		now = l.last
	}
	out := Look{Name: l.s.Name, Done: l.done, Total: l.total, Seconds: now.Sub(l.began).Seconds(), Left: -1,
		Over: l.over, Wrong: l.wrong, Columns: l.columns(), Runs: [][]any{},
		Charts: charts}
	if _, out.Most = l.s.Runs(); l.s.Seeds.Within == 0 || l.over {
		out.Most = out.Total
	}
	made := l.done - max(l.earlier, 0)
	if left, ok := jobs.Remaining(l.last.Sub(l.began), now.Sub(l.last), made, l.total-l.done); ok {
		out.Left = left.Seconds()
	}
	for _, job := range l.ended[min(max(from, 0), len(l.ended)):] {
		if out.Runs = append(out.Runs, l.run(job)); len(out.Runs) == maxTold {
			out.Over = false // there is more to tell
			break
		}
	}
	return out
}

// shown are the measures of which a run has few values.
func (l *Live) shown() (list []string) {
	for _, m := range l.s.measures {
		if !strings.HasSuffix(m.Name, "-by-round") {
			list = append(list, m.Name)
		}
	}
	return list
}

func (l *Live) columns() []string {
	return slices.Concat([]string{"run"}, l.s.Variables, []string{"algorithm", "seed"}, l.shown())
}

// run is a line of the table of runs.
func (l *Live) run(job int) []any {
	cell, seed := l.s.place(job)
	at, c := l.s.at(cell)
	line := []any{l.s.number(cell, seed)}
	for _, v := range at {
		line = append(line, v)
	}
	name := c.Label
	if name == "" && len(l.rows[job]) > 0 {
		name = l.rows[job][0].Series
	}
	line = append(line, name, seed)
	for _, name := range l.shown() {
		var values []string
		for _, r := range l.rows[job] {
			if r.Metric == name && r.Value == r.Value {
				values = append(values, fmt.Sprintf("%.6g", r.Value))
			}
		}
		line = append(line, strings.Join(values, "; "))
	}
	return line
}

// rest is how much longer charts are kept than it took to draw them.
const rest = 20

// draw gives a chart for each measure.
func (l *Live) draw() []Curves {
	l.drawing.Lock()
	defer l.drawing.Unlock()
	began := time.Now()
	l.mu.Lock()
	ended := len(l.ended)
	if l.charts != nil && (l.charted == ended || began.Before(l.fresh) && !l.over) {
		l.mu.Unlock()
		return l.charts
	}
	rows := slices.Clone(l.rows)
	l.mu.Unlock()
	table := l.s.table(rows)
	l.charts, l.charted = []Curves{}, ended
	for _, m := range l.s.measures {
		c := scenario.Chart{Measure: m.Name, Over: l.s.over(m.Name)}
		c.By = l.s.by(c.Over)
		chart, err := table.chart(&c)
		if err != nil {
			continue // it has no conditions, which alone can go wrong
		}
		curves := Curves{m.Name, c.Over, []Curve{}}
		for _, s := range chart.Series {
			curves.Lines = append(curves.Lines, Curve{s.Name, s.X, s.Y, s.Lo, s.Hi})
		}
		l.charts = append(l.charts, curves)
	}
	l.fresh = time.Now().Add(rest * time.Since(began))
	return l.charts
}

// over is the variable over which a measure is drawn: the one of a chart of the study, or else the number that takes
// the most values; "" if there is none.
func (s *Sweep) over(measure string) (best string) {
	if strings.HasSuffix(measure, "-by-round") {
		return "round"
	}
	most := 1
	for k, column := range s.columns()[1 : 1+len(s.Variables)] {
		if n := s.values(k); column.Kind != results.Text && n > most {
			best, most = column.Name, n
		}
	}
	for _, c := range slices.Backward(s.Charts) {
		if c.Over != "" && c.Over != "round" && (c.Measure == measure || !slices.Contains(s.Variables, best)) {
			best = c.Over
		}
	}
	return best
}

// values counts those of a variable.
func (s *Sweep) values(variable int) int {
	seen := map[string]bool{}
	for _, at := range s.Points {
		seen[at[variable]] = true
	}
	return len(seen)
}

// by is what tells the lines of a chart apart.
func (s *Sweep) by(over string) []string {
	by := []string{}
	for k, name := range s.Variables {
		if name != over && s.values(k) > 1 {
			by = append(by, name)
		}
	}
	if len(s.Algorithms) > 1 {
		by = append(by, "algorithm")
	}
	return by
}

// Scenario is that of a run by its number, and the folder from which its files are seen.
func (l *Live) Scenario(run int) (text, folder string, err error) {
	s := l.s
	cell, k := (run-1)/s.Seeds.Most, (run-1)%s.Seeds.Most
	if run < 1 || cell >= len(s.Points)*len(s.Algorithms) {
		return "", "", caucus.Wrong("run", run, fmt.Sprintf("1 to %d", len(s.Points)*len(s.Algorithms)*s.Seeds.Most))
	}
	at, c := s.at(cell)
	sc, err := s.Plan.Scenario(at, c, s.Seeds.First+uint64(k))
	if err != nil {
		return "", "", err
	}
	r, err := sc.Resolve()
	if err != nil {
		return "", "", err
	}
	return r.YAML(), filepath.Dir(sc.File), nil
}
