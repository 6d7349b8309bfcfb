package study

import (
	"fmt"
	"math"
	"strings"
)

// Report evaluates the results of the sweep: what is published beside both kinds of network, and the kinds beside each
// other.
func (p PrasleUDP) Report(version string, jobs []UDPJob) *Report {
	simulated := &prasleStudy{Prasle: p.Prasle, net: "sim", jobs: gather(jobs, "sim")}
	s := &prasleStudy{Prasle: p.Prasle, net: "udp", beside: simulated, jobs: gather(jobs, "udp")}
	r := &Report{Experiment: "prasle", Version: version, Options: p.options(), Rows: append(s.rows(), udpRows(jobs)...)}
	r.Tables = append(r.Tables, p.timeTable(jobs), p.lossTable(jobs), p.recoveryTable(jobs))
	for _, kind := range []*prasleStudy{{Prasle: p.Prasle, net: "sim", beside: s, jobs: simulated.jobs}, s} {
		kind.compareSizes(r)
		kind.compareRounds(r)
	}
	p.findings(r, s, jobs)
	s.charts(r)
	return r
}

// udpRows has the stated error of each comparison of both kinds of network, and whether they agree within it.
func udpRows(jobs []UDPJob) (rows []Row) {
	for k := range jobs {
		j := &jobs[k]
		if !j.Deployable {
			continue
		}
		row := Row{Series: j.subject(), Network: j.Topology, N: j.Nodes, X: none, Metric: "stated error"}
		if row.Value = j.meansError(); j.Of == "loss" {
			row.Value = j.sharesError()
		}
		rows = append(rows, row)
		if row.Metric, row.Value = "agrees", 0; j.agrees() {
			row.Value = 1
		}
		rows = append(rows, row)
	}
	return rows
}

// gather puts the samples of one kind of network together as the results of a sweep of Prasle are.
func gather(jobs []UDPJob, net string) []PrasleJob {
	var list []PrasleJob
	for k := range jobs {
		j := &jobs[k]
		if last := max(0, k-1); k == 0 || jobs[last].Topology != j.Topology || jobs[last].Nodes != j.Nodes || jobs[last].curved() != j.curved() {
			list = append(list, PrasleJob{Topology: j.Topology, Nodes: j.Nodes, Edges: j.Edges, Diameter: j.Diameter})
		}
		s := j.sample(net)
		if s.Runs > 0 {
			list[len(list)-1].add(j, s)
		}
	}
	return list
}

// curved tells whether a job is a point of a curve.
func (j *UDPJob) curved() bool { return j.Of == "size" || j.Of == "k" || j.Of == "t" }

func (j *UDPJob) sample(net string) *UDPSample {
	if net == "sim" {
		return &j.Sim
	}
	return &j.UDP
}

func (p *PrasleJob) add(j *UDPJob, s *UDPSample) {
	switch {
	case j.Of == "loss":
		p.Loss = append(p.Loss, PrasleLoss{strings.TrimPrefix(j.Algo, "prasle "), j.Rate, s.Runs, s.Well, s.Late})
	case !j.curved():
		p.Recovery = append(p.Recovery, PrasleRecovery{j.Algo, j.Of, s.Took, s.Well, s.Runs, s.Late})
	default:
		p.Points = append(p.Points, PraslePoint{K: j.K, T: j.T, Of: j.Of, Seconds: s.Took, Sent: s.Sent, Received: s.Received, Joules: s.Joules, Failed: s.Runs - s.Well, Late: s.Late})
		if j.Of == "size" {
			p.BestK = j.K
		}
	}
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
//   - for shares, twice the standard error of the difference of two shares of the same probability, and for loss what one
//     more
//     round changes, since agents hear the first claims before their first round and simulated nodes during it.
func (j *UDPJob) meansError() float64 {
	a, b := MeanOf(j.Sim.Took), MeanOf(j.UDP.Took)
	e := 2 * math.Hypot(a.StdErr, b.StdErr)
	if x := j.Sim.Jittered; len(x) > 0 && a.N > 0 {
		e += math.Abs(MeanOf(x).Value - a.Value)
	}
	switch j.Of {
	case "partition":
		return e + 1 + udpExpiry
	case "heal":
		return e + 2
	case "crash", "fake":
		return e + 1
	}
	return e + 2*float64(j.K+3)*j.UDP.Timers
}

// sharesError is that of the shares of runs that ended well.
func (j *UDPJob) sharesError() float64 {
	a, b := &j.Sim, &j.UDP
	// One run of each kind is added, so that shares of 0 and 1 have an error as well.
	p := float64(a.Well+b.Well+1) / float64(a.Runs+b.Runs+2)
	e := 2 * math.Sqrt(p*(1-p)*(1/float64(a.Runs)+1/float64(b.Runs)))
	if j.Of == "loss" {
		e += max(0, float64(a.Later-a.Well)/float64(a.Runs))
	}
	return e
}

// agrees tells whether both kinds of network say the same within the error.
func (j *UDPJob) agrees() bool {
	a, b := &j.Sim, &j.UDP
	if math.Abs(a.share()-b.share()) > j.sharesError() {
		return false
	}
	return j.Of == "loss" || a.Well == 0 || b.Well == 0 || math.Abs(MeanOf(a.Took).Value-MeanOf(b.Took).Value) <= j.meansError()
}

func (s *UDPSample) share() float64 { return float64(s.Well) / float64(max(1, s.Runs)) }

func (j *UDPJob) verdict() string {
	switch {
	case !j.Deployable:
		return "not deployable"
	case j.agrees():
		return "yes"
	}
	return "no"
}

// timeTable is the points over size. Those over K and T are in a file.
func (p PrasleUDP) timeTable(jobs []UDPJob) Table {
	t := Table{Title: fmt.Sprintf("Seconds until the last node has decided, mean ± standard deviation, real UDP beside simulated; T = %g s, K the least that all simulated runs succeed with", prasleT.Seconds()),
		Columns: []string{"topology", "nodes", "K", "simulated", "failed", "udp", "failed", "late", "error", "agree", "sent and received, simulated", "udp", "J a node, simulated", "udp"}}
	for k := range jobs {
		j := &jobs[k]
		if j.Of != "size" {
			continue
		}
		a, b := &j.Sim, &j.UDP
		t.Rows = append(t.Rows, []any{j.Topology, j.Nodes, j.K, spread(a.Took), of(a.Runs-a.Well, a.Runs), spread(b.Took), of(b.Runs-b.Well, b.Runs), b.Late,
			j.error(), j.verdict(), shown(sum(a.Sent, a.Received), 4), shown(sum(b.Sent, b.Received), 4), shown(a.Joules, 3), shown(b.Joules, 3)})
	}
	return t
}

// The other tables have a row for each algorithm and a cell for each rate or fault: simulated / real ± error.
const cells = "simulated / real UDP ± stated error, ! where they differ by more"

func (p PrasleUDP) lossTable(jobs []UDPJob) Table {
	t := Table{Title: fmt.Sprintf("Share of runs on networks of %d that agree on the best after 3(D+2)/2 rounds (reliable: with that K, when it ends); %s", p.Faulty, cells),
		Columns: []string{"topology", "variant"}}
	for _, rate := range prasleLosses {
		t.Columns = append(t.Columns, fmt.Sprintf("%.0f %%", 100*rate))
	}
	t.fill(jobs, func(j *UDPJob) bool { return j.Of == "loss" }, func(j *UDPJob) string {
		real := "-"
		if j.Deployable {
			real = fmt.Sprintf("%.2f ± %.2f", j.UDP.share(), j.sharesError())
		}
		return fmt.Sprintf("%.2f / %s", j.Sim.share(), real)
	})
	return t
}

func (p PrasleUDP) recoveryTable(jobs []UDPJob) Table {
	t := Table{Title: fmt.Sprintf("Rounds (of %v) to recover on networks of %d; %s", p.Round, p.Faulty, cells), Columns: append([]string{"topology", "algorithm"}, prasleFaults...)}
	t.fill(jobs, func(j *UDPJob) bool { return !j.curved() && j.Of != "loss" }, func(j *UDPJob) string {
		real := "-"
		if j.Deployable {
			real = j.UDP.show()
		}
		if j.Sim.Well > 0 && j.UDP.Well > 0 {
			real += fmt.Sprintf(" ± %.1f", j.meansError())
		}
		return j.Sim.show() + " / " + real
	})
	return t
}

// fill makes rows of the cells of the jobs wanted, a row for each topology and algorithm.
func (t *Table) fill(jobs []UDPJob, want func(*UDPJob) bool, cell func(*UDPJob) string) {
	for k := range jobs {
		j := &jobs[k]
		if !want(j) {
			continue
		}
		if n := len(t.Rows); n == 0 || t.Rows[n-1][0] != j.Topology || t.Rows[n-1][1] != j.Algo {
			t.Rows = append(t.Rows, []any{j.Topology, j.Algo})
		}
		text := cell(j)
		if j.Deployable && !j.agrees() {
			text += " !"
		}
		row := &t.Rows[len(t.Rows)-1]
		*row = append(*row, text)
	}
}

// show is the mean time and, where not all runs ended well, how many did.
func (s *UDPSample) show() string {
	x := PrasleRecovery{Rounds: s.Took, Recovered: s.Well, Runs: s.Runs}
	return x.show()
}

// findings counts the rows that agree and names those that do not.
func (p PrasleUDP) findings(r *Report, s *prasleStudy, jobs []UDPJob) {
	runs, failed, short, late, again, rows, outside := 0, 0, 0, 0, 0, 0, 0
	var differ, missing []string
	timers, measured := 0.0, 0
	for k := range jobs {
		j := &jobs[k]
		if !j.Deployable {
			if name := j.Algo; !strings.Contains(strings.Join(missing, ","), name) {
				missing = append(missing, name)
			}
			continue
		}
		runs, late, again, rows, measured = runs+j.UDP.Runs, late+j.UDP.Late, again+j.UDP.Again, rows+1, measured+1
		timers += (j.UDP.Timers - timers) / float64(measured)
		if j.curved() {
			failed += j.UDP.Runs - j.UDP.Well
			if j.K < j.Diameter {
				short += j.UDP.Runs - j.UDP.Well
			}
		}
		if !j.agrees() {
			outside++
			differ = append(differ, j.title())
		}
	}
	if len(missing) > 0 {
		r.Notes = append(r.Notes, "not deployable: "+strings.Join(missing, ", "))
	}
	r.Notes = append(r.Notes,
		fmt.Sprintf("%d real runs; %d more were made again because this machine was late by more than a round, and %d late ones are among those that count. Its timers were late by %.2f ms on average.", runs, again, late, 1000*timers),
		fmt.Sprintf("Reliable variant: %d runs failed (not all decided for the best), %d of those with K below the diameter; failed runs are in no mean.", failed, short),
		fmt.Sprintf("%d of %d rows agree within the stated error; about %.0f are outside by chance.", rows-outside, rows, float64(rows)/20))
	for _, name := range differ {
		r.Notes = append(r.Notes, "outside: "+name)
	}
	for _, name := range p.Topologies {
		if round, timer, ok := overhead(jobs, name); ok {
			r.Notes = append(r.Notes, fmt.Sprintf("%s: each of the K + 3 rounds takes %.1f ms longer than simulated where K covers the diameter; a timer is late by %.1f ms on average, and the slowest node decides last.", name, 1000*round, 1000*timer))
		}
	}
	s.messageNotes(r)
	r.Facts = append(r.Facts, Option{"runs", fmt.Sprint(runs)}, Option{"failed", fmt.Sprint(failed)},
		Option{"failed-below-diameter", fmt.Sprint(short)},
		Option{"late", fmt.Sprint(late)}, Option{"again", fmt.Sprint(again)}, Option{"rows", fmt.Sprint(rows)}, Option{"outside", fmt.Sprint(outside)})
}

// overhead is by how much a round takes longer than simulated and how late a timer is, both in seconds: means over the
// points of a topology with K from the diameter on.
func overhead(jobs []UDPJob, name string) (round, timer float64, ok bool) {
	n := 0.0
	for k := range jobs {
		if j := &jobs[k]; j.Topology == name && j.curved() && j.K >= j.Diameter && j.Sim.Well > 0 && j.UDP.Well > 0 {
			n++
			round += ((MeanOf(j.UDP.Took).Value-MeanOf(j.Sim.Took).Value)/float64(j.K+3) - round) / n
			timer += (j.UDP.Timers - timer) / n
		}
	}
	return round, timer, n > 0
}

// subject says what a row is about.
func (j *UDPJob) subject() string {
	switch {
	case j.Of == "loss":
		return fmt.Sprintf("%s, loss %.0f %%", j.Algo, 100*j.Rate)
	case j.curved():
		return fmt.Sprintf("%s, K = %d, T = %g s", j.Algo, j.K, j.T)
	}
	return j.Algo + ", " + j.Of
}

// title names a row and what both kinds of network say.
func (j *UDPJob) title() string {
	name := fmt.Sprintf("%s of %d, %s: ", j.Topology, j.Nodes, j.subject())
	switch {
	case j.Of == "loss":
		return name + fmt.Sprintf("share %.2f simulated, %.2f on UDP", j.Sim.share(), j.UDP.share())
	case j.curved():
		return name + fmt.Sprintf("%v s simulated, %v s on UDP (%d and %d failed)", shown(j.Sim.Took, 4), shown(j.UDP.Took, 4), j.Sim.Runs-j.Sim.Well, j.UDP.Runs-j.UDP.Well)
	}
	return name + fmt.Sprintf("%v rounds simulated, %v on UDP", j.Sim.show(), j.UDP.show())
}

// shown is the mean of a sample with so many digits; nil without one.
func shown(values []float64, n int) any {
	if len(values) == 0 {
		return nil
	}
	return significant(MeanOf(values).Value, n)
}

// spread is the mean of a sample with its standard deviation; nil without one.
func spread(values []float64) any {
	if len(values) == 0 {
		return nil
	}
	m := MeanOf(values)
	return fmt.Sprintf("%.3f ± %.3f", m.Value, m.SD)
}

// error is the stated one, where there is something to compare.
func (j *UDPJob) error() any {
	switch {
	case !j.Deployable:
		return nil
	case j.Of == "loss":
		return significant(j.sharesError(), 2)
	}
	return significant(j.meansError(), 2)
}

// of is a number of so many, where there are any.
func of(k, n int) any {
	if n == 0 {
		return nil
	}
	return fmt.Sprintf("%d of %d", k, n)
}

func sum(a, b []float64) []float64 {
	total := make([]float64, len(a))
	for i := range a {
		total[i] = a[i] + b[i]
	}
	return total
}
