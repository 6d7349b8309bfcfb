package cmd

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/check"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/network"
	"caucus.example/caucus/registry"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// checkFlags are the flags of check.
type checkFlags struct {
	params                   []string
	class                    string
	nodes, ghosts, counter   int
	corrupted                int
	strengths, lengths       string
	network                  string
	daemon, start, maxStates string
	model, faults, walks     string
	badLink                  []string
	maxMemory, spill         string
	initiators               int
	unfair, json, all, view  bool
	cmd                      *cobra.Command
	scenario                 *scenario.Scenario // what the flags that run has, too, say
	fifo                     bool
	output                   string
	replay, diagram, trace   string
	page                     string
	force                    bool
}

// The settings of a scenario that mean the same for the checker: those of the algorithm, and those that need a
// topology.
var (
	ofAlgorithm = []string{"algo", "faithful", "radius", "restart", "two-way", "region", "unsafe", "workers", "seed"}
	ofTopology  = append([]string{"topology", "layout", "metric", "strength", "graph-seed"},
		scenario.ReadingSettings...)
)

// What flags are if they are not given, where it matters whether they are.
const (
	anyStrengths  = "1,2"
	classical     = "classical"
	defaultStates = "1M"
	defaultWalks  = "2k"
)

func newCheckCommand() *cobra.Command { return checkCommand(new(checkFlags)) }

func checkCommand(f *checkFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Explore every execution on small networks",
		Long: `Explore every execution of an algorithm on small networks: from every configuration that a corruption can
leave, ghosts included, under each daemon. The algorithm is the one that is simulated and deployed.

A daemon picks who acts: all nodes (synchronous); one after the other in rounds in which each acts
once, always in the same order (phased, the simulator's async) or not (paced); one (central); any of which no two are neighbours
(locally); or any (distributed). Verdicts: "closed" networks have configurations from which no wrong
result comes any more; an algorithm converges if every execution gets there, with a daemon that lets
every node act again and again (fair) or with any (unfair). Steps and rounds are the exact worst
cases; a round is over when every node has acted. "from" says where executions began: unless a
domain is called reduced, convergence under the fair daemon from there is convergence from everywhere,
while unfair, rounds and steps speak of there only.

Exit code 0: closed and convergent under the weakly fair daemon (with --unfair: under the unfair
one, too). 1: violated, with the shortest counterexample and the command that shows it alone. 3: a
limit was reached before all networks were decided. 2: wrong usage.`,
		Example: `  caucus check --algo bounded --param radius=2 --param heartbeat=0 --param clamp=off
  caucus check --algo bounded --faithful paper --param radius=2 --network '2-3:0' --unsafe
  caucus check --algo mo --param tie=D --nodes 2 --daemon synchronous
  caucus check --algo waves --start clean --nodes 4
  caucus check --algo decay --param lifetime=3 --nodes 4 --strengths 1 --daemon synchronous --max-memory 10M --spill .`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.cmd = cmd
	f.addFlags(cmd.Flags())
	return cmd
}

func (f *checkFlags) addFlags(flags *pflag.FlagSet) {
	addSettings(flags, append(slices.Clone(ofAlgorithm), ofTopology...))
	addParams(flags, &f.params)
	flags.StringVar(&f.class, "class", "", "networks: connected, trees, rings, complete or hypercubes (default: what "+
		"the algorithm needs)")
	flags.IntVar(&f.nodes, "nodes", 3, "networks of up to so many nodes, 1 to 6, one for each graph and order of IDs")
	flags.StringVar(&f.strengths, "strengths", anyStrengths, "strengths that nodes get in every way")
	flags.StringVar(&f.lengths, "lengths", "1", "lengths that edges get in every way")
	flags.StringVar(&f.network, "network", "", "check this network instead: edges ID-ID:length, then strengths=S,S,...")
	flags.StringVar(&f.daemon, "daemon", classical,
		"classical (the last four), all, or some of phased, paced, synchronous, central, locally, distributed, "+
			"separated by commas")
	flags.StringVar(&f.start, "start", "", "any: every configuration of the domain (the default; of events: any "+
		"state of the nodes that have just started); clean: as nodes boot (the default of events)")
	flags.IntVar(&f.corrupted, "corrupted", 0, "with --start any, round algorithms: most nodes that are corrupt at "+
		"the start, while the others hold what they come to from a clean one; 0: any number")
	flags.StringVar(&f.model, "model", "shared",
		"shared: a step reads what the neighbours export; messages: it reads what has been delivered, one message at "+
			"a time")
	flags.StringVar(&f.faults, "faults", "none",
		"faults as steps, at any moment and so many at most: some of crash=N (of nodes that lead), corrupt=N, loss=N "+
			"(of messages), separated by commas")
	flags.StringArrayVar(&f.badLink, "fault", nil,
		"bad links, each a `fault` of run: 'kind: loss, rate: 1, links: [2->3]' carry nothing; "+
			"those of a smaller rate lose the messages of --faults loss=N")
	flags.IntVar(&f.ghosts, "ghosts", 1, "IDs of no node that corrupt values may name; the first is smaller than all")
	flags.IntVar(&f.counter, "counter", 3, "values of every counter in corrupt values; fewer are used where that is "+
		"too large")
	flags.StringVar(&f.maxStates, "max-states", defaultStates, "most configurations of a network")
	flags.StringVar(&f.walks, "walks", defaultWalks, "random executions of a network that is too large, of up to 12 "+
		"nodes; --seed draws others")
	flags.StringVar(&f.maxMemory, "max-memory", "4G", "most bytes for configurations, over all workers")
	flags.StringVar(&f.spill, "spill", "", "directory for what does not fit --max-memory (round algorithms); files "+
		"there have no names and are gone when the command ends, however it does")
	flags.BoolVar(&f.fifo, "fifo", true, "event algorithms: messages of a link arrive in order; --fifo=false lets "+
		"them overtake unless the algorithm needs it")
	flags.IntVar(&f.initiators, "max-initiators", 0,
		"event algorithms: sets of so many initiators at most; 0 takes all sets")
	flags.BoolVar(&f.unfair, "unfair", false, "demand convergence under the unfair daemon, too")
	flags.BoolVar(&f.json, "json", false, "print JSON, schema caucus.check/2")
	flags.BoolVar(&f.all, "all", false, "check every algorithm as planned and write the verdicts to --output")
	flags.StringVar(&f.replay, "replay", "",
		"carry out this counterexample in the simulator instead of exploring: the `text` that stands below one, or a "+
			"file of --trace")
	flags.StringVar(&f.trace, "trace", "", "write the counterexample step by step to this .txt or .jsonl `file`, for "+
		"--replay")
	flags.StringVar(&f.diagram, "diagram", "",
		"with --replay: draw it as a space-time diagram into this .svg, .png or .pdf `file`")
	flags.BoolVar(&f.view, "view", false, "show the counterexample on a page, step by step, until Ctrl-C; its address "+
		"goes to stderr")
	flags.StringVar(&f.page, "page", "", "write the counterexample as a page into this .html `file`, which anybody can "+
		"open without Caucus")
	flags.StringVarP(&f.output, "output", "o", "verdicts.md", "`file` for the verdicts of --all")
	flags.BoolVar(&f.force, "force", false, "replace output files that exist")
}

func (f *checkFlags) run(cmd *cobra.Command) error {
	if f.all {
		return f.checkAll(cmd)
	}
	for _, name := range []string{"output", "force"} {
		flag := cmd.Flags().Lookup(name)
		if flag.Changed && flag.Value.String() != "-" && (name == "output" || f.diagram+f.trace+f.page == "") {
			return misuse(&caucus.FieldError{Field: name, Found: flag.Value.String(),
				Allowed: "nothing without --all: one check goes to standard output"})
		}
	}
	job, err := phase(cmd, "making the networks", f.job)
	if err != nil {
		return misuse(err)
	}
	switch {
	case cmd.Flags().Changed("replay"):
		return f.replayed(cmd, job)
	case f.diagram != "":
		return misuse(&caucus.FieldError{Field: "diagram", Found: f.diagram, Allowed: "none without --replay"})
	}
	if err := f.checkTrace(); err != nil {
		return misuse(err)
	}
	out, err := f.verdictTo(cmd)
	if err != nil {
		return misuse(err)
	}
	if !f.json {
		fmt.Fprintln(out, job.echo(job.limits()...))
	}
	rep, interrupted := job.check(cmd.Context(), cmd.ErrOrStderr())
	if rep == nil {
		return interrupted
	}
	if f.json {
		err = writeJSON(out, job.document(rep))
	} else {
		err = job.print(out, rep)
	}
	if err == nil {
		err = f.present(cmd, job, rep)
	}
	if err != nil {
		return failed(err)
	}
	if err := job.verdict(rep); err != nil {
		return err
	}
	return interrupted
}

// checkJob is one algorithm on its networks.
type checkJob struct {
	entry  registry.Entry
	args   caucus.Args
	cfg    check.Config
	unfair bool
	echoed []string      // what the networks and limits are, name=value
	made   []string      // the beginning of a command with the algorithm and its parameters
	replay []string      // the command that checks one network the same way, without it
	given  string        // the flags of the topology, if it is the one network
	run    *scenario.Run // of that topology
}

// algorithm resolves the algorithm, and the network if it is a topology, as run does.
func (f *checkFlags) algorithm(j *checkJob) (err error) {
	s := f.scenario
	if s.Get("topology") == "" {
		for _, name := range ofTopology {
			if f.cmd.Flags().Changed(name) {
				return &caucus.FieldError{Field: name, Found: s.Get(name), Allowed: "nothing without --topology"}
			}
		}
		j.entry, j.args, err = s.Algorithm()
		return err
	}
	if j.run, err = resolve(f.cmd, s); err != nil {
		return err
	}
	if j.run.Metric == scenario.MetricRTT {
		return measured(s.Get("metric"))
	}
	j.entry, j.args = j.run.Entry, j.run.Args
	return nil
}

func (f *checkFlags) job() (*checkJob, error) {
	j := &checkJob{unfair: f.unfair}
	f.scenario = scenario.New()
	err := take(f.cmd, f.scenario, f.params)
	if err != nil {
		return nil, err
	}
	for _, text := range f.badLink {
		if err = f.scenario.AddFault(text); err != nil {
			return nil, err
		}
	}
	if err = f.algorithm(j); err != nil {
		return nil, err
	}
	if j.cfg, err = f.config(); err != nil {
		return nil, err
	}
	if err = f.checkShape(j); err != nil {
		return nil, err
	}
	if f.start == "" && j.entry.Spec.Shape == caucus.ShapeEvents {
		j.cfg.Start = check.Clean
	}
	if err = f.networks(j); err != nil {
		return nil, err
	}
	most := 0
	for _, net := range j.cfg.Networks {
		most = max(most, net.Len())
	}
	if f.corrupted > most {
		return nil, &caucus.FieldError{Field: "corrupted", Found: strconv.Itoa(f.corrupted),
			Allowed: fmt.Sprintf("0 to %d: no network has more nodes", most)}
	}
	if err = f.checkNeeds(j); err != nil {
		return nil, err
	}
	return j, f.words(j)
}

// words puts together the beginnings of the commands that check one network and replay on it.
func (f *checkFlags) words(j *checkJob) error {
	if n := f.scenario.Get("restart"); n != "0" {
		j.echoed = slices.Insert(j.echoed, 0, "restart="+n)
	}
	j.made = append(j.made, "caucus check --algo "+j.entry.Spec.Name)
	for _, name := range []string{"faithful", "radius", "restart"} {
		if f.cmd.Flags().Changed(name) {
			j.made = append(j.made, "--"+name+" "+f.scenario.Get(name))
		}
	}
	for _, p := range f.params {
		j.made = append(j.made, "--param "+p)
	}
	if f.scenario.Get("region") == "true" {
		j.echoed = append(j.echoed, "region=true")
		j.made = append(j.made, "--region")
	}
	if f.cmd.Flags().Changed("seed") {
		j.echoed = append(j.echoed, "seed="+f.scenario.Get("seed"))
		j.made = append(j.made, "--seed "+f.scenario.Get("seed"))
	}
	if err := f.badLinks(j); err != nil {
		return err
	}
	j.replay = slices.Clone(j.made)
	for _, w := range []struct {
		set   bool
		words string
		both  bool // for a replay, too
	}{
		{f.ghosts != 1, fmt.Sprintf("--ghosts %d", f.ghosts), false},
		{f.counter != 3, fmt.Sprintf("--counter %d", f.counter), false},
		{f.start != "", "--start " + f.start, false},
		{f.corrupted != 0, fmt.Sprintf("--corrupted %d", f.corrupted), false},
		{f.model != "shared", "--model " + f.model, false},
		{j.cfg.Faults.Any(), "--faults " + j.cfg.Faults.String(), false},
		{f.initiators != 0, fmt.Sprintf("--max-initiators %d", f.initiators), false},
		{!f.fifo, "--fifo=false", true},
		{f.unfair, "--unfair", false},
		{f.unsafe(), "--unsafe", true},
		{f.maxStates != defaultStates, "--max-states " + f.maxStates, false},
		{f.walks != defaultWalks, "--walks " + f.walks, false},
	} {
		if w.set {
			j.replay = append(j.replay, w.words)
		}
		if w.set && w.both {
			j.made = append(j.made, w.words)
		}
	}
	j.made = slices.Clip(j.made)
	return nil
}

// checkShape refuses what means nothing for the algorithm.
func (f *checkFlags) checkShape(j *checkJob) error {
	events := j.entry.Spec.Shape == caucus.ShapeEvents
	none := fmt.Sprintf("nothing: %s is an algorithm of the %s shape", j.entry.Spec.Name, j.entry.Spec.Shape)
	switch {
	case events && f.model != string(check.Shared):
		return &caucus.FieldError{Field: "model", Found: f.model, Allowed: none}
	case events && f.daemon != classical:
		return &caucus.FieldError{Field: "daemon", Found: f.daemon, Allowed: none}
	case events && f.corrupted != 0:
		return &caucus.FieldError{Field: "corrupted", Found: strconv.Itoa(f.corrupted), Allowed: none}
	case f.corrupted != 0 && j.cfg.Start == check.Clean:
		return &caucus.FieldError{Field: "corrupted", Found: strconv.Itoa(f.corrupted),
			Allowed: "nothing with --start clean"}
	case f.corrupted != 0 && f.model == string(check.Messages):
		return &caucus.FieldError{Field: "corrupted", Found: strconv.Itoa(f.corrupted),
			Allowed: "nothing in the message model"}
	case !events && f.initiators != 0:
		return &caucus.FieldError{Field: "max-initiators", Found: strconv.Itoa(f.initiators), Allowed: none}
	case events && f.scenario.Get("two-way") == "true":
		return &caucus.FieldError{Field: "two-way", Found: "true", Allowed: none}
	case !events && !f.fifo:
		return &caucus.FieldError{Field: "fifo", Found: "false", Allowed: none}
	case f.model == string(check.Messages) && f.daemon != classical && f.daemon != string(check.Central):
		return &caucus.FieldError{Field: "daemon", Found: f.daemon,
			Allowed: "central, the only one of the message model"}
	}
	return nil
}

func (f *checkFlags) config() (c check.Config, err error) {
	c = check.Config{Start: check.Start(cmp.Or(f.start, "any")), Ghosts: f.ghosts, Counter: f.counter, Reorder: !f.fifo,
		Model: check.Model(f.model), Initiators: f.initiators, Corrupted: f.corrupted}
	if c.Start != check.Anywhere && c.Start != check.Clean {
		return c, caucus.NotAmong("start", f.start, []string{"any", "clean"})
	}
	if c.Model != check.Shared && c.Model != check.Messages {
		return c, caucus.NotAmong("model", f.model, []string{"shared", "messages"})
	}
	if c.Faults, err = check.ParseFaults(f.faults); err != nil {
		return c, err
	}
	switch f.daemon {
	case classical:
	case "all":
		c.Daemons = check.Daemons
	default:
		for _, d := range strings.Split(f.daemon, ",") {
			if !slices.Contains(check.Daemons, check.Daemon(d)) {
				return c, caucus.NotAmong("daemon", d, daemons())
			}
			c.Daemons = append(c.Daemons, check.Daemon(d))
		}
	}
	for _, n := range []struct {
		name        string
		value       int
		least, most int
	}{{"ghosts", f.ghosts, 0, 3}, {"counter", f.counter, 1, 64}, {"corrupted", f.corrupted, 0, check.MaxNodes},
		{"max-initiators", f.initiators, 0, check.MaxHunted}} {
		if n.value < n.least || n.value > n.most {
			return c, &caucus.FieldError{Field: n.name, Found: strconv.Itoa(n.value),
				Allowed: fmt.Sprintf("%d to %d", n.least, n.most)}
		}
	}
	return c, f.limits(&c)
}

// limits are what a check may take.
func (f *checkFlags) limits(c *check.Config) (err error) {
	if c.Workers, err = scenario.Count("workers", f.scenario.Get("workers")); err != nil || c.Workers > 1<<10 {
		return &caucus.FieldError{Field: "workers", Found: f.scenario.Get("workers"), Allowed: "0 to 1024"}
	}
	if c.MaxStates, err = scenario.Count("max-states", f.maxStates); err != nil {
		return err
	}
	if c.Walks, err = scenario.Count("walks", f.walks); err != nil || c.Walks < 1 {
		return &caucus.FieldError{Field: "walks", Found: f.walks, Allowed: "1 or more, such as 250, 10k or 1e6"}
	}
	if c.Seed, err = scenario.Seed("seed", f.scenario.Get("seed")); err != nil {
		return err
	}
	memory, err := scenario.Count("max-memory", f.maxMemory)
	c.MaxMemory = int64(memory)
	switch {
	case err == nil && c.MaxStates < 1000:
		err = &caucus.FieldError{Field: "max-states", Found: f.maxStates, Allowed: "1000 or more"}
	case err == nil && memory < 1e6:
		err = &caucus.FieldError{Field: "max-memory", Found: f.maxMemory, Allowed: "1M or more bytes"}
	case err == nil && f.spill != "":
		c.Spill = f.spill
		if info, e := os.Stat(f.spill); e != nil || !info.IsDir() {
			err = &caucus.FieldError{Field: "spill", Found: f.spill, Allowed: "a directory that exists"}
		}
	}
	return err
}

func (f *checkFlags) unsafe() bool { return f.scenario.Get("unsafe") == "true" }

// networks chooses them: one that is given, or all of a class.
func (f *checkFlags) networks(j *checkJob) error {
	switch {
	case f.network != "" && j.run != nil:
		return &caucus.FieldError{Field: "network", Found: f.network, Allowed: "nothing together with --topology"}
	case f.network != "":
		net, err := check.Parse(f.network)
		if err != nil {
			return err
		}
		j.cfg.Networks = []*caucus.Network{net}
		j.echoed = append(j.echoed, "network="+scenario.Quote(check.Describe(net)))
		return j.checkSize("network", net.Len())
	case j.run != nil:
		for _, name := range []string{"class", "nodes", "strengths", "lengths"} {
			if flag := f.cmd.Flags().Lookup(name); flag.Changed {
				return &caucus.FieldError{Field: name, Found: flag.Value.String(),
					Allowed: "nothing together with --topology"}
			}
		}
		return f.ofTopology(j)
	}
	return f.family(j)
}

func (j *checkJob) checkSize(field string, nodes int) error {
	if nodes < 1 || nodes > check.MaxHunted {
		return &caucus.FieldError{Field: field, Found: plural(nodes, "node"),
			Allowed: fmt.Sprintf("1 to %d nodes", check.MaxHunted)}
	}
	return nil
}

// ofTopology checks the network on which run would elect; IDs are from 2 up, so that there is room for a ghost.
func (f *checkFlags) ofTopology(j *checkJob) error {
	g := j.run.Config.Graph
	if err := j.checkSize("topology", g.Len()); err != nil {
		return err
	}
	net := check.FromGraph(g, j.run.Config.Lengths)
	net.Strengths = j.run.Config.Strengths
	j.cfg.Networks = []*caucus.Network{net}
	for _, name := range ofTopology {
		if f.cmd.Flags().Changed(name) {
			j.echoed = append(j.echoed, name+"="+scenario.Quote(f.scenario.Get(name)))
			j.given = strings.TrimSpace(j.given + " --" + name + " " + f.scenario.Get(name))
		}
	}
	return nil
}

func (f *checkFlags) family(j *checkJob) error {
	class := check.Class(f.class)
	if class == "" {
		class = map[caucus.Topology]check.Class{
			caucus.Ring: check.Rings, caucus.Tree: check.Trees, caucus.Complete: check.Complete,
			caucus.Hypercube: check.Cubes}[j.entry.Spec.Needs.Topology]
	}
	if class == "" {
		class = check.Connected
	}
	if !slices.Contains(check.Classes, class) {
		return caucus.NotAmong("class", f.class, classes())
	}
	if f.nodes < 1 || f.nodes > 6 {
		return &caucus.FieldError{Field: "nodes", Found: strconv.Itoa(f.nodes), Allowed: "1 to 6"}
	}
	if s := j.entry.Spec; s.Shape == caucus.ShapeEvents && s.Family == "classic" && f.strengths == anyStrengths {
		f.strengths = "1" // none of them looks at it
	}
	a, err := assignments(f.strengths, f.lengths)
	if err != nil {
		return err
	}
	for n := 1; n <= f.nodes; n++ {
		j.cfg.Networks = append(j.cfg.Networks, check.Networks(class, n, a)...)
	}
	if len(j.cfg.Networks) == 0 {
		return &caucus.FieldError{Field: "nodes", Found: strconv.Itoa(f.nodes), Allowed: "3 or more for rings"}
	}
	j.echoed = append(j.echoed, "class="+string(class), fmt.Sprint("nodes=", f.nodes), "strengths="+f.strengths,
		"lengths="+f.lengths)
	return nil
}

func assignments(strengths, lengths string) (a check.Assignments, err error) {
	read := func(field, text string) (out []float64) {
		for _, t := range strings.Split(text, ",") {
			x, e := strconv.ParseFloat(t, 64)
			if e != nil || !(x >= 0) || math.IsInf(x, 1) {
				err = &caucus.FieldError{Field: field, Found: t, Allowed: "finite numbers >= 0, separated by commas"}
				return nil
			}
			out = append(out, x)
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	a.Strengths = read("strengths", strengths)
	if err == nil {
		a.Lengths = read("lengths", lengths)
	}
	return a, err
}

// checkNeeds refuses networks that violate what the algorithm assumes, as run does. What nodes are told is true here,
// and links keep the order of messages where the algorithm needs it.
func (f *checkFlags) checkNeeds(j *checkJob) error {
	if f.unsafe() {
		return nil
	}
	spec := j.entry.Spec
	if j.run != nil { // the nodes by the user's names
		c := &j.run.Config
		p := network.Premises{Graph: c.Graph, IDs: c.IDs, Lengths: c.Lengths,
			Known: caucus.Known{Nodes: c.Graph.Len(), Diameter: c.Graph.Len(), Delay: time.Second}}
		return p.Unmet(spec)
	}
	for _, net := range j.cfg.Networks {
		names := make([]string, net.Len())
		for i, id := range net.IDs {
			names[i] = strconv.FormatUint(uint64(id), 10)
		}
		p := network.Premises{
			Graph: &network.Graph{Off: net.Off, Nbr: net.Nbr, Labels: net.Labels, Names: names}, IDs: net.IDs,
			Lengths: net.Dist,
			Known:   caucus.Known{Nodes: net.Len(), Diameter: net.Len(), Delay: time.Second},
		}
		if err := p.Unmet(spec); err != nil {
			return fmt.Errorf("%s: %w; --unsafe checks it all the same", check.Describe(net), err)
		}
	}
	return nil
}

func (j *checkJob) check(ctx context.Context, logs io.Writer) (*check.Report, error) {
	cfg := j.cfg
	if isTerminal(logs) {
		cfg.Progress = func(p check.Progress) {
			fmt.Fprintf(logs, "\r%s: %s \033[K", j.entry.Spec.Name, soFar(p))
		}
		defer fmt.Fprint(logs, "\r\033[K")
	}
	rep, err := j.entry.Check(ctx, j.args, cfg)
	if err != nil && ctx.Err() != nil {
		return rep, undecided(fmt.Errorf("interrupted: the rest is undecided"))
	}
	return rep, err
}

// soFar says how far a check is. Nobody knows how many configurations there are.
func soFar(p check.Progress) string {
	return fmt.Sprintf("%d of %d networks, %d configurations, %.3g/s, %s", p.Networks, p.Of, p.Configurations,
		float64(p.Configurations)/p.Elapsed.Seconds(), p.Elapsed.Round(time.Second))
}

// echo says in one line what is checked, and how.
func (j *checkJob) echo(how ...string) string {
	words := append([]string{"caucus", version(), "check", "algo=" + j.entry.Spec.Name}, j.args.Pairs()...)
	return strings.Join(append(append(words, j.echoed...), how...), " ")
}

// limits are where executions begin and what they are explored with, as name=value.
func (j *checkJob) limits() []string {
	pair := func(name string, value any) string { return fmt.Sprintf("%s=%v", name, value) }
	c := &j.cfg
	if j.entry.Spec.Shape == caucus.ShapeEvents {
		return []string{pair("start", c.Start), pair("faults", c.Faults),
			pair("initiators", initiatorsText(c.Initiators)), pair("max-states", c.MaxStates)}
	}
	words := []string{pair("model", c.Model), pair("start", c.Start), pair("faults", c.Faults),
		pair("ghosts", c.Ghosts), pair("counter", c.Counter), pair("max-states", c.MaxStates)}
	if c.Corrupted > 0 {
		words = append(words, pair("corrupted", c.Corrupted))
	}
	return words
}

// command is what checks one network alone.
func (j *checkJob) command(network string, d check.Daemon) string {
	words := slices.Clone(j.replay)
	if d != "" {
		words = append(words, "--daemon "+string(d))
	}
	if j.given != "" {
		return strings.Join(append(words, j.given), " ")
	}
	return strings.Join(append(words, "--network '"+network+"'"), " ")
}

// verdict is the exit code.
func (j *checkJob) verdict(rep *check.Report) error {
	undecidedNets, why := 0, ""
	if e := rep.Events; e != nil {
		if e.Fails > 0 || e.Beyond > 0 {
			return failed(fmt.Errorf("%s is violated with %s", j.entry.Spec.Name,
				plural(e.Fails+e.Beyond, "choice")+" of network and initiators"))
		}
		if e.Undecided > 0 {
			return undecided(fmt.Errorf("%s of %d of network and initiators undecided: %s",
				plural(e.Undecided, "choice"), e.Executions, e.Why))
		}
	}
	for _, r := range rep.Rows {
		if r.Hopeless() > 0 || r.Fair.Fails > 0 || j.unfair && r.Unfair.Fails > 0 || r.Beyond > 0 {
			return failed(fmt.Errorf("%s is violated under the %s daemon", j.entry.Spec.Name, r.Daemon))
		}
		if r.Undecided > undecidedNets {
			undecidedNets, why = r.Undecided, r.Why
		}
	}
	if undecidedNets > 0 {
		if j.cfg.Faults.Any() {
			why += "; with --faults nothing is hunted"
		}
		return undecided(fmt.Errorf("%s of %d undecided: %s", plural(undecidedNets, "network"), rep.Networks, why))
	}
	return nil
}
