// Package registry lists every algorithm. One line there makes it available to
// the simulator, the agent and the command line: this is the one place that knows the types of an
// algorithm's state and messages, and forgets them.
package registry

import (
	"fmt"
	"strings"

	"caucus"
	"caucus/algo/asfar"
	"caucus/algo/bounded"
	"caucus/algo/mo"
)

// All lists the algorithms in the order in which they are shown.
var All = []Entry{
	rounds(&bounded.Spec, bounded.FromArgs),
	rounds(&mo.Spec, mo.FromArgs),
	events(&asfar.Spec, asfar.FromArgs),
}

// Get finds an algorithm by name. The error lists the names there are.
func Get(name string) (Entry, error) {
	names := make([]string, len(All))
	for i, e := range All {
		if e.Spec.Name == name {
			return e, nil
		}
		names[i] = e.Spec.Name
	}
	err := error(&caucus.FieldError{Field: "algo", Found: name, Allowed: strings.Join(names, ", ")})
	if near := caucus.Nearest(name, names); near != "" {
		err = fmt.Errorf("%w; did you mean %q?", err, near)
	}
	return Entry{}, err
}
