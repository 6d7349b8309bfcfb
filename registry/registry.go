// Package registry lists every algorithm. One line there makes it available to
// the simulator, the agent and the command line: this is the one place that knows the types of an
// algorithm's state and messages, and forgets them.
package registry

import (
	"errors"
	"fmt"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/algo/aggregate/collect"
	"caucus.example/caucus/algo/aggregate/decay"
	"caucus.example/caucus/algo/aggregate/gradient"
	"caucus.example/caucus/algo/aggregate/mo"
	"caucus.example/caucus/algo/aggregate/recursive"
	"caucus.example/caucus/algo/aggregate/sparse"
	"caucus.example/caucus/algo/aggregate/waves"
	"caucus.example/caucus/algo/graphs/complete"
	"caucus.example/caucus/algo/graphs/flood"
	"caucus.example/caucus/algo/graphs/hyperelect"
	"caucus.example/caucus/algo/graphs/megamerger"
	"caucus.example/caucus/algo/graphs/mesh"
	"caucus.example/caucus/algo/graphs/saturation"
	"caucus.example/caucus/algo/graphs/torus"
	"caucus.example/caucus/algo/graphs/yoyo"
	"caucus.example/caucus/algo/iot/brogo"
	"caucus.example/caucus/algo/iot/bully"
	"caucus.example/caucus/algo/iot/minfind"
	"caucus.example/caucus/algo/iot/prasle"
	"caucus.example/caucus/algo/iot/topk"
	"caucus.example/caucus/algo/iot/wbs"
	"caucus.example/caucus/algo/rings/alltheway"
	"caucus.example/caucus/algo/rings/alternate"
	"caucus.example/caucus/algo/rings/asfar"
	"caucus.example/caucus/algo/rings/biminmax"
	"caucus.example/caucus/algo/rings/control"
	"caucus.example/caucus/algo/rings/itairodeh"
	"caucus.example/caucus/algo/rings/minmax"
	"caucus.example/caucus/algo/rings/minmaxplus"
	"caucus.example/caucus/algo/rings/stages"
	"caucus.example/caucus/algo/rings/stagesfbk"
	"caucus.example/caucus/algo/rings/unialternate"
	"caucus.example/caucus/algo/rings/unistages"
)

// All lists the algorithms in the order in which they are shown.
var All = []Entry{
	Rounds(&bounded.Spec, bounded.FromArgs),
	Rounds(&mo.Spec, mo.FromArgs),
	Rounds(&waves.Spec, waves.FromArgs),
	Rounds(&recursive.Spec, recursive.FromArgs),
	Rounds(&sparse.Spec, sparse.FromArgs),
	Rounds(&gradient.Spec, gradient.FromArgs),
	Rounds(&collect.Spec, collect.FromArgs),
	Rounds(&decay.Spec, decay.FromArgs),
	Rounds(&prasle.Spec, prasle.FromArgs),
	Rounds(&topk.Spec, topk.FromArgs),
	Events(&prasle.ReliableSpec, prasle.ReliableFromArgs),
	Events(&minfind.Spec, minfind.FromArgs),
	Events(&bully.Spec, bully.FromArgs),
	Events(&wbs.Spec, wbs.FromArgs),
	Events(&brogo.Spec, brogo.FromArgs),
	Events(&alltheway.Spec, alltheway.FromArgs),
	Events(&alltheway.Bidirectional, alltheway.BidirectionalFromArgs),
	Events(&asfar.Spec, asfar.FromArgs),
	Events(&asfar.Bidirectional, asfar.BidirectionalFromArgs),
	Events(&asfar.Probabilistic, asfar.ProbabilisticFromArgs),
	Events(&control.Spec, control.FromArgs),
	Events(&stages.Spec, stages.FromArgs),
	Events(&stagesfbk.Spec, stagesfbk.FromArgs),
	Events(&alternate.Spec, alternate.FromArgs),
	Events(&unistages.Spec, unistages.FromArgs),
	Events(&unialternate.Spec, unialternate.FromArgs),
	Events(&minmax.Spec, minmax.FromArgs),
	Events(&minmaxplus.Spec, minmaxplus.FromArgs),
	Events(&biminmax.Spec, biminmax.FromArgs),
	Events(&itairodeh.Spec, itairodeh.FromArgs),
	Events(&saturation.MinSpec, saturation.MinFromArgs),
	Events(&saturation.RootSpec, saturation.RootFromArgs),
	Events(&mesh.Spec, mesh.FromArgs),
	Events(&torus.Spec, torus.FromArgs),
	Events(&hyperelect.Spec, hyperelect.FromArgs),
	Events(&complete.Spec, complete.FromArgs),
	Events(&flood.Spec, flood.FromArgs),
	Events(&flood.ChangesSpec, flood.ChangesFromArgs),
	Events(&yoyo.Spec, yoyo.FromArgs),
	Events(&yoyo.PlainSpec, yoyo.PlainFromArgs),
	Events(&megamerger.Spec, megamerger.FromArgs),
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
	return Entry{}, caucus.NotAmong("algo", name, names)
}
