package cmd

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/fault"
	"caucus.example/caucus/internal/energy"
	"caucus.example/caucus/internal/jobs"
	"caucus.example/caucus/internal/layout"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/internal/study"
	"caucus.example/caucus/network"
	"github.com/spf13/cobra"
)

// tuneSettings are the settings of a scenario that mean the same here.
var tuneSettings = []string{"topology", "name-attribute", "strength", "seed", "graph-seed", "csv"}

type tuneFlags struct {
	algo, loss, latency, success, runs, figures string
	periods                                     []string
	reproduceFlags
}

func newTuneCommand() *cobra.Command {
	var f tuneFlags
	cmd := &cobra.Command{
		Use:   "tune --topology NAME",
		Short: "Find the rounds K and their length T with which PraSLE elects on a network",
		Long: `Simulate elections of PraSLE on a network with bad links and find, for one length T of a round after the other, the fewest
rounds K with which a share of them succeeds; recommend the K and T with the least mean time of an election and print a
configuration for agents. K is never less than the diameter.

A K is sufficient only if the lower bound of the probability of success (Clopper-Pearson, confidence 99 %) reaches
--success; the number of runs is doubled until that is decided, up to --runs. A run of the hardened variant succeeds
if all nodes follow the best after K rounds and none takes the leader for dead as long as a dead one would take to be noticed.
docs/tune.md says what is simulated.

Ctrl-C prints what is known so far; with a folder for results the same command goes on from there. Exit code 0: found.
1: none is enough. 3: interrupted, or none is known to be enough after --runs runs.`,
		Example: `  caucus tune --topology ring:10 --loss 5% --delay 20ms --success 99%
  caucus tune --topology grid:4x5 --loss 10% --delay 20ms±5ms --success 99% --periods 20ms,50ms -o tuned
  caucus tune --topology tree:20 --algo reliable --delay 20ms --success 99% -o times.svg --force`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			u, err := newTune(cmd, &f)
			if err != nil {
				return misuse(err)
			}
			return tune(cmd, u, &f)
		},
	}
	flags := cmd.Flags()
	addSettings(flags, tuneSettings)
	flags.Lookup("strength").DefValue, flags.Lookup("strength").Usage = "rank",
		"strength of a node, drawn anew for each run if it is "+
			"random: rank (255 less 1 to 254), random, degree, id, attribute:NAME or fitness"
	flags.Lookup("seed").Usage = "seed of strengths, phases, delays and losses"
	flags.StringVar(&f.algo, "algo", "hardened", "`name` of the variant of PraSLE: hardened, unreliable or reliable")
	complete(cmd, "algo", of(study.TuneVariants...))
	flags.StringVar(&f.loss, "loss", "0%", "`probability` that a message is lost, on each link and in each direction")
	flags.StringVar(&f.latency, "delay", "10ms", "`time` that messages take, such as 20ms or 20ms±5ms (also 20ms+-5ms)")
	flags.StringVar(&f.success, "success", "99.9%", "`share` of elections that have to succeed")
	flags.StringSliceVar(&f.periods, "periods", nil,
		"`times` T of a round to try (default 1, 2 and 5 times a power of ten from a quarter to ten times the latency)")
	flags.StringVar(&f.runs, "runs", "0", "`number` of runs of one K and T at most; 0 takes four times as many as "+
		"prove it without a failure")
	flags.StringVar(&f.figures, "energy", "cc2420", energyDoc)
	f.add(cmd)
	flags.Lookup("output").Usage = "write the chart into this .svg, .png or .pdf file, or else everything into this " +
		"`folder`, which also keeps what is done"
	flags.Lookup("json").Usage = "print JSON, schema caucus.tune/2"
	flags.Lookup("csv").Usage = "write what was found of every K and T into this .csv `file`"
	flags.Lookup("workers").Usage = "lengths T at a time; 0 takes all cores; results do not depend on it"
	flags.Lookup("force").Usage = "replace a chart, or start anew in a folder that holds other results"
	return cmd
}

func newTune(cmd *cobra.Command, f *tuneFlags) (u study.Tune, err error) {
	variant, ok := study.TuneVariant(f.algo)
	if !ok {
		return u, caucus.NotAmong("algo", f.algo, append(slices.Clone(study.TuneVariants), study.TuneAlgorithms...))
	}
	u.Variant = variant
	if topology := cmd.Flags().Lookup("topology").Value.String(); topology == "" {
		return u, &caucus.FieldError{Field: "topology", Found: topology,
			Allowed: "a built-in name (geant2012), a generator (grid:20x50) or a file"}
	}
	s := scenario.New()
	for name, text := range map[string]string{"algo": study.TuneAlgorithms[0], "metric": "hops", "strength": "rank"} {
		if err := s.Set(name, text); err != nil {
			return u, err
		}
	}
	if err := take(cmd, s, nil); err != nil {
		return u, err
	}
	r, err := resolve(cmd, s)
	if err != nil {
		return u, err
	}
	noteReading(cmd.ErrOrStderr(), r)
	g := r.Config.Graph
	if g.Len() == 0 || g.Len() > upMaxNodes || g.Edges() > upMaxEdges {
		return u, &caucus.FieldError{Field: "topology",
			Found:   fmt.Sprintf("%s: %d nodes, %d edges", r.Topology(), g.Len(), g.Edges()),
			Allowed: fmt.Sprintf("from 1 to %d nodes, and at most %d edges", upMaxNodes, upMaxEdges)}
	}
	if err := network.CheckConnected(g); err != nil {
		return u, fmt.Errorf("topology: %s: %w", r.Topology(), err)
	}
	if u.GraphSeed, err = scenario.Seed("graph-seed", r.Get("graph-seed")); err != nil {
		return u, err
	}
	u.Graph, u.Topology, u.Diameter, u.Strength, u.Seed = g, r.Topology(), r.Config.Known.Diameter, r.Strength,
		r.Config.Seed
	return u, f.resolve(&u)
}

// resolve reads what is not about the network.
func (f *tuneFlags) resolve(u *study.Tune) (err error) {
	if u.Links, err = fault.Parse(map[string]string{"loss": f.loss, "delay": f.latency}, time.Second); err != nil {
		return err
	}
	if u.Links.Loss == 1 {
		return &caucus.FieldError{Field: "loss", Found: f.loss, Allowed: "less than 100%"}
	}
	if u.Variant == "reliable" && u.Links.Delay < time.Microsecond {
		return &caucus.FieldError{Field: "delay", Found: f.latency,
			Allowed: "at least 1us for the reliable variant, whose rounds are measured in it"}
	}
	if u.Success, err = scenario.Share("success", f.success); err != nil ||
		!(u.Success >= 0.5 && u.Success <= 0.99999) {
		return &caucus.FieldError{Field: "success", Found: f.success, Allowed: "a share from 50% to 99.999%"}
	}
	if u.Runs, err = scenario.Count("runs", f.runs); err != nil || u.Runs > 1e9 {
		return &caucus.FieldError{Field: "runs", Found: f.runs, Allowed: "a whole number from 0 to 1e9"}
	}
	if u.Runs == 0 {
		u.Runs = study.TuneRuns(u.Success)
	}
	if u.Energy, err = energy.Parse(f.figures); err != nil {
		return err
	}
	return f.readPeriods(u)
}

func (f *tuneFlags) readPeriods(u *study.Tune) error {
	for _, text := range f.periods {
		t, err := scenario.Period("periods", strings.TrimSpace(text))
		if err != nil || t < time.Millisecond || t > time.Hour || t < (u.Links.Delay+u.Links.Jitter)/1000 {
			return &caucus.FieldError{Field: "periods", Found: text,
				Allowed: "times from 1ms to 1h, and no less than a thousandth of the latency, with commas, such as " +
					"20ms,50ms"}
		}
		u.Periods = append(u.Periods, t)
	}
	if len(u.Periods) == 0 {
		u.Periods = study.TunePeriods(u.Links.Delay + u.Links.Jitter)
	}
	slices.Sort(u.Periods)
	u.Periods = slices.Compact(u.Periods)
	return nil
}

func tune(cmd *cobra.Command, u study.Tune, f *tuneFlags) error {
	workers, err := scenario.Count("workers", cmd.Flags().Lookup("workers").Value.String())
	if err != nil {
		return misuse(err)
	}
	chart, folder, err := f.charted()
	if err != nil {
		return err
	}
	table, err := tableOf(cmd, f)
	if err != nil {
		return err
	}
	out, logs := cmd.OutOrStdout(), cmd.ErrOrStderr()
	text := !f.json && table != "-" && chart != "-"
	if text {
		fmt.Fprintln(out, u.Echo(version()))
	}
	start := time.Now()
	tell, done := showJobs(logs)
	batch := u.Batch()
	batch.Version, batch.Build = version(), buildHash()
	found, err := batch.Do(cmd.Context(), jobs.Setting{Dir: folder, Force: f.force, Workers: workers, Progress: tell})
	done()
	var stopped *jobs.Interrupted
	if err != nil && !errors.As(err, &stopped) {
		return err
	}
	fmt.Fprintf(logs, "searched for %.3g s\n", time.Since(start).Seconds())
	r := u.Report(version(), found)
	switch {
	case f.json:
		err = r.JSON(out)
	case text:
		err = r.Text(out)
	}
	switch {
	case err != nil:
		return failed(err)
	case stopped != nil:
		return undecided(stopped)
	}
	if err := writeTuned(cmd, r, table, chart, folder); err != nil {
		return err
	}
	switch {
	case r.Best != nil:
		return nil
	case r.Open():
		return undecided(errors.New("no K and T is known to be enough; more --runs may decide it"))
	}
	return failed(errors.New("no K and T is enough; see above"))
}

// charted is where the chart is to go, or everything.
func (f *tuneFlags) charted() (chart, folder string, err error) {
	switch ending := filepath.Ext(f.dir); {
	case f.dir == "-" && f.json:
		return "", "", misuse(caucus.Wrong("output", "-", "a file, as --json takes standard output"))
	case f.dir == "-" || layout.Is(f.dir):
		return f.dir, "", checkOutput("output", f.dir, f.force)
	case ending != "":
		return "", "", misuse(caucus.Wrong("output", f.dir,
			"a folder, or "+layout.Allowed+", or - for a chart to standard output"))
	}
	return "", f.dir, nil
}

// tableOf is where the table is to go; its name was checked with the scenario.
func tableOf(cmd *cobra.Command, f *tuneFlags) (string, error) {
	table := cmd.Flags().Lookup("csv").Value.String()
	if f.json && table == "-" {
		return "", misuse(&caucus.FieldError{Field: "csv", Found: "-",
			Allowed: "a file, as --json takes standard output"})
	}
	if table == "-" && f.dir == "-" {
		return "", misuse(caucus.Wrong("csv", "-", "a file, as the chart takes standard output"))
	}
	return table, checkOutput("csv", table, f.force)
}

// writeTuned writes the table, and the chart or all files.
func writeTuned(cmd *cobra.Command, r *study.TuneReport, table, chart, folder string) error {
	if table != "" {
		if err := writeOutput(cmd.OutOrStdout(), cmd.ErrOrStderr(), table, r.CSV); err != nil {
			return err
		}
	}
	var files []study.File
	switch {
	case folder != "":
		for _, file := range r.Files() {
			files = append(files, study.File{Name: filepath.Join(folder, file.Name), Write: file.Write})
		}
		if r.Best == nil { // of an earlier call
			os.Remove(filepath.Join(folder, "agent.yaml"))
		}
	case chart != "" && r.Best != nil:
		c := r.Chart()
		files = append(files, study.File{Name: chart,
			Write: func(w io.Writer) error { return c.Write(w, chart) }})
	}
	for _, file := range files {
		if err := writeOutput(cmd.OutOrStdout(), cmd.ErrOrStderr(), file.Name, file.Write); err != nil {
			return err
		}
	}
	return nil
}
