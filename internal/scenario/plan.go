package scenario

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/unpack"
	"caucus.example/caucus/network/format"
	"caucus.example/caucus/story"
)

// Plan is a file of many runs: a base scenario with places for variables, the values that these take, algorithms, seeds
// and what is measured.
type Plan struct {
	Name       string
	Text       string // the file
	Variables  []string
	Points     []Values // what the variables are, point by point
	Algorithms []Contestant
	Seeds      Seeds
	Measures   []string // as their names stand in the file
	measures   string   // where
	Charts     []Chart
	Claims     []Claim // what is published, and hypotheses
	Part       bool    // not all of what the file says otherwise

	file  string // that has the base scenario
	base  []field
	based bool // it is a file of its own
}

// Values are the variables of a point, in the order of Plan.Variables.
type Values []string

// Contestant is an algorithm with its mode and parameters.
type Contestant struct {
	Label, Algo, Faithful string
	params                []field
}

// Seeds are those of the runs of a point: Least from First on and, if Within is set, as many more, up to Most, as it
// takes for the 95 % interval of the mean of Until to be no wider than that share of the mean to each side.
type Seeds struct {
	First       uint64
	Least, Most int
	Until       string
	Within      float64
}

// LoadPlan reads a file of many runs, of which some may be wanted only.
func LoadPlan(file string, only Only) (*Plan, error) {
	data, err := readWhole(file)
	if err != nil {
		return nil, err
	}
	return only.Parse(file, data)
}

// Only is what is wanted of a plan: the points that meet further conditions, and other seeds.
type Only struct {
	Where []string
	Seeds string
}

// Of is the text of a plan with its last field, which says what is wanted of it. So the text still says all.
func (o Only) Of(plan []byte) []byte {
	var fields []string
	quoted := func(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
	if o.Seeds != "" {
		fields = append(fields, "seeds: "+quoted(o.Seeds))
	}
	if len(o.Where) > 0 {
		var list []string
		for _, text := range o.Where {
			list = append(list, quoted(text))
		}
		fields = append(fields, "where: ["+strings.Join(list, ", ")+"]")
	}
	if fields == nil {
		return plan
	}
	return fmt.Appendf(slices.Clone(plan), "\nonly: {%s}\n", strings.Join(fields, ", "))
}

// Parse is ParsePlan of what is wanted of a plan. What is wrong with that is said of the flags, as it stands on no line
// that anybody has written.
func (o Only) Parse(file string, plan []byte) (*Plan, error) {
	text := o.Of(plan)
	p, err := ParsePlan(file, text)
	last := fmt.Sprintf("%s:%d: ", file, bytes.Count(text, []byte("\n")))
	var wrong *caucus.FieldError
	if len(text) == len(plan) || err == nil || !strings.HasPrefix(err.Error(), last) || !errors.As(err, &wrong) {
		return p, err
	}
	told := *wrong
	if told.Field == "where" {
		told.Field = "only"
	}
	return nil, &told
}

func (p *Plan) readOnly(f field) (err error) {
	p.Part = true
	for _, x := range f.value.fields {
		switch x.name {
		case "where":
			err = p.readWhere(x)
		case "seeds":
			p.Seeds = Seeds{First: p.Seeds.First}
			err = p.readSeeds(x)
		default:
			err = unknown(x, []string{"where", "seeds"})
		}
		if err != nil {
			return err
		}
	}
	if f.value.kind != "mapping" {
		return located(f.where, caucus.Wrong(f.name, f.value.show(), "{where: conditions, seeds: number}"))
	}
	return nil
}

// planFields are the fields of the file.
var planFields = []string{
	"version",
	"name",
	"scenario",
	"grid",
	"zip",
	"latin",
	"where",
	"algorithms",
	"seeds",
	"measures",
	"charts",
	"published",
	"only",
}

// ParsePlan reads the text of such a file; the name is for messages, and for files that it names.
func ParsePlan(file string, data []byte) (*Plan, error) {
	t, err := parseTree(file, data)
	if err != nil {
		return nil, err
	}
	p := &Plan{
		Text:  string(data),
		Name:  strings.TrimSuffix(filepath.Base(file), ".yaml"),
		file:  file,
		Seeds: Seeds{First: 1, Least: 10, Most: 10},
	}
	fields := map[string]field{}
	for _, f := range t.fields {
		if !slices.Contains(planFields, f.name) {
			return nil, unknown(f, planFields)
		}
		if _, twice := fields[f.name]; twice {
			return nil, fmt.Errorf("%s: %s is there twice", f.where, f.name)
		}
		fields[f.name] = f
	}
	for _, step := range []struct {
		name string
		read func(field) error
	}{
		{"version", readVersion}, {"name", p.readName}, {"scenario", p.readBase}, {"algorithms", p.readAlgorithms},
		{"seeds", p.readSeeds}, {"measures", p.readMeasures},
		{"charts", p.readCharts}, {"published", p.readClaims},
	} {
		if f, ok := fields[step.name]; ok {
			if err := step.read(f); err != nil {
				return nil, err
			}
		}
	}
	if p.base == nil {
		return nil, located(t.where, caucus.Wrong("scenario", "", "settings as in a scenario file, or the name of one"))
	}
	if err := p.spread(fields); err != nil {
		return nil, err
	}
	if f, ok := fields["only"]; ok {
		if err := p.readOnly(f); err != nil {
			return nil, err
		}
	}
	if len(p.Algorithms) == 0 {
		p.Algorithms = []Contestant{{}}
	}
	return p, p.try()
}

func readVersion(f field) error {
	if f.value.text != Version {
		return located(f.where, caucus.Wrong("version", f.value.show(), Version))
	}
	return nil
}

func (p *Plan) readName(f field) (err error) {
	p.Name, err = f.scalar()
	return err
}

// readBase reads the base scenario: settings, or the name of a file that is seen from this one.
func (p *Plan) readBase(f field) error {
	if f.value.kind == "mapping" {
		p.base = f.value.fields
		return nil
	}
	name, err := f.scalar()
	if err != nil {
		return err
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(p.file), name)
	}
	data, err := readWhole(name)
	if err != nil {
		return located(f.where, err)
	}
	t, err := parseTree(name, data)
	p.base, p.file, p.based = t.fields, name, true
	return err
}

func (p *Plan) readAlgorithms(f field) error {
	if f.value.kind != "list" || len(f.value.list) == 0 {
		return located(
			f.where,
			caucus.Wrong(
				f.name,
				f.value.show(),
				"a list of names, or of {algo: name, faithful: mode, label: text, params: {…}}",
			),
		)
	}
	for _, item := range f.value.list {
		c := Contestant{Algo: item.text}
		for _, x := range item.fields {
			var err error
			switch x.name {
			case "algo":
				c.Algo, err = x.scalar()
			case "faithful":
				c.Faithful, err = x.scalar()
			case "label":
				c.Label, err = x.scalar()
			case "params":
				c.params = x.value.fields
			default:
				err = unknown(x, []string{"algo", "faithful", "label", "params"})
			}
			if err != nil {
				return err
			}
		}
		if c.Label == "" {
			c.Label = strings.TrimSuffix(c.Algo+" "+c.Faithful, " ")
		}
		if c.Algo == "" || slices.ContainsFunc(p.Algorithms, func(o Contestant) bool { return o.Label == c.Label }) {
			return located(
				item.where,
				caucus.Wrong("algorithms", c.Label, "names, each once; a label tells variants of one apart"),
			)
		}
		p.Algorithms = append(p.Algorithms, c)
	}
	return nil
}

func (p *Plan) readMeasures(f field) error {
	p.measures = f.where
	if f.value.kind != "list" {
		return located(f.where, caucus.Wrong(f.name, f.value.show(), "a list of names"))
	}
	for _, item := range f.value.list {
		p.Measures = append(p.Measures, item.text)
	}
	return nil
}

// mostSeeds keeps a plan from being without end.
const mostSeeds = 1_000_000

func (p *Plan) readSeeds(f field) (err error) {
	s := &p.Seeds
	whole := func(x field, least int) (n int, err error) {
		text, err := x.scalar()
		if err == nil {
			n, err = Count(x.name, text)
		}
		if err != nil || n < least || n > mostSeeds {
			return 0, located(
				x.where,
				caucus.Wrong(x.name, x.value.show(), fmt.Sprintf("a whole number from %d to %d", least, mostSeeds)),
			)
		}
		return n, nil
	}
	if f.value.kind == "text" {
		s.Least, err = whole(f, 1)
		s.Most = s.Least
		return err
	}
	s.Most = 0
	for _, x := range f.value.fields {
		n := 0
		switch x.name {
		case "from":
			n, err = whole(x, 0)
			s.First = uint64(n)
		case "count", "least":
			s.Least, err = whole(x, 1)
		case "most":
			s.Most, err = whole(x, 1)
		case "until":
			s.Until, err = x.scalar()
		case "within":
			if s.Within, err = Share(x.name, x.value.text); err == nil && s.Within <= 0 {
				err = caucus.Wrong(x.name, x.value.text, "a share of the mean, such as 5%")
			}
			err = located(x.where, err)
		default:
			err = unknown(x, []string{"from", "count", "least", "most", "until", "within"})
		}
		if err != nil {
			return err
		}
	}
	if s.Most == 0 {
		s.Most = s.Least
	}
	if (s.Until == "") != (s.Within == 0) || s.Most < s.Least || s.Within > 0 && (s.Least < 3 || s.Most == s.Least) {
		return located(
			f.where,
			caucus.Wrong(
				f.name,
				f.value.show(),
				"a number, {from, count}, or {least: 3 or more, most: more than that, until: measure, within: share}",
			),
		)
	}
	return nil
}

// Scenario is what is run at a point by an algorithm with a seed. The graph has the same seed, unless the base says
// otherwise.
func (p *Plan) Scenario(at Values, c Contestant, seed uint64) (*Scenario, error) {
	s := New()
	s.File = p.file
	of := strconv.FormatUint(seed, 10)
	s.texts["seed"], s.texts["graph-seed"] = of, of
	used := make([]bool, len(at))
	for _, f := range p.base {
		f, err := p.fill(f, at, used)
		if err != nil {
			return nil, err
		}
		if err := s.read(f); err != nil {
			return nil, err
		}
	}
	s.texts["seed"] = of
	for _, x := range c.params {
		text, err := x.scalar()
		if err != nil {
			return nil, err
		}
		s.SetParam(x.name, text)
		s.places["params."+x.name] = x.where
	}
	if c.Algo != "" {
		s.texts["algo"], s.texts["faithful"] = c.Algo, c.Faithful
	}
	for k, name := range p.Variables {
		param, isParam := strings.CutPrefix(name, "params.")
		switch {
		case isParam:
			s.SetParam(param, at[k])
		case slices.ContainsFunc(Settings, func(d Setting) bool { return d.Name == name }):
			if err := s.Set(name, at[k]); err != nil {
				return nil, located(p.file, err)
			}
		case !used[k]:
			return nil, fmt.Errorf(
				"%s: the variable %s is no setting, no params.name, and ${%s} does not occur in the scenario",
				p.file,
				name,
				name,
			)
		}
	}
	return s, nil
}

// fill puts the values of a point into the places of a field.
func (p *Plan) fill(f field, at Values, used []bool) (field, error) {
	var err error
	f.value, err = p.fillTree(f.value, at, used)
	return f, err
}

func (p *Plan) fillTree(t tree, at Values, used []bool) (tree, error) {
	for k, name := range p.Variables {
		if place := "${" + name + "}"; strings.Contains(t.text, place) {
			t.text, used[k] = strings.ReplaceAll(t.text, place, at[k]), true
		}
	}
	if _, rest, ok := strings.Cut(t.text, "${"); ok {
		name, _, _ := strings.Cut(rest, "}")
		return t, located(t.where, caucus.NotAmong("variable", name, p.Variables))
	}
	t.list, t.fields = slices.Clone(t.list), slices.Clone(t.fields)
	for k := range t.list {
		var err error
		if t.list[k], err = p.fillTree(t.list[k], at, used); err != nil {
			return t, err
		}
	}
	for k := range t.fields {
		var err error
		if t.fields[k], err = p.fill(t.fields[k], at, used); err != nil {
			return t, err
		}
	}
	return t, nil
}

// try resolves one run of each algorithm, at the first point and the last, so that what is wrong is known before any is
// made.
func (p *Plan) try() error {
	for _, at := range []Values{p.Points[0], p.Points[len(p.Points)-1]} {
		for _, c := range p.Algorithms {
			s, err := p.Scenario(at, c, p.Seeds.First)
			if err != nil {
				return err
			}
			if r, err := s.Resolve(); err != nil {
				return err
			} else if r.Metric == MetricRTT {
				return located(p.file, caucus.Wrong("metric", "rtt",
					"hops, weight, distance: only real agents measure round-trip times"))
			} else if r.Recorded != "" {
				return located(p.file, caucus.Wrong("replay", r.Recorded, "none: a run of rounds is no other for it"))
			}
		}
	}
	return nil
}

// fileSettings are the settings that may name a file, or a folder of them.
var fileSettings = []string{"topology", "nodes-file", "movements", "ids", "replay"}

// Content is a file that runs read, with the hash of what it holds.
type Content struct {
	Name string `json:"name"`
	Sum  string `json:"sum"` // SHA-256
}

// Files are those that the runs of the plan read besides its own text: the base scenario and what the settings name.
// What comes out depends on them as on the text.
func (p *Plan) Files() ([]Content, error) {
	var list []Content
	seen := map[string]bool{}
	add := func(name string) error {
		if seen[name] {
			return nil
		}
		seen[name] = true
		return filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			sum, err := sumOf(path)
			list = append(list, Content{filepath.ToSlash(path), sum})
			return err
		})
	}
	if p.based {
		if err := add(p.file); err != nil {
			return nil, err
		}
	}
	settings := p.files()
	for _, at := range p.Points {
		for k := range settings {
			name, err := settings[k].at(p, at)
			if err != nil {
				return nil, err
			}
			if _, err := os.Stat(name); name == "" || err != nil {
				continue // a builtin, a generator or a word; a run says what is missing
			}
			names := []string{name}
			if settings[k].name == "topology" {
				names = append(names, format.Beside(name)...)
			}
			for _, name := range names {
				if err := add(name); err != nil {
					return nil, err
				}
			}
		}
		settings = slices.DeleteFunc(settings, func(f fileSetting) bool { return !f.varies })
	}
	return list, nil
}

// fileSetting is a setting that may name a file.
type fileSetting struct {
	*Scenario
	name     string
	base     *field // in the base scenario; nil: it is not there
	variable int    // that is the setting; -1: none is
	varies   bool   // from point to point
}

func (p *Plan) files() (list []fileSetting) {
	s := New()
	s.File = p.file
	for _, name := range fileSettings {
		f := fileSetting{Scenario: s, name: name, variable: slices.Index(p.Variables, name)}
		if k := slices.IndexFunc(p.base, func(b field) bool { return b.name == name }); k >= 0 {
			f.base = &p.base[k]
		}
		f.varies = f.variable >= 0 || f.base != nil && strings.Contains(f.base.value.text, "${")
		list = append(list, f)
	}
	return list
}

// at is the file that the setting names at a point, if it names one.
func (f *fileSetting) at(p *Plan, at Values) (string, error) {
	switch {
	case f.variable >= 0:
		f.texts[f.name], f.places[f.name] = at[f.variable], ""
	case f.base != nil:
		filled, err := p.fill(*f.base, at, make([]bool, len(at)))
		if err != nil {
			return "", err
		}
		f.texts[f.name], f.places[f.name] = filled.value.text, filled.where
	}
	return f.fileOf(f.name), nil
}

// fileOf is the file that a setting may name, which need not be there; "" if it names none.
func (s *Scenario) fileOf(setting string) string {
	if text := s.texts[setting]; text == "" || setting == "replay" && story.Scripted(text) {
		return ""
	}
	return s.beside(setting)
}

// Outside names a setting for which there is a file, and that; "" if there is none.
func (s *Scenario) Outside() (setting, file string) {
	for _, name := range fileSettings {
		file := s.fileOf(name)
		if _, err := os.Stat(file); file != "" && err == nil {
			return name, file
		}
	}
	return "", ""
}

func sumOf(file string) (string, error) {
	f, err := unpack.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}

// WrongMeasure is the error about a measure that there is none of.
func (p *Plan) WrongMeasure(name string, allowed []string) error {
	return located(p.measures, caucus.NotAmong("measures", name, allowed))
}

// number is a value of a range, as a person would write it.
func number(x float64) string {
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// round6 keeps six digits, which takes away what a sum of steps has added at the end of a number.
func round6(x float64) float64 {
	if x == 0 {
		return 0
	}
	scale := math.Pow(10, 6-math.Ceil(math.Log10(math.Abs(x))))
	return math.Round(x*scale) / scale
}
