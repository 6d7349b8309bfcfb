// Package registry lists every algorithm. One line there makes it available to
// the simulator, the agent and the command line: this is the one place that knows the types of an
// algorithm's state and messages, and forgets them.
package registry

import (
	"errors"
	"fmt"
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/forget"
	"caucus.example/caucus/internal/forget/inrounds"
	"caucus.example/caucus/registry/internal/aggregate"
	"caucus.example/caucus/registry/internal/entry"
	"caucus.example/caucus/registry/internal/iot"
)

// Entry is an algorithm whose state and message types are forgotten, ready for its drivers.
type Entry = entry.Entry

// All lists the algorithms in the order in which they are shown. Each has its line in the package of its folder below,
// where its types are compiled.
var All = slices.Concat(entries(entry.OfRounds, aggregate.Rounds, iot.Rounds), entries(entry.OfEvents, allEvents...))

func entries[T any](of func(T) Entry, lists ...[]T) (out []Entry) {
	for _, x := range slices.Concat(lists...) {
		out = append(out, of(x))
	}
	return out
}

// Rounds makes an entry of an algorithm of the round shape: what it says about itself, and how it is made from its
// parameters.
func Rounds[S, M any, A caucus.Rounds[S, M]](spec *caucus.Spec, make func(caucus.Args) (A, error)) Entry {
	return entry.OfRounds(inrounds.Of(spec, make))
}

// Events makes an entry of an algorithm of the event shape.
func Events[S, M any, A caucus.Events[S, M]](spec *caucus.Spec, make func(caucus.Args) (A, error)) Entry {
	return entry.OfEvents(forget.OfEvents(spec, make))
}

// Add puts algorithms of another module behind those that are listed here, as a program does once, before it uses the
// list. A name that is taken, or no name, is refused.
func Add(entries ...Entry) error {
	for _, e := range entries {
		if e.Spec == nil || e.Spec.Name == "" {
			return errors.New("registry: an algorithm without a name: Spec.Name is what --algo takes")
		}
		if _, err := Get(e.Spec.Name); err == nil {
			return fmt.Errorf("registry: there is an algorithm %q already", e.Spec.Name)
		}
		All = append(All, e)
	}
	return nil
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
	err := caucus.NotAmong("algo", name, names)
	err.Allowed += absent
	return Entry{}, err
}
