package registry

import (
	"cmp"
	"slices"

	"caucus.example/caucus"
)

// Plan is one line of what `caucus check --all` checks: an algorithm, flags of caucus check, and what they are for.
type Plan struct{ Algo, Args, Note string }

// plan is what --all checks. An algorithm that is not in it is checked with its defaults. Parameters keep the values
// finite and the networks small; they decide nothing about the verdicts, which are what the check finds.
var plan = []Plan{
	{"bounded", "--param radius=2 --param heartbeat=0 --param clamp=off", "without heartbeat"},
	{"bounded", "--param radius=3 --param heartbeat=0 --param clamp=off --lengths 1,2 --strengths 1",
		"without heartbeat, unequal lengths"},
	{"bounded", "--param radius=2 --param heartbeat=0 --param clamp=off --nodes 4 --strengths 1",
		"without heartbeat, all graphs of 4 nodes"},
	{"bounded", "--param radius=2 --daemon synchronous,phased,paced --counter 1", "defaults: a heartbeat of 3 rounds"},
	{"bounded", "--param radius=2 --daemon central,locally,distributed --counter 1 --max-states 20k",
		"defaults, where one node may act any number of times between two rounds of another"},
	{"bounded", "--param radius=2 --daemon synchronous,phased,paced --counter 1 --nodes 4 --strengths 1 --max-states " +
		"100k", "defaults, all graphs of 4 nodes"},
	{"bounded", "--faithful paper --param radius=2", "the paper's order and settings"},
	{"bounded", "--faithful artefact --param radius=2", "the published program's settings"},
	{"bounded", "--faithful paper --param radius=2 --lengths 0,1 --nodes 2 --unsafe",
		"the paper's settings where edges may have length 0"},
	{"mo", "--strengths 1 --max-states 4M", "defaults"},
	{"mo", "--strengths 1 --nodes 4", "defaults, all graphs of 4 nodes"},
	{"mo", "--strengths 1 --param tie=D", "the equation's tie-break"},
	{"mo", "--topology ring:4 --start clean --param tie=D", "the equation's tie-break, ring of 4, clean start"},
	{"mo", "--topology ring:4 --start clean", "ring of 4, clean start"},
	{"mo", "--strengths 1 --param k=1", "k = 1"},
	{"mo", "--strengths 1 --faithful artefact --max-states 4M", "as fits the published figures"},
	{"mo", "--strengths 1 --faithful artefact --nodes 4", "as fits the published figures, all graphs of 4 nodes"},
	{"waves", "--strengths 1 --nodes 4", "all graphs of 4 nodes"},
	{"recursive", "--param radius=2 --param restart=off --counter 2", "ghosts on at most 2 of the 24 levels"},
	{"recursive", "--param radius=2 --param restart=off --counter 2 --nodes 4 --strengths 1",
		"ghosts on at most 2 of the 24 levels, all graphs of 4 nodes"},
	{"recursive", "--param radius=2 --counter 24 --nodes 2 --strengths 1", "ghosts on up to 24 levels, with restart"},
	{"sparse", "--param grain=4 --nodes 2", "grain 4"},
	{"sparse", "--param grain=4 --param s-uid=negated --nodes 2", "grain 4, strongest first"},
	{"sparse", "--param grain=4 --start clean", "grain 4, from a clean start"},
	{"sparse", "--param grain=4 --strengths 1 --nodes 4 --max-states 100k", "grain 4, all graphs of 4 nodes"},
	{"gradient", "--param max-distance=3", ""},
	{"gradient", "--param max-distance=3 --strengths 1 --nodes 4", "all graphs of 4 nodes"},
	{"collect", "--param max-distance=3 --nodes 2 --counter 1 --max-states 1M", ""},
	{"collect", "--param max-distance=3 --counter 1 --strengths 1 --nodes 4 --ghosts 0 --max-states 200k",
		"all graphs of 4 nodes, no ghosts"},
	{"collect", "--param max-distance=3 --counter 1 --strengths 1 --nodes 4 --daemon synchronous --max-states 100k",
		"all graphs of 4 nodes"},
	{"decay", "--param lifetime=3", ""},
	{"decay", "--param lifetime=3 --nodes 4 --strengths 1", "all graphs of 4 nodes"},
	{"bounded", "--param radius=2 --param heartbeat=0 --param clamp=off --start clean --faults crash=1,corrupt=1",
		"clean start, then a crash and a corruption"},
	{"bounded", "--param radius=2 --start clean --faults crash=1 --daemon synchronous",
		"defaults, clean start, then a crash"},
	{"mo", "--strengths 1 --start clean --faults crash=1", "clean start, then a crash"},
	{"waves", "--strengths 1 --start clean --faults crash=1 --model messages", "clean start, then a crash; messages"},
	{"recursive", "--param radius=2 --param restart=off --start clean --faults crash=1", "clean start, then a crash"},
	{"sparse", "--param grain=4 --start clean --faults crash=1", "grain 4, clean start, then a crash"},
	{"sparse", "--param grain=4 --nodes 2 --start clean --faults corrupt=1", "grain 4, clean start, then a corruption"},
	{"gradient", "--param max-distance=3 --start clean --faults crash=1", "clean start, then a crash"},
	{"prasle", "--faithful paper", "unreliable as published"},
	{"prasle", "--start clean --faults crash=1 --nodes 2", "hardened, clean start, then a crash"},
	{"prasle", "--faithful paper --start clean", "unreliable as published, clean start"},
	{"prasle", "--faithful paper --start clean --faults crash=1", "unreliable as published, clean start, then a crash"},
	{"prasle", "--strengths 1", "defaults"},
	{"prasle", "--strengths 1 --counter 1 --nodes 4 --max-states 100k", "all graphs of 4 nodes"},
	{"top-k", "--strengths 1", "defaults"},
	{"top-k", "--param hops=3 --param patience=1 --param k=2 --strengths 1 --counter 1 --nodes 4 --daemon " +
		"synchronous,central,locally --max-states 100k", "two of 4 nodes, all graphs, ages up to 5"},
	{"top-k", "--param hops=3 --param patience=1 --param k=2 --ghosts 0 --strengths 1 --counter 1 --nodes 4 " +
		"--max-states 100k", "the same without ghosts"},
}

// fivePlan is what can be decided on all graphs of five nodes, each within a minute of two cores: with so many
// networks it is one or two corrupt nodes at a time, beside others that have settled.
var fivePlan = []Plan{
	{"bounded", "--param radius=2 --param heartbeat=0 --param clamp=off --daemon synchronous,central",
		"without heartbeat, all graphs of 5 nodes"},
	{"bounded", "--param radius=2 --counter 1 --daemon synchronous", "defaults, all graphs of 5 nodes"},
	{"decay", "--param lifetime=3 --counter 1 --daemon synchronous", "all graphs of 5 nodes"},
	{"prasle", "--counter 1 --daemon synchronous", "all graphs of 5 nodes"},
	{"top-k", "--param hops=3 --param patience=1 --param k=2 --ghosts 0 --counter 1 --daemon synchronous",
		"two of 5 nodes, all graphs, no ghosts"},
}

// Plans is the plan, with what it lacks of the registry: the event algorithms, and defaults for the others.
func Plans() []Plan {
	list := slices.Clone(plan)
	for _, p := range fivePlan {
		list = append(list, Plan{p.Algo, p.Args + " --nodes 5 --strengths 1 --max-states 20k", p.Note})
	}
	for _, e := range All {
		switch {
		case e.Spec.Shape == caucus.ShapeEvents:
			list = append(list, eventPlan(e.Spec)...)
		case !slices.ContainsFunc(plan, func(p Plan) bool { return p.Algo == e.Spec.Name }):
			list = append(list, Plan{e.Spec.Name, "--strengths 1", "defaults"})
		}
	}
	return list
}

// eventPlan is what --all checks of an event algorithm: as it is, from clean starts, with what it can do beside its
// defaults; then with a crash and a lost message; then with one corrupt node. What is too large as it is gets no
// faults.
func eventPlan(s *caucus.Spec) []Plan {
	lines := []Plan{{s.Name, cmp.Or(eventSizes[s.Name], eventNetworks[s.Needs.Topology]), "defaults"}}
	for _, l := range eventVariants {
		if l.Algo == s.Name {
			lines = append(lines, l)
		}
	}
	if s.Needs.Topology == caucus.Mesh {
		return lines
	}
	small := cmp.Or(networksForFaults[s.Needs.Topology], "--nodes 3 --strengths 1")
	if s.Needs.Delay {
		small = "--nodes 2 --strengths 1"
	}
	return append(lines,
		Plan{s.Name, small + " --faults crash=1,loss=1", "a crash and a lost message"},
		Plan{s.Name, small + " --faults corrupt=1 --counter 1", "one corrupt node"})
}

// eventNetworks are the largest networks of a class of which every order of events takes seconds. On the smallest mesh
// that is so with one initiator, on the smallest torus with two.
var eventNetworks = map[caucus.Topology]string{
	"":               "--nodes 3",
	caucus.Ring:      "--nodes 4",
	caucus.Tree:      "--nodes 4",
	caucus.Complete:  "--nodes 4",
	caucus.Hypercube: "--nodes 4",
	caucus.Mesh:      "--topology grid:3x3 --max-initiators 1",
	caucus.Torus:     "--topology torus:3x3 --max-initiators 2",
}

// networksForFaults are those for faults, which make many more configurations.
var networksForFaults = map[caucus.Topology]string{
	caucus.Hypercube: "--nodes 4",
	caucus.Torus:     "--topology torus:3x3 --max-initiators 1",
}

// eventSizes are other sizes for single algorithms.
var eventSizes = map[string]string{
	"bully":       "--nodes 3 --strengths 1",
	"flood":       "--nodes 4",
	"yo-yo":       "--nodes 4",
	"yo-yo-plain": "--nodes 4",
	"mega-merger": "--nodes 4",
}

// eventVariants are further lines.
var eventVariants = []Plan{
	{"as-far", "--nodes 5 --fifo=false", "messages may overtake each other"},
	{"mega-merger", "--nodes 3 --lengths 1,2", "unequal lengths"},
	{"minfind", "--nodes 2 --start any", "from any states"},
	{"prasle-reliable", "--nodes 2 --strengths 1 --start any --counter 1", "from any states"},
	{"prasle-reliable", "--param neighbour-knows=on", "neighbour knows"},
	{"prasle-reliable", "--faithful artefact", "rounds of the published program"},
	{"wbs", "--param unit=1", "too short a unit, with repair"},
	{"wbs", "--faithful paper", "as published"},
	{"wbs", "--faithful paper --param unit=1 --unsafe", "as published, too short a unit"},
	{"elect-min", "--restart 4 --nodes 2 --faults crash=1,loss=1", "with the restart layer"},
	{"bully", "--nodes 2 --faults loss=1", "a lost message"},
	{"bully", "--nodes 3 --strengths 1 --param heartbeat=1 --param patience=1 --faults crash=1",
		"short patience, a crash"},
}
