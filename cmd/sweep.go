package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/crew"
	"caucus.example/caucus/internal/jobs"
	"caucus.example/caucus/internal/results"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/internal/sweep"
	"github.com/spf13/cobra"
)

type sweepFlags struct {
	output, shard       string
	only                scenario.Only
	json, dryRun, force bool
	view                bool
	crew                crew.Options
}

func newSweepCommand() *cobra.Command {
	var f sweepFlags
	var measures strings.Builder
	for _, m := range sweep.Measures {
		fmt.Fprintf(&measures, "  %-22s %s\n", m.Name, m.Doc)
	}
	cmd := &cobra.Command{
		Use:   "sweep study.yaml",
		Short: "Make all runs of a study of your own, and one table of them",
		Long: `Make the runs of a study file: a base scenario, variables with the values that they take (grid, zip, latin), conditions,
algorithms and seeds. docs/analyse.md has the format. Every run of one seed has the same network, strengths and faults,
whatever the algorithm, so that algorithms are compared seed by seed.

With -o the table of all measurements is written, one row a measurement, and what is done is kept in a folder beside it
until then: after Ctrl-C (exit code 3) or a crash the same command goes on. The bytes depend on the study alone.

Measures:
` + measures.String() + `
A part of the runs is made with --shard 3/20; jobs of Slurm arrays and of indexed jobs of Kubernetes know theirs.
An interrupted shard ends with exit code 75: run it again. caucus sweep merge puts the parts together.

With --nats the runs are made by caucus worker, on as many machines as there are, which find them at that server or
cluster (nats-server -js). Workers and servers may come, go and be killed; the bytes are the same.`,
		Example: `  caucus sweep scenarios/studies/radius.yaml
  caucus sweep scenarios/studies/radius.yaml --dry-run
  caucus sweep scenarios/studies/radius.yaml -o radius.parquet
  caucus sweep scenarios/studies/radius.yaml --shard 1/2 -o part-1.parquet
  caucus sweep scenarios/studies/radius.yaml --nats nats://127.0.0.1:4222 -o radius.parquet`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completeScenario,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runSweep(cmd, args[0], f, func() (*scenario.Plan, error) {
				return scenario.LoadPlan(args[0], f.only)
			})
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&f.view, "view", false,
		"show the sweep on a page while it goes on, and then until Ctrl-C; its address goes to stderr")
	cmd.AddCommand(newMergeCommand())
	return cmd
}

// add adds the flags of everything that makes the runs of a study file.
func (f *sweepFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVarP(&f.output, "output", "o", "", "write the table of measurements into this .csv or .parquet `file`")
	flags.StringVar(&f.shard, "shard", "",
		"make part i of n of the runs, as `i/n` (default: what Slurm or Kubernetes say, else all)")
	flags.BoolVar(&f.json, "json", false, "print JSON, schema caucus.sweep/1")
	flags.BoolVar(&f.dryRun, "dry-run", false,
		"only check the study, and say how many runs it has and how long they take")
	flags.BoolVar(&f.force, "force", false, "replace a table that exists, and start anew")
	flags.Var(&setting{"0", "n"}, "workers", "runs at a time; 0 takes all cores; results do not depend on it")
	flags.StringArrayVar(&f.only.Where, "only", nil,
		"make the runs that meet a further `condition`, as 'n <= 64' or 'radius = 1 or radius = 3'; may be repeated")
	flags.StringVar(&f.only.Seeds, "seeds", "", "make runs with this `number` of seeds, whatever the study says")
	crewFlags(cmd, &f.crew)
}

func runSweep(cmd *cobra.Command, file string, f sweepFlags, load func() (*scenario.Plan, error)) error {
	workers, err := scenario.Count("workers", cmd.Flags().Lookup("workers").Value.String())
	if err := errors.Join(err, f.crew.Check()); err != nil {
		return misuse(err)
	}
	plan, err := phase(cmd, "reading the study", load)
	if err != nil {
		return misuse(err)
	}
	shard, err := readShard(f.shard, os.Getenv)
	if err != nil {
		return misuse(err)
	}
	s, err := sweep.New(plan, shard)
	if err != nil {
		return misuse(err)
	}
	s.Version, s.Build = version(), buildHash()
	if err := checkTable(f.output, f.force); err != nil {
		return err
	}
	if f.dryRun && f.view {
		return misuse(caucus.Wrong("view", "true", "without --dry-run, which makes no runs"))
	}
	if f.dryRun {
		return estimate(cmd, s, workers)
	}
	if !f.json && f.output != "-" {
		fmt.Fprintln(cmd.OutOrStdout(), sweepEcho(s))
	}
	at := jobs.Setting{Dir: keptIn(f.output), Force: f.force, Workers: workers}
	if f.crew.URL != "" {
		c, err := connect(cmd, f.crew)
		if err != nil {
			return err
		}
		defer c.Close()
		study, err := s.Study(file)
		if err != nil {
			return err
		}
		at.Elsewhere = c.Elsewhere(study)
	}
	return f.make(cmd, s, at)
}

// make makes the runs and tells of them; with a page besides, until Ctrl-C.
func (f *sweepFlags) make(cmd *cobra.Command, s *sweep.Sweep, at jobs.Setting) (err error) {
	logs, shard := cmd.ErrOrStderr(), s.Shard
	var done func()
	at.Progress, done = showJobs(logs)
	if f.view {
		defer watchSweep(cmd, s.Live(&at), &err)()
	}
	start := time.Now()
	table, err := s.Do(cmd.Context(), at)
	done()
	var stopped *jobs.Interrupted
	switch {
	case errors.As(err, &stopped) && stopped.Kept && shard.Of > 1:
		return withCode(err, exitAgain)
	case errors.As(err, &stopped):
		return undecided(err)
	case err != nil:
		return err
	}
	fmt.Fprintf(logs, "%s in %.3g s\n", plural(table.Len(), "measurement"), time.Since(start).Seconds())
	return finishSweep(cmd, table, f.output, f.json)
}

// sweepEcho says in one line what is run.
func sweepEcho(s *sweep.Sweep) string {
	least, most := s.Runs()
	runs := fmt.Sprint(least)
	if most > least {
		runs = fmt.Sprintf("%d..%d", least, most)
	}
	return jobs.Describe(
		"caucus "+s.Version+" sweep",
		jobs.List("name", s.Name, "variables", strings.Join(s.Variables, ","),
			"points", len(s.Points), "algorithms", len(s.Algorithms), "runs", runs, "shard", s.Shard),
	)
}

// estimate says how many runs there are and how long they take.
func estimate(cmd *cobra.Command, s *sweep.Sweep, workers int) error {
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	fmt.Fprintln(cmd.OutOrStdout(), sweepEcho(s))
	least, most, of, err := s.Estimate(cmd.Context(), workers, 5*time.Second)
	if err != nil {
		return err
	}
	about := fmt.Sprint(least.Round(100 * time.Millisecond))
	if most > least {
		about += fmt.Sprint(" to ", most.Round(100*time.Millisecond))
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "about %s with %s at a time, after the time of %s\n", about,
		plural(workers, "run"), plural(of, "run"))
	return err
}

// keptIn is the folder that keeps what is done until the table is written.
func keptIn(output string) string {
	if output == "" || output == "-" {
		return ""
	}
	return output + ".jobs"
}

// checkTable refuses a file for a table before a long run.
func checkTable(name string, force bool) error {
	if name != "" && name != "-" && !slices.Contains(results.Endings, filepath.Ext(name)) {
		return misuse(
			&caucus.FieldError{
				Field: "output",
				Found: name,
				Allowed: "a file name that ends in " + strings.Join(
					results.Endings,
					" or ",
				) + ", or - for CSV on standard output",
			},
		)
	}
	if err := checkOutput("output", name, force); err != nil {
		return err
	}
	return checkOutput("output", metaName(name), force)
}

// finishSweep writes the table and the summary, and then forgets the runs.
func finishSweep(cmd *cobra.Command, t *sweep.Table, output string, asJSON bool) error {
	out, logs := cmd.OutOrStdout(), cmd.ErrOrStderr()
	if output != "" {
		file := t.File()
		if err := writeOutput(out, logs, output, file.Write(filepath.Ext(output))); err != nil {
			return err
		}
		if beside := metaName(output); beside != "" {
			err := writeFile(beside, func(w io.Writer) error { return writeJSON(w, metaOf(file.Meta)) })
			if err != nil {
				return err
			}
		}
		if dir := keptIn(output); dir != "" {
			os.RemoveAll(dir)
		}
		if err := writeCharts(logs, t, output); err != nil {
			return err
		}
		if output == "-" {
			out = logs
		}
	}
	s, err := t.Summary()
	if err != nil {
		return err
	}
	if asJSON {
		err = writeJSON(out, struct {
			Schema  string `json:"schema"`
			Version string `json:"version"`
			*sweep.Summary
		}{"caucus.sweep/1", version(), s})
	} else {
		err = s.Text(out)
	}
	if err == nil && s.Refuted() {
		err = failed(errRefuted)
	}
	return err
}

var errRefuted = errors.New("a hypothesis of the study does not hold; see above")

// writeCharts draws what the study wants, beside its table. A chart that cannot be drawn, as one with a logarithm of 0,
// costs only itself.
func writeCharts(logs io.Writer, t *sweep.Table, output string) error {
	list, err := scenario.ChartsOf(t.Plan())
	if err != nil || output == "-" {
		return err
	}
	charts, err := t.Charts(output, list)
	if err != nil {
		return err
	}
	for _, c := range charts {
		if err := writeFile(c.File, func(w io.Writer) error { return c.Write(w, c.File) }); err != nil {
			fmt.Fprintln(logs, "not drawn:", err)
			continue
		}
		fmt.Fprintln(logs, "wrote", c.File)
	}
	return nil
}

func metaOf(meta []results.Pair) map[string]string {
	m := map[string]string{"schema": "caucus.tables/2"}
	for _, p := range meta {
		m[p.Name] = p.Value
	}
	return m
}

// readShard reads which part is made here: what a flag says, else what an array of Slurm or an indexed job of
// Kubernetes does, whose environment has to name the number of completions, too.
func readShard(text string, env func(string) string) (s sweep.Shard, err error) {
	field, zero := "shard", 0
	if text == "" {
		switch {
		case env("SLURM_ARRAY_TASK_ID") != "":
			field = "SLURM_ARRAY_TASK_ID/SLURM_ARRAY_TASK_COUNT"
			text = env("SLURM_ARRAY_TASK_ID") + "/" + env("SLURM_ARRAY_TASK_COUNT")
			if least, err := strconv.Atoi(env("SLURM_ARRAY_TASK_MIN")); err == nil {
				zero = least - 1
			}
		case env("JOB_COMPLETION_INDEX") != "":
			field = "JOB_COMPLETION_INDEX/JOB_COMPLETIONS"
			text, zero = env("JOB_COMPLETION_INDEX")+"/"+env("JOB_COMPLETIONS"), -1
		default:
			return sweep.Shard{Index: 1, Of: 1}, nil
		}
	}
	index, of, ok := strings.Cut(text, "/")
	i, err1 := strconv.Atoi(index)
	n, err2 := strconv.Atoi(of)
	if s = (sweep.Shard{Index: i - zero, Of: n}); !ok || err1 != nil || err2 != nil || s.Index < 1 || s.Index > n ||
		n > 1_000_000 {
		return s, caucus.Wrong(field, text, "part/parts, such as 3/20, of at most 1000000")
	}
	return s, nil
}

func newMergeCommand() *cobra.Command {
	output, asJSON, force := "", false, false
	cmd := &cobra.Command{
		Use:   "merge part.parquet...",
		Short: "Put the shards of a sweep together",
		Long: `Put the tables of all shards together: the same bytes as those of one worker alone. Shards that are missing are named
(exit code 3); shards of different studies or builds are refused.`,
		Example: `  caucus sweep merge part-1.parquet part-2.parquet -o radius.parquet`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkTable(output, force); err != nil {
				return err
			}
			var parts []sweep.Part
			for _, name := range args {
				table, err := readTableFile(cmd.Context(), name)
				if err != nil {
					return misuse(err)
				}
				parts = append(parts, sweep.Part{File: name, Table: table})
			}
			merged, err := sweep.Merge(parts)
			var missing *sweep.Missing
			switch {
			case errors.As(err, &missing):
				return undecided(err)
			case err != nil:
				return misuse(err)
			}
			return finishSweep(cmd, merged, output, asJSON)
		},
	}
	cmd.Flags().
		StringVarP(&output, "output", "o", "", "write the table of measurements into this .csv or .parquet `file`")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, schema caucus.sweep/1")
	cmd.Flags().BoolVar(&force, "force", false, "replace a table that exists")
	return cmd
}

func readTableFile(ctx context.Context, name string) (*results.Table, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if filepath.Ext(name) != ".parquet" {
		return nil, &caucus.FieldError{
			Field:   "part",
			Found:   name,
			Allowed: "a .parquet file, which says what it is a part of",
		}
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t, err := results.ReadFile(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}
