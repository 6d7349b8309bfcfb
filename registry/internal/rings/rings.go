// Package rings lists the algorithms of the folder algo/rings, in the order in which they are shown. One line makes an
// algorithm available to every command.
package rings

import (
	"caucus.example/caucus/algo/rings/alltheway"
	"caucus.example/caucus/algo/rings/asfar"
	"caucus.example/caucus/algo/rings/control"
	"caucus.example/caucus/algo/rings/itairodeh"
	"caucus.example/caucus/algo/rings/minmaxplus"
	"caucus.example/caucus/algo/rings/stages"
	"caucus.example/caucus/algo/rings/stagesfbk"
	"caucus.example/caucus/algo/rings/stepwise"
	"caucus.example/caucus/algo/rings/unistages"
	"caucus.example/caucus/internal/forget"
)

// Events are those of the event shape.
var Events = []forget.Events{
	forget.OfEvents(&alltheway.Spec, alltheway.FromArgs),
	forget.OfEvents(&alltheway.Bidirectional, alltheway.BidirectionalFromArgs),
	forget.OfEvents(&asfar.Spec, asfar.FromArgs),
	forget.OfEvents(&asfar.Bidirectional, asfar.BidirectionalFromArgs),
	forget.OfEvents(&asfar.Probabilistic, asfar.ProbabilisticFromArgs),
	forget.OfEvents(&control.Spec, control.FromArgs),
	forget.OfEvents(&stages.Spec, stages.FromArgs),
	forget.OfEvents(&stagesfbk.Spec, stagesfbk.FromArgs),
	forget.OfEvents(&stepwise.AlternateSpec, stepwise.AlternateFromArgs),
	forget.OfEvents(&unistages.Spec, unistages.FromArgs),
	forget.OfEvents(&stepwise.UniAlternateSpec, stepwise.UniAlternateFromArgs),
	forget.OfEvents(&stepwise.MinMaxSpec, stepwise.MinMaxFromArgs),
	forget.OfEvents(&minmaxplus.Spec, minmaxplus.FromArgs),
	forget.OfEvents(&stepwise.BiMinMaxSpec, stepwise.BiMinMaxFromArgs),
	forget.OfEvents(&itairodeh.Spec, itairodeh.FromArgs),
}
