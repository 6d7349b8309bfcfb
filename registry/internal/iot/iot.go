// Package iot lists the algorithms of the folder algo/iot, in the order in which they are shown. One line makes an
// algorithm available to every command.
package iot

import (
	"caucus.example/caucus/algo/iot/prasle"
	"caucus.example/caucus/algo/iot/topk"
	"caucus.example/caucus/internal/forget/inrounds"
)

// Rounds are those of the round shape.
var Rounds = []inrounds.Rounds{
	inrounds.Of(&prasle.Spec, prasle.FromArgs),
	inrounds.Of(&topk.Spec, topk.FromArgs),
}
