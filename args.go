package caucus

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// FieldError says which field of the user's input is wrong, what was found
// there and what is allowed.
type FieldError struct {
	Field   string
	Found   string
	Allowed string
	Choices []string // the words that are allowed, if it is a matter of words
}

func (e *FieldError) Error() string {
	return fmt.Sprintf("%s: found %q, allowed: %s", Cut(e.Field), Cut(e.Found), e.Allowed)
}

// maxQuoted is how many bytes of the user's input a message quotes.
const maxQuoted = 200

// Cut gives what a message quotes of the user's input: all of it, or its beginning and a mark. A name may have
// megabytes.
func Cut(text string) string {
	if len(text) <= maxQuoted {
		return text
	}
	end := maxQuoted
	for end > maxQuoted-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}

// Wrong makes a FieldError.
func Wrong(field string, found any, allowed string) *FieldError {
	return &FieldError{Field: field, Found: fmt.Sprint(found), Allowed: allowed}
}

// NotAmong says that a field of the user's input holds none of the names that it may
// hold, and which one was probably meant.
func NotAmong(field, found string, names []string) *FieldError {
	allowed := "none"
	if len(names) > 0 {
		short := slices.Clone(names)
		for k, name := range short {
			short[k] = Cut(name)
		}
		allowed = strings.Join(short, ", ")
	}
	if near := Nearest(found, names); near != "" {
		allowed += fmt.Sprintf("; did you mean %q?", Cut(near))
	}
	return &FieldError{Field: field, Found: found, Allowed: allowed, Choices: names}
}

// Args are resolved parameters: every parameter of a Spec with a valid value.
type Args struct {
	spec   *Spec
	values map[string]string
}

// Resolve merges, in rising priority, the defaults of s, a faithful mode ("" for
// none) and the values given, and checks each. Lengths are plain numbers here:
// units are the business of whoever reads the user's input.
func (s *Spec) Resolve(faithful string, given map[string]string) (Args, error) {
	a := Args{s, make(map[string]string, len(s.Params))}
	for _, p := range s.Params {
		a.values[p.Name] = p.Default
	}
	if faithful != "" {
		mode, ok := s.Faithful[faithful]
		if !ok {
			return a, NotAmong("faithful", faithful, slices.Sorted(maps.Keys(s.Faithful)))
		}
		for name, v := range mode {
			a.values[name] = v
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		p := s.Param(name)
		if p == nil {
			return a, NotAmong("parameter of "+s.Name, name, s.paramNames())
		}
		if err := p.check(given[name]); err != nil {
			return a, err
		}
		a.values[name] = given[name]
	}
	return a, nil
}

// Param finds a parameter by name; nil if there is none.
func (s *Spec) Param(name string) *Param {
	for i := range s.Params {
		if s.Params[i].Name == name {
			return &s.Params[i]
		}
	}
	return nil
}

func (s *Spec) paramNames() []string {
	names := make([]string, len(s.Params))
	for i, p := range s.Params {
		names[i] = p.Name
	}
	return names
}

func (p *Param) check(v string) error {
	wrong := &FieldError{Field: p.Name, Found: v, Allowed: p.Allowed()}
	switch p.Kind {
	case KindChoice:
		for _, c := range p.Choices {
			if v == c {
				return nil
			}
		}
		return NotAmong(p.Name, v, p.Choices)
	case KindSwitch:
		if v != "on" && v != "off" {
			return wrong
		}
		return nil
	}
	x, err := strconv.ParseFloat(v, 64)
	switch {
	case err != nil || math.IsNaN(x),
		math.IsInf(x, 0) && p.Kind != KindLength,
		x < p.Min, x == p.Min && p.Open,
		p.Max != 0 && x > p.Max,
		p.Kind == KindInt && x != math.Trunc(x):
		return wrong
	}
	return nil
}

// Allowed describes the values of a parameter.
func (p *Param) Allowed() string {
	switch p.Kind {
	case KindChoice:
		return strings.Join(p.Choices, ", ")
	case KindSwitch:
		return "on, off"
	}
	text := map[Kind]string{KindLength: "a length", KindNumber: "a number", KindInt: "an integer"}[p.Kind]
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	if p.Kind == KindInt { // 100000, not 1e+05: what one could type
		number = func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
	}
	if p.Open {
		text += " > " + number(p.Min)
	} else {
		text += " >= " + number(p.Min)
	}
	if p.Max != 0 {
		text += " and <= " + number(p.Max)
	}
	if p.Kind == KindLength {
		text += ", or inf"
	}
	return text
}

// Number reads a checked length, number or int.
func (a Args) Number(name string) float64 {
	x, _ := strconv.ParseFloat(a.values[name], 64) // checked by Resolve
	return x
}

// Int reads a checked integer.
func (a Args) Int(name string) int { return int(a.Number(name)) }

// Text reads a choice.
func (a Args) Text(name string) string { return a.values[name] }

// On reads a switch.
func (a Args) On(name string) bool { return a.values[name] == "on" }

// Pairs lists "name=value" in the order of the Spec, for the echo of a run.
func (a Args) Pairs() []string {
	pairs := make([]string, len(a.spec.Params))
	for i, p := range a.spec.Params {
		pairs[i] = p.Name + "=" + a.values[p.Name]
	}
	return pairs
}

// ParseNumber reads what a person would call a number: no hexadecimal, no underscore, no infinity.
func ParseNumber(text string) (float64, bool) {
	if text == "" || strings.Trim(text, "0123456789.eE+-") != "" {
		return 0, false
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil
}
