package cmd

import (
	"fmt"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/internal/study"
	"github.com/spf13/cobra"
)

func newReproduceRingsCommand() *cobra.Command {
	var f reproduceFlags
	var maxN, rings string
	var seed setting
	cmd := &cobra.Command{
		Use:   "rings",
		Short: "The classic tables: messages of elections on rings, theory beside measurement",
		Long: `Count the messages of all algorithms for rings, all nodes initiating, unit delays, the final announcement
included: the formula of the lecture's tables (after Santoro), the worst ring and the mean of random rings. Sizes
are the powers of two from 8. The worst ring is the worst of increasing IDs, decreasing, halving (every second
candidate survives a stage), those made for alternate, min-max and bi-min-max, and the random ones.
With -o there are charts on logarithmic axes, and a CSV file with all sizes.

Exit code 1: a bound is exceeded.`,
		Example: `  caucus reproduce rings --max-n 256
  caucus reproduce rings -o rings-results`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			n, err := scenario.Count("max-n", maxN)
			if err != nil || n < study.RingsLeastN || n > study.RingsMostN {
				return &caucus.FieldError{Field: "max-n", Found: maxN, Allowed: fmt.Sprintf("a whole number from %d to %d", study.RingsLeastN, study.RingsMostN)}
			}
			k, err := scenario.Count("rings", rings)
			if err != nil || k == 0 || k > 100_000 {
				return &caucus.FieldError{Field: "rings", Found: rings, Allowed: "a whole number from 1 to 100000"}
			}
			s, err := scenario.Seed("seed", seed.text)
			if err != nil {
				return err
			}
			r := study.Rings{MaxN: n, Rings: k, Seed: s}
			return reproduce(cmd, f, r.Sweep(version()), func(costs []study.RingCost) *study.Report {
				return r.Report(version(), costs)
			})
		},
	}
	cmd.Flags().StringVar(&maxN, "max-n", "4096", "largest `number` of nodes")
	cmd.Flags().StringVar(&rings, "rings", "30", "`number` of random rings of each size")
	addSeed(cmd, &seed, "seed of the rings and of algorithms that draw")
	f.add(cmd)
	return cmd
}
