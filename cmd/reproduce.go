package cmd

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/jobs"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/internal/study"
	"caucus.example/caucus/scenarios"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newReproduceCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "reproduce",
		Short: "Repeat published experiments and compare the numbers",
		Long: `Repeat published experiments: many simulations on all cores, a table with the published numbers
beside ours, and with -o a folder with CSV files, charts and the summary; of those that are study files (--print) a
table, as caucus sweep writes it.

The folder also keeps a journal of finished jobs. After Ctrl-C (exit code 3) or a crash the same
command goes on where it was; a command with other options is refused.`,
		Example: `  caucus reproduce mo
  caucus reproduce bounded-election -o bounded-results
  caucus reproduce rings -o rings-results`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	for _, e := range experiments {
		cmd.AddCommand(e.command())
	}
	for _, s := range studies {
		cmd.AddCommand(s.command())
	}
	return cmd
}

// fileStudy is an experiment that is a study file, as anybody can write one.
type fileStudy struct{ name, short string }

func (s fileStudy) command() *cobra.Command {
	var f sweepFlags
	show := false
	file := "studies/" + s.name + ".yaml"
	cmd := &cobra.Command{
		Use: s.name, Short: s.short, Args: cobra.NoArgs,
		Long: "Make the runs of the study file scenarios/" + file + `, and set what is published and what this project claims beside
them. --print shows the file; caucus sweep does the same with one of your own, and has the measures in its help.

Exit code 1: what this project claims does not hold.`,
		Example: strings.ReplaceAll("  caucus reproduce NAME -o NAME.parquet\n"+
			"  caucus reproduce NAME --print > mine.yaml", "NAME", s.name),
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&show, "print", false, "print the study file, and do nothing else")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		text, err := scenarios.Files.ReadFile(file)
		if err != nil {
			return err
		}
		if show {
			_, err := cmd.OutOrStdout().Write(f.only.Of(text))
			return err
		}
		return runSweep(cmd, s.name+".yaml", f, func() (*scenario.Plan, error) {
			return f.only.Parse(s.name+".yaml", text)
		})
	}
	return cmd
}

// command is the verb.
func (e *experiment) command() *cobra.Command {
	var f reproduceFlags
	cmd := &cobra.Command{Use: e.name, Short: e.short, Long: e.long, Example: e.example, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a := &answers{flags: cmd.Flags(), logs: cmd.ErrOrStderr()}
			s, err := e.study(a)
			if a.err != nil {
				err = a.err
			}
			if err != nil {
				return misuse(err)
			}
			s.Version, s.Build = version(), buildHash()
			return reproduce(cmd, f, s)
		}}
	for _, o := range e.flags {
		switch value := o.value.(type) {
		case string:
			cmd.Flags().Var(&setting{value, "n"}, o.name, o.doc)
		case []string:
			cmd.Flags().StringSlice(o.name, value, o.doc)
		case nil:
			cmd.Flags().StringArray(o.name, nil, o.doc)
		}
	}
	f.add(cmd)
	return cmd
}

// answers reads what flags say, and keeps the first error.
type answers struct {
	flags *pflag.FlagSet
	logs  io.Writer
	err   error
}

func (a *answers) refuse(err error) {
	if a.err == nil {
		a.err = err
	}
}

func (a *answers) text(name string) string { return a.flags.Lookup(name).Value.String() }

// list is the elements of a flag that has several.
func (a *answers) list(name string) []string {
	return a.flags.Lookup(name).Value.(pflag.SliceValue).GetSlice()
}

// whole is a number between limits.
func (a *answers) whole(name string, least, most int) int {
	n, err := scenario.Count(name, a.text(name))
	if err != nil || n < least || n > most {
		a.refuse(&caucus.FieldError{Field: name, Found: a.text(name),
			Allowed: fmt.Sprintf("a whole number from %d to %d", least, most)})
	}
	return n
}

func (a *answers) seed() uint64 {
	s, err := scenario.Seed("seed", a.text("seed"))
	if err != nil {
		a.refuse(err)
	}
	return s
}

// one is a word of those allowed.
func (a *answers) one(name string, allowed ...string) string {
	if !slices.Contains(allowed, a.text(name)) {
		a.refuse(caucus.NotAmong(name, a.text(name), allowed))
	}
	return a.text(name)
}

// among is words of those allowed, in their order; also are words that are allowed instead of a list.
func (a *answers) among(name string, allowed []string, also ...string) []string {
	chosen := a.list(name)
	for _, text := range chosen {
		if !slices.Contains(allowed, text) {
			a.refuse(caucus.NotAmong(name, text, append(also, allowed...)))
		}
	}
	if len(chosen) == 0 {
		a.refuse(caucus.NotAmong(name, "", allowed))
	}
	return slices.DeleteFunc(slices.Clone(allowed), func(text string) bool { return !slices.Contains(chosen, text) })
}

// reproduceFlags are those that every experiment has.
type reproduceFlags struct {
	dir         string
	json, force bool
}

func (f *reproduceFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVarP(&f.dir, "output", "o", "", "keep finished jobs and write results in this `folder`")
	flags.BoolVar(&f.json, "json", false, "print JSON, schema caucus.reproduce/2")
	flags.Var(&setting{"0", "n"}, "workers", "jobs at a time; 0 takes all cores; results do not depend on it")
	flags.BoolVar(&f.force, "force", false, "start anew in a folder that holds other results, and replace them")
}

// reproduce runs a study and reports on it.
func reproduce(cmd *cobra.Command, f reproduceFlags, s *study.Study) error {
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
	report, err := s.Run(cmd.Context(), jobs.Setting{Dir: f.dir, Force: f.force, Workers: workers, Progress: tell})
	done()
	var stopped *jobs.Interrupted
	switch {
	case errors.As(err, &stopped):
		return undecided(err)
	case err != nil:
		return err
	}
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
