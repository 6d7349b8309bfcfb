package scenario

import (
	"fmt"
	"slices"
	"strings"

	"caucus.example/caucus"
	linkfault "caucus.example/caucus/fault"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
)

// fault is an entry of the schedule with its nodes still by name.
type fault struct {
	where  string
	sim    sim.Fault
	nodes  []tree
	links  []tree
	source string   // of new strengths
	x, y   float64  // where nodes are from then on
	set    []string // fields given, in the author's order
	texts  []string
}

// rule says which fields a kind of fault needs and takes, besides at and kind.
type rule struct{ needs, takes []string }

// faultRules is by kind, in the order in which kinds are listed in messages.
var faultRules = []struct {
	kind sim.FaultKind
	rule
}{
	{sim.Crash, rule{[]string{"nodes|leaders"}, nil}},
	{sim.Restart, rule{nil, []string{"nodes", "keep"}}},
	{sim.Join, rule{[]string{"nodes"}, nil}},
	{sim.Leave, rule{[]string{"nodes|leaders"}, nil}},
	{sim.Loss, rule{[]string{"rate"}, []string{"until", "nodes", "way", "links"}}},
	{sim.Duplication, rule{[]string{"rate", "rounds"}, []string{"until", "nodes", "way", "links"}}},
	{sim.Delay, rule{[]string{"rounds"}, []string{"until", "nodes", "way", "links"}}},
	{sim.Reordering, rule{[]string{"rate", "rounds"}, []string{"until", "nodes", "way", "links"}}},
	{sim.Expiry, rule{[]string{"rounds"}, []string{"until"}}},
	{sim.Partition, rule{[]string{"nodes"}, []string{"until"}}},
	{sim.Heal, rule{nil, nil}},
	{sim.Strength, rule{[]string{"value|source"}, []string{"nodes", "leaders"}}},
	{sim.Corrupt, rule{nil, []string{"nodes", "leaders"}}},
	{sim.FakeLeader, rule{[]string{"fake", "value"}, []string{"nodes", "leaders"}}},
	{sim.Move, rule{[]string{"nodes", "x", "y"}, nil}},
}

var faultFields = []string{
	"at", "until", "kind", "nodes", "leaders", "way", "links",
	"rate", "rounds", "value", "source", "fake", "keep", "x", "y",
}

func readFault(t tree) (fault, error) {
	x := fault{where: t.where}
	if t.kind != "mapping" {
		return x, located(t.where, caucus.Wrong("fault", t.show(), "fields such as at: 30, kind: crash, leaders: true"))
	}
	for _, f := range t.fields {
		if err := x.read(f); err != nil {
			return x, err
		}
		x.set = append(x.set, f.name)
	}
	return x, located(x.where, x.complete())
}

func (x *fault) read(f field) error {
	switch f.name {
	case "nodes":
		return x.list(f, &x.nodes, "a list of node names")
	case "links":
		return x.list(f, &x.links, linksAllowed)
	}
	if !slices.Contains(faultFields, f.name) {
		return unknown(f, faultFields)
	}
	text, err := f.scalar()
	if err != nil {
		return err
	}
	x.texts = append(x.texts, text)
	return located(f.where, x.sets(f.name, text))
}

const linksAllowed = "a list of links: A-B for both directions, A->B for what A sends to B"

// list reads a list of texts, or one.
func (x *fault) list(f field, into *[]tree, allowed string) error {
	*into = f.value.list
	if f.value.kind == "text" {
		*into = []tree{f.value}
	}
	if len(*into) == 0 {
		return located(f.where, caucus.Wrong(f.name, f.value.show(), allowed))
	}
	texts := make([]string, len(*into))
	for i, n := range *into {
		if n.kind != "text" {
			return located(n.where, caucus.Wrong(f.name, n.show(), allowed))
		}
		texts[i] = quoteYAML(n.text)
	}
	x.texts = append(x.texts, "["+strings.Join(texts, ", ")+"]")
	return nil
}

func (x *fault) sets(name, text string) (err error) {
	switch name {
	case "kind":
		x.sim.Kind = sim.FaultKind(text)
		kinds := make([]string, len(faultRules))
		for i, r := range faultRules {
			kinds[i] = string(r.kind)
		}
		return choice(kinds...)("kind", text)
	case "at":
		x.sim.At, err = rounds(name, text)
	case "until":
		x.sim.Until, err = rounds(name, text)
	case "rate":
		x.sim.Rate, err = Share(name, text)
	case "rounds":
		if x.sim.Rounds, err = Count(name, text); err != nil || x.sim.Rounds < 1 || x.sim.Rounds > sim.MaxFaultRounds {
			err = caucus.Wrong(name, text, fmt.Sprintf("a whole number from 1 to %d", sim.MaxFaultRounds))
		}
	case "value":
		var ok bool
		if x.sim.Value, ok = caucus.ParseNumber(text); !ok || x.sim.Value < 0 {
			err = caucus.Wrong(name, text, "a strength: a number >= 0")
		}
	case "x":
		x.x, err = coordinate(name, text)
	case "y":
		x.y, err = coordinate(name, text)
	case "way":
		x.sim.Way = linkfault.Way(text)
		return choice(string(linkfault.Out), string(linkfault.In))(name, text)
	case "source":
		x.source = text
	case "fake":
		var id uint64
		id, err = Seed(name, text)
		x.sim.Fake = caucus.ID(id)
	case "leaders":
		x.sim.Leaders, err = yes(name, text)
	case "keep":
		x.sim.Keep, err = yes(name, text)
	}
	return err
}

// rounds reads a time in rounds.
func rounds(name, text string) (float64, error) {
	x, ok := caucus.ParseNumber(text)
	if !ok || x < 0 {
		return 0, caucus.Wrong(name, text, "a time in rounds >= 0")
	}
	return x, nil
}

func coordinate(name, text string) (float64, error) {
	x, ok := caucus.ParseNumber(text)
	if !ok || x < 0 {
		return 0, caucus.Wrong(name, text, "a place in the arena: a number >= 0")
	}
	return x, nil
}

func yes(name, text string) (bool, error) {
	if text != "true" && text != "false" {
		return false, caucus.Wrong(name, text, "true, false")
	}
	return text == "true", nil
}

// complete checks that the fields given are those that the kind of fault has.
func (x *fault) complete() error {
	i := slices.IndexFunc(faultRules, func(r struct {
		kind sim.FaultKind
		rule
	}) bool {
		return r.kind == x.sim.Kind
	})
	if i < 0 {
		return fmt.Errorf("a fault without a kind")
	}
	r := faultRules[i]
	has := func(f string) bool { return slices.Contains(x.set, f) }
	allowed := append([]string{"at", "kind"}, r.takes...)
	for _, need := range r.needs {
		either := strings.Split(need, "|")
		if !slices.ContainsFunc(either, has) {
			return fmt.Errorf("%s: needs %s", x.sim.Kind, strings.Join(either, " or "))
		}
		allowed = append(allowed, either...)
	}
	for _, f := range x.set {
		if !slices.Contains(allowed, f) {
			return fmt.Errorf("%s: takes no %s; it has the fields %s", x.sim.Kind, f, strings.Join(allowed, ", "))
		}
	}
	if has("value") && has("source") {
		return fmt.Errorf("%s: value and source exclude each other", x.sim.Kind)
	}
	if has("way") && !has("nodes") {
		return fmt.Errorf("%s: way is of nodes that are listed", x.sim.Kind)
	}
	if has("links") && has("nodes") {
		return fmt.Errorf("%s: nodes and links exclude each other", x.sim.Kind)
	}
	if has("nodes") && has("leaders") {
		return fmt.Errorf("%s: nodes and leaders exclude each other", x.sim.Kind)
	}
	if has("until") && x.sim.Until <= x.sim.At {
		return caucus.Wrong("until", x.sim.Until, fmt.Sprintf("a time in rounds > %g, when the fault begins", x.sim.At))
	}
	return nil
}

// String writes the fault as AddFault reads it.
func (x fault) String() string {
	pairs := make([]string, len(x.set))
	for i, f := range x.set {
		pairs[i] = f + ": " + x.texts[i]
	}
	return strings.Join(pairs, ", ")
}

// idle tells of a fault that strikes no message: a study begins with a rate of 0.
func (x *fault) idle() bool {
	return x.sim.Rate == 0 && slices.Contains([]sim.FaultKind{sim.Loss, sim.Duplication, sim.Reordering}, x.sim.Kind)
}

// Faults looks the nodes of the faults up among names, of a network whose links are not known.
func (s *Scenario) Faults(all []string) (list []sim.Fault, err error) {
	names, err := caucus.NewNames(all, len(all))
	if err != nil {
		return nil, err
	}
	for _, x := range s.faults {
		if x.idle() {
			continue
		}
		f, err := x.resolve(names, all, &network.Graph{})
		if err != nil {
			return nil, err
		}
		list = append(list, f)
	}
	return list, nil
}

// resolve looks the nodes up.
func (x fault) resolve(names *caucus.Names, all []string, g *network.Graph) (sim.Fault, error) {
	f := x.sim
	for _, n := range x.nodes {
		id, ok := names.ID(n.text)
		if !ok {
			err := fmt.Errorf("node %q does not exist", n.text)
			if near := caucus.Nearest(n.text, all); near != "" {
				err = fmt.Errorf("%w; did you mean %q?", err, near)
			}
			return f, located(n.where, err)
		}
		f.Nodes = append(f.Nodes, int(id-1))
	}
	for _, l := range x.links {
		ends, err := linkEnds(l.text, names, g)
		if err != nil {
			return f, located(l.where, err)
		}
		f.Links = append(f.Links, ends...)
	}
	if f.Kind == sim.FakeLeader && (f.Fake == caucus.None || f.Fake <= caucus.ID(names.Len())) {
		return f, located(x.where, caucus.Wrong("fake", uint64(f.Fake),
			fmt.Sprintf("an ID that no node has: > %d", names.Len())))
	}
	return f, nil
}

// linkEnds reads a link of the network, A-B or A->B, whatever strokes are in the names.
func linkEnds(text string, names *caucus.Names, g *network.Graph) ([][2]int, error) {
	var found [][2]int
	for i := range text {
		if text[i] != '-' {
			continue
		}
		before, after := strings.TrimSpace(text[:i]), text[i+1:]
		after, oneWay := strings.CutPrefix(after, ">")
		a, ok := names.ID(before)
		b, ok2 := names.ID(strings.TrimSpace(after))
		if !ok || !ok2 {
			continue
		}
		from, to := int(a-1), int(b-1)
		switch {
		case found != nil:
			return nil, fmt.Errorf("link %q can be read in two ways; name the nodes otherwise", text)
		case g.Len() > 0 && g.Edges() > 0 && g.Port(from, to) < 0:
			return nil, caucus.Wrong("links", text, "links that the network has")
		}
		if found = [][2]int{{from, to}}; !oneWay {
			found = append(found, [2]int{to, from})
		}
	}
	if found == nil {
		return nil, caucus.Wrong("links", text, linksAllowed+", of nodes that there are")
	}
	return found, nil
}
