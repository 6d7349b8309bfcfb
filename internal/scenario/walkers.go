package scenario

import (
	"fmt"
	"slices"
	"strings"

	"caucus.example/caucus"
	"caucus.example/caucus/network/mobility"
)

// walkers is a group of nodes that start and move alike.
type walkers struct {
	where   string
	group   mobility.Group
	motion  string
	text    string // as AddWalkers reads it
	numbers map[string]float64
}

// motions gives for each motion the fields that it needs and may have.
var motions = []struct {
	name          string
	needs, allows []string
}{
	{"still", nil, nil},
	{"levy", []string{"speed"}, []string{"scale", "shape"}},
	{"waypoint", []string{"speed"}, []string{"pause"}},
}

var walkerFields = []string{"nodes", "motion", "box", "lattice", "speed", "scale", "shape", "pause"}

// readWalkers reads a group: nodes and motion, its place (box: [x, y, x, y] or lattice: [x, y, step, columns], else
// anywhere in the arena), and the numbers of its motion.
func readWalkers(t tree) (walkers, error) {
	w := walkers{where: t.where, numbers: map[string]float64{}}
	if t.kind != "mapping" {
		return w, located(t.where, caucus.Wrong("walkers", t.show(),
			"fields such as nodes: 100, motion: levy, speed: 2"))
	}
	var set, texts []string
	for _, f := range t.fields {
		text, err := w.read(f)
		if err != nil {
			return w, err
		}
		set, texts = append(set, f.name), append(texts, f.name+": "+text)
	}
	w.text = strings.Join(texts, ", ")
	return w, located(w.where, w.complete(set))
}

func (w *walkers) read(f field) (text string, err error) {
	switch f.name {
	case "box", "lattice":
		return w.place(f)
	}
	if !slices.Contains(walkerFields, f.name) {
		return "", unknown(f, walkerFields)
	}
	if text, err = f.scalar(); err != nil {
		return "", err
	}
	switch f.name {
	case "nodes":
		if err = positive(f.name, text); err == nil {
			w.group.N, err = Count(f.name, text)
		}
	case "motion":
		w.motion = text
		err = choice("still", "levy", "waypoint")(f.name, text)
	case "speed":
		err = w.speed(text)
	default:
		err = w.number(f.name, text)
	}
	return text, located(f.where, err)
}

// place reads four numbers.
func (w *walkers) place(f field) (string, error) {
	allowed := "[x, y, x, y]: two corners"
	if f.name == "lattice" {
		allowed = "[x, y, step, columns]"
	}
	wrong := located(f.where, caucus.Wrong(f.name, f.value.show(), allowed))
	if f.value.kind != "list" || len(f.value.list) != 4 {
		return "", wrong
	}
	var x [4]float64
	var texts []string
	for k, item := range f.value.list {
		var ok bool
		if x[k], ok = caucus.ParseNumber(item.text); !ok {
			return "", wrong
		}
		texts = append(texts, item.text)
	}
	if f.name == "box" {
		w.group.Place = mobility.Box{MinX: min(x[0], x[2]), MinY: min(x[1], x[3]), MaxX: max(x[0], x[2]),
			MaxY: max(x[1], x[3])}
	} else {
		if x[3] < 1 || x[3] > 1e6 || x[3] != float64(int(x[3])) {
			return "", wrong
		}
		w.group.Place = mobility.Lattice{X: x[0], Y: x[1], Step: x[2], Columns: int(x[3])}
	}
	return "[" + strings.Join(texts, ", ") + "]", nil
}

// speed reads one number, or two with two dots between.
func (w *walkers) speed(text string) error {
	low, high, span := strings.Cut(text, "..")
	if err := w.number("speed", low); err != nil || !span {
		w.numbers["fastest"] = w.numbers["speed"]
		return err
	}
	return w.number("fastest", high)
}

func (w *walkers) number(name, text string) error {
	x, ok := caucus.ParseNumber(text)
	if !ok || x < 0 {
		return caucus.Wrong(name, text, "a number >= 0")
	}
	w.numbers[name] = x
	return nil
}

func (w *walkers) complete(set []string) error {
	if !slices.Contains(set, "nodes") || !slices.Contains(set, "motion") {
		return fmt.Errorf("walkers: need nodes and motion")
	}
	if slices.Contains(set, "box") && slices.Contains(set, "lattice") {
		return fmt.Errorf("walkers: box and lattice exclude each other")
	}
	for _, m := range motions {
		if m.name != w.motion {
			continue
		}
		for _, f := range m.needs {
			if !slices.Contains(set, f) {
				return fmt.Errorf("walkers: motion %s needs %s", m.name, f)
			}
		}
		for _, f := range set {
			if slices.Contains(walkerFields[4:], f) && !slices.Contains(m.needs, f) && !slices.Contains(m.allows, f) {
				return fmt.Errorf("walkers: motion %s takes no %s", m.name, f)
			}
		}
	}
	return w.move()
}

// move makes the motion. A Lévy walk has paths of Pareto scale 100 and shape 1 unless told otherwise.
func (w *walkers) move() error {
	or := func(name string, otherwise float64) float64 {
		if x, ok := w.numbers[name]; ok {
			return x
		}
		return otherwise
	}
	slowest, fastest := w.numbers["speed"], w.numbers["fastest"]
	if fastest < slowest || w.motion != "waypoint" && fastest != slowest {
		return caucus.Wrong("speed", fmt.Sprintf("%g..%g", slowest, fastest),
			"one speed, or for waypoint SLOWEST..FASTEST")
	}
	switch w.motion {
	case "levy":
		w.group.Motion = mobility.Levy{Speed: slowest, Scale: or("scale", 100), Shape: or("shape", 1)}
	case "waypoint":
		w.group.Motion = mobility.Waypoint{MinSpeed: slowest, MaxSpeed: fastest, Pause: or("pause", 0)}
	default:
		w.group.Motion = mobility.Still{}
	}
	return nil
}
