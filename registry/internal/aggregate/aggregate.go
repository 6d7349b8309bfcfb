// Package aggregate lists the algorithms of the folder algo/aggregate, in the order in which they are shown. One line
// makes an algorithm available to every command.
package aggregate

import (
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/algo/aggregate/collect"
	"caucus.example/caucus/algo/aggregate/decay"
	"caucus.example/caucus/algo/aggregate/gradient"
	"caucus.example/caucus/algo/aggregate/mo"
	"caucus.example/caucus/algo/aggregate/recursive"
	"caucus.example/caucus/algo/aggregate/sparse"
	"caucus.example/caucus/algo/aggregate/waves"
	"caucus.example/caucus/internal/forget/inrounds"
)

// Rounds are those of the round shape.
var Rounds = []inrounds.Rounds{
	inrounds.Of(&bounded.Spec, bounded.FromArgs),
	inrounds.Of(&mo.Spec, mo.FromArgs),
	inrounds.Of(&waves.Spec, waves.FromArgs),
	inrounds.Of(&recursive.Spec, recursive.FromArgs),
	inrounds.Of(&sparse.Spec, sparse.FromArgs),
	inrounds.Of(&gradient.Spec, gradient.FromArgs),
	inrounds.Of(&collect.Spec, collect.FromArgs),
	inrounds.Of(&decay.Spec, decay.FromArgs),
}
