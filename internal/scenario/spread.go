package scenario

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"caucus.example/caucus"
)

// mostPoints keeps a plan from taking all memory.
const mostPoints = 100_000

// dimension is variables that vary together: a variable of the grid, a zip, a Latin hypercube.
type dimension struct {
	names  []string
	values []Values
}

// spread lists the points: all combinations of the dimensions, those of the first changing slowest, without those that
// a condition leaves out.
func (p *Plan) spread(fields map[string]field) error {
	var list []dimension
	for _, read := range []struct {
		name string
		read func(field) ([]dimension, error)
	}{{"grid", readGrid}, {"zip", readZip}, {"latin", readLatin}} {
		if f, ok := fields[read.name]; ok {
			if f.value.kind != "mapping" {
				return located(f.where, caucus.Wrong(f.name, f.value.show(), "name: values for each variable"))
			}
			more, err := read.read(f)
			if err != nil {
				return err
			}
			list = append(list, more...)
		}
	}
	p.Points = []Values{{}}
	for _, d := range list {
		for _, name := range d.names {
			if slices.Contains(p.Variables, name) || name == "seed" || name == "algo" || name == "faithful" {
				return fmt.Errorf(
					"%s: found the variable %s, allowed: each variable once; seeds and algorithms have fields of "+
						"their own",
					p.file,
					name,
				)
			}
		}
		p.Variables = append(p.Variables, d.names...)
		if len(p.Points)*len(d.values) > mostPoints {
			return fmt.Errorf("%s: found more than %d points, allowed: %d", p.file, mostPoints, mostPoints)
		}
		var next []Values
		for _, at := range p.Points {
			for _, v := range d.values {
				next = append(next, slices.Concat(at, v))
			}
		}
		p.Points = next
	}
	if f, ok := fields["where"]; ok {
		if err := p.readWhere(f); err != nil {
			return err
		}
	}
	return nil
}

func readGrid(f field) (list []dimension, err error) {
	for _, x := range f.value.fields {
		values, err := readValues(x)
		if err != nil {
			return nil, err
		}
		d := dimension{names: []string{x.name}}
		for k, v := range values {
			if slices.ContainsFunc(values[:k], func(other string) bool { return compareTexts(v, other, "=") }) {
				return nil, located(x.where, caucus.Wrong(x.name, v+" twice", "each value once; seeds repeat runs"))
			}
			d.values = append(d.values, Values{v})
		}
		list = append(list, d)
	}
	return list, nil
}

func readZip(f field) (list []dimension, err error) {
	d := dimension{}
	for _, x := range f.value.fields {
		values, err := readValues(x)
		if err != nil {
			return nil, err
		}
		if d.names = append(d.names, x.name); d.values == nil {
			d.values = make([]Values, len(values))
		}
		if len(values) != len(d.values) {
			return nil, located(
				x.where,
				caucus.Wrong(
					x.name,
					plainCount(len(values)),
					fmt.Sprintf("%d values, as those beside it", len(d.values)),
				),
			)
		}
		for k, v := range values {
			d.values[k] = append(d.values[k], v)
		}
	}
	return []dimension{d}, nil
}

func plainCount(n int) string { return fmt.Sprintf("%d values", n) }

// interval is a range of numbers.
type interval struct {
	from, to, step float64
	count          int
	log, whole     bool
}

// readValues reads the values of a variable: one, a list, or {from, to} with step or count, log and whole.
func readValues(f field) ([]string, error) {
	switch f.value.kind {
	case "text":
		return []string{f.value.text}, nil
	case "list":
		var list []string
		for _, item := range f.value.list {
			if item.kind != "text" {
				return nil, located(item.where, caucus.Wrong(f.name, item.show(), "single values"))
			}
			list = append(list, item.text)
		}
		if len(list) > 0 {
			return list, nil
		}
	case "mapping":
		r, err := readInterval(f)
		if err != nil {
			return nil, err
		}
		return r.list(f)
	}
	return nil, located(
		f.where,
		caucus.Wrong(
			f.name,
			f.value.show(),
			"a value, a list of them, or {from: 1, to: 4, step: 1}, or {from: 1, to: 100, count: 5, log: true}",
		),
	)
}

func readInterval(f field) (r interval, err error) {
	seen := map[string]bool{}
	for _, x := range f.value.fields {
		text, err := x.scalar()
		if err != nil {
			return r, err
		}
		seen[x.name] = true
		var isNumber bool
		switch x.name {
		case "from":
			r.from, isNumber = caucus.ParseNumber(text)
		case "to":
			r.to, isNumber = caucus.ParseNumber(text)
		case "step":
			r.step, isNumber = caucus.ParseNumber(text)
			isNumber = isNumber && r.step > 0
		case "count":
			r.count, err = Count(x.name, text)
			isNumber = err == nil && r.count > 1 && r.count <= mostPoints
		case "log", "whole":
			isNumber = text == "true" || text == "false"
			if x.name == "log" {
				r.log = text == "true"
			} else {
				r.whole = text == "true"
			}
		default:
			return r, unknown(x, []string{"from", "to", "step", "count", "log", "whole"})
		}
		if !isNumber {
			return r, located(
				x.where,
				caucus.Wrong(
					x.name,
					text,
					"a number; count is 2 or more, step above 0, log and whole are true or false",
				),
			)
		}
	}
	if !seen["from"] || !seen["to"] || r.to < r.from || seen["step"] && (seen["count"] || r.log) ||
		r.log && r.from <= 0 {
		return r, located(
			f.where,
			caucus.Wrong(
				f.name,
				f.value.show(),
				"from and a to that is no less, with a step, or a count that log: true spreads by factors; then from "+
					"is above 0",
			),
		)
	}
	return r, nil
}

// list is the values of a range.
func (r interval) list(f field) (list []string, err error) {
	if r.log && r.count == 0 {
		return nil, located(f.where, caucus.Wrong(f.name, "no count", "a count, with log"))
	}
	if r.count == 0 {
		if r.step == 0 {
			r.step = 1
		}
		n := math.Floor(round6((r.to - r.from) / r.step))
		if n >= mostPoints {
			return nil, located(
				f.where,
				caucus.Wrong(f.name, number(n)+" steps", fmt.Sprintf("at most %d", mostPoints)),
			)
		}
		for k := range int(n) + 1 {
			list = append(list, number(round6(r.from+float64(k)*r.step)))
		}
		return list, nil
	}
	for k := range r.count {
		if text := r.at(float64(k) / float64(r.count-1)); !slices.Contains(list, text) { // whole numbers may meet
			list = append(list, text)
		}
	}
	return list, nil
}

// share is the number at a share of the range.
func (r interval) share(of float64) float64 {
	if r.log {
		return r.from * math.Pow(r.to/r.from, of)
	}
	return r.from + of*(r.to-r.from)
}

// at is the value at a share of the range. Its digits are few enough for what powers differ by from machine to machine.
func (r interval) at(share float64) string {
	if x := r.share(share); r.whole {
		return number(math.Round(x))
	} else {
		return number(round6(x))
	}
}

// readLatin draws the points of a Latin hypercube: of each variable one from each of as many strata as there are
// samples.
func readLatin(f field) ([]dimension, error) {
	samples, seed := 0, 1
	var names []string
	var ranges []interval
	for _, x := range f.value.fields {
		var err error
		switch x.name {
		case "samples":
			samples, err = Count(x.name, x.value.text)
			if err != nil || samples < 2 || samples > mostPoints {
				err = located(
					x.where,
					caucus.Wrong(x.name, x.value.show(), fmt.Sprintf("a whole number from 2 to %d", mostPoints)),
				)
			}
		case "seed":
			seed, err = Count(x.name, x.value.text)
			err = located(x.where, err)
		default:
			if x.value.kind != "mapping" {
				return nil, located(
					x.where,
					caucus.Wrong(x.name, x.value.show(), "{from: 1, to: 8}, with log and whole"),
				)
			}
			var r interval
			r, err = readInterval(x)
			names, ranges = append(names, x.name), append(ranges, r)
		}
		if err != nil {
			return nil, err
		}
	}
	if samples == 0 || len(names) == 0 {
		return nil, located(
			f.where,
			caucus.Wrong(f.name, f.value.show(), "samples: how many, and variables as {from: 1, to: 8}"),
		)
	}
	d := dimension{names: names, values: make([]Values, samples)}
	for v, r := range ranges {
		draw := caucus.NewRand(uint64(seed), "latin", uint64(v))
		order := make([]int, samples)
		for i := range order {
			j := draw.IntN(i + 1)
			order[i], order[j] = order[j], i
		}
		for i, stratum := range order {
			d.values[i] = append(d.values[i], r.at((float64(stratum)+draw.Float64())/float64(samples)))
		}
	}
	return []dimension{d}, nil
}

// readWhere leaves out the points for which not all conditions hold. A condition is comparisons with and
// or or between them.
func (p *Plan) readWhere(f field) error {
	for _, t := range conditionsOf(f) {
		if err := p.known(t); err != nil {
			return err
		}
	}
	for _, t := range conditionsOf(f) {
		var kept []Values
		for _, at := range p.Points {
			ok, err := holds(p.Variables, t, at)
			if err != nil {
				return err
			}
			if ok {
				kept = append(kept, at)
			}
		}
		p.Points = kept
	}
	if len(p.Points) == 0 {
		var list []string
		for _, t := range conditionsOf(f) {
			list = append(list, t.show())
		}
		return located(f.where, caucus.Wrong(f.name, strings.Join(list, ", "),
			"some that leave one; these leave out every point"))
	}
	return nil
}

// Conditions say which points of a plan are meant: those at which all of them hold.
type Conditions struct{ list []tree }

func (c *Conditions) read(x field) error {
	_, err := x.names()
	c.list = conditionsOf(x)
	return err
}

// Hold tells whether a point is meant.
func (c *Conditions) Hold(variables []string, at Values) (bool, error) {
	for _, t := range c.list {
		if ok, err := holds(variables, t, at); !ok {
			return false, err
		}
	}
	return true, nil
}

// String is what stands in the file.
func (c *Conditions) String() string {
	var texts []string
	for _, t := range c.list {
		texts = append(texts, t.text)
	}
	return strings.Join(texts, ", ")
}

// conditionsOf is one condition, or a list of them.
func conditionsOf(f field) []tree {
	if f.value.kind == "text" {
		return []tree{f.value}
	}
	return f.value.list
}

// comparisons, those of two letters first.
var comparisons = []string{"<=", ">=", "!=", "==", "<", ">", "="}

func holds(variables []string, t tree, at Values) (bool, error) {
	any := false
	for _, part := range strings.Split(t.text, " or ") {
		all := true
		for _, comparison := range strings.Split(part, " and ") {
			ok, err := compared(variables, t, comparison, at)
			if err != nil {
				return false, err
			}
			all = all && ok
		}
		any = any || all
	}
	return any, nil
}

// comparison is a variable, by its place, beside another one or a text.
type comparison struct {
	left, other int // other: -1 if right is no variable
	op, right   string
}

func readComparison(variables []string, t tree, text string) (c comparison, err error) {
	k := slices.IndexFunc(comparisons, func(op string) bool { return strings.Contains(text, op) })
	if k < 0 {
		return c, located(t.where, caucus.Wrong("where", t.show(),
			"comparisons such as radius <= 4, with and or or between them"))
	}
	left, right, _ := strings.Cut(text, comparisons[k])
	left, right = strings.TrimSpace(left), strings.TrimSpace(right)
	if right == "" || strings.HasSuffix(right, " and") || strings.HasSuffix(right, " or") {
		return c, located(t.where, caucus.Wrong("where", t.show(), "something to compare with, as in radius <= 4"))
	}
	c = comparison{slices.Index(variables, left), slices.Index(variables, right), comparisons[k], right}
	if c.left < 0 {
		return c, located(t.where, caucus.NotAmong("where", left, variables))
	}
	return c, nil
}

// compared carries out one comparison.
func compared(variables []string, t tree, text string, at Values) (bool, error) {
	c, err := readComparison(variables, t, text)
	if err != nil {
		return false, err
	}
	left, right := at[c.left], c.right
	if c.other >= 0 {
		right = at[c.other]
	} else if isNumber(left) && !isNumber(right) && strings.ContainsAny(c.op, "<>") {
		return false, located(t.where, caucus.Wrong("where", right, "a number, or "+strings.Join(variables, ", ")))
	}
	return compareTexts(left, right, c.op), nil
}

// known refuses a text that no point has: a variable or a value that is written wrongly.
func (p *Plan) known(t tree) error {
	for _, part := range strings.Split(t.text, " or ") {
		for _, text := range strings.Split(part, " and ") {
			c, err := readComparison(p.Variables, t, text)
			if err != nil {
				return err
			}
			if c.other >= 0 || isNumber(c.right) || strings.ContainsAny(c.op, "<>") {
				continue
			}
			allowed := slices.Clone(p.Variables)
			for _, at := range p.Points {
				if !slices.Contains(allowed, at[c.left]) {
					allowed = append(allowed, at[c.left])
				}
			}
			if !slices.Contains(allowed, c.right) {
				return located(t.where, caucus.NotAmong("where", c.right, allowed))
			}
		}
	}
	return nil
}

func isNumber(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil
}

// compareTexts compares two numbers, or texts.
func compareTexts(a, b, op string) bool {
	order := strings.Compare(a, b)
	x, err := strconv.ParseFloat(a, 64)
	if y, err2 := strconv.ParseFloat(b, 64); err == nil && err2 == nil {
		order = 0
		if x != y {
			order = map[bool]int{true: -1, false: 1}[x < y]
		}
	}
	switch op {
	case "<=":
		return order <= 0
	case ">=":
		return order >= 0
	case "<":
		return order < 0
	case ">":
		return order > 0
	case "!=":
		return order != 0
	}
	return order == 0
}
