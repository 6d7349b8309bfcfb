package cmd

import (
	"cmp"

	"caucus.example/caucus"
)

// eventPlan is what --all checks of an event algorithm: as it is, from clean starts, with what it can do beside its defaults; then with a
// crash and a lost message; then with one corrupt node. What is too large as it is gets no faults.
func eventPlan(s *caucus.Spec) []checkPlan {
	lines := []checkPlan{{s.Name, cmp.Or(eventSizes[s.Name], eventNetworks[s.Needs.Topology]), "defaults"}}
	for _, l := range eventVariants {
		if l.algo == s.Name {
			lines = append(lines, l)
		}
	}
	if s.Needs.Topology == caucus.Mesh {
		return lines
	}
	small := cmp.Or(smallNetworks[s.Needs.Topology], "--nodes 3 --strengths 1")
	if s.Needs.Delay {
		small = "--nodes 2 --strengths 1"
	}
	return append(lines,
		checkPlan{s.Name, small + " --faults crash=1,loss=1", "a crash and a lost message"},
		checkPlan{s.Name, small + " --faults corrupt=1 --counter 1", "one corrupt node"})
}

// eventNetworks are the largest networks of a class of which every order of events takes seconds. All orders of events on the smallest mesh are too
// many even with one initiator, which the line shows; on the smallest torus they are not with two.
var eventNetworks = map[caucus.Topology]string{
	"":               "--nodes 3",
	caucus.Ring:      "--nodes 4",
	caucus.Tree:      "--nodes 4",
	caucus.Complete:  "--nodes 4",
	caucus.Hypercube: "--nodes 4",
	caucus.Mesh:      "--topology grid:3x3 --max-initiators 1 --max-states 20k",
	caucus.Torus:     "--topology torus:3x3 --max-initiators 2",
}

// smallNetworks are those for faults, which make many more configurations.
var smallNetworks = map[caucus.Topology]string{
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
var eventVariants = []checkPlan{
	{"as-far", "--nodes 5 --fifo=false", "messages may overtake each other"},
	{"mega-merger", "--nodes 3 --lengths 1,2", "unequal lengths"},
	{"minfind", "--nodes 2 --start any", "from any states"},
	{"prasle-reliable", "--nodes 2 --strengths 1 --start any --counter 1", "from any states"},
	{"prasle-reliable", "--param neighbour-knows=on", "neighbour knows"},
	{"prasle-reliable", "--faithful artefact", "rounds of the published program"},
	{"wbs", "--param unit=1", "too short a unit, with repair"},
	{"wbs", "--faithful paper", "as published"},
	{"wbs", "--faithful paper --param unit=1 --unsafe", "as published, too short a unit"},
	{"bully", "--nodes 2 --faults loss=1", "a lost message"},
	{"bully", "--nodes 3 --strengths 1 --param heartbeat=1 --param patience=1 --faults crash=1", "short patience, a crash"},
}
