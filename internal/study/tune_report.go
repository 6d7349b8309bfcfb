package study

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"caucus.example/caucus/internal/jobs"
	"caucus.example/caucus/internal/picture"
	"caucus.example/caucus/internal/results"
	"caucus.example/caucus/internal/scenario"
)

// TuneReport is what a search has found, for all T or, after an interruption, for those that were done.
type TuneReport struct {
	Tune
	Version string
	rows    []results.Row
	Found   []TunePeriod // for each T that is done, rising
	Best    *TuneChoice  // nil: no K and T is known to be sufficient
}

// TuneChoice is a K and T.
type TuneChoice struct {
	T      time.Duration
	Expiry int
	TunePoint
}

// Report evaluates the results of the sweep. Of the least sufficient K of each T it recommends the one with the least
// mean time, then with the fewest messages.
func (u Tune) Report(version string, found []results.Rows) *TuneReport {
	r := &TuneReport{Tune: u, Version: version, rows: slices.Concat(found...)}
	for k, rows := range found {
		if len(rows) == 0 {
			continue // not done
		}
		p := u.read(rows)
		r.Found = append(r.Found, p)
		if pt := p.point(p.Least); pt != nil && (r.Best == nil || pt.Seconds < r.Best.Seconds ||
			pt.Seconds == r.Best.Seconds && pt.Messages < r.Best.Messages) {
			r.Best = &TuneChoice{u.Periods[k], p.Expiry, *pt}
		}
	}
	return r
}

// length is T.
func (p *TunePeriod) length() time.Duration { return time.Duration(math.Round(p.T * 1e9)) }

// point finds the point of a K; nil if it was not measured.
func (p *TunePeriod) point(k int) *TunePoint {
	for i := range p.Points {
		if p.Points[i].K == k {
			return &p.Points[i]
		}
	}
	return nil
}

// front tells whether no other T has a sufficient K that is as small, with a T as small.
func (r *TuneReport) front(p *TunePeriod) bool {
	for _, q := range r.Found {
		if q.Least > 0 && q.Least <= p.Least && q.T < p.T {
			return false
		}
	}
	return p.Least > 0
}

// Open tells whether some K and T has no verdict.
func (r *TuneReport) Open() bool {
	for _, p := range r.Found {
		for _, pt := range p.Points {
			if pt.Verdict == Undecided || pt.Verdict == Promising {
				return true
			}
		}
	}
	return false
}

// closest is the point with the most successes of those that are not enough.
func (r *TuneReport) closest() (best TuneChoice) {
	share := -1.0
	for k := range r.Found {
		for _, pt := range r.Found[k].Points {
			if s := float64(pt.Succeeded) / float64(pt.Runs); s > share {
				share = s
				best = TuneChoice{r.Found[k].length(), r.Found[k].Expiry, pt}
			}
		}
	}
	return best
}

// Answer says in a sentence what was found.
func (r *TuneReport) Answer() string {
	goal := fmt.Sprintf("%s success of the %s variant on %s", percent(r.Success), r.Variant, r.Topology)
	if b := r.Best; b != nil {
		return fmt.Sprintf("quickest with %s: K = %d, T = %v, %s s on average", goal, b.K, b.T,
			significant(b.Seconds, 3))
	}
	if len(r.Found) == 0 {
		return "nothing is known yet"
	}
	c := r.closest()
	best := fmt.Sprintf("the best of those tried is K = %d, T = %v with %s (from %s to %s)", c.K, c.T,
		share(float64(c.Succeeded)/float64(c.Runs)), share(c.Low), share(c.High))
	if r.Open() {
		return fmt.Sprintf("no K and T is known to be enough for %s after %d runs of each; %s", goal, r.Runs, best)
	}
	return fmt.Sprintf("no K and T is enough for %s; %s", goal, best)
}

// share writes a probability, never rounded up to 1 or down to 0.
func share(p float64) string {
	text := fmt.Sprintf("%.3f %%", 100*p)
	switch {
	case p < 1 && text == "100.000 %":
		return ">99.999 %"
	case p > 0 && text == "0.000 %":
		return "<0.001 %"
	}
	return text
}

// Echo says in one line what is searched for.
func (u Tune) Echo(version string) string {
	return jobs.Describe("caucus "+version+" tune", u.Options())
}

// Text writes the table, the answer and the configuration for agents.
func (r *TuneReport) Text(out io.Writer) error {
	if len(r.Found) == 0 {
		_, err := fmt.Fprintln(out, r.Answer())
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "T\tK\tSUCCESS\tAT LEAST\tAT MOST\tRUNS\tMEAN s\t95 % s\tMESSAGES\tJ A NODE\t\t")
	for k := range r.Found {
		p := &r.Found[k]
		for _, pt := range p.near() {
			costs := "-\t-\t-\t-"
			if pt.Succeeded > 0 {
				costs = strings.Join([]string{significant(pt.Seconds, 3), significant(pt.P95, 3),
					significant(pt.Messages, 4), significant(pt.Joules, 3)}, "\t")
			}
			fmt.Fprintf(w, "%v\t%d\t%s\t%s\t%s\t%d\t%s\t%s\t\n", p.length(), pt.K,
				share(float64(pt.Succeeded)/float64(pt.Runs)), share(pt.Low), share(pt.High), pt.Runs, costs,
				r.remark(p, &pt))
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, line := range r.notes() {
		fmt.Fprintln(out, line)
	}
	fmt.Fprintln(out, r.Answer())
	if r.Best != nil {
		fmt.Fprintf(out, "\n%s", r.Snippet())
	}
	return nil
}

// near is the points of a T about its least sufficient K; without one the last and the one with the most successes.
func (p *TunePeriod) near() (list []TunePoint) {
	if p.Least == 0 {
		best := &p.Points[0]
		for k := range p.Points {
			if pt := &p.Points[k]; pt.Succeeded*best.Runs > best.Succeeded*pt.Runs {
				best = pt
			}
		}
		list = append(list, *best)
		if last := p.Points[len(p.Points)-1]; last.K != best.K {
			list = append(list, last)
		}
		return list
	}
	for _, pt := range p.Points {
		if pt.K >= p.Least-2 && pt.K <= p.Least+1 {
			list = append(list, pt)
		}
	}
	return list
}

func (r *TuneReport) remark(p *TunePeriod, pt *TunePoint) string {
	switch {
	case pt.Verdict != Sufficient:
		return string(pt.Verdict)
	case pt.K != p.Least:
		return "enough"
	case r.Best != nil && r.Best.K == pt.K && r.Best.T.Seconds() == p.T:
		return "recommended"
	case r.front(p):
		return "least K, front"
	}
	return "least K"
}

func (r *TuneReport) notes() (list []string) {
	for _, p := range r.Found {
		if !p.Monotone {
			list = append(list, fmt.Sprintf("T = %g s: a greater K is not always better here; see the points", p.T))
		}
	}
	return list
}

// Snippet is the configuration that all agents of the network share. Those of the reliable variant have to be told what
// its rounds are measured in.
func (r *TuneReport) Snippet() string {
	b := r.Best
	text := fmt.Sprintf("# K = %d rounds of %v are enough for %s of elections on %s, with %s of datagrams lost\n# "+
		"and %s on the way (simulated: at least %s, confidence %s)\n",
		b.K, b.T, percent(r.Success), scenario.Quote(r.Topology), percent(r.Links.Loss), r.latency(), share(b.Low),
		percent(tuneConfidence))
	if r.Variant == "reliable" {
		text += "# if they all start at once, on links that repeat nothing\n"
	}
	text += "algo: " + r.Algo() + "\nparams:\n"
	params := r.Params(b.K, b.T)
	for _, name := range []string{"variant", "k", "t", "patience"} {
		if value, ok := params[name]; ok {
			text += fmt.Sprintf("  %s: %s\n", name, value)
		}
	}
	if r.Variant == "reliable" {
		text += fmt.Sprintf("known: {diameter: %d, delay: %v}\n", r.Diameter, r.bound())
	}
	text += fmt.Sprintf("period: %v\nexpiry: %d\n", b.T, b.Expiry)
	return text
}

type tuneDocument struct {
	Schema      string         `json:"schema"`
	Version     string         `json:"version"`
	Options     map[string]any `json:"options"`
	Recommended *tuneChoice    `json:"recommended"`
	Periods     []tunePeriod   `json:"periods"`
	Answer      string         `json:"answer"`
	Config      string         `json:"config,omitempty"` // for agents
}

type tuneChoice struct {
	T      float64 `json:"t"`
	Expiry int     `json:"expiry"`
	TunePoint
}

type tunePeriod struct {
	TunePeriod
	Front bool `json:"front"`
}

// JSON writes the report, schema caucus.tune/2.
func (r *TuneReport) JSON(out io.Writer) error {
	d := tuneDocument{Schema: "caucus.tune/2", Version: r.Version, Options: typed(r.Options()), Periods: []tunePeriod{},
		Answer: r.Answer()}
	for k := range r.Found {
		d.Periods = append(d.Periods, tunePeriod{r.Found[k], r.front(&r.Found[k])})
	}
	if b := r.Best; b != nil {
		d.Recommended, d.Config = &tuneChoice{b.T.Seconds(), b.Expiry, b.TunePoint}, r.Snippet()
	}
	return indented(out, d)
}

// Files are what a folder of results gets.
func (r *TuneReport) Files() []File {
	list := append(tables("tune", r.rows), Meta("meta.json", r.Echo(r.Version), r.Version, r.Options()),
		File{"tune.json", r.JSON})
	if r.Best != nil {
		list = append(list, File{"agent.yaml", func(out io.Writer) error {
			_, err := io.WriteString(out, r.Snippet())
			return err
		}})
		list = append(list, charts("times", r.Chart())...)
	}
	if c := r.successChart(); c != nil {
		list = append(list, charts("success", c)...)
	}
	return list
}

// CSV writes what was found of every K and T: the table means.csv.
func (r *TuneReport) CSV(out io.Writer) error { return results.Means("tune", r.rows).CSV(out) }

// Chart draws what each T costs, with its least sufficient K: there has to be one.
func (r *TuneReport) Chart() *picture.Chart {
	c := &picture.Chart{Title: fmt.Sprintf("PraSLE %s on %s: time of an election", r.Variant, r.Topology),
		Subtitle: fmt.Sprintf("with the least K of each T that succeeds in %s of runs; %s lost, %s on the way",
			percent(r.Success), percent(r.Links.Loss), r.latency()),
		XLabel: "T in milliseconds", YLabel: "seconds", LogX: true}
	for k := range r.Found {
		p := &r.Found[k]
		if pt := p.point(p.Least); pt != nil {
			whole := line(c, "K rounds", "", picture.LinePoints)
			whole.put(1000*p.T, float64(pt.K)*p.T)
			whole.Labels = append(whole.Labels, fmt.Sprintf("K=%d", pt.K))
			line(c, "95th percentile", "", picture.LinePoints).put(1000*p.T, pt.P95)
			line(c, "mean time", "", picture.LinePoints).put(1000*p.T, pt.Seconds)
		}
	}
	return c
}

// successChart draws the share of runs that succeed over K; nil without results.
func (r *TuneReport) successChart() *picture.Chart {
	c := &picture.Chart{Title: fmt.Sprintf("PraSLE %s on %s: success", r.Variant, r.Topology),
		Subtitle: "share of runs and its bounds, confidence " + percent(tuneConfidence) + "; " + r.latency() +
			" on the way, " + percent(r.Links.Loss) + " lost",
		XLabel: "K", YLabel: "share of runs"}
	for _, p := range r.Found {
		line := picture.Series{Name: fmt.Sprintf("T = %v", p.length()), Style: picture.LinePoints}
		for _, pt := range p.Points {
			line.X, line.Y = append(line.X, float64(pt.K)), append(line.Y, float64(pt.Succeeded)/float64(pt.Runs))
			line.Lo, line.Hi = append(line.Lo, pt.Low), append(line.Hi, pt.High)
		}
		c.Series = append(c.Series, line)
	}
	if len(c.Series) == 0 {
		return nil
	}
	c.References = []picture.Reference{{Y: r.Success, Name: percent(r.Success)}}
	return c
}
