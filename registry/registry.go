// Package registry lists every algorithm. One line there makes it available to
// the simulator, the agent and the command line: this is the one place that knows the types of an
// algorithm's state and messages, and forgets them.
package registry

import (
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
	events(&alltheway.Spec, alltheway.FromArgs),
	events(&alltheway.Bidirectional, alltheway.BidirectionalFromArgs),
	events(&asfar.Spec, asfar.FromArgs),
	events(&asfar.Bidirectional, asfar.BidirectionalFromArgs),
	events(&asfar.Probabilistic, asfar.ProbabilisticFromArgs),
	events(&control.Spec, control.FromArgs),
	events(&stages.Spec, stages.FromArgs),
	events(&stagesfbk.Spec, stagesfbk.FromArgs),
	events(&alternate.Spec, alternate.FromArgs),
	events(&unistages.Spec, unistages.FromArgs),
	events(&unialternate.Spec, unialternate.FromArgs),
	events(&minmax.Spec, minmax.FromArgs),
	events(&minmaxplus.Spec, minmaxplus.FromArgs),
	events(&biminmax.Spec, biminmax.FromArgs),
	events(&itairodeh.Spec, itairodeh.FromArgs),
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
