package cmd

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/energy"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/internal/study"
	"github.com/spf13/cobra"
)

func newReproducePrasleCommand() *cobra.Command {
	var f reproduceFlags
	var chosen, sizes []string
	var runs, net, rounds, figures, faulty string
	var seed setting
	p := study.NewPrasle()
	cmd := &cobra.Command{
		Use:   "prasle",
		Short: "Conard, Ebnenasir (2021): PraSLE in time, messages and energy, and the IoT family under faults",
		Long: `Repeat the measurements of PraSLE: the time until the last node decides, messages and energy of the
reliable variant on lines, rings, meshes, trees and cliques, over size with the best K, over K and over T; failed runs are counted.
Then the success of its three variants under loss, and the recovery of the whole IoT family from the crash of the
leader, a fake minimum and a partition.

With --net udp the same is measured on real agents, each with its own UDP socket on the loopback interface, and simulated beside it with
the error within which the two must agree; K and T for the largest size up to 40 only. That takes real time, which is told beforehand. Runs at the same time (--workers) disturb
each other on a busy machine: those in which it was late by a round are made again, and counted.

With --faithful artefact a run lasts (K+3)·T, as that of the published code; with paper K·T, as the text has it. Delays are drawn
from 0 to 10 ms. Energy is that of a model: mean joules of a node whose radio listens unless it sends.`,
		Example: `  caucus reproduce prasle --topologies ring,mesh --sizes 10,20
  caucus reproduce prasle --net udp --topologies ring --sizes 6 --faulty 6 --runs 2
  caucus reproduce prasle -o prasle-results`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if net != "sim" && net != "udp" {
				return misuse(caucus.NotAmong("net", net, []string{"sim", "udp"}))
			}
			most := 1000
			if net == "udp" {
				most = udpMostNodes
			}
			if rounds != "artefact" && rounds != "paper" {
				return misuse(caucus.NotAmong("faithful", rounds, []string{"artefact", "paper"}))
			}
			p.Rounds = rounds
			if !slices.Equal(chosen, []string{"all"}) {
				for _, name := range chosen {
					if !slices.Contains(study.PrasleTopologies, name) {
						return misuse(caucus.NotAmong("topologies", name, append([]string{"all"}, study.PrasleTopologies...)))
					}
				}
				p.Topologies = slices.DeleteFunc(slices.Clone(study.PrasleTopologies), func(name string) bool { return !slices.Contains(chosen, name) })
			}
			p.Sizes = nil
			for _, text := range sizes {
				n, err := scenario.Count("sizes", text)
				if err != nil || n < 4 || n > most {
					return misuse(&caucus.FieldError{Field: "sizes", Found: text, Allowed: fmt.Sprintf("whole numbers from 4 to %d, with commas", most)})
				}
				if err := checkMesh(p.Topologies, "sizes", n); err != nil {
					return misuse(err)
				}
				p.Sizes = append(p.Sizes, n)
			}
			if p.Faulty, err = scenario.Count("faulty", faulty); err != nil || p.Faulty < 4 || p.Faulty > udpMostNodes {
				return misuse(&caucus.FieldError{Field: "faulty", Found: faulty, Allowed: fmt.Sprintf("a whole number from 4 to %d", udpMostNodes)})
			}
			if err := checkMesh(p.Topologies, "faulty", p.Faulty); err != nil {
				return misuse(err)
			}
			if net == "udp" && !cmd.Flags().Changed("runs") {
				runs = "10"
			}
			if p.Runs, err = scenario.Count("runs", runs); err != nil || p.Runs == 0 || p.Runs > 100_000 {
				return misuse(&caucus.FieldError{Field: "runs", Found: runs, Allowed: "a whole number from 1 to 100000"})
			}
			if p.Seed, err = scenario.Seed("seed", seed.text); err != nil {
				return misuse(err)
			}
			if p.Energy, err = energy.Parse(figures); err != nil {
				return misuse(err)
			}
			if net == "udp" {
				return reproduceUDP(cmd, f, study.NewPrasleUDP(p))
			}
			return reproduce(cmd, f, p.Sweep(version()), func(jobs []study.PrasleJob) *study.Report {
				return p.Report(version(), jobs)
			})
		},
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&chosen, "topologies", []string{"all"}, "`topologies`: line, ring, mesh, tree, clique, or all")
	flags.StringSliceVar(&sizes, "sizes", []string{"10", "20", "30", "40", "80"}, "`numbers` of nodes")
	flags.StringVar(&runs, "runs", fmt.Sprint(p.Runs), "`number` of runs of each point; the paper has 10, as has --net udp unless told otherwise")
	flags.StringVar(&faulty, "faulty", fmt.Sprint(p.Faulty), "`number` of nodes of the networks with loss and faults")
	addSeed(cmd, &seed, "seed of ranks, delays and losses")
	flags.StringVar(&net, "net", "sim", "`network`: sim (simulated) or udp (real agents on this machine)")
	flags.StringVar(&rounds, "faithful", p.Rounds, "rounds as in the `mode`: artefact or paper")
	flags.StringVar(&figures, "energy", "cc2420", energyDoc)
	f.add(cmd)
	return cmd
}

// checkMesh refuses a number of nodes of which there is no mesh.
func checkMesh(topologies []string, field string, n int) error {
	if slices.Contains(topologies, "mesh") && strings.HasPrefix(study.PrasleSpec("mesh", n), "grid:1x") {
		return &caucus.FieldError{Field: field, Found: fmt.Sprint(n), Allowed: "products of two numbers above 1, for the mesh"}
	}
	return nil
}

// udpMostNodes is what one machine carries as a clique.
const udpMostNodes = 200

// reproduceUDP tells first how long it will take.
func reproduceUDP(cmd *cobra.Command, f reproduceFlags, p study.PrasleUDP) error {
	workers, err := scenario.Count("workers", cmd.Flags().Lookup("workers").Value.String())
	if err != nil {
		return misuse(err)
	}
	workers = max(1, workers)
	sweep, err := p.Sweep(version())
	if err != nil {
		return misuse(err)
	}
	estimate, err := p.Estimate()
	if err != nil {
		return misuse(err)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "real time: about %v with %s at a time\n", (estimate / time.Duration(workers)).Round(time.Second), plural(workers, "run"))
	return reproduce(cmd, f, sweep, func(jobs []study.UDPJob) *study.Report { return p.Report(version(), jobs) })
}

// energyDoc says what --energy takes.
const energyDoc = "energy `figures`: cc2420, or what differs from it: send, receive and idle in W, rate in bit/s, overhead in B, handle in J a message, as in idle=20uW,rate=50kbit/s"
