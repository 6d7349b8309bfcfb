package format

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"caucus.example/caucus"
	"caucus.example/caucus/network"
)

// sieve is what edges must be like to stay: Where, Without and MinGain of the options.
type sieve struct {
	on          bool
	attribute   string // of where …
	value       string // … and what it must be
	without     string
	least       float64 // gain
	matches     []bool  // by edge: has the value
	dropped     []bool  // by edge: is of the class, or has less gain
	gains       int     // edges with a gain
	classes     map[string]bool
	left, faint int // how many were dropped: by class, by gain
}

// classNames are the edge attributes that say what kind of link it is.
var classNames = []string{"type", "class", "kind", "relation", "linktype", "link_type", "role"}

// newSieve reads the options.
func newSieve(o Options) (s sieve, err error) {
	s.on = o.Where != "" || o.Without != "" || o.MinGain != ""
	s.without, s.least = strings.ToLower(o.Without), math.Inf(-1)
	ok := true
	if o.Where != "" {
		s.attribute, s.value, ok = strings.Cut(o.Where, "=")
	}
	if !ok || o.Where != "" && s.attribute == "" {
		return s, caucus.Wrong("where", o.Where, "ATTRIBUTE=VALUE of the edges that stay, such as type=radio")
	}
	if o.MinGain != "" {
		if s.least, err = parseNumber(o.MinGain); err != nil {
			return s, caucus.Wrong("min-gain", o.MinGain, "a number, in the unit of the file, such as -95")
		}
	}
	s.classes = map[string]bool{}
	return s, nil
}

// mark sets an entry of a list that is as long as it must be.
func mark(list []bool, e int) []bool {
	for len(list) <= e {
		list = append(list, false)
	}
	list[e] = true
	return list
}

// sift looks at an attribute of an edge.
func (d *draft) sift(e int, name, value string) {
	s := &d.sieve
	if !s.on {
		return
	}
	value = strings.TrimSpace(value)
	if strings.EqualFold(name, s.attribute) && value == s.value {
		s.matches = mark(s.matches, e)
	}
	lower := strings.ToLower(name)
	switch {
	case slices.Contains(classNames, lower):
		d.classify(e, value)
	case lower == "vpn" && strings.EqualFold(value, "true"):
		d.classify(e, "vpn")
	case lower == "gain":
		if w, err := parseNumber(value); err == nil {
			s.gains++
			if w < s.least {
				s.dropped = mark(s.dropped, e)
				s.faint++
			}
		}
	}
}

// classify says of which class an edge is.
func (d *draft) classify(e int, class string) {
	s := &d.sieve
	if s.on && class != "" && len(s.classes) < 100 {
		s.classes[class] = true
	}
	if s.on && s.without != "" && strings.EqualFold(class, s.without) {
		s.dropped = mark(s.dropped, e)
		s.left++
	}
}

// shake drops what does not stay. A class or attribute that no edge has is an error: it is misspelt.
func (d *draft) shake() error {
	s := &d.sieve
	if !s.on {
		return nil
	}
	if s.attribute != "" && !slices.ContainsFunc(sortedKeys(d.edgeAttrs), func(n string) bool {
		return strings.EqualFold(n, s.attribute)
	}) {
		return d.noAttribute("where", s.attribute, sortedKeys(d.edgeAttrs), "edge")
	}
	if s.without != "" && s.left == 0 {
		err := caucus.NotAmong("without", d.o.Without, sortedKeys(s.classes))
		if len(s.classes) == 0 {
			err.Allowed = "none: no edge of this file says of what class it is"
		}
		return fmt.Errorf("%s: %w", d.file, err)
	}
	if d.o.MinGain != "" && s.gains == 0 {
		return fmt.Errorf("%s: %w", d.file, caucus.Wrong("min-gain", d.o.MinGain,
			"none: no edge of this file has a gain"))
	}
	before := len(d.edges)
	kept := make([]network.Edge, 0, len(d.edges))
	for e, edge := range d.edges {
		if e < len(s.dropped) && s.dropped[e] || s.attribute != "" && !(e < len(s.matches) && s.matches[e]) {
			continue
		}
		kept = append(kept, edge)
	}
	d.edges = kept
	d.notef("%d of %d edge records left out by choice", before-len(kept), before)
	return nil
}
