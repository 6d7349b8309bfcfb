package scenario

import (
	"fmt"
	"math"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/results"
)

// Claim is what somebody says of a measure: a published number, or a hypothesis of the study.
type Claim struct {
	Measure   string
	Algorithm string  // its label; "": of each
	After     float64 // the round of the event after which it is measured; none: once a run
	Value     *Formula
	Kind      results.Claim
	Of        int    // runs, of a mean
	Source    string // "": a hypothesis, which has to hold
	Place     string // in the file
	Where     Conditions
}

var claimFields = []string{"measure", "algorithm", "after", "where", "value", "as", "source"}

func (p *Plan) readClaims(f field) (err error) {
	p.Claims, err = claimsOf(f)
	return err
}

// ClaimsOf finds the published numbers and hypotheses in the text of a plan, and nothing else.
func ClaimsOf(text string) (list []Claim, err error) {
	err = fieldOf(text, "published", func(f field) error {
		list, err = claimsOf(f)
		return err
	})
	return list, err
}

// fieldOf reads one field of the text of a plan.
func fieldOf(text, name string, read func(field) error) error {
	t, err := parseTree("plan", []byte(text))
	if err != nil {
		return err
	}
	for _, f := range t.fields {
		if f.name == name {
			return read(f)
		}
	}
	return nil
}

func claimsOf(f field) (list []Claim, err error) {
	if f.value.kind != "list" {
		return nil, located(f.where, caucus.Wrong(f.name, f.value.show(),
			"a list of {measure, value, as, source, algorithm, where, after}"))
	}
	for _, item := range f.value.list {
		c := Claim{Place: item.where, After: results.None, Kind: results.Exact}
		for _, x := range item.fields {
			if err := c.read(x); err != nil {
				return nil, located(x.where, err)
			}
		}
		if c.Measure == "" || c.Value == nil {
			return nil, located(item.where, caucus.Wrong(f.name, item.show(), "with a measure and a value"))
		}
		list = append(list, c)
	}
	return list, nil
}

func (c *Claim) read(x field) error {
	if x.name == "where" {
		return c.Where.read(x)
	}
	text := x.value.text
	if x.value.kind != "text" || text == "" {
		return caucus.Wrong(x.name, x.value.show(), "a text or a number")
	}
	switch x.name {
	case "measure":
		c.Measure = text
	case "algorithm":
		c.Algorithm = text
	case "source":
		c.Source = text
	case "value":
		var err error
		c.Value, err = parseFormula(x.name, text)
		return err
	case "after":
		var isNumber bool
		if c.After, isNumber = caucus.ParseNumber(text); !isNumber || math.IsInf(c.After, 0) || c.After < 0 {
			return caucus.Wrong(x.name, text, "the round of an event, 0 for the start")
		}
	case "as":
		c.Kind = results.Claim(text)
		if _, err := fmt.Sscanf(text, "mean of %d", &c.Of); err == nil && c.Of > 0 {
			c.Kind = results.Sampled
		}
		switch c.Kind {
		case results.Exact, results.Sampled, results.Limit, results.About, results.Always:
			return nil
		}
		return caucus.Wrong(x.name, text, "value: the expectation is that; mean of 10: that of so many runs; "+
			"every run: each has that; bound: none has more; approximation")
	default:
		return caucus.UnknownField(x.name, claimFields)
	}
	return nil
}

// WrongName is the error about a name in a claim that nothing has.
func (c *Claim) WrongName(field, found string, allowed []string) error {
	return located(c.Place, caucus.NotAmong(field, found, allowed))
}
