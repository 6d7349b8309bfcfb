//go:build !agent

package iot

import (
	"caucus.example/caucus/algo/iot/brogo"
	"caucus.example/caucus/algo/iot/bully"
	"caucus.example/caucus/algo/iot/minfind"
	"caucus.example/caucus/algo/iot/prasle"
	"caucus.example/caucus/algo/iot/wbs"
	"caucus.example/caucus/internal/forget"
)

// Events are those of the event shape.
var Events = []forget.Events{
	forget.OfEvents(&prasle.ReliableSpec, prasle.ReliableFromArgs),
	forget.OfEvents(&minfind.Spec, minfind.FromArgs),
	forget.OfEvents(&bully.Spec, bully.FromArgs),
	forget.OfEvents(&wbs.Spec, wbs.FromArgs),
	forget.OfEvents(&brogo.Spec, brogo.FromArgs),
}
