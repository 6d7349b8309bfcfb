package scenario

import (
	"errors"
	"slices"
	"strings"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/energy"
	"caucus.example/caucus/internal/layout"
)

// Setting is one option of a run. It has the same name and meaning as a field of a scenario file
// and as a flag.
type Setting struct {
	Name    string
	Default string
	Type    string // of the value, for help texts
	Doc     string
	check   func(name, text string) error // nil: checked by Resolve only
}

// Choices lists what a setting can be, if that is one of a few words.
func (d *Setting) Choices() []string {
	var wrong *caucus.FieldError
	if d.check == nil || !errors.As(d.check(d.Name, "\x00"), &wrong) {
		return nil
	}
	return wrong.Choices
}

// Settings lists the options in the order in which they are shown.
var Settings = []Setting{
	{"name", "", "text", "name of the scenario, for the echo", nil},
	{"algo", caucus.DefaultAlgo, "name", "algorithm; caucus list shows them", nil},
	{"faithful", "", "mode", "set the parameters as the algorithm's source has them: paper, artefact", nil},
	{"topology", "", "name", "built-in name (geant2012), generator (grid:20x50) or file", nil},
	{"name-attribute", "", "name", "node attribute of the file that names the nodes, or id (default label, else name)",
		nil},
	{"weight-attribute", "", "name", "edge attribute of the file that is the weight, a column of an edge list, or " +
		"none (default weight, else value, else cost)", nil},
	{"x-attribute", "", "name", "node attribute of the file that is the first coordinate (default Longitude, else x)",
		nil},
	{"y-attribute", "", "name", "node attribute of the file that is the second coordinate (default Latitude, else y)",
		nil},
	{"geographic", "false", "bool", "the coordinates of the file are degrees, whatever they are called",
		choice("true", "false")},
	{"source", "", "title", "column of a table that has one end of each edge", nil},
	{"target", "", "title", "column of a table that has the other end", nil},
	{"nodes-file", "", "file", "table of nodes with a column Id, or Gluon's nodes.json, for a topology of edges", nil},
	{"graph", "", "name", "the one graph to read of a file that holds several: its name, or its number from 1", nil},
	{"where", "", "attribute=value", "keep only the edges of the file whose attribute, or column, has this value", nil},
	{"without", "", "class", "leave out the edges of the file that are of this class, such as vpn", nil},
	{"min-gain", "", "n", "leave out the edges of the file whose gain is less, such as -95", nil},
	{"transit", "node", "name", "what becomes of a switch or network that joins several nodes of the file: node, or " +
		"clique of those that it joins", choice("node", "clique")},
	{"lenient", "false", "bool", "let repeated node ids and broken links of the file pass, counted",
		choice("true", "false")},
	{"layout", "", "spring:LENGTH", "place the nodes of a topology without coordinates: by springs of this length",
		nil},
	{"movements", "", "file", "file of movements or contacts, in place of a topology", nil},
	{"movements-format", "", "name", "format of that file (default: as its content tells): " +
		strings.Join(traceNames(), ", "), choice(append(traceNames(), "")...)},
	{"contact-duration", "", "time", "how long a contact lasts of which the file gives one time (default: the usual " +
		"step between two times of the file)", optionalPeriod},
	{"skip-untimed", "false", "bool", "leave out points of a GPX file without a time, or whose time goes back, which " +
		"are errors otherwise", choice("true", "false")},
	{"arena", "", "WxH", "size of the walled field of the walkers, which stand in place of a topology", nil},
	{"walls", "stop", "name", "what a wall does to a walker: stop ends its path; slide lets a path that leads into " +
		"the wall go along it", choice("stop", "slide")},
	{"range", "", "length", "how far nodes that move hear each other", nil},
	{"move-every", "1s", "time", "simulated time between two moves of a walker", period},
	{"moves", "own", "name", "when in a period a walker moves: at a phase of its own, or just before or after it runs",
		choice("own", "before", "after")},
	{"metric", "", "name", "edge length: hops, weight, distance, or rtt, which only real agents measure (default: " +
		"distance if the topology is geographic, laid out or moves, else hops)",
		choice("hops", "weight", "distance", "rtt")},
	{"radius", "", "length", "the algorithm's radius (grain, for sparse) in the metric's unit: 3 (hops), 1500km, inf",
		nil},
	{"strength", "", "source", "strength of a node, of which the IoT family's rank is the negative: degree, id, " +
		"random, rank (255 less 1 to 254), attribute:NAME or fitness (of battery, cpu, memory, load) (default: " +
		"degree, or id if nodes move)", nil},
	{"ids", "increasing", "order", "IDs of the nodes: increasing (1 to n in their order), decreasing, random, or a " +
		"file with one ID for each node", nil},
	{"seed", "1", "n", "seed of the run, random strengths included", seed},
	{"graph-seed", "1", "n", "seed of a generated topology", seed},
	{"timing", "sync", "name", "when nodes run: sync, async, jittered, exponential, or aligned as agents do",
		choice("sync", "async", "jittered", "exponential", "aligned")},
	{"phases", "random", "name", "when in its period a node runs: random, x: by its place at the start, from left to " +
		"right, or x-walkers: those that walk by x, the others random", choice("random", "x", "x-walkers")},
	{"rounds", "1e6", "n", "stop after this many rounds at the latest", positive},
	{"stable-for", "", "n", "stop once nothing has changed for this many rounds; 0 runs all rounds (default 20, or " +
		"more where the algorithm may stand still for longer with a leader that is gone)", countOrNone},
	{"period", "1s", "time", "simulated time of a round", period},
	{"energy", "", "figures", "account for the energy of every node: cc2420, or what differs from that radio, as in " +
		"idle=20uW,rate=50kbit/s", figures},
	{"initiators", "all", "who", "event algorithms: who starts: all, one drawn at random, a number of such, or names " +
		"with commas (A,B; a single one: A,)", initiators},
	{"delays", "unit", "name", "event algorithms: time that a message takes: unit, uniform or exp, of mean 1",
		choice("unit", "uniform", "exp")},
	{"scheduler", "", "name", "event algorithms: who picks the message that arrives next, instead of time: fifo, " +
		"lifo, random or longest-waiting-last", choice("", "fifo", "lifo", "random", "longest-waiting-last")},
	{"fifo", "true", "bool", "event algorithms: messages of one link never overtake each other; false needs --unsafe " +
		"where an algorithm relies on it", choice("true", "false")},
	{"channel", "0", "n", "event algorithms: links that carry messages once and in order, as those of agents do: " +
		"what is not acknowledged is sent again every so many rounds; 0: faults of links strike messages", count},
	{"two-way", "false", "bool", "rounds: a neighbour counts only while the link carries both ways, as for agents",
		choice("true", "false")},
	{"region", "false", "bool", "rounds: leaders know their regions, by the service above the election that agents " +
		"have with region: true", choice("true", "false")},
	{"restart", "0", "n", "event algorithms: elect again once the leader has been silent for this many rounds, 4 or " +
		"more; 0: never", count},
	{"replay", "", "file", "repeat the run of this trace, which alone says what was run: of events in its order, " +
		"or that of steps in one line, as 'message B #2; message A #1', then oldest first; of rounds until the first " +
		"difference", nil},
	{"events", "1e9", "n", "event algorithms: stop after this many events at the latest", positive},
	{"unsafe", "false", "bool", "run although an assumption of the algorithm is violated", choice("true", "false")},
	{"workers", "0", "n", "threads; 0 takes all cores; results do not depend on it", count},
	{"every", "1", "n", "rounds between two samples", positive},
	{"csv", "", "file", "write the outcome of every node to this .csv file", suffixes(".csv")},
	{"samples", "", "file", "write the time series to this .csv file", suffixes(".csv")},
	{"trace", "", "file", "write every event, or of rounds every change of an outcome, to this .txt, .jsonl or " +
		".parquet file",
		suffixes(".txt", ".jsonl", ".parquet")},
	{"diagram", "", "file", "event algorithms: draw the messages in space and time into this .svg, .png or .pdf file",
		suffixes(layout.Endings...)},
	{"map", "", "file", "draw the regions into this .svg, .png or .pdf file", suffixes(layout.Endings...)},
}

func choice(allowed ...string) func(name, text string) error {
	return func(name, text string) error {
		if slices.Contains(allowed, text) {
			return nil
		}
		return caucus.NotAmong(name, text, allowed)
	}
}

func count(name, text string) error {
	_, err := Count(name, text)
	return err
}

func countOrNone(name, text string) error {
	if text == "" {
		return nil
	}
	return count(name, text)
}

func positive(name, text string) error {
	if n, err := Count(name, text); err != nil || n == 0 {
		return caucus.Wrong(name, text, "a whole number from 1 to 1e15, such as 250, 10k or 1e6")
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

func optionalPeriod(name, text string) error {
	if text == "" {
		return nil
	}
	return period(name, text)
}

func figures(_, text string) error {
	if text == "" {
		return nil
	}
	_, err := energy.Parse(text)
	return err
}

func initiators(name, text string) error {
	if strings.Trim(text, ", ") == "" || text == "0" {
		return caucus.Wrong(name, text, "all, one, a whole number >= 1, or names of nodes with commas")
	}
	return nil
}

func suffixes(allowed ...string) func(name, text string) error {
	return func(name, text string) error {
		if text == "" || text == "-" { // none, or standard output, where what is first in the list goes
			return nil
		}
		for _, a := range allowed {
			if strings.HasSuffix(text, a) && text != a {
				return nil
			}
		}
		list := strings.Join(allowed, ", ")
		if k := strings.LastIndex(list, ", "); k >= 0 {
			list = list[:k] + " or " + list[k+2:]
		}
		return caucus.Wrong(name, text, "a file name that ends in "+list+", or - for standard output")
	}
}
