// Package iot lists the algorithms of the folder algo/iot, in the order in which they are shown. One line makes an
// algorithm available to every command.
package iot

import (
	"caucus.example/caucus/algo/iot/brogo"
	"caucus.example/caucus/algo/iot/bully"
	"caucus.example/caucus/algo/iot/minfind"
	"caucus.example/caucus/algo/iot/prasle"
	"caucus.example/caucus/algo/iot/topk"
	"caucus.example/caucus/algo/iot/wbs"
	"caucus.example/caucus/internal/forget"
	"caucus.example/caucus/internal/forget/inrounds"
)

// Rounds are those of the round shape.
var Rounds = []inrounds.Rounds{
	inrounds.Of(&prasle.Spec, prasle.FromArgs),
	inrounds.Of(&topk.Spec, topk.FromArgs),
}

// Events are those of the event shape.
var Events = []forget.Events{
	forget.OfEvents(&prasle.ReliableSpec, prasle.ReliableFromArgs),
	forget.OfEvents(&minfind.Spec, minfind.FromArgs),
	forget.OfEvents(&bully.Spec, bully.FromArgs),
	forget.OfEvents(&wbs.Spec, wbs.FromArgs),
	forget.OfEvents(&brogo.Spec, brogo.FromArgs),
}
