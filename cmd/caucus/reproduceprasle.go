package main

import (
	"fmt"
	"slices"
	"strings"

	"caucus"
	"caucus/energy"
	"caucus/experiment"
	"caucus/scenario"
	"github.com/spf13/cobra"
)

func newReproducePrasleCommand() *cobra.Command {
	var f reproduceFlags
	var chosen, sizes []string
	var runs, seed, net, rounds, figures string
	p := experiment.NewPrasle()
	cmd := &cobra.Command{
		Use:   "prasle",
		Short: "Conard, Ebnenasir (2021): PraSLE in time, messages and energy, and the IoT family under faults",
		Long: `Repeat the measurements of PraSLE, simulated: the time until the last node decides, messages and energy of the
reliable variant on lines, rings, meshes, trees and cliques, over size with the best K, over K and over T; failed runs are counted.
Then the success of its three variants under loss, and the recovery of the whole IoT family from the crash of the
leader, a fake minimum and a partition.

With --rounds artefact a run lasts (K+3)·T, as that of the published code; with paper K·T, as the text has it. Delays are drawn
from 0 to 10 ms. Energy is that of a model: mean joules of a node whose radio listens unless it sends.`,
		Example: `  caucus reproduce prasle --topology ring,mesh --sizes 10,20
  caucus reproduce prasle -o prasle-results`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if net != "sim" {
				return misuse(&caucus.FieldError{Field: "net", Found: net, Allowed: "sim: real networks are not measured yet"})
			}
			if rounds != "artefact" && rounds != "paper" {
				return misuse(caucus.NotAmong("rounds", rounds, []string{"artefact", "paper"}))
			}
			p.Rounds = rounds
			if !slices.Equal(chosen, []string{"all"}) {
				for _, name := range chosen {
					if !slices.Contains(experiment.PrasleTopologies, name) {
						return misuse(caucus.NotAmong("topology", name, append([]string{"all"}, experiment.PrasleTopologies...)))
					}
				}
				p.Topologies = slices.DeleteFunc(slices.Clone(experiment.PrasleTopologies), func(name string) bool { return !slices.Contains(chosen, name) })
			}
			p.Sizes = nil
			for _, text := range sizes {
				n, err := scenario.Count("sizes", text)
				if err != nil || n < 4 || n > 1000 {
					return misuse(&caucus.FieldError{Field: "sizes", Found: text, Allowed: "whole numbers from 4 to 1000, with commas"})
				}
				if strings.HasPrefix(experiment.PrasleSpec("mesh", n), "grid:1x") && slices.Contains(p.Topologies, "mesh") {
					return misuse(&caucus.FieldError{Field: "sizes", Found: text, Allowed: "products of two numbers above 1, for the mesh"})
				}
				p.Sizes = append(p.Sizes, n)
			}
			if p.Runs, err = scenario.Count("runs", runs); err != nil || p.Runs == 0 || p.Runs > 100_000 {
				return misuse(&caucus.FieldError{Field: "runs", Found: runs, Allowed: "a whole number from 1 to 100000"})
			}
			if p.Seed, err = scenario.Seed("seed", seed); err != nil {
				return misuse(err)
			}
			if p.Energy, err = energy.Parse(figures); err != nil {
				return misuse(err)
			}
			return reproduce(cmd, f, p.Sweep(version()), func(jobs []experiment.PrasleJob) *experiment.Report {
				return p.Report(version(), jobs)
			})
		},
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&chosen, "topology", []string{"all"}, "`topologies`: line, ring, mesh, tree, clique, or all")
	flags.StringSliceVar(&sizes, "sizes", []string{"10", "20", "30", "40", "80"}, "`numbers` of nodes")
	flags.StringVar(&runs, "runs", fmt.Sprint(p.Runs), "`number` of runs of each point; the paper has 10")
	flags.StringVar(&seed, "seed", "1", "seed of ranks, delays and losses")
	flags.StringVar(&net, "net", "sim", "`network`: sim")
	flags.StringVar(&rounds, "rounds", p.Rounds, "rounds as in the `mode`: artefact or paper")
	flags.StringVar(&figures, "energy", "cc2420", energyDoc)
	f.add(cmd)
	return cmd
}

// energyDoc says what --energy takes.
const energyDoc = "energy `model`: cc2420, or what differs from it: send, receive and idle in W, rate in bit/s, overhead in B, handle in J a message, as in idle=20uW,rate=50kbit/s"
