package study

import (
	"fmt"
	"math"
	"strings"

	"caucus.example/caucus/internal/results"
)

// praslePair is a job and what both kinds of network say.
type praslePair struct {
	*prasleTask
	sim, udp prasleSample
	k        int
}

func (s *prasleStudy) pairs() (list []praslePair) {
	for k := range s.tasks {
		t := &s.tasks[k]
		p := praslePair{t, s.sample(t, "sim"), s.sample(t, "udp"), s.bestK(t)}
		if p.sim.runs+p.udp.runs > 0 {
			list = append(list, p)
		}
	}
	return list
}

// Two kinds of network agree on a row if they differ by no more than the error that is stated beside them:
//
//   - twice the standard error of the difference of the means, of which one row in twenty is outside by chance;
//   - for seconds, twice the mean lateness of this machine's timers, as measured during the runs, for each of the K + 3
//     rounds: a node sets
//     a timer when the one before has gone off, so that lateness adds up, and the time is that of the slowest node;
//   - for rounds, one round, since the simulator counts whole ones and its faults come between rounds; for a
//     partition as many as the expiry more, since its simulated edges forget at once and agents after the expiry, and
//     for its
//     end one more, since simulated edges that come back bring the last messages at once and real ones the next; and
//     what a jitter of a tenth of a round changes in simulations: agents keep their phases, but a busy machine makes
//     their rounds late, so
//     that the order of neighbours varies, and an algorithm that prefers the younger of two claims finds younger ones;
//   - for shares, twice the standard error of the difference of two shares of the same probability, and for loss what
//
// one
//
//	more
//	round changes, since agents hear the first claims before their first round and simulated nodes during it.
func (j *praslePair) meansError() float64 {
	a, b := j.sim.of[took], j.udp.of[took]
	e := 2 * math.Hypot(a.StdErr, b.StdErr)
	if x := j.sim.jittered; x.N > 0 && a.N > 0 {
		e += math.Abs(x.Value - a.Value)
	}
	switch j.of {
	case "partition":
		return e + 1 + udpExpiry
	case "heal":
		return e + 2
	case "crash", "fake":
		return e + 1
	}
	return e + 2*float64(j.k+3)*j.udp.timers
}

// sharesError is that of the shares of runs that ended well.
func (j *praslePair) sharesError() float64 {
	a, b := &j.sim, &j.udp
	// One run of each kind is added, so that shares of 0 and 1 have an error as well.
	p := float64(a.well+b.well+1) / float64(a.runs+b.runs+2)
	e := 2 * math.Sqrt(p*(1-p)*(1/float64(a.runs)+1/float64(b.runs)))
	if j.of == "loss" {
		e += max(0, a.later-a.share())
	}
	return e
}

// stated is the error that is stated beside a row.
func (j *praslePair) stated() float64 {
	if j.of == "loss" {
		return j.sharesError()
	}
	return j.meansError()
}

// agrees tells whether both kinds of network say the same within the error.
func (j *praslePair) agrees() bool {
	a, b := &j.sim, &j.udp
	if math.Abs(a.share()-b.share()) > j.sharesError() {
		return false
	}
	return j.of == "loss" || a.well == 0 || b.well == 0 || math.Abs(a.of[took].Value-b.of[took].Value) <= j.meansError()
}

func (x *prasleSample) share() float64 { return float64(x.well) / float64(max(1, x.runs)) }

// timeTable is the points over size. Those over K and T are in a file.
func (s *prasleStudy) timeTable() Table {
	t := Table{Title: fmt.Sprintf("Seconds until the last node has decided, mean ± standard deviation, real UDP "+
		"beside simulated; T = %g s, K the least that all simulated runs succeed with", prasleT.Seconds()),
		Columns: []string{"topology", "nodes", "K", "simulated", "failed", "udp", "failed", "late", "error", "agree",
			"sent and received, simulated", "udp", "J a node, simulated", "udp"}}
	for _, j := range s.pairs() {
		if j.of != "size" {
			continue
		}
		a, b := &j.sim, &j.udp
		var stated any
		verdict := "not deployable"
		if j.deployable {
			stated, verdict = significant(j.meansError(), 2), map[bool]string{true: "yes", false: "no"}[j.agrees()]
		}
		t.Rows = append(t.Rows, []any{j.name, j.graph.Len(), j.k, a.spread(), of(a.runs-a.well, a.runs), b.spread(),
			of(b.runs-b.well, b.runs), b.late,
			stated, verdict, a.shown(4, sent, received), b.shown(4, sent, received), a.shown(3, joules),
			b.shown(3, joules)})
	}
	return t
}

// The other tables have a row for each algorithm and a cell for each rate or fault: simulated / real ± error.
const cells = "simulated / real UDP ± stated error, ! where they differ by more"

func (s *prasleStudy) lossTable() Table {
	t := Table{Title: fmt.Sprintf("Share of runs on networks of %d that agree on the best after 3(D+2)/2 rounds "+
		"(reliable: with that K, when it ends); %s", s.Faulty, cells),
		Columns: []string{"topology", "variant"}}
	for _, rate := range prasleLosses {
		t.Columns = append(t.Columns, fmt.Sprintf("%.0f %%", 100*rate))
	}
	t.fill(s.pairs(), func(j *praslePair) bool { return j.of == "loss" }, func(j *praslePair) string {
		real := "-"
		if j.deployable {
			real = fmt.Sprintf("%.2f ± %.2f", j.udp.share(), j.sharesError())
		}
		return fmt.Sprintf("%.2f / %s", j.sim.share(), real)
	})
	return t
}

func (s *prasleStudy) recoveryTable() Table {
	t := Table{Title: fmt.Sprintf("Rounds (of %v) to recover on networks of %d; %s", s.Round, s.Faulty, cells),
		Columns: append([]string{"topology", "algorithm"}, prasleFaults...)}
	t.fill(s.pairs(), func(j *praslePair) bool { return !j.curved() && j.of != "loss" }, func(j *praslePair) string {
		real := "-"
		if j.deployable {
			real = j.udp.show()
		}
		if j.sim.well > 0 && j.udp.well > 0 {
			real += fmt.Sprintf(" ± %.1f", j.meansError())
		}
		return j.sim.show() + " / " + real
	})
	return t
}

// fill makes rows of the cells of the jobs wanted, a row for each topology and algorithm.
func (t *Table) fill(pairs []praslePair, want func(*praslePair) bool, cell func(*praslePair) string) {
	for k := range pairs {
		j := &pairs[k]
		if !want(j) {
			continue
		}
		if n := len(t.Rows); n == 0 || t.Rows[n-1][0] != j.name || t.Rows[n-1][1] != j.title {
			t.Rows = append(t.Rows, []any{j.name, j.title})
		}
		text := cell(j)
		if j.deployable && !j.agrees() {
			text += " !"
		}
		row := &t.Rows[len(t.Rows)-1]
		*row = append(*row, text)
	}
}

// besideEachOther counts the rows that agree and names those that do not. The stated error of each goes to the rows.
func (s *prasleStudy) besideEachOther(r *Report) {
	runs, late, again, rows, outside := 0, 0, 0, 0, 0
	var differ, missing []string
	timers := 0.0
	for _, j := range s.pairs() {
		if !j.deployable {
			if !strings.Contains(strings.Join(missing, ","), j.title) {
				missing = append(missing, j.title)
			}
			continue
		}
		runs, late, again, rows = runs+j.udp.runs, late+j.udp.late, again+j.udp.again, rows+1
		timers += (j.udp.timers - timers) / float64(rows)
		agrees := 1.0
		if !j.agrees() {
			agrees = 0
			outside++
			differ = append(differ, j.account())
		}
		row := recorder{Row: results.Row{Series: j.subject(), Network: j.name, N: j.graph.Len(), X: results.None},
			rows: r.Rows}
		row.add("stated error", j.stated())
		row.add("agrees", agrees)
		r.Rows = row.rows
	}
	if len(missing) > 0 {
		r.Notes = append(r.Notes, "not deployable: "+strings.Join(missing, ", "))
	}
	_, failed, short := s.failures()
	r.Notes = append(r.Notes,
		fmt.Sprintf("%d real runs; %d more were made again because this machine was late by more than a round, and "+
			"%d late ones are among those that count. Its timers were late by %.2f ms on average.", runs, again, late,
			1000*timers),
		fmt.Sprintf("Reliable variant: %d runs failed (not all decided for the best), %d of those with K below the "+
			"diameter; failed runs are in no mean.", failed, short),
		fmt.Sprintf("%d of %d rows agree within the stated error; about %.0f are outside by chance.", rows-outside,
			rows, float64(rows)/20))
	for _, name := range differ {
		r.Notes = append(r.Notes, "outside: "+name)
	}
	for _, name := range s.Topologies {
		if round, timer, ok := s.overhead(name); ok {
			r.Notes = append(r.Notes, fmt.Sprintf("%s: each of the K + 3 rounds takes %.1f ms longer than simulated "+
				"where K covers the diameter; "+
				"a timer is late by %.1f ms on average, and the slowest node decides last.",
				name, 1000*round, 1000*timer))
		}
	}
	s.messageNotes(r)
	r.fact("runs", runs, "failed", failed,
		"failed-below-diameter", short,
		"late", late, "again", again, "rows", rows, "outside", outside)
}

// overhead is by how much a round takes longer than simulated and how late a timer is, both in seconds: means over the
// points of a topology with K from the diameter on.
func (s *prasleStudy) overhead(name string) (round, timer float64, ok bool) {
	n := 0.0
	for _, j := range s.pairs() {
		if j.name == name && j.curved() && j.k >= j.diameter && j.sim.well > 0 && j.udp.well > 0 {
			n++
			round += ((j.udp.of[took].Value-j.sim.of[took].Value)/float64(j.k+3) - round) / n
			timer += (j.udp.timers - timer) / n
		}
	}
	return round, timer, n > 0
}

// subject says what a row is about.
func (j *praslePair) subject() string {
	switch {
	case j.of == "loss":
		return fmt.Sprintf("%s, loss %.0f %%", j.title, 100*j.rate)
	case j.curved():
		return fmt.Sprintf("%s, K = %d, T = %g s", j.title, j.k, j.t.Seconds())
	}
	return j.title + ", " + j.of
}

// account names a row and what both kinds of network say.
func (j *praslePair) account() string {
	name, a, b := fmt.Sprintf("%s of %d, %s: ", j.name, j.graph.Len(), j.subject()), &j.sim, &j.udp
	switch {
	case j.of == "loss":
		return name + fmt.Sprintf("share %.2f simulated, %.2f on UDP", a.share(), b.share())
	case j.curved():
		return name + fmt.Sprintf("%v s simulated, %v s on UDP (%d and %d failed)", a.shown(4, took), b.shown(4, took),
			a.runs-a.well, b.runs-b.well)
	}
	return name + fmt.Sprintf("%v rounds simulated, %v on UDP", a.show(), b.show())
}

// shown is the mean of quantities added up with so many digits; nil without one.
func (x *prasleSample) shown(digits int, quantities ...int) any {
	if x.well == 0 {
		return nil
	}
	sum := 0.0
	for _, q := range quantities {
		sum += x.of[q].Value
	}
	return significant(sum, digits)
}

// spread is the mean time with its standard deviation; nil without one.
func (x *prasleSample) spread() any {
	if x.well == 0 {
		return nil
	}
	return fmt.Sprintf("%.3f ± %.3f", x.of[took].Value, x.of[took].SD)
}

// of is a number of so many, where there are any.
func of(k, n int) any {
	if n == 0 {
		return nil
	}
	return fmt.Sprintf("%d of %d", k, n)
}
