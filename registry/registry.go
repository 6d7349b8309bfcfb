// Package registry lists every algorithm. One line there makes it available to
// the simulator, the agent and the command line: this is the one place that knows the types of an
// algorithm's state and messages, and forgets them.
package registry

import (
	"caucus"
	"caucus/algo/asfar"
	"caucus/algo/bounded"
	"caucus/algo/brogo"
	"caucus/algo/bully"
	"caucus/algo/collect"
	"caucus/algo/complete"
	"caucus/algo/decay"
	"caucus/algo/flood"
	"caucus/algo/gradient"
	"caucus/algo/hyperelect"
	"caucus/algo/megamerger"
	"caucus/algo/mesh"
	"caucus/algo/minfind"
	"caucus/algo/mo"
	"caucus/algo/prasle"
	"caucus/algo/recursive"
	"caucus/algo/saturation"
	"caucus/algo/sparse"
	"caucus/algo/topk"
	"caucus/algo/torus"
	"caucus/algo/waves"
	"caucus/algo/wbs"
	"caucus/algo/yoyo"
)

// All lists the algorithms in the order in which they are shown.
var All = []Entry{
	rounds(&bounded.Spec, bounded.FromArgs),
	rounds(&mo.Spec, mo.FromArgs),
	rounds(&waves.Spec, waves.FromArgs),
	rounds(&recursive.Spec, recursive.FromArgs),
	rounds(&sparse.Spec, sparse.FromArgs),
	rounds(&gradient.Spec, gradient.FromArgs),
	rounds(&collect.Spec, collect.FromArgs),
	rounds(&decay.Spec, decay.FromArgs),
	rounds(&prasle.Spec, prasle.FromArgs),
	rounds(&topk.Spec, topk.FromArgs),
	events(&prasle.ReliableSpec, prasle.ReliableFromArgs),
	events(&minfind.Spec, minfind.FromArgs),
	events(&bully.Spec, bully.FromArgs),
	events(&wbs.Spec, wbs.FromArgs),
	events(&brogo.Spec, brogo.FromArgs),
	events(&asfar.Spec, asfar.FromArgs),
	events(&saturation.MinSpec, saturation.MinFromArgs),
	events(&saturation.RootSpec, saturation.RootFromArgs),
	events(&mesh.Spec, mesh.FromArgs),
	events(&torus.Spec, torus.FromArgs),
	events(&hyperelect.Spec, hyperelect.FromArgs),
	events(&complete.Spec, complete.FromArgs),
	events(&flood.Spec, flood.FromArgs),
	events(&flood.ChangesSpec, flood.ChangesFromArgs),
	events(&yoyo.Spec, yoyo.FromArgs),
	events(&yoyo.PlainSpec, yoyo.PlainFromArgs),
	events(&megamerger.Spec, megamerger.FromArgs),
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
