package cmd

import (
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/internal/study"
	"github.com/spf13/cobra"
)

func newReproduceFamilyCommand() *cobra.Command {
	var f reproduceFlags
	var chosen []string
	var seeds, search string
	cmd := &cobra.Command{
		Use:   "family",
		Short: "Beyond the papers: the self-stabilising family under every kind of fault",
		Long: `Measure bounded, recursive, sparse, mo and waves on the three scenarios of Pianini, Casadei and Viroli, all on the
same networks and seeds: instability, leaders and traffic of undisturbed runs, and how long they take to stabilise from a clean
start, after a crash of all leaders, a fake leader and a partition, and while 10, 30 or 50 % of messages are lost.
In scale-free strengths are the degrees and stay.

With --search as many small networks are drawn and the ones kept on which Bounded Election does worst beside
recursive, sparse and mo; with -o the worst is written as a scenario file.`,
		Example: `  caucus reproduce family --seeds 1 --scenario scale-free
  caucus reproduce family -o family-results
  caucus reproduce family --seeds 0 --search 1000`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			n, err := scenario.Count("seeds", seeds)
			if err != nil || n > 100_000 {
				return &caucus.FieldError{Field: "seeds", Found: seeds, Allowed: "a whole number from 0 to 100000"}
			}
			trials, err := scenario.Count("search", search)
			if err != nil || trials > 1_000_000 || trials+n == 0 {
				return &caucus.FieldError{Field: "search", Found: search, Allowed: "a whole number to 1000000, not 0 without seeds"}
			}
			var names []string
			for _, name := range study.BoundedScenarios {
				if slices.Contains(chosen, name) && n > 0 {
					names = append(names, name)
				}
			}
			for _, name := range chosen {
				if !slices.Contains(study.BoundedScenarios, name) {
					return caucus.NotAmong("scenario", name, study.BoundedScenarios)
				}
			}
			e := study.NewFamily(names, n, trials)
			return reproduce(cmd, f, e.Sweep(version()), func(jobs []study.FamilyJob) *study.Report {
				return e.Report(version(), jobs)
			})
		},
	}
	cmd.Flags().StringSliceVar(&chosen, "scenario", study.BoundedScenarios, "`scenario`s to run: scale-free, random, edge")
	cmd.Flags().StringVar(&seeds, "seeds", "20", "`number` of runs of each scenario, with seeds from 1; 0 only searches")
	cmd.Flags().StringVar(&search, "search", "200", "`number` of small networks to search; 0 for none")
	f.add(cmd)
	return cmd
}
