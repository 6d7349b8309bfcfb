package caucus

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// A configuration of an algorithm is a struct whose fields name their parameters in a tag; kind, default and limits
// stand in the Spec alone:
//
//	type Config struct {
//		Radius  float64 `param:"radius"`
//		Less    bool    `param:"radius-cmp=lt"` // a choice of two: whether it is this one
//		Clamp   bool    `param:"clamp"`         // a switch
//	}
//
// Fields may be numbers, strings and bools. A tag that names no parameter, and a parameter that no field names, is a
// mistake of the program and panics: whoever makes the algorithm once has seen that there is none.

// Configure turns the maker of an algorithm from a configuration into one from resolved parameters.
func Configure[C, A any](make func(C) (A, error)) func(Args) (A, error) {
	return func(a Args) (A, error) {
		var c C
		a.fill(&c)
		return make(c)
	}
}

// Fill is Configure for an algorithm that is its own configuration and may have any valid one: its parameters, if it
// has any, come on top of base.
func Fill[A any](base A) func(Args) (A, error) {
	return func(a Args) (A, error) {
		c := base
		a.fill(&c)
		return c, nil
	}
}

// Check judges a configuration by the table of parameters, for those who make the algorithm without [Spec.Resolve].
func (s *Spec) Check(config any) error {
	return s.fields(reflect.ValueOf(config), func(p *Param, v reflect.Value, _ string) error {
		if v.Kind() == reflect.Bool { // right whatever it is
			return nil
		}
		return p.check(fmt.Sprint(v.Interface()))
	})
}

func (a Args) fill(config any) {
	if a.spec == nil { // no parameters at all
		return
	}
	named := map[string]bool{}
	_ = a.spec.fields(reflect.ValueOf(config).Elem(), func(p *Param, v reflect.Value, choice string) error {
		named[p.Name] = true
		set(v, a.values[p.Name], choice)
		return nil
	})
	for _, p := range a.spec.Params {
		if !named[p.Name] {
			panic(fmt.Sprintf("caucus: no field of %T is the parameter %s of %s", config, p.Name, a.spec.Name))
		}
	}
}

// fields calls do for the fields of a configuration that name parameters, until it gives an error.
func (s *Spec) fields(config reflect.Value, do func(p *Param, v reflect.Value, choice string) error) error {
	if config.Kind() != reflect.Struct { // an algorithm that is a list of rules, say
		return nil
	}
	for _, f := range reflect.VisibleFields(config.Type()) {
		tag, ok := f.Tag.Lookup("param")
		if !ok {
			continue
		}
		name, choice, _ := strings.Cut(tag, "=")
		p := s.Param(name)
		if p == nil {
			panic(fmt.Sprintf("caucus: %s of %s names %q, which is no parameter of %s", f.Name, config.Type(), name,
				s.Name))
		}
		if err := do(p, config.FieldByIndex(f.Index), choice); err != nil {
			return err
		}
	}
	return nil
}

// set gives a field the value of a checked parameter.
func set(v reflect.Value, text, choice string) {
	x, _ := strconv.ParseFloat(text, 64) // of what is no number nobody asks
	switch {
	case v.Kind() == reflect.Bool && choice != "":
		v.SetBool(text == choice)
	case v.Kind() == reflect.Bool:
		v.SetBool(text == "on")
	case v.Kind() == reflect.String:
		v.SetString(text)
	case v.CanInt():
		v.SetInt(int64(x))
	case v.CanUint():
		v.SetUint(uint64(x))
	default:
		v.SetFloat(x)
	}
}
