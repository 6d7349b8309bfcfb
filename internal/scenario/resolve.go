package scenario

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/energy"
	"caucus.example/caucus/network"
	"caucus.example/caucus/network/format"
	"caucus.example/caucus/network/mobility"
	"caucus.example/caucus/registry"
	"caucus.example/caucus/sim"
)

// MetricRTT is the round-trip time that real agents measure. A Run with it has no edge
// lengths, and cannot be simulated.
const MetricRTT network.Metric = "rtt"

// Run is a scenario with everything looked up: ready to simulate.
type Run struct {
	Entry    registry.Entry
	Args     caucus.Args
	Config   sim.Config
	Names    *caucus.Names
	Metric   network.Metric
	Strength string        // the source of the strengths at the start
	Energy   *energy.Model // nil: it is not accounted for
	// for how many rounds the algorithm may stand still before it notices that a leader is gone
	Patience int
	Trace    *mobility.Trace      // what movements come from; nil where none do
	Read     format.Report        // what reading the topology changed
	Measured network.LengthReport // what measuring its edges changed

	Recorded string // of rounds: the file of the trace that this run is to repeat; "": none

	walkers *mobility.Config // nil: there are none
	still   *network.Graph   // what these were before one was put elsewhere; nil: nothing else

	topology string // as format.Open takes it
	contacts bool   // the network moves and says who meets, not where
	scale    scale
	scenario *Scenario
	places   map[caucus.ID]caucus.ID // of IDs, when they are not those of the order; see Place
}

// Endless tells whether a run watches a network that moves for a time, where there is no rest to come to.
func (r *Run) Endless() bool { return r.Config.Moving != nil && r.Config.StableFor == 0 }

// Rested tells of a run that has ended whether the network has come to rest: it stopped for that or, where all rounds
// were asked for, the last of them changed nothing.
func (r *Run) Rested(converged bool, settled, rounds int) bool {
	if r.Endless() {
		return false
	}
	if r.Entry.Spec.Shape == caucus.ShapeRounds && r.Config.StableFor == 0 {
		return settled < rounds
	}
	return converged
}

// Resolve looks up algorithm, topology and nodes and checks every value. Errors name the place in the
// file, if the value comes from one.
func (s *Scenario) Resolve() (*Run, error) {
	r := &Run{scenario: s}
	var err error
	if r.Entry, err = registry.Get(s.texts["algo"]); err != nil {
		return nil, located(s.places["algo"], err)
	}
	if err := r.addRegion(s); err != nil {
		return nil, err
	}
	for _, step := range []func(*Scenario) error{r.openNetwork, r.tell, r.chooseMetric, r.resolveArgs,
		r.chooseStrengths, r.chooseIDs, r.fillConfig, r.fillEvents, r.choosePhases, r.resolveFaults} {
		if err := step(s); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// addRegion puts the service above the election that lets leaders know their regions, if it is asked for.
func (r *Run) addRegion(s *Scenario) error {
	if s.texts["region"] != "true" {
		return nil
	}
	entry, err := r.Entry.WithRegion()
	r.Entry = entry
	return located(s.places["region"], err)
}

// openNetwork opens what the nodes are joined by: a topology, a trace or the range of walkers.
func (r *Run) openNetwork(s *Scenario) error {
	var given []string
	for _, name := range []string{"topology", "movements"} {
		if s.texts[name] != "" {
			given = append(given, name)
		}
	}
	if len(s.walkers) > 0 {
		given = append(given, "walkers")
	}
	switch {
	case len(given) == 0:
		return located(s.File, caucus.Wrong("topology", "",
			"a built-in name (geant2012), a generator (grid:20x50) or a file; or else movements or walkers"))
	case len(given) > 1:
		return located(s.places[given[1]], fmt.Errorf("%s and %s exclude each other: each is a network", given[0],
			given[1]))
	case given[0] == "topology":
		if err := s.refuse("a topology stands still", "arena", "walls", "range", "move-every", "moves",
			"movements-format",
			"skip-untimed", "contact-duration"); err != nil {
			return err
		}
		return r.openTopology(s)
	}
	if err := s.refuse("the places of a network that moves are its own", "layout"); err != nil {
		return err
	}
	if given[0] == "movements" {
		if err := s.refuse("movements come from a file", "arena", "walls", "move-every", "moves"); err != nil {
			return err
		}
	}
	return r.move(s)
}

// refuse tells which of some settings has been changed although it has no effect, and why.
func (s *Scenario) refuse(why string, names ...string) error {
	d, ok := s.changed(names)
	if !ok {
		return nil
	}
	allowed := "nothing else than " + d.Default
	if d.Default == "" {
		allowed = "none"
	}
	return located(s.places[d.Name], caucus.Wrong(d.Name, s.texts[d.Name], allowed+": "+why))
}

// changed finds the first of some settings that is not as it is by default.
func (s *Scenario) changed(names []string) (d Setting, ok bool) {
	k := slices.IndexFunc(Settings, func(d Setting) bool {
		return slices.Contains(names, d.Name) &&
			s.texts[d.Name] != d.Default
	})
	if k < 0 {
		return d, false
	}
	return Settings[k], true
}

// With gives the same run of another algorithm, in a faithful mode of its or "": on the same network, with the same
// strengths and faults.
func (r *Run) With(algo, faithful string) (*Run, error) {
	entry, err := registry.Get(algo)
	if err != nil {
		return nil, err
	}
	other := *r
	other.Entry = entry
	s := *r.scenario
	s.texts = maps.Clone(s.texts)
	s.texts["algo"], s.texts["faithful"] = algo, faithful
	other.scenario = &s
	return &other, other.resolveArgs(&s)
}

// Instead has another algorithm run, with the radius and what else is set of parameters that are the same for both;
// others, and a faithful mode that it has not, are no longer set.
func (s *Scenario) Instead(algo string) error {
	entry, err := registry.Get(algo)
	if err != nil {
		return err
	}
	was, err := registry.Get(s.texts["algo"])
	if err != nil {
		return err
	}
	for name := range s.params {
		a, b := was.Spec.Param(name), entry.Spec.Param(name)
		if b == nil || name != "radius" && (a == nil || a.Doc != b.Doc) {
			delete(s.params, name)
		}
	}
	if _, ok := entry.Spec.Faithful[s.texts["faithful"]]; !ok {
		s.texts["faithful"] = ""
	}
	return s.Set("algo", algo)
}

// Graph opens the topology alone, with what the settings say about reading it.
func (s *Scenario) Graph() (*network.Graph, format.Report, error) {
	seed, err := Seed("graph-seed", s.texts["graph-seed"])
	if err != nil {
		return nil, format.Report{}, err
	}
	return format.Open(s.beside("topology"), seed, s.Reading())
}

// ReadingSettings are the settings that say how the file of a topology is read.
var ReadingSettings = []string{"name-attribute", "weight-attribute", "x-attribute", "y-attribute", "geographic",
	"source", "target", "nodes-file", "graph", "where", "without", "min-gain", "transit", "lenient"}

// Reading is how the file of a topology is read.
func (s *Scenario) Reading() format.Options {
	return format.Options{
		Name: s.texts["name-attribute"], Weight: s.texts["weight-attribute"], X: s.texts["x-attribute"],
		Y: s.texts["y-attribute"], Geographic: s.texts["geographic"] == "true", Source: s.texts["source"],
		Target: s.texts["target"], Nodes: s.beside("nodes-file"), Graph: s.texts["graph"], Where: s.texts["where"],
		Without: s.texts["without"],
		MinGain: s.texts["min-gain"], Clique: s.texts["transit"] == "clique", Lenient: s.texts["lenient"] == "true",
	}
}

// Algorithm looks up the algorithm and its parameters alone; lengths are plain numbers, since no network gives them a
// unit.
func (s *Scenario) Algorithm() (registry.Entry, caucus.Args, error) {
	r := &Run{scenario: s, Metric: network.MetricWeight, Config: sim.Config{Graph: &network.Graph{}}}
	r.Config.Period = time.Second
	var err error
	if r.Entry, err = registry.Get(s.texts["algo"]); err != nil {
		return r.Entry, r.Args, located(s.places["algo"], err)
	}
	if err = r.addRegion(s); err != nil {
		return r.Entry, r.Args, err
	}
	if err = r.resolveArgs(s); err != nil {
		return r.Entry, r.Args, err
	}
	if r.Entry.Spec.Shape == caucus.ShapeEvents {
		err = r.restart(s)
	} else {
		err = r.refuseEvents(s)
	}
	return r.Entry, r.Args, err
}

func (r *Run) openTopology(s *Scenario) (err error) {
	r.topology = s.beside("topology")
	place := s.places["topology"]
	if r.Config.Graph, r.Read, err = s.Graph(); err != nil {
		return located(place, err)
	}
	if err := r.layOut(s); err != nil {
		return err
	}
	r.Names, err = network.Names(r.Config.Graph)
	return located(place, err)
}

// layOut places the nodes of a topology without coordinates, if that is asked for.
func (r *Run) layOut(s *Scenario) error {
	text := s.texts["layout"]
	if text == "" {
		return nil
	}
	wrong := caucus.Wrong("layout", text, "spring:LENGTH, such as spring:0.2, from 1e-9 to 1e9")
	digits, ok := strings.CutPrefix(text, "spring:")
	length, isNumber := caucus.ParseNumber(digits)
	if r.Config.Graph.X != nil {
		wrong.Allowed = "none: the topology has coordinates"
	}
	if !ok || !isNumber || length < 1e-9 || length > 1e9 || r.Config.Graph.X != nil {
		return located(s.places["layout"], wrong)
	}
	if most := network.MaxSprings; r.Config.Graph.Len() > most {
		wrong.Allowed = fmt.Sprintf("spring:LENGTH for at most %d nodes", most)
		return located(s.places["layout"], wrong)
	}
	r.Config.Graph.X, r.Config.Graph.Y = network.Springs(r.Config.Graph, length)
	return nil
}

// chooseMetric measures the edges. Without a metric given, a geographic topology is measured in kilometres
// and any other in hops.
func (r *Run) chooseMetric(s *Scenario) (err error) {
	g := r.Config.Graph
	switch r.Metric = network.Metric(s.texts["metric"]); {
	case r.Config.Moving != nil:
		return r.chooseMovingMetric(s)
	case r.Metric == "" && (g.Geographic || s.texts["layout"] != ""):
		r.Metric = network.MetricDistance
	case r.Metric == "":
		r.Metric = network.MetricHops
	}
	r.scale = scaleOf(string(r.Metric), g.Geographic)
	r.Config.Unsafe = s.texts["unsafe"] == "true"
	if r.Metric == MetricRTT {
		return nil
	}
	r.Config.Lengths, r.Measured, err = network.Lengths(g, r.Metric, network.LengthOptions{AllowZero: r.Config.Unsafe})
	return located(s.places["metric"], err)
}

// chooseMovingMetric: a network that moves has distances, or counts hops; contacts do only that.
func (r *Run) chooseMovingMetric(s *Scenario) error {
	allowed := "distance, hops"
	switch {
	case r.contacts:
		allowed = "hops: contacts have no length"
		if r.Metric == "" {
			r.Metric = network.MetricHops
		}
	case r.Metric == "":
		r.Metric = network.MetricDistance
	}
	if r.Metric != network.MetricHops && (r.contacts || r.Metric != network.MetricDistance) {
		return located(s.places["metric"], caucus.Wrong("metric", string(r.Metric),
			allowed+", on a network that moves"))
	}
	r.Config.Moving.Hops = r.Metric == network.MetricHops
	r.scale = scaleOf(string(r.Metric), false)
	r.Config.Unsafe = s.texts["unsafe"] == "true"
	return nil
}

func (r *Run) chooseStrengths(s *Scenario) (err error) {
	r.Config.Seed, _ = Seed("seed", s.texts["seed"])
	if r.Strength = s.texts["strength"]; r.Strength == "" {
		r.Strength = "degree"
		if r.Config.Moving != nil {
			r.Strength = "id"
		}
	}
	r.Config.Strengths, err = r.strengths(r.Strength, r.Config.Seed)
	return located(s.places["strength"], err)
}

// strengths gives the strengths of a source.
func (r *Run) strengths(source string, seed uint64) ([]float64, error) {
	if source == "degree" && r.Config.Moving != nil {
		return nil, caucus.Wrong("strength", source, "id, random: degrees change while nodes move")
	}
	return network.Strengths(r.Config.Graph, source, seed)
}

// resolveArgs turns the parameters into plain numbers in the unit of the metric.
func (r *Run) resolveArgs(s *Scenario) error {
	spec := r.Entry.Spec
	given := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(s.params)) {
		name := key
		if grain := spec.Param("grain"); name == "radius" && spec.Param(name) == nil && grain != nil {
			name = grain.Name // what block S calls it
		}
		text, err := r.plain(spec.Param(name), name, s.params[key])
		if err == nil {
			given[name] = text
			_, err = spec.Resolve("", map[string]string{name: text})
		}
		if err != nil {
			return located(s.places["params."+key], err)
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
	r.chooseRest(s)
	c.Workers, _ = Count("workers", s.texts["workers"])
	c.TwoWay = s.texts["two-way"] == "true"
	c.Period, _ = Period("period", s.texts["period"])
	if text := s.texts["energy"]; text != "" {
		model, err := energy.Parse(text)
		if err != nil {
			return located(s.places["energy"], err)
		}
		r.Energy, c.Traffic = &model, true
	}
	if s.texts["samples"] != "" {
		if r.Entry.Spec.Shape == caucus.ShapeEvents {
			return located(s.places["samples"], caucus.Wrong("samples", s.texts["samples"],
				"none: an event algorithm has no rounds to sample"))
		}
		c.Every, _ = Count("every", s.texts["every"])
	}
	return nil
}

// usualRest is for how many rounds nothing changes before a run is over, unless the algorithm needs longer.
const usualRest = 20

// chooseRest resolves for how long nothing must change. Patience is for how long the algorithm may stand still before
// it notices that a leader is gone; the restart layer doubles its own after every epoch in vain, and here one is
// allowed for.
func (r *Run) chooseRest(s *Scenario) {
	if r.Entry.Patience != nil {
		r.Patience = r.Entry.Patience(r.Args, r.Config.Known)
	}
	if restart, _ := Count("restart", s.texts["restart"]); restart > 0 {
		r.Patience = 3 * restart
	}
	if text := s.texts["stable-for"]; text != "" {
		r.Config.StableFor, _ = Count("stable-for", text)
		return
	}
	r.Config.StableFor = max(usualRest, r.Patience+1)
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
	moves := s.faults[:0:0]
	for k, x := range s.faults {
		if x.idle() {
			continue
		}
		f, err := x.resolve(r.Names, all, r.Config.Graph)
		if err != nil {
			return err
		}
		if err := r.inTime(&f); err != nil {
			return located(x.where, err)
		}
		if x.source != "" {
			again := caucus.NewRand(r.Config.Seed, "strength change", uint64(k))
			if f.Values, err = r.strengths(x.source, again.Uint64()); err != nil {
				return located(x.where, err)
			}
		}
		if f.Kind == sim.FakeLeader && slices.Contains(r.Config.IDs, f.Fake) {
			return located(x.where, caucus.Wrong("fake", uint64(f.Fake), "an ID that no node has"))
		}
		if f.Kind == sim.Move {
			x.sim = f
			moves = append(moves, x)
		}
		r.Config.Faults = append(r.Config.Faults, f)
	}
	for _, x := range moves { // what other faults concern is the network as it was
		if err := r.jump(&x.sim, x.x, x.y); err != nil {
			return located(x.where, err)
		}
	}
	return nil
}

// inTime refuses a fault for which the run does not last long enough. Round r+1 begins at time r.
func (r *Run) inTime(f *sim.Fault) error {
	last, allowed := float64(r.Config.MaxRounds), "a time before %g: the run has no more rounds"
	if r.Entry.Spec.Shape == caucus.ShapeEvents {
		last, allowed = math.Nextafter(last, math.Inf(1)), "a time up to %g: then the run ends"
	}
	if f.At < last {
		return nil
	}
	return caucus.Wrong("at", strconv.FormatFloat(f.At, 'g', -1, 64), fmt.Sprintf(allowed, float64(r.Config.MaxRounds)))
}

// Length writes a length of this run with its unit.
func (r *Run) Length(x float64) string { return r.scale.write(x) }

// Topology is the topology as it was opened: a name, a generator or a path.
func (r *Run) Topology() string { return r.topology }

// Joules gives the energy of every node over a run, with messages of the mean size of the run; nil if it is not
// accounted for.
func (r *Run) Joules(result *sim.Result) []float64 {
	if r.Energy == nil {
		return nil
	}
	payload := float64(result.Bytes) / float64(max(1, result.Messages))
	list := make([]float64, len(result.Up))
	for i, up := range result.Up {
		list[i] = r.Energy.Joules(energy.Use{Seconds: up * r.Config.Period.Seconds(), Sent: float64(result.Sent[i]),
			Received: float64(result.Received[i]), Payload: payload})
	}
	return list
}

// Unread lets go of what a simulation does not read of its network: what lengths and strengths were made of, strengths
// that follow from something else and, unless it is drawn, where nodes are and labels that the algorithm asks nothing
// of: a map sees by them which links close a torus. What rounds read is packed.
func (r *Run) Unread(drawn bool) {
	g := *r.Config.Graph
	g.Weight, g.Attrs = nil, nil
	if !drawn && !r.Config.Positions {
		g.X, g.Y = nil, nil
	}
	r.Config.Graph = &g
	if of := network.StrengthRule(&g, r.Strength, r.Config.Seed); of != nil && r.Config.Moving == nil {
		r.Config.Strengths, r.Config.StrengthBy = nil, of
	}
	if spec := r.Entry.Spec; !drawn && spec.Shape == caucus.ShapeRounds {
		if !spec.Needs.Labels {
			g.Labels = nil
		}
		g.Pack() // after all else is gone: for a while the network is there twice
	}
}

// Get gives the text of a setting.
func (r *Run) Get(name string) string { return r.scenario.Get(name) }

// Unit is the unit of this run's lengths; "" if they have none.
func (r *Run) Unit() string { return r.scale.unit }
