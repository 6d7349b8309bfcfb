package cmd

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/jobs"
	"caucus.example/caucus/internal/picture"
	"caucus.example/caucus/internal/results"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/internal/study"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
)

// report is a finished run with what all its outputs share.
type report struct {
	*scenario.Run
	result      *sim.Result
	interrupted error
	watch       *observers
	known       []int // by node, how many members of its region it counts if it leads; nil without regions
}

// place names leaders by the place of their node, as everything here does. Of nodes with one ID it is the first
// that leads.
func (r *report) place() {
	if r.Config.IDs == nil {
		return // an ID is a place
	}
	leading := map[caucus.ID]caucus.ID{} // by the place of the first node of that ID
	for i, o := range r.result.Outcomes {
		if first := r.Place(r.Config.ID(i)); o.Role == caucus.Leader && leading[first] == caucus.None {
			leading[first] = caucus.ID(i + 1)
		}
	}
	for i := range r.result.Outcomes {
		o := &r.result.Outcomes[i]
		if o.Leader = r.Place(o.Leader); leading[o.Leader] != caucus.None {
			o.Leader = leading[o.Leader]
		}
	}
}

// region is a row of the table of regions.
type region struct {
	leader   caucus.ID
	leads    bool // runs and agrees; false for a ghost
	members  int
	strength float64
	farthest int     // the member farthest from the leader
	distance float64 // of farthest; -1 when the algorithm measures none
}

// regions lists the regions, the strongest leader first, then the smaller ID.
func (r *report) regions() []region {
	var list []region
	index := map[caucus.ID]int{}
	for i, o := range r.result.Outcomes {
		if o.Leader == caucus.None {
			continue
		}
		k, ok := index[o.Leader]
		if !ok {
			k = len(list)
			index[o.Leader] = k
			list = append(list, region{leader: o.Leader, leads: r.leads(o.Leader), strength: -1, distance: -1})
			if o.Leader <= caucus.ID(r.Names.Len()) {
				list[k].strength = r.Config.Strength(int(o.Leader - 1))
			}
		}
		g := &list[k]
		g.members++
		if o.Distance > g.distance {
			g.farthest, g.distance = i, o.Distance
		}
	}
	slices.SortFunc(list, func(a, b region) int {
		return cmp.Or(cmp.Compare(b.strength, a.strength), cmp.Compare(a.leader, b.leader))
	})
	return list
}

// members lists the nodes of each region.
func (r *report) members(list []region) [][]int32 {
	sum, index := 0, make(map[caucus.ID]int, len(list))
	for k, g := range list {
		sum += g.members
		index[g.leader] = k
	}
	rows, all := make([][]int32, len(list)), make([]int32, sum)
	for k, g := range list {
		rows[k], all = all[:0:g.members], all[g.members:]
	}
	for i, o := range r.result.Outcomes {
		if k, ok := index[o.Leader]; ok {
			rows[k] = append(rows[k], int32(i))
		}
	}
	return rows
}

func (r *report) leads(id caucus.ID) bool {
	if id == caucus.None || id > caucus.ID(len(r.result.Live)) {
		return false
	}
	return r.result.Live[id-1] && r.result.Outcomes[id-1].Role == caucus.Leader
}

// lost counts the running nodes without a leader that leads. Where one is elected, a
// defeated node need not know who.
func (r *report) lost() (nodes int, example int) {
	leaders := r.leaders()
	for i, o := range r.result.Outcomes {
		knows := r.leads(o.Leader) || o.Role == caucus.Defeated && o.Leader == caucus.None && leaders > 0
		if r.result.Live[i] && !knows {
			if nodes == 0 {
				example = i
			}
			nodes++
		}
	}
	return nodes, example
}

// rested tells whether the run ended by itself and not at its limit.
func (r *report) rested() bool {
	return r.Endless() || r.Rested(r.result.Converged, r.result.SettledAt, r.result.Rounds)
}

func (r *report) converged() bool {
	lost, _ := r.lost()
	return r.interrupted == nil && r.rested() && lost == 0 && slices.Contains(r.result.Live, true) && !r.split()
}

// split tells whether an event algorithm, which elects one leader, has elected more. With restarts
// each part of a network that has come apart has its own.
func (r *report) split() bool {
	spec := r.Entry.Spec
	return spec.Shape == caucus.ShapeEvents && !spec.Endless && r.leaders() > 1
}

// verdict turns the end of the run into an exit code.
func (r *report) verdict() error {
	lost, example := r.lost()
	switch {
	case r.interrupted != nil:
		return undecided(fmt.Errorf("interrupted after %d rounds; the results are those so far", r.result.Rounds))
	case !r.rested() && r.watch.stepper != nil && r.watch.stepper.quit:
		return undecided(fmt.Errorf("stopped after %s; the results are those so far",
			plural(int(r.result.Events), "event")))
	case r.result.Flooded:
		return undecided(fmt.Errorf("messages multiply: stopped in period %d with too many on their way, after %d; "+
			"the results are those so far", r.result.Rounds, r.result.Messages))
	case !r.rested() && r.Entry.Spec.Shape == caucus.ShapeEvents && r.result.Events >= r.Config.MaxEvents:
		return undecided(fmt.Errorf("the limit of %s came before all messages had arrived",
			plural(int(r.Config.MaxEvents), "event")))
	case !r.rested() && r.Entry.Spec.Shape == caucus.ShapeEvents:
		return undecided(fmt.Errorf("the limit of %d periods came before all messages had arrived", r.Config.MaxRounds))
	case !r.rested() && r.Config.StableFor == 0:
		return undecided(fmt.Errorf("something has changed in the last of %d rounds", r.Config.MaxRounds))
	case !r.rested():
		return undecided(fmt.Errorf("the limit of %d rounds came before nothing had changed for %d rounds",
			r.Config.MaxRounds, r.Config.StableFor))
	case r.Endless():
		return nil
	case lost > 0:
		leader := "has no leader"
		if id := r.result.Outcomes[example].Leader; id != caucus.None {
			leader = fmt.Sprintf("follows %s, which does not lead", caucus.Shown(r.Names.Name(id)))
		}
		return failed(fmt.Errorf("%d of %d nodes have no leader that leads: %s %s%s", lost, len(r.result.Live),
			caucus.Shown(r.Names.Name(caucus.ID(example+1))), leader, r.hurried()))
	case r.split():
		return failed(fmt.Errorf("%d nodes lead where one should", r.leaders()))
	}
	return nil
}

// hurried says if the run ended before the algorithm could notice that a leader is gone.
func (r *report) hurried() string {
	if r.Patience == 0 || r.Config.StableFor > r.Patience {
		return ""
	}
	return fmt.Sprintf("; %s may stand still for %d rounds before it notices that a leader is gone: --stable-for %d "+
		"waits for that",
		r.Entry.Spec.Name, r.Patience, r.Patience+1)
}

// maxRows is how many regions the table shows; --csv and --json hold all.
const maxRows = 40

func (r *report) text(out io.Writer) error {
	list := r.regions()
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "LEADER\tMEMBERS\tSTRENGTH\tFARTHEST\tDISTANCE")
	for k, g := range list {
		if k == maxRows {
			break
		}
		name := caucus.Shown(r.Names.Name(g.leader))
		if !g.leads {
			name += " (does not lead)"
		}
		farthest, distance := "-", "-"
		if g.distance >= 0 {
			farthest, distance = caucus.Shown(r.Names.Name(caucus.ID(g.farthest+1))), r.Length(round(g.distance))
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\n", name, g.members, r.strengthText(g.strength), farthest, distance)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if len(list) > maxRows {
		fmt.Fprintf(out, "… and %d more regions; --csv and --json have them\n", len(list)-maxRows)
	}
	for k, n := range r.result.Kinds {
		fmt.Fprintf(out, "messages of kind %s: %d\n", r.kind(k), n)
	}
	if r.Entry.Spec.Shape == caucus.ShapeEvents {
		r.eventsText(out)
	}
	r.energyText(out)
	r.knownText(out, list)
	_, err := fmt.Fprintf(out, "converged=%v rounds=%d leaders=%d messages=%d seconds=%s settled=%d trace=%016x\n",
		r.converged(), r.result.Rounds, r.leaders(), r.result.Messages, number(r.seconds()), r.result.SettledAt,
		r.result.TraceHash)
	return err
}

// eventsText tells what is counted of a run of an event algorithm.
func (r *report) eventsText(out io.Writer) {
	if n := r.bits(); n > 0 {
		fmt.Fprintf(out, "bits: %d\n", n)
	}
	time := "time"
	switch {
	case r.Config.Scheduler != "":
		time = "longest chain of messages"
	case r.Config.Delays == sim.UnitDelay && r.Config.Replay == nil && r.Config.Channel == 0:
		time = "ideal time"
	}
	fmt.Fprintf(out, "%s: %s\n", time, number(r.result.Time))
	sent, received := busiest(r.result.Sent), busiest(r.result.Received)
	name := func(i int) string { return caucus.Shown(r.Names.Name(caucus.ID(i + 1))) }
	fmt.Fprintf(out, "load: %s messages a node, at most %d sent (by %s) and %d received (by %s)\n",
		number(round(float64(r.result.Messages)/float64(len(r.result.Sent)))),
		r.result.Sent[sent], name(sent), r.result.Received[received], name(received))
	if r.Config.Channel > 0 {
		fmt.Fprintf(out, "frames: %d\n", r.result.Frames)
	}
	if r.watch.twins != nil {
		r.watch.twins.write(out)
	}
}

func (r *report) bits() int64 { return r.result.Bits(r.Entry.Spec, &r.Config) }

// busiest gives the first of the nodes with most messages.
func busiest(messages []int64) int {
	most := 0
	for i, n := range messages {
		if n > messages[most] {
			most = i
		}
	}
	return most
}

// kind names a kind of message.
func (r *report) kind(k int) string { return kindName(r.Entry.Spec, k) }

// round cuts what nobody reads off a length in a table; the files hold it all.
func round(x float64) float64 {
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64)
	return y
}

func number(x float64) string { return results.Number(x) }

func (r *report) strengthText(s float64) string {
	if s < 0 {
		return "-" // a ghost's
	}
	return number(round(s))
}

func (r *report) leaders() int {
	n := 0
	for i, o := range r.result.Outcomes {
		if r.result.Live[i] && o.Role == caucus.Leader {
			n++
		}
	}
	return n
}

// seconds is the simulated time that the run took.
func (r *report) seconds() float64 {
	periods := float64(r.result.Rounds)
	if r.Entry.Spec.Shape == caucus.ShapeEvents {
		periods = r.result.Time
	}
	return periods * r.Config.Period.Seconds()
}

// write writes all there is: files, and the report to out.
func (r *report) write(stdout, out, logs io.Writer, json bool) error {
	r.place()
	if err := r.writeFiles(stdout, logs); err != nil {
		return err
	}
	if json {
		return r.json(out)
	}
	return r.text(out)
}

// writeFiles writes the output files of the scenario.
func (r *report) writeFiles(stdout, logs io.Writer) error {
	for _, f := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{r.Get("csv"), r.nodesCSV}, {r.Get("samples"), r.samplesCSV}, {r.Get("map"), r.drawMap},
		{r.Get("diagram"), r.drawDiagram},
	} {
		if f.name == "" {
			continue
		}
		if err := writeOutput(stdout, logs, f.name, f.write); err != nil {
			return err
		}
		if beside := metaName(f.name); beside != "" {
			if err := writeFile(beside, r.meta(beside).Write); err != nil {
				return err
			}
		}
	}
	return nil
}

// metaName is the file beside a table that says what was run; none beside other files.
func metaName(table string) string {
	if name, ok := strings.CutSuffix(table, ".csv"); ok {
		return name + ".meta.json"
	}
	return ""
}

func (r *report) meta(name string) study.File {
	var options []jobs.Option
	for _, o := range r.Options() {
		options = append(options, jobs.Option(o))
	}
	return study.Meta(name, strings.Join(r.Echo(version()), "\n"), version(), options)
}

// nodesCSV has the outcome of every node, and nothing but a table: what was run stands in a
// file beside it. An empty cell is what there is none of.
func (r *report) nodesCSV(w io.Writer) error {
	tree := false
	for n := range r.nodes {
		if tree = n.Parent != ""; tree {
			break
		}
	}
	columns := "name:text id:whole role:text leader:text distance:real strength:real"
	if tree {
		columns += " parent:text"
	}
	if r.Energy != nil {
		columns += " sent:whole received:whole joules:real"
	}
	table := results.Table{Columns: results.Columns(columns), Rows: func(row func(...any)) {
		for n := range r.nodes {
			cells := []any{n.Name, n.ID, n.Role, n.Leader, nil, n.Strength}
			if n.Distance != nil {
				cells[4] = *n.Distance
			}
			if tree && n.Parent != "" {
				cells = append(cells, n.Parent)
			} else if tree {
				cells = append(cells, nil)
			}
			if r.Energy != nil {
				cells = append(cells, *n.Sent, *n.Received, *n.Joules)
			}
			row(cells...)
		}
	}}
	return table.CSV(w)
}

func (r *report) samplesCSV(w io.Writer) error {
	table := results.Table{
		Columns: results.Columns("round:whole leaders:whole regions:whole live:whole changes:whole instability:real " +
			"messages:whole bytes:whole"),
		Rows: func(row func(...any)) {
			for _, s := range r.result.Samples {
				row(s.Round, s.Leaders, s.Regions, s.Live, s.Changes, s.Instability, s.Messages, s.Bytes)
			}
		}}
	return table.CSV(w)
}

// settled tells whether the run has come to rest, and not to its end or an interruption.
func (r *report) settled() bool { return r.interrupted == nil && !r.Endless() && r.rested() }

func (r *report) drawMap(w io.Writer) error {
	spec := r.Entry.Spec
	m := picture.Map{Graph: cmp.Or(r.result.Graph, r.Config.Graph), Names: r.Names, Outcomes: r.result.Outcomes,
		Live: r.result.Live}
	says := m.Words()
	if !r.settled() && !r.Endless() {
		says = "not settled, " + says
	}
	m.Title = fmt.Sprintf("%s on %s: %s", spec.Title, r.Topology(), says)
	var facts []string
	if spec.Param("radius") != nil {
		facts = append(facts, "radius "+r.Length(r.Args.Number("radius")))
	}
	facts = append(facts, fmt.Sprintf("metric %s", r.Metric), "strength "+r.Strength,
		plural(r.Config.Graph.Len(), "node"))
	if r.settled() {
		facts = append(facts, "settled in round "+strconv.Itoa(r.result.SettledAt))
	} else {
		facts = append(facts, "shown as after round "+strconv.Itoa(r.result.Rounds))
	}
	facts = append(facts, "seed "+r.Get("seed"))
	m.Subtitle = strings.Join(facts, ", ")
	if _, _, ok := network.Builtin(r.Topology()); ok {
		m.Source = "Network: The Internet Topology Zoo (Knight et al., IEEE JSAC 29(9), 2011), CC BY 4.0."
	}
	if r.Measured.Placed > 0 {
		m.Source += " Hollow nodes have no coordinates in the source."
	}
	return m.Write(w, r.Get("map"))
}

func (r *report) drawDiagram(w io.Writer) error {
	d, spec := r.watch.diagram, r.Entry.Spec
	d.Name = func(i int) string {
		name := r.Names.Name(caucus.ID(i + 1))
		if r.Config.IDs != nil {
			name += fmt.Sprintf(" (ID %d)", r.Config.IDs[i])
		}
		return name
	}
	d.Kinds = spec.Kinds
	d.Title = fmt.Sprintf("%s on %s: %s, %s", spec.Title, r.Topology(), plural(r.leaders(), "leader"),
		plural(int(r.result.Messages), "message"))
	order := "delays " + string(r.Config.Delays)
	if r.Config.Scheduler != "" {
		order = "scheduler " + string(r.Config.Scheduler)
	}
	d.Subtitle = fmt.Sprintf("IDs %s, initiators %s, %s, seed %s", r.Get("ids"), r.Get("initiators"), order,
		r.Get("seed"))
	return d.Write(w, r.Get("diagram"))
}
