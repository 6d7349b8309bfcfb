package scenario

import (
	"slices"
	"strings"

	"caucus"
)

// Setting is one option of a run. It has the same name and meaning as a field of a scenario file
// and as a flag.
type Setting struct {
	Name    string
	Default string
	Doc     string
	check   func(name, text string) error // nil: checked by Resolve only
}

// Settings lists the options in the order in which they are shown.
var Settings = []Setting{
	{"name", "", "name of the scenario, for the echo", nil},
	{"algo", "bounded", "algorithm; caucus list shows them", nil},
	{"faithful", "", "set the parameters as the algorithm's source has them: paper, artefact", nil},
	{"topology", "", "built-in name (geant2012), generator (grid:20x50) or file", nil},
	{"metric", "", "edge length: hops, weight, distance or rtt (default distance if the topology is geographic, else hops)", choice("hops", "weight", "distance", "rtt")},
	{"radius", "", "the algorithm's radius in the metric's unit: 3 (hops), 1500km, 20ms, inf", nil},
	{"strength", "degree", "strength of a node: degree, id, random, or a node attribute of the topology", nil},
	{"seed", "1", "seed of the run", seed},
	{"graph-seed", "1", "seed of a generated topology and of random strengths", seed},
	{"timing", "sync", "when nodes run: sync, async, jittered or exponential", choice("sync", "async", "jittered", "exponential")},
	{"rounds", "1e6", "stop after this many rounds at the latest", positive},
	{"stable-for", "20", "stop once nothing has changed for this many rounds; 0 runs all rounds", count},
	{"period", "1s", "simulated time of a round", period},
	{"initiators", "all", "event algorithms: how many nodes start: all or a number", initiators},
	{"delay", "unit", "event algorithms: time that a message takes: unit or exp", choice("unit", "exp")},
	{"unsafe", "off", "run although an assumption of the algorithm is violated: on, off", choice("on", "off")},
	{"workers", "0", "threads; 0 takes all cores; results do not depend on it", count},
	{"every", "1", "rounds between two samples", positive},
	{"csv", "", "write the outcome of every node to this CSV file", nil},
	{"samples", "", "write the time series to this CSV file", nil},
	{"map", "", "draw the regions into this .png or .svg file", mapFile},
}

func choice(allowed ...string) func(name, text string) error {
	return func(name, text string) error {
		if slices.Contains(allowed, text) {
			return nil
		}
		return &caucus.FieldError{Field: name, Found: text, Allowed: strings.Join(allowed, ", ")}
	}
}

func count(name, text string) error {
	_, err := Count(name, text)
	return err
}

func positive(name, text string) error {
	if n, err := Count(name, text); err != nil || n == 0 {
		return &caucus.FieldError{Field: name, Found: text, Allowed: "a whole number > 0, such as 250, 10k or 1e6"}
	}
	return nil
}

func seed(name, text string) error {
	_, err := Seed(name, text)
	return err
}

func period(name, text string) error {
	_, err := Period(name, text)
	return err
}

func initiators(name, text string) error {
	if text != "all" && positive(name, text) != nil {
		return &caucus.FieldError{Field: name, Found: text, Allowed: "all, or a whole number > 0"}
	}
	return nil
}

func mapFile(name, text string) error {
	if strings.HasSuffix(text, ".png") || strings.HasSuffix(text, ".svg") {
		return nil
	}
	return &caucus.FieldError{Field: name, Found: text, Allowed: "a file name that ends in .png or .svg"}
}
