package scenario

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"caucus"
	"caucus/registry"
	"caucus/sim"
	"caucus/topology"
	"caucus/topology/format"
)

// MetricRTT is the round-trip time that real agents measure. A Run with it has no edge
// lengths, and cannot be simulated.
const MetricRTT topology.Metric = "rtt"

// Run is a scenario with everything looked up: ready to simulate.
type Run struct {
	Entry    registry.Entry
	Args     caucus.Args
	Config   sim.Config
	Names    *caucus.Names
	Metric   topology.Metric
	Read     format.Report         // what reading the topology changed
	Measured topology.LengthReport // what measuring its edges changed

	topology string // as format.Open takes it
	scale    scale
	scenario *Scenario
	places   map[caucus.ID]caucus.ID // of IDs, when they are not those of the order; see Place
}

// Resolve looks up algorithm, topology and nodes and checks every value. Errors name the place in the
// file, if the value comes from one.
func (s *Scenario) Resolve() (*Run, error) {
	r := &Run{scenario: s}
	var err error
	if r.Entry, err = registry.Get(s.texts["algo"]); err != nil {
		return nil, located(s.places["algo"], err)
	}
	for _, step := range []func(*Scenario) error{r.openTopology, r.tell, r.chooseMetric, r.resolveArgs, r.chooseStrengths, r.chooseIDs, r.fillConfig, r.fillEvents, r.resolveFaults} {
		if err := step(s); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func (r *Run) openTopology(s *Scenario) (err error) {
	r.topology = s.texts["topology"]
	place := s.places["topology"]
	if r.topology == "" {
		return located(s.File, &caucus.FieldError{Field: "topology", Found: "", Allowed: "a built-in name (geant2012), a generator (grid:20x50) or a file"})
	}
	r.topology = s.beside("topology")
	graphSeed, _ := Seed("graph-seed", s.texts["graph-seed"])
	options := format.Options{
		Name: s.texts["name-attribute"], Weight: s.texts["weight-attribute"], X: s.texts["x-attribute"], Y: s.texts["y-attribute"],
	}
	if r.Config.Graph, r.Read, err = format.Open(r.topology, graphSeed, options); err != nil {
		return located(place, err)
	}
	r.Names, err = topology.Names(r.Config.Graph)
	return located(place, err)
}

// beside gives the file that a setting names; one that a scenario names may lie beside it.
func (s *Scenario) beside(setting string) string {
	name := s.texts[setting]
	if s.places[setting] != "" && !filepath.IsAbs(name) {
		beside := filepath.Join(filepath.Dir(s.File), name)
		if _, err := os.Stat(beside); err == nil {
			return beside
		}
	}
	return name
}

// chooseMetric measures the edges. Without a metric given, a geographic topology is measured in kilometres
// and any other in hops.
func (r *Run) chooseMetric(s *Scenario) (err error) {
	g := r.Config.Graph
	switch r.Metric = topology.Metric(s.texts["metric"]); {
	case r.Metric == "" && g.Geographic:
		r.Metric = topology.MetricDistance
	case r.Metric == "":
		r.Metric = topology.MetricHops
	}
	r.scale = scaleOf(string(r.Metric), g.Geographic)
	r.Config.Unsafe = s.texts["unsafe"] == "true"
	if r.Metric == MetricRTT {
		return nil
	}
	r.Config.Lengths, r.Measured, err = topology.Lengths(g, r.Metric, topology.LengthOptions{AllowZero: r.Config.Unsafe})
	return located(s.places["metric"], err)
}

func (r *Run) chooseStrengths(s *Scenario) (err error) {
	r.Config.Seed, _ = Seed("seed", s.texts["seed"])
	r.Config.Strengths, err = topology.Strengths(r.Config.Graph, s.texts["strength"], r.Config.Seed)
	return located(s.places["strength"], err)
}

// resolveArgs turns the parameters into plain numbers in the unit of the metric.
func (r *Run) resolveArgs(s *Scenario) error {
	spec := r.Entry.Spec
	given := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(s.params)) {
		text, err := r.plain(spec.Param(name), name, s.params[name])
		if err == nil {
			given[name] = text
			_, err = spec.Resolve("", map[string]string{name: text})
		}
		if err != nil {
			return located(s.places["params."+name], err)
		}
	}
	var err error
	r.Args, err = spec.Resolve(s.texts["faithful"], given)
	return located(s.places["faithful"], err)
}

func (r *Run) plain(p *caucus.Param, name, text string) (string, error) {
	switch {
	case p == nil:
		return text, nil // refused by Spec.Resolve
	case p.Kind == caucus.KindLength:
		x, err := Length(name, text, string(r.Metric), r.Config.Graph.Geographic)
		return strconv.FormatFloat(x, 'g', -1, 64), err
	}
	return text, nil
}

func (r *Run) fillConfig(s *Scenario) error {
	c := &r.Config
	c.Timing = sim.Timing(s.texts["timing"])
	c.MaxRounds, _ = Count("rounds", s.texts["rounds"])
	c.StableFor, _ = Count("stable-for", s.texts["stable-for"])
	c.Workers, _ = Count("workers", s.texts["workers"])
	c.Period, _ = Period("period", s.texts["period"])
	if s.texts["samples"] != "" {
		if r.Entry.Spec.Shape == caucus.ShapeEvents {
			return located(s.places["samples"], &caucus.FieldError{Field: "samples", Found: s.texts["samples"], Allowed: "none: an event algorithm has no rounds to sample"})
		}
		c.Every, _ = Count("every", s.texts["every"])
	}
	return nil
}

func (r *Run) names() []string {
	all := make([]string, r.Names.Len())
	for i := range all {
		all[i] = r.Names.Name(caucus.ID(i + 1))
	}
	return all
}

func (r *Run) resolveFaults(s *Scenario) error {
	if len(s.faults) == 0 {
		return nil
	}
	all := r.names()
	for _, x := range s.faults {
		f, err := x.resolve(r.Names, all)
		if err != nil {
			return err
		}
		if f.Kind == sim.FakeLeader && slices.Contains(r.Config.IDs, f.Fake) {
			return located(x.where, &caucus.FieldError{Field: "fake", Found: fmt.Sprint(uint64(f.Fake)), Allowed: "an ID that no node has"})
		}
		r.Config.Faults = append(r.Config.Faults, f)
	}
	return nil
}

// Length writes a length of this run with its unit.
func (r *Run) Length(x float64) string { return r.scale.write(x) }

// Topology is the topology as it was opened: a name, a generator or a path.
func (r *Run) Topology() string { return r.topology }

// Get gives the text of a setting.
func (r *Run) Get(name string) string { return r.scenario.Get(name) }

// Unit is the unit of this run's lengths; "" if they have none.
func (r *Run) Unit() string { return r.scale.unit }
