package cmd

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/energy"
	"caucus.example/caucus/internal/jobs"
	"caucus.example/caucus/internal/lab"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/internal/study"
)

// experiment is a verb of reproduce.
type experiment struct {
	name, short, long, example string
	flags                      []option
	study                      func(a *answers) (*study.Study, error) // made of what the flags say
}

// option is a flag: its default is a text, a list of them, or nil for one that may be repeated.
type option struct {
	name, doc string
	value     any
}

// mostRuns is the limit of everything that is repeated.
const mostRuns = 100_000

// studies lists the experiments that are study files.
var studies = []fileStudy{
	{"trees", "Messages of elections on trees, beside the formulas"},
	{"meshes", "Messages of elections on meshes, beside the bounds"},
	{"tori", "Messages of elections on tori, beside the bound"},
	{"hypercubes", "Messages of elections on hypercubes, beside the bound"},
	{"complete", "Messages of elections on complete networks, beside the bounds"},
	{"arbitrary", "Messages of elections on arbitrary networks, beside formulas in nodes, edges and diameter"},
}

// experiments lists the verbs, in the order of the help.
var experiments = []experiment{
	{
		name: "bounded-election", short: "Pianini, Casadei, Viroli (ACSOS 2022): Bounded Election beside its baselines",
		long: `Repeat the experiments of Pianini, Casadei and Viroli: 600 s of Bounded Election, recursive election and
sparse choice ("classic"), all three on the same runs of about 1000 nodes that run once a second. scale-free is a
tree whose strengths change every 100 s; in random all nodes walk; in edge 36 nodes stand still.

With --faithful artefact the set-up is that of the published data, with paper that of the text: see the scenario
files bounded-*.yaml and docs/experiments.md.`,
		example: `  caucus reproduce bounded-election --scenario scale-free --seeds 5
  caucus reproduce bounded-election --scenario random --seeds 5 --set walls=stop
  caucus reproduce bounded-election -o bounded-results`,
		flags: []option{
			{"scenario", "`scenario`s to run: scale-free, random, edge", study.BoundedScenarios},
			{"seeds", "`number` of runs of each scenario, with seeds from 1", "200"},
			{"set", "change a setting of the scenarios, as `name=value`, to see what it does; may be repeated", nil},
			{"faithful", "set up as in the `mode`: artefact or paper", "artefact"},
			{"curve", "set published curves beside ours, as `scenario=file` of CSV with the columns t, recursive, " +
				"classic, proposed, and sd_recursive and so on; may be repeated", nil},
		},
		study: boundedStudy,
	},
	{
		name: "mo", short: "Mo, Audrito, Dasgupta, Beal (IFAC 2020): the propagation radius K",
		long: `Repeat the simulations of Mo et al.: 500 nodes uniform in a box of 4 by 1, joined within 0.25, with random
IDs, on graphs that are connected. Elections from a clean start, with 51 nodes fooled by a leader better than all at
t = 10, or in every round from then until t = 12, 14 or 16, and after the loss of the leader; K from 1 to 8,
distance < reach (lt) and <= (le), and the colour waves after Datta et al. Theorem 1 and the lemmas are checked on every graph.

Exit code 1: the theorem or a lemma does not hold.`,
		example: `  caucus reproduce mo --graphs 10
  caucus reproduce mo -o mo-results`,
		flags: []option{
			{"graphs", "`number` of graphs; the paper has 10", "100"},
			{"seed", "seed of graphs, IDs and victims", "1"},
		},
		study: func(a *answers) (*study.Study, error) {
			return study.NewMo(a.whole("graphs", 1, mostRuns), a.seed()).Study(), nil
		},
	},
	{
		name: "rings", short: "The classic tables: messages of elections on rings, theory beside measurement",
		long: `Count the messages of all algorithms for rings, all nodes initiating, unit delays, the final announcement
included: the formula of the lecture's tables (after Santoro), the worst ring and the mean of random rings. Sizes
are the powers of two from 8. The worst ring is the worst of increasing IDs, decreasing, halving (every second
candidate survives a stage), those made for alternate, min-max and bi-min-max, and the random ones.
With -o there are charts on logarithmic axes, and a CSV file with all sizes.

Exit code 1: a bound is exceeded.`,
		example: `  caucus reproduce rings --max-n 256
  caucus reproduce rings -o rings-results`,
		flags: []option{
			{"max-n", "largest `number` of nodes", "4096"},
			{"rings", "`number` of random rings of each size", "30"},
			{"seed", "seed of the rings and of algorithms that draw", "1"},
		},
		study: func(a *answers) (*study.Study, error) {
			r := study.Rings{MaxN: a.whole("max-n", study.RingsLeastN, study.RingsMostN),
				Rings: a.whole("rings", 1, mostRuns), Seed: a.seed()}
			return r.Study(), nil
		},
	},
	{
		name: "family", short: "Beyond the papers: the self-stabilising family under every kind of fault",
		long: `Measure bounded, recursive, sparse, mo and waves on the three scenarios of Pianini, Casadei and Viroli, all on the
same networks and seeds: instability, leaders and traffic of undisturbed runs, and how long they take to stabilise from a clean
start, after a crash of all leaders, a fake leader and a partition, and while 10, 30 or 50 % of messages are lost.
In scale-free strengths are the degrees and stay.

With --search as many small networks are drawn and the ones kept on which Bounded Election does worst beside
recursive, sparse and mo; with -o the worst is written as a scenario file.`,
		example: `  caucus reproduce family --seeds 1 --scenario scale-free
  caucus reproduce family -o family-results
  caucus reproduce family --seeds 0 --search 1000`,
		flags: []option{
			{"scenario", "`scenario`s to run: scale-free, random, edge", study.BoundedScenarios},
			{"seeds", "`number` of runs of each scenario, with seeds from 1; 0 only searches", "20"},
			{"search", "`number` of small networks to search; 0 for none", "200"},
		},
		study: familyStudy,
	},
	{
		name: "regions", short: "Beyond the papers: what leaders know of their regions, and members of their leaders",
		long: `Put the service of regions above the three elections of Pianini, Casadei and Viroli, in their scenarios, all on the
same networks and seeds: by how many nodes the leaders' counts of their regions are off, how soon every count is exact
after a change of strengths (scale-free), and which share of the members has the newest of the directives that leaders
give every 20 s. Counts go up along one shortest way to the leader, or along all of them with an equal share on each.`,
		example: `  caucus reproduce regions --scenario edge --seeds 2
  caucus reproduce regions -o regions-results`,
		flags: []option{
			{"scenario", "`scenario`s to run: scale-free, random, edge", study.BoundedScenarios},
			{"seeds", "`number` of runs of each scenario, with seeds from 1", "5"},
		},
		study: func(a *answers) (*study.Study, error) {
			x := study.Regions{Scenarios: a.among("scenario", study.BoundedScenarios),
				Seeds: a.whole("seeds", 1, mostRuns)}
			return x.Study(), nil
		},
	},
	{
		name: "prasle", short: "Conard, Ebnenasir (2021): PraSLE in time, messages and energy, and the IoT family " +
			"under faults",
		long: `Repeat the measurements of PraSLE: the time until the last node decides, messages and energy of the
reliable variant on lines, rings, meshes, trees and cliques, over size with the best K, over K and over T; failed runs are counted.
Then the success of its three variants under loss, and the recovery of the whole IoT family from the crash of the
leader, a fake minimum and a partition.

With --net udp the same is measured on real agents, each with its own UDP socket on the loopback interface, and simulated beside it with
the error within which the two must agree; K and T for the largest size up to 40 only. That takes real time, which is told beforehand. Runs at the same time (--workers) disturb
each other on a busy machine: those in which it was late by a round are made again, and counted.

With --faithful artefact a run lasts (K+3)·T, as that of the published code; with paper K·T, as the text has it. Delays are drawn
from 0 to 10 ms. Energy is that of a model: mean joules of a node whose radio listens unless it sends.`,
		example: `  caucus reproduce prasle --topologies ring,mesh --sizes 10,20
  caucus reproduce prasle --net udp --topologies ring --sizes 6 --faulty 6 --runs 2
  caucus reproduce prasle -o prasle-results`,
		flags: []option{
			{"topologies", "`topologies`: line, ring, mesh, tree, clique, or all", []string{"all"}},
			{"sizes", "`numbers` of nodes", []string{"10", "20", "30", "40", "80"}},
			{"runs", "`number` of runs of each point; the paper has 10, as has --net udp unless told otherwise", "20"},
			{"faulty", "`number` of nodes of the networks with loss and faults", "20"},
			{"seed", "seed of ranks, delays and losses", "1"},
			{"net", "`network`: sim (simulated) or udp (real agents on this machine)", "sim"},
			{"faithful", "rounds as in the `mode`: artefact or paper", "artefact"},
			{"energy", energyDoc, "cc2420"},
		},
		study: prasleStudy,
	},
}

// changeable are the settings that --set may change.
var changeable = []string{"arena", "walls", "range", "radius", "phases", "moves", "timing", "strength", "layout"}

func boundedStudy(a *answers) (*study.Study, error) {
	b := study.Bounded{Scenarios: a.among("scenario", study.BoundedScenarios), Seeds: a.whole("seeds", 1, mostRuns),
		Faithful: a.one("faithful", "artefact", "paper")}
	for _, text := range a.list("set") {
		name, value, ok := strings.Cut(text, "=")
		if !ok || !slices.Contains(changeable, name) {
			a.refuse(&caucus.FieldError{Field: "set", Found: text,
				Allowed: "name=value of " + strings.Join(changeable, ", ")})
		}
		b.Changed = append(b.Changed, jobs.Option{Name: name, Value: value})
	}
	for _, text := range a.list("curve") {
		name, file, ok := strings.Cut(text, "=")
		if !ok || !slices.Contains(b.Scenarios, name) {
			a.refuse(&caucus.FieldError{Field: "curve", Found: text,
				Allowed: "scenario=file of " + strings.Join(b.Scenarios, ", ")})
			break
		}
		curve, err := study.ReadCurve(name, file)
		if err != nil {
			a.refuse(err)
		}
		b.Curves = append(b.Curves, curve)
	}
	if a.err != nil {
		return nil, a.err
	}
	return b.Study(), b.Check()
}

func familyStudy(a *answers) (*study.Study, error) {
	names, seeds, trials := a.among("scenario", study.BoundedScenarios), a.whole("seeds", 0, mostRuns),
		a.whole("search", 0, 1_000_000)
	if trials+seeds == 0 {
		a.refuse(&caucus.FieldError{Field: "search", Found: a.text("search"), Allowed: "not 0 without seeds"})
	}
	if seeds == 0 {
		names = nil
	}
	return study.NewFamily(names, seeds, trials).Study(), nil
}

// udpMostNodes is what one machine carries as a clique.
const udpMostNodes = 200

func prasleStudy(a *answers) (*study.Study, error) {
	p, most := study.NewPrasle(), 1000
	if a.one("net", "sim", "udp") == "udp" {
		p.UDP, most = lab.Start, udpMostNodes
	}
	p.Rounds = a.one("faithful", "artefact", "paper")
	if !slices.Equal(a.list("topologies"), []string{"all"}) {
		p.Topologies = a.among("topologies", study.PrasleTopologies, "all")
	}
	p.Sizes = nil
	for _, text := range a.list("sizes") {
		n, err := scenario.Count("sizes", text)
		if err != nil || n < 4 || n > most {
			a.refuse(&caucus.FieldError{Field: "sizes", Found: text,
				Allowed: fmt.Sprintf("whole numbers from 4 to %d, with commas", most)})
		}
		p.Sizes = append(p.Sizes, n)
	}
	p.Faulty, p.Runs, p.Seed = a.whole("faulty", 4, udpMostNodes), a.whole("runs", 1, mostRuns), a.seed()
	if p.UDP != nil && !a.flags.Changed("runs") {
		p.Runs = 10
	}
	for _, n := range append([]int{p.Faulty}, p.Sizes...) {
		if slices.Contains(p.Topologies, "mesh") && strings.HasPrefix(study.PrasleSpec("mesh", n), "grid:1x") {
			field := "sizes"
			if n == p.Faulty {
				field = "faulty"
			}
			a.refuse(&caucus.FieldError{Field: field, Found: fmt.Sprint(n),
				Allowed: "products of two numbers above 1, for the mesh"})
		}
	}
	var err error
	if p.Energy, err = energy.Parse(a.text("energy")); err != nil {
		a.refuse(err)
	}
	if a.err == nil && p.UDP != nil {
		announce(a, p)
	}
	if a.err != nil {
		return nil, a.err
	}
	return p.Study()
}

// announce tells how long real runs will take.
func announce(a *answers, p study.Prasle) {
	workers := max(1, a.whole("workers", 0, 1_000_000))
	estimate, err := p.Estimate()
	if err != nil {
		a.refuse(err)
	}
	if a.err == nil {
		fmt.Fprintf(a.logs, "real time: about %v with %s at a time\n",
			(estimate / time.Duration(workers)).Round(time.Second), plural(workers, "run"))
	}
}

// energyDoc says what --energy takes.
const energyDoc = "energy `figures`: cc2420, or what differs from it: send, receive and idle in W, rate in bit/s, " +
	"overhead in B, " +
	"handle in J a message, as in idle=20uW,rate=50kbit/s"
