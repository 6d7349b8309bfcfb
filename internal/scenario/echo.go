package scenario

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"caucus.example/caucus"
)

// Option is one resolved option of a run.
type Option struct{ Name, Value string }

// ofRounds and ofEvents are the settings that only one shape reads.
var (
	ofRounds = map[string]bool{"timing": true, "stable-for": true}
	ofEvents = map[string]bool{"initiators": true, "delays": true, "scheduler": true, "fifo": true, "channel": true,
		"restart": true, "replay": true, "events": true}
)

// echoed are the settings that the result depends on, in the order in which they are shown.
var echoed = []string{
	"faithful", "topology", "name-attribute", "weight-attribute", "x-attribute", "y-attribute", "geographic", "source",
	"target", "nodes-file", "graph", "where", "without", "min-gain", "transit", "lenient", "layout", "movements-format",
	"contact-duration", "skip-untimed", "arena", "walls", "range", "move-every", "moves",
	"ids", "metric", "strength", "seed",
	"graph-seed",
	"timing", "phases",
	"rounds", "stable-for", "period", "energy", "initiators", "delays", "scheduler", "fifo", "channel", "restart",
	"replay", "events", "unsafe",
	"two-way", "region",
}

// Options lists every option that the result depends on, defaults included. Workers and
// output files are not among them.
func (r *Run) Options() []Option {
	list := []Option{{"algo", r.Entry.Spec.Name}}
	if name := r.Get("name"); name != "" {
		list = append([]Option{{"name", name}}, list...)
	}
	list = append(list, r.params()...)
	moves := r.Config.Moving != nil && r.still == nil
	for _, name := range echoed {
		value := r.Get(name)
		switch {
		case name == "topology" && moves && r.Get("movements") == "", (name == "move-every" || name == "walls") &&
			(!moves || r.Get("movements") != ""),
			name == "phases" && value == "random", name == "moves" && value == "own",
			(name == "skip-untimed" || name == "lenient" ||
				name == "geographic") && value == "false",
			name == "transit" && value == "node",
			(name == "two-way" || name == "region") && value == "false", name == "channel" && value == "0":
			continue
		case name == "topology" && moves:
			name, value = "movements", r.topology
		case name == "topology":
			value = r.topology
		case (name == "ids" || name == "nodes-file") && value != "":
			value = r.scenario.beside(name)
		case name == "strength":
			value = r.Strength
		case name == "stable-for" && value == "" && (r.Entry.Spec.Shape == caucus.ShapeRounds || r.Entry.Spec.Endless):
			value = strconv.Itoa(r.Config.StableFor)
		case name == "energy" && r.Energy != nil:
			value = r.Energy.String()
		case name == "metric":
			value = string(r.Metric)
		case ofRounds[name] && r.Entry.Spec.Shape != caucus.ShapeRounds &&
			!(name == "stable-for" && r.Entry.Spec.Endless), ofEvents[name] && r.Entry.Spec.Shape != caucus.ShapeEvents,
			value == "":
			continue
		}
		list = append(list, Option{name, value})
	}
	return list
}

// params lists the parameters, lengths with their unit.
func (r *Run) params() []Option {
	var list []Option
	for _, pair := range r.Args.Pairs() {
		name, value, _ := strings.Cut(pair, "=")
		if p := r.Entry.Spec.Param(name); p != nil && p.Kind == caucus.KindLength {
			value = r.Length(r.Args.Number(name))
		}
		list = append(list, Option{name, value})
	}
	return list
}

// Echo says in one line what is run, and in one more for each fault what happens to it.
func (r *Run) Echo(version string) []string {
	var b strings.Builder
	fmt.Fprintf(&b, "caucus %s run", version)
	for _, o := range r.Options() {
		b.WriteString(" " + o.Name + "=" + Quote(o.Value))
	}
	g := cmp.Or(r.still, r.Config.Graph)
	fmt.Fprintf(&b, " nodes=%d edges=%d", g.Len(), g.Edges())
	lines := []string{b.String()}
	for _, w := range r.scenario.walkers {
		lines = append(lines, "walkers "+w.text)
	}
	for _, x := range r.scenario.faults {
		lines = append(lines, "fault "+x.String())
	}
	return lines
}

// YAML writes the resolved scenario as a scenario file.
func (r *Run) YAML() string {
	var b strings.Builder
	isParam := map[string]bool{}
	params := r.params()
	for _, o := range params {
		isParam[o.Name] = true
	}
	fmt.Fprintf(&b, "version: %s\n", Version)
	for _, o := range r.Options() {
		if !isParam[o.Name] {
			fmt.Fprintf(&b, "%s: %s\n", o.Name, quoteYAML(o.Value))
		}
	}
	if len(params) > 0 {
		b.WriteString("params:\n")
	}
	for _, o := range params {
		fmt.Fprintf(&b, "  %s: %s\n", o.Name, quoteYAML(o.Value))
	}
	if len(r.scenario.walkers) > 0 {
		b.WriteString("walkers:\n")
	}
	for _, w := range r.scenario.walkers {
		fmt.Fprintf(&b, "  - {%s}\n", w.text)
	}
	if len(r.scenario.faults) > 0 {
		b.WriteString("faults:\n")
	}
	for _, x := range r.scenario.faults {
		fmt.Fprintf(&b, "  - {%s}\n", x)
	}
	return b.String()
}

// Quote writes a value of a name=value line so that it can be told from the next.
func Quote(value string) string { return quote(value, " \"") }

// quote puts quotes around text that is empty or holds one of the letters.
func quote(text, letters string) string {
	if text == "" || strings.ContainsAny(text, letters+"\n\t\\") {
		return strconv.Quote(text)
	}
	return text
}

func quoteYAML(text string) string {
	if q := quote(text, " \"',:#[]{}&*!|>%@`"); q != text || strings.HasPrefix(text, "-") || strings.HasPrefix(text, "?") {
		return strconv.Quote(text)
	}
	return text
}
