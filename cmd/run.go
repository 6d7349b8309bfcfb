package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/operate"
	"caucus.example/caucus/internal/picture"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/story"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// runFlags are the flags of run that are no settings of a scenario.
type runFlags struct {
	params, faults, walkers       []string
	json, dryRun, verify, replace bool
	step, view                    bool
	page                          string
}

func newRunCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run [scenario.yaml]",
		Short: "Simulate an election, the same way every time",
		Long: `Simulate an election on a network: from a scenario file, from flags, or both, where
flags win. Output depends on the scenario and its seeds only, not on workers or time.

The metric is distance for a topology with geographic coordinates and hops for any other, unless
--metric says otherwise. Lengths in kilometres carry their unit (1500km, 300m), lengths in hops,
weights and planar coordinates have none. The strength column is that of the start.

An event algorithm runs message by message: --trace writes every event to a file and --replay repeats the
order of one, --diagram draws it, and --step walks through it (Enter: next event, a number: as many
events, r: run to the end, q: quit). Time is in periods; with --scheduler, where no message takes
time, it is the length of the longest chain of messages.

A trace (.jsonl or .parquet) holds the scenario that was run: --replay alone runs that again, and of rounds says where the
first change is another than was recorded, with exit code 1.

The last line reports the run; seconds are simulated ones. Exit code 0: every running node ended
with a leader that leads. 1: the run came to rest, but some node has no leader or follows
one that does not lead. 3: --rounds, --events or Ctrl-C stopped it before nothing had
changed for --stable-for rounds, or while messages were on their way, so there is no answer yet. 2: wrong usage or scenario.
A network that moves does not come to rest: with --stable-for 0 it is watched for --rounds
rounds, and the exit code is 0.`,
		Example: `  caucus run --algo bounded --topology geant2012 --radius 1500km
  caucus run --topology grid:20x50 --radius 4 --timing async --map grid.png
  caucus run --topology geant2012 --radius 1500km --fault 'at: 30, kind: crash, leaders: true'
  caucus run --topology line:4 --radius 3 --fault 'at: 5, kind: loss, rate: 100%, links: [2->1]'
  caucus run --walkers 'nodes: 200, motion: levy, speed: 2' --arena 500x500 --range 60 --radius 200 \
    --timing async --rounds 300 --stable-for 0
  caucus run --algo as-far --topology ring:64 --initiators 3 --delays exp
  caucus run --algo as-far --topology ring:6 --ids random --trace ring.jsonl --diagram ring.svg
  caucus run --algo as-far --topology ring:6 --scheduler lifo --step
  caucus run scenarios/geant.yaml --seed 2 --json`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: completeScenario,
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	f.addScenario(flags)
	flags.BoolVar(&f.json, "json", false, "print JSON, schema caucus.run/2")
	flags.BoolVar(&f.dryRun, "dry-run", false, "only check the scenario and print it with every option resolved")
	flags.BoolVar(&f.verify, "verify", false, "run a second time with another number of workers and compare the traces")
	flags.BoolVar(&f.step, "step", false, "event algorithms: walk through the run event by event")
	flags.BoolVar(&f.view, "view", false, "show it on a page instead, as caucus view does")
	flags.StringVar(&f.page, "page", "", "write the run as a page into this .html `file`, which anybody can open without "+
		"Caucus")
	flags.BoolVar(&f.replace, "force", false, "replace output files that exist")
	return cmd
}

func (f *runFlags) run(cmd *cobra.Command, args []string) error {
	s, err := readScenario(cmd, args, *f)
	if err != nil {
		return misuse(err)
	}
	r, err := resolve(cmd, s)
	if err != nil {
		return misuse(err)
	}
	if f.view {
		page := newPage(cmd)
		if err := show(page, r, args); err != nil {
			return misuse(err)
		}
		return servePage(cmd.Context(), anyPage, cmd.OutOrStdout(), page, "")
	}
	if err := f.export(cmd, r, args); err != nil {
		return err
	}
	return simulate(cmd, r, *f)
}

// export writes the run as a page.
func (f *runFlags) export(cmd *cobra.Command, r *scenario.Run, args []string) error {
	if !cmd.Flags().Changed("page") {
		return nil
	}
	if f.page == "" {
		return misuse(caucus.Wrong("page", "", "a file that ends in .html"))
	}
	err := checkPage(f.page, f.replace)
	if err == nil {
		_, err = checkOutputs(r, *f)
	}
	if err != nil {
		return misuse(err)
	}
	if f.dryRun {
		return nil
	}
	begin := beginning(r, args)
	frames, err := begin.Record(cmd.Context())
	if err != nil {
		return failed(err)
	}
	return writePage(cmd, f.page, frames)
}

// addScenario adds the flags that readScenario puts over a scenario file.
func (f *runFlags) addScenario(flags *pflag.FlagSet) {
	addSettings(flags, nil)
	addParams(flags, &f.params)
	flags.StringArrayVar(&f.faults, "fault", nil,
		"add a `fault`, as 'at: 30, kind: crash, nodes: [A, B]'; may be repeated")
	flags.StringArrayVar(&f.walkers, "walkers", nil,
		"add a group of `walkers`, as 'nodes: 100, motion: levy, speed: 2'; may be repeated")
}

// resolve looks up what a scenario names; its topology may take long.
func resolve(cmd *cobra.Command, s *scenario.Scenario) (*scenario.Run, error) {
	return phase(cmd, "reading the network", s.Resolve)
}

// readScenario reads the file, if there is one, and puts the flags over it.
func readScenario(cmd *cobra.Command, args []string, f runFlags) (s *scenario.Scenario, err error) {
	s = scenario.New()
	file := cmd.Flags().Lookup("replay")
	if file != nil && file.Changed && strings.TrimSpace(file.Value.String()) == "" {
		return nil, caucus.Wrong("replay", "nothing", "a trace, or the text that stands below a counterexample")
	}
	if len(args) == 1 {
		s, err = scenario.Load(args[0])
	} else if repeats(cmd.Flags().Changed, args) &&
		!story.Scripted(file.Value.String()) {
		s, err = scenario.Recorded(file.Value.String())
	}
	if err != nil {
		return nil, err
	}
	if err := take(cmd, s, f.params); err != nil {
		return nil, err
	}
	for _, text := range f.faults {
		if err := s.AddFault(text); err != nil {
			return nil, err
		}
	}
	for _, text := range f.walkers {
		if err := s.AddWalkers(text); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// measured refuses the metric that only agents have.
func measured(metric string) error {
	return &caucus.FieldError{Field: "metric", Found: metric,
		Allowed: "hops, weight, distance: there is no network on which to measure round-trip times"}
}

func simulate(cmd *cobra.Command, r *scenario.Run, f runFlags) error {
	if r.Metric == scenario.MetricRTT {
		return misuse(measured(r.Get("metric")))
	}
	stdout, logs := cmd.OutOrStdout(), cmd.ErrOrStderr()
	out := stdout
	if piped, err := checkOutputs(r, f); err != nil {
		return misuse(err)
	} else if piped || f.page == "-" {
		out = logs // what a file would hold has standard output for itself
	}
	if f.dryRun {
		return dryRun(cmd.Context(), out, r)
	}
	echo := sync.OnceFunc(func() { echoRun(out, r, f.json) }) // what is refused says nothing else
	noteReading(logs, r)
	noteRestarts(logs, r.Config.Faults)
	collectSooner(r.Config.Graph.Len())
	r.Unread(r.Get("map") != "")
	cfg, known := surveyed(r)
	watch, err := observe(cmd.Context(), r, f, cmd.InOrStdin(), out, logs)
	if err != nil {
		return misuse(err)
	}
	start, ended := time.Now(), watched(cmd.Context())
	done := func() {}
	if !f.step {
		done = showProgress(logs, &cfg)
	}
	result, err := watch.simulate(func(cfg sim.Config) (*sim.Result, error) {
		rounds := countRounds(&cfg, echo)
		return roundsIn(cmd.Context(), rounds,
			func() (*sim.Result, error) { return r.Entry.Simulate(cmd.Context(), r.Args, cfg) })
	}, cfg, stdout, logs)
	done()
	if result == nil {
		if errors.As(err, new(operate.ExitError)) { // the trace could not be written
			return err
		}
		return misuse(err)
	}
	echo()
	fmt.Fprintf(logs, "simulated %d rounds in %.3g s\n", result.Rounds, time.Since(start).Seconds())
	rep := report{Run: r, result: result, interrupted: err, watch: watch, known: known.counts}
	if err == nil {
		if err := watch.confirm(cmd.Context(), logs, f, result); err != nil {
			return err
		}
	}
	err = deliver(cmd.Context(), ended, func(ctx context.Context) error {
		return rep.write(untilDone(ctx, stdout), untilDone(ctx, out), untilDone(ctx, logs), f.json)
	})
	if err != nil {
		return failed(err)
	}
	return rep.verdict()
}

// collectSooner keeps what is written of many nodes from taking as much memory as they do before it is collected.
// Columns without pointers are not looked through, so that collecting costs next to nothing.
func collectSooner(nodes int) {
	const many, percent = 1 << 19, 10
	if nodes >= many {
		debug.SetGCPercent(percent)
	}
}

// echoRun says what is run, where the answer does not.
func echoRun(out io.Writer, r *scenario.Run, json bool) {
	if json {
		return
	}
	for _, line := range r.Echo(version()) {
		fmt.Fprintln(out, line)
	}
}

// countRounds tells of a run how many rounds it has done; those of events, which end at any event, count as soon as
// they begin. It calls a function once the run has begun.
func countRounds(cfg *sim.Config, began func()) func() int {
	var done atomic.Int64
	tell := cfg.Progress
	cfg.Progress = func(rounds int) {
		began()
		done.Store(int64(rounds))
		if tell != nil {
			tell(rounds)
		}
	}
	if watch := cfg.Watch; watch != nil {
		cfg.Watch = func(h *story.Step) bool {
			began()
			done.CompareAndSwap(0, 1)
			return watch(h)
		}
	}
	return func() int { return int(done.Load()) }
}

// checkOutputs finds out before a long run what would keep its results from being written, and whether one of them
// takes standard output.
func checkOutputs(r *scenario.Run, f runFlags) (piped bool, err error) {
	taken := outlets{}
	if f.json || f.step {
		taken["-"] = "--json or --step"
	}
	if err := taken.take("page", f.page); err != nil {
		return false, err
	}
	for _, field := range []string{"csv", "samples", "trace", "diagram", "map"} {
		name := r.Get(field)
		if name == "" {
			continue
		}
		if err := taken.take(field, name); err != nil {
			return false, err
		}
		if err := checkOutput(field, name, f.replace); err != nil {
			return false, err
		}
		if err := checkOutput(field, metaName(name), f.replace); err != nil {
			return false, err
		}
		piped = piped || name == "-"
	}
	for _, x := range []struct {
		field string
		most  int
	}{{"map", picture.MaxNodes}, {"diagram", picture.MaxLines}} {
		if n := r.Config.Graph.Len(); r.Get(x.field) != "" && n > x.most {
			return false, &caucus.FieldError{Field: x.field, Found: plural(n, "node"),
				Allowed: "networks of at most " + plural(x.most, "node")}
		}
	}
	return piped, nil
}

// dryRun lets the engine check the run as well: it does so before its first round, which an
// ended context keeps it from.
func dryRun(ctx context.Context, out io.Writer, r *scenario.Run) error {
	ended, end := context.WithCancel(ctx)
	end()
	if result, err := r.Entry.Simulate(ended, r.Args, r.Config); result == nil {
		return misuse(err)
	}
	fmt.Fprintf(out, "# %s\n%s", r.Echo(version())[0], r.YAML())
	return nil
}

// noteReading says on stderr what reading and measuring the topology changed.
func noteReading(logs io.Writer, r *scenario.Run) {
	for _, n := range r.Read.Notes {
		fmt.Fprintln(logs, "topology:", n)
	}
	if t := r.Trace; t != nil {
		fmt.Fprintf(logs, "movements: %s, %d nodes, %s long\n", t.Format, len(t.Names), lasting(t.End-t.Begin))
		if t.Report.Lasts > 0 {
			fmt.Fprintf(logs, "movements: a contact lasts %g s\n", t.Report.Lasts)
		}
		for _, n := range t.Report.Notes {
			fmt.Fprintln(logs, "movements:", n)
		}
	}
	for _, c := range []struct {
		count int
		text  string
	}{
		{r.Read.Merged.SelfLoops, "self-loops dropped"},
		{r.Read.Merged.Repeats, "repeated edges merged"},
		{r.Measured.Placed, "nodes without coordinates placed at the mean of their neighbours"},
		{r.Measured.Raised, "edges between nodes at the same place count as 1 m long"},
		{r.Measured.Zero, "edges of length 0"},
	} {
		if c.count > 0 {
			fmt.Fprintf(logs, "topology: %d %s\n", c.count, c.text)
		}
	}
}

// confirm compares a run with what it is to repeat, and with itself.
func (o *observers) confirm(ctx context.Context, logs io.Writer, f runFlags, result *sim.Result) error {
	if o.repetition != nil {
		if err := o.repetition.end(result, logs); err != nil {
			return err
		}
	}
	if f.verify {
		return verify(ctx, logs, o.run, result)
	}
	return nil
}

// noteRestarts says which faults start only what runs already, as far as the faults before them tell.
func noteRestarts(logs io.Writer, faults []sim.Fault) {
	for _, f := range faults {
		if f.Kind != sim.Restart {
			continue
		}
		if !slices.ContainsFunc(faults, func(o sim.Fault) bool { return mayEnd(&o, &f) }) {
			fmt.Fprintf(logs, "faults: the restart at %g does nothing: no fault before it ends a node that it starts\n",
				f.At)
		}
	}
}

// mayEnd tells whether one fault may end a node that another starts again.
func mayEnd(f, restart *sim.Fault) bool {
	switch f.Kind {
	case sim.Join: // absent before
	case sim.Crash, sim.Leave:
		if f.At > restart.At {
			return false
		}
	default:
		return false
	}
	return f.Nodes == nil || restart.Nodes == nil ||
		slices.ContainsFunc(restart.Nodes, func(i int) bool { return slices.Contains(f.Nodes, i) })
}

// verify runs again with another number of workers, which must not show in the trace.
func verify(ctx context.Context, logs io.Writer, r *scenario.Run, first *sim.Result) error {
	cfg := r.Config
	if cfg.Workers = 1; r.Config.Workers == 1 {
		cfg.Workers = 2
	}
	second, err := r.Entry.Simulate(ctx, r.Args, cfg)
	if err != nil {
		return undecided(fmt.Errorf("verify: %w", err))
	}
	if first.TraceHash != second.TraceHash || first.Messages != second.Messages ||
		!slices.Equal(first.Outcomes, second.Outcomes) {
		return failed(fmt.Errorf("verify: the trace is %016x with workers=%d and %016x with workers=%d: please "+
			"report this",
			first.TraceHash, r.Config.Workers, second.TraceHash, cfg.Workers))
	}
	fmt.Fprintf(logs, "verified: trace %016x both with workers=%d and workers=%d\n", first.TraceHash, r.Config.Workers,
		cfg.Workers)
	return nil
}
