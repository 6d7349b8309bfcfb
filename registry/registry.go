// Package registry lists every algorithm. One line there makes it available to
// the simulator, the agent and the command line: this is the one place that knows the types of an
// algorithm's state and messages, and forgets them.
package registry

import (
	"caucus"
	"caucus/algo/alltheway"
	"caucus/algo/alternate"
	"caucus/algo/asfar"
	"caucus/algo/biminmax"
	"caucus/algo/bounded"
	"caucus/algo/brogo"
	"caucus/algo/bully"
	"caucus/algo/collect"
	"caucus/algo/complete"
	"caucus/algo/control"
	"caucus/algo/decay"
	"caucus/algo/flood"
	"caucus/algo/gradient"
	"caucus/algo/hyperelect"
	"caucus/algo/itairodeh"
	"caucus/algo/megamerger"
	"caucus/algo/mesh"
	"caucus/algo/minfind"
	"caucus/algo/minmax"
	"caucus/algo/minmaxplus"
	"caucus/algo/mo"
	"caucus/algo/prasle"
	"caucus/algo/recursive"
	"caucus/algo/saturation"
	"caucus/algo/sparse"
	"caucus/algo/stages"
	"caucus/algo/stagesfbk"
	"caucus/algo/topk"
	"caucus/algo/torus"
	"caucus/algo/unialternate"
	"caucus/algo/unistages"
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
