// Package scenario reads what `caucus run` is to simulate, from a strict YAML file
// and from flags, and resolves it against the registry and the topology into
// a run that can be echoed, repeated and started.
package scenario

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/energy"
)

// Version is the version of the file format.
const Version = "1"

// Scenario is a run as its author wrote it: names and units still unresolved. Make one with New
// or Load, change it with Set, SetParam and AddFault, then Resolve it.
type Scenario struct {
	File    string // where it was read from; "" if nowhere
	texts   map[string]string
	params  map[string]string
	faults  []fault
	walkers []walkers
	places  map[string]string // file:line of settings and of "params.name"; none for flags
}

// New gives the scenario of all defaults. It names no topology.
func New() *Scenario {
	s := &Scenario{texts: map[string]string{}, params: map[string]string{}, places: map[string]string{}}
	for _, d := range Settings {
		s.texts[d.Name] = d.Default
	}
	return s
}

// maxFile is more than any scenario needs, and keeps the YAML reader from taking all memory.
const maxFile = 4 << 20

// Load reads a scenario file.
func Load(file string) (*Scenario, error) {
	data, err := readWhole(file)
	if err != nil {
		return nil, err
	}
	return Parse(file, data)
}

// beside gives the file that a setting names, seen from the scenario file if it is from there.
func (s *Scenario) beside(setting string) string {
	name := s.texts[setting]
	if s.places[setting] == "" || filepath.IsAbs(name) {
		return name
	}
	near := filepath.Join(filepath.Dir(s.File), name)
	if _, err := os.Stat(near); err == nil {
		return near
	}
	return name
}

// readWhole reads a file that is not too large for one of these.
func readWhole(file string) ([]byte, error) {
	info, err := os.Stat(file)
	switch {
	case file == "-":
		return nil, caucus.Wrong("scenario", file, "a file: the standard input is not read")
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > maxFile:
		return nil, fmt.Errorf("%s: found %s of %d bytes, allowed: a regular file of at most %d",
			file, info.Mode().Type(), info.Size(), maxFile)
	}
	return os.ReadFile(file)
}

// Parse reads the text of a scenario file; the name of the file is for messages and for
// the topology that the scenario names relative to it.
func Parse(file string, data []byte) (*Scenario, error) {
	s := New()
	s.File = file
	t, err := parseTree(file, data)
	if err != nil {
		return nil, err
	}
	if t.kind != "mapping" {
		return nil, fmt.Errorf("%s: found no fields, allowed: name: value, such as topology: geant2012", t.where)
	}
	for _, f := range t.fields {
		if err := s.read(f); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *Scenario) read(f field) error {
	switch f.name {
	case "version":
		if f.value.text != Version {
			return located(f.where, caucus.Wrong("version", f.value.show(), Version))
		}
		return nil
	case "params":
		return s.readParams(f)
	case "faults":
		return s.readFaults(f)
	case "walkers":
		return s.readGroups(f)
	case "energy":
		if f.value.kind == "mapping" {
			return s.readEnergy(f)
		}
	}
	names := []string{"version", "params", "faults", "walkers"}
	for _, d := range Settings {
		if d.Name == f.name {
			text, err := f.scalar()
			if err != nil {
				return err
			}
			if _, twice := s.params["radius"]; twice && f.name == "radius" {
				return fmt.Errorf("%s: parameter radius is set twice", f.where)
			}
			err = s.Set(f.name, text)
			s.places[f.name] = f.where
			if f.name == "radius" {
				s.places["params.radius"] = f.where
			}
			return located(f.where, err)
		}
		names = append(names, d.Name)
	}
	return unknown(f, names)
}

func (s *Scenario) readParams(f field) error {
	if f.value.kind != "mapping" {
		return located(f.where, caucus.Wrong("params", f.value.show(), "name: value for each parameter"))
	}
	for _, p := range f.value.fields {
		text, err := p.scalar()
		if err != nil {
			return err
		}
		if _, twice := s.params[p.name]; twice {
			return fmt.Errorf("%s: parameter %s is set twice", p.where, p.name)
		}
		s.SetParam(p.name, text)
		s.places["params."+p.name] = p.where
	}
	return nil
}

// readEnergy reads figures that are written one a line.
func (s *Scenario) readEnergy(f field) error {
	var pairs []string
	for _, x := range f.value.fields {
		text, err := x.scalar()
		if err != nil {
			return err
		}
		if err := new(energy.Model).Set(x.name, text); err != nil {
			return located(x.where, err)
		}
		pairs = append(pairs, x.name+"="+text)
	}
	err := s.Set("energy", cmp.Or(strings.Join(pairs, ","), "cc2420"))
	s.places["energy"] = f.where
	return located(f.where, err)
}

func (s *Scenario) readFaults(f field) error {
	if f.value.kind != "list" {
		return located(f.where, caucus.Wrong("faults", f.value.show(), "a list, one entry for each fault"))
	}
	for _, item := range f.value.list {
		x, err := readFault(item)
		if err != nil {
			return err
		}
		s.faults = append(s.faults, x)
	}
	return nil
}

func (s *Scenario) readGroups(f field) error {
	if f.value.kind != "list" {
		return located(f.where, caucus.Wrong("walkers", f.value.show(), "a list, one entry for each group"))
	}
	for _, item := range f.value.list {
		w, err := readWalkers(item)
		if err != nil {
			return err
		}
		s.walkers = append(s.walkers, w)
	}
	return nil
}

// Set changes a setting; the value is checked as far as it can be before the
// topology is known.
func (s *Scenario) Set(name, text string) error {
	for _, d := range Settings {
		if d.Name != name {
			continue
		}
		if d.check != nil {
			if err := d.check(name, text); err != nil {
				return err
			}
		}
		s.texts[name] = text
		delete(s.places, name)
		if name == "radius" {
			s.SetParam(name, text)
		}
		return nil
	}
	return fmt.Errorf("scenario: no setting %q", name)
}

// Get gives the text of a setting, the default if nothing set it.
func (s *Scenario) Get(name string) string { return s.texts[name] }

// SetParam changes a parameter of the algorithm. Resolve checks it.
func (s *Scenario) SetParam(name, text string) {
	s.params[name] = text
	delete(s.places, "params."+name)
}

// AddFault adds an entry to the schedule, written as in a file but on one line:
// "at: 30, kind: crash, leaders: true".
func (s *Scenario) AddFault(text string) error {
	t, err := parseTree("fault", []byte("{"+strings.Trim(text, "{} ")+"}"))
	if err != nil {
		return err
	}
	x, err := readFault(t)
	if err == nil {
		s.faults = append(s.faults, x)
	}
	return err
}

// AddWalkers adds a group of walkers, written as in a file but on one line: "nodes: 100, motion: levy, speed: 2".
func (s *Scenario) AddWalkers(text string) error {
	t, err := parseTree("walkers", []byte("{"+strings.Trim(text, "{} ")+"}"))
	if err != nil {
		return err
	}
	w, err := readWalkers(t)
	if err == nil {
		s.walkers = append(s.walkers, w)
	}
	return err
}

// located puts the place of a value before the error about it, if it has one.
func located(place string, err error) error {
	if err == nil || place == "" {
		return err
	}
	return fmt.Errorf("%s: %w", place, err)
}

func unknown(f field, names []string) error {
	return located(f.where, caucus.UnknownField(f.name, names))
}

func (f field) scalar() (string, error) {
	if f.value.kind != "text" {
		return "", located(f.where, caucus.Wrong(f.name, f.value.show(), "one value"))
	}
	return f.value.text, nil
}

// show describes a value in a message.
func (t tree) show() string {
	switch t.kind {
	case "text":
		return t.text
	case "nothing":
		return ""
	}
	return "a " + t.kind
}
