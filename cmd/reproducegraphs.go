package cmd

import (
	"fmt"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/internal/study"
	"github.com/spf13/cobra"
)

func newReproduceGraphsCommand() *cobra.Command {
	var f reproduceFlags
	var maxN, runs string
	var seed setting
	cmd := &cobra.Command{
		Use:   "graphs",
		Short: "Messages of elections on trees, meshes, tori, hypercubes, complete and arbitrary graphs",
		Long: `Count the messages and the ideal time of all algorithms for trees, meshes, tori, hypercubes, complete and arbitrary
networks, with unit delays and IDs in random order, with all nodes initiating and with one, beside the formulas in n, m
and D. Sizes are the powers of two from 16. With -o there are charts against n, m and D on logarithmic axes, and
a CSV file with all networks.

Exit code 1: a formula that this project claims, or one that is exact, does not hold.`,
		Example: `  caucus reproduce graphs --max-n 64
  caucus reproduce graphs -o graphs-results`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			n, err := scenario.Count("max-n", maxN)
			if err != nil || n < study.GraphsLeastN || n > study.GraphsMostN {
				return &caucus.FieldError{Field: "max-n", Found: maxN, Allowed: fmt.Sprintf("a whole number from %d to %d", study.GraphsLeastN, study.GraphsMostN)}
			}
			k, err := scenario.Count("runs", runs)
			if err != nil || k == 0 || k > 100_000 {
				return &caucus.FieldError{Field: "runs", Found: runs, Allowed: "a whole number from 1 to 100000"}
			}
			s, err := scenario.Seed("seed", seed.text)
			if err != nil {
				return err
			}
			g := study.Graphs{MaxNodes: n, Runs: k, Seed: s}
			return reproduce(cmd, f, g.Sweep(version()), func(counts []study.GraphCount) *study.Report {
				return g.Report(version(), counts)
			})
		},
	}
	cmd.Flags().StringVar(&maxN, "max-n", "1024", "largest `number` of nodes")
	cmd.Flags().StringVar(&runs, "runs", "10", "`number` of runs on each network")
	addSeed(cmd, &seed, "seed of networks, IDs and initiators")
	f.add(cmd)
	return cmd
}
