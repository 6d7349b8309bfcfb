package cmd

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/internal/study"
	"github.com/spf13/cobra"
)

func newReproduceCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "reproduce",
		Short: "Repeat published experiments and compare the numbers",
		Long: `Repeat published experiments: many simulations on all cores, a table with the published numbers
beside ours, and with -o a folder with CSV files, charts and the summary.

The folder also keeps a journal of finished jobs. After Ctrl-C (exit code 3) or a crash the same
command goes on where it was; a command with other options is refused.`,
		Example: `  caucus reproduce mo
  caucus reproduce bounded-election -o bounded-results
  caucus reproduce rings -o rings-results`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newReproduceBoundedCommand(), newReproduceMoCommand(), newReproduceRingsCommand(), newReproduceGraphsCommand(), newReproduceFamilyCommand(), newReproducePrasleCommand())
	return cmd
}

// reproduceFlags are those that every experiment has.
type reproduceFlags struct {
	dir         string
	json, force bool
}

func (f *reproduceFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVarP(&f.dir, "output", "o", "", "keep finished jobs and write results in this `folder`")
	flags.BoolVar(&f.json, "json", false, "print JSON, schema caucus.reproduce/1")
	flags.Var(&setting{"0", "n"}, "workers", "jobs at a time; 0 takes all cores; results do not depend on it")
	flags.BoolVar(&f.force, "force", false, "start anew in a folder that holds other results, and replace them")
}

// addSeed gives an experiment its seed.
func addSeed(cmd *cobra.Command, seed *setting, doc string) {
	*seed = setting{"1", "n"}
	cmd.Flags().Var(seed, "seed", doc)
}

func newReproduceMoCommand() *cobra.Command {
	var f reproduceFlags
	var graphs string
	var seed setting
	cmd := &cobra.Command{
		Use:   "mo",
		Short: "Mo, Audrito, Dasgupta, Beal (IFAC 2020): the propagation radius K",
		Long: `Repeat the simulations of Mo et al.: 500 nodes uniform in a box of 4 by 1, joined within 0.25, with random
IDs, on graphs that are connected. Elections from a clean start, with 51 nodes fooled by a leader better than all at
t = 10, and after the loss of the leader; K from 1 to 8, distance < reach (lt) and <= (le), and the
colour waves after Datta et al. Theorem 1 and the lemmas are checked on every graph.

Exit code 1: the theorem or a lemma does not hold.`,
		Example: `  caucus reproduce mo --graphs 10
  caucus reproduce mo -o mo-results`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			n, err := scenario.Count("graphs", graphs)
			if err != nil || n == 0 || n > 100_000 {
				return &caucus.FieldError{Field: "graphs", Found: graphs, Allowed: "a whole number from 1 to 100000"}
			}
			s, err := scenario.Seed("seed", seed.text)
			if err != nil {
				return err
			}
			m := study.NewMo(n, s)
			return reproduce(cmd, f, m.Sweep(version()), func(results []study.MoGraph) *study.Report {
				return m.Report(version(), results)
			})
		},
	}
	cmd.Flags().StringVar(&graphs, "graphs", "100", "`number` of graphs; the paper does not give its own")
	addSeed(cmd, &seed, "seed of graphs, IDs and victims")
	f.add(cmd)
	return cmd
}

// reproduce runs a sweep and reports on it.
func reproduce[T any](cmd *cobra.Command, f reproduceFlags, s *study.Sweep[T], evaluate func([]T) *study.Report) error {
	workers, err := scenario.Count("workers", cmd.Flags().Lookup("workers").Value.String())
	if err != nil {
		return err
	}
	out, logs := cmd.OutOrStdout(), cmd.ErrOrStderr()
	if !f.json {
		fmt.Fprintln(out, s.Echo())
	}
	start := time.Now()
	tell, done := showJobs(logs)
	results, err := s.Do(cmd.Context(), study.Setting{Dir: f.dir, Force: f.force, Workers: workers, Progress: tell})
	done()
	var stopped *study.Interrupted
	switch {
	case errors.As(err, &stopped):
		return undecided(err)
	case err != nil:
		return err
	}
	report := evaluate(results)
	fmt.Fprintf(logs, "%s in %.3g s\n", plural(s.Jobs, "job"), time.Since(start).Seconds())
	if err := writeReport(cmd, f.dir, report); err != nil {
		return err
	}
	if f.json {
		err = report.JSON(out)
	} else {
		err = report.Text(out)
	}
	if err == nil && report.Violated {
		err = fmt.Errorf("%s: something that is proved does not hold; see above", report.Experiment)
	}
	return failed(err)
}

// writeReport writes the files of a report, which replace those of an earlier call with the same options.
func writeReport(cmd *cobra.Command, dir string, r *study.Report) error {
	if dir == "" {
		return nil
	}
	files := r.AllFiles()
	for _, file := range files {
		if cmd.Context().Err() != nil {
			return undecided(fmt.Errorf("interrupted while writing %s; the same command goes on from there", dir))
		}
		if err := writeFile(filepath.Join(dir, file.Name), file.Write); err != nil {
			return err
		}
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "wrote %s in %s\n", plural(len(files), "file"), dir)
	return nil
}

// changeable are the settings that --set may change.
var changeable = []string{"arena", "walls", "range", "radius", "phases", "timing", "strength", "layout"}

func newReproduceBoundedCommand() *cobra.Command {
	var f reproduceFlags
	var chosen, changed []string
	var seeds, faithful string
	cmd := &cobra.Command{
		Use:   "bounded-election",
		Short: "Pianini, Casadei, Viroli (ACSOS 2022): Bounded Election beside its baselines",
		Long: `Repeat the experiments of Pianini, Casadei and Viroli: 600 s of Bounded Election, recursive election and
sparse choice ("classic"), all three on the same runs of about 1000 nodes that run once a second. scale-free is a
tree whose strengths change every 100 s; in random all nodes walk; in edge 36 nodes stand still.

With --faithful artefact the set-up is that of the published data, with paper that of the text: see the scenario
files bounded-*.yaml and docs/experiments.md.`,
		Example: `  caucus reproduce bounded-election --scenario scale-free --seeds 5
  caucus reproduce bounded-election --scenario random --seeds 5 --set walls=stop
  caucus reproduce bounded-election -o bounded-results`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b := study.Bounded{Faithful: faithful}
			for _, name := range study.BoundedScenarios {
				if slices.Contains(chosen, name) {
					b.Scenarios = append(b.Scenarios, name)
				}
			}
			for _, name := range chosen {
				if !slices.Contains(study.BoundedScenarios, name) {
					return caucus.NotAmong("scenario", name, study.BoundedScenarios)
				}
			}
			if len(b.Scenarios) == 0 {
				return caucus.NotAmong("scenario", "", study.BoundedScenarios)
			}
			if faithful != "artefact" && faithful != "paper" {
				return caucus.NotAmong("faithful", faithful, []string{"artefact", "paper"})
			}
			var err error
			if b.Seeds, err = scenario.Count("seeds", seeds); err != nil || b.Seeds == 0 || b.Seeds > 100_000 {
				return &caucus.FieldError{Field: "seeds", Found: seeds, Allowed: "a whole number from 1 to 100000"}
			}
			for _, text := range changed {
				name, value, ok := strings.Cut(text, "=")
				if !ok || !slices.Contains(changeable, name) {
					return &caucus.FieldError{Field: "set", Found: text, Allowed: "name=value of " + strings.Join(changeable, ", ")}
				}
				b.Changed = append(b.Changed, study.Option{Name: name, Value: value})
			}
			if err := b.Check(); err != nil {
				return err
			}
			return reproduce(cmd, f, b.Sweep(version()), func(runs []study.BoundedRun) *study.Report {
				return b.Report(version(), runs)
			})
		},
	}
	cmd.Flags().StringSliceVar(&chosen, "scenario", study.BoundedScenarios, "`scenario`s to run: scale-free, random, edge")
	cmd.Flags().StringVar(&seeds, "seeds", "200", "`number` of runs of each scenario, with seeds from 1")
	cmd.Flags().StringArrayVar(&changed, "set", nil, "change a setting of the scenarios, as `name=value`, to see what it does; may be repeated")
	cmd.Flags().StringVar(&faithful, "faithful", "artefact", "set up as in the `mode`: artefact or paper")
	f.add(cmd)
	return cmd
}
