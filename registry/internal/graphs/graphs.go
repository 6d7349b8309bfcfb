// Package graphs lists the algorithms of the folder algo/graphs, in the order in which they are shown. One line makes
// an algorithm available to every command.
package graphs

import (
	"caucus.example/caucus/algo/graphs/complete"
	"caucus.example/caucus/algo/graphs/flood"
	"caucus.example/caucus/algo/graphs/hyperelect"
	"caucus.example/caucus/algo/graphs/megamerger"
	"caucus.example/caucus/algo/graphs/mesh"
	"caucus.example/caucus/algo/graphs/saturation"
	"caucus.example/caucus/algo/graphs/torus"
	"caucus.example/caucus/algo/graphs/yoyo"
	"caucus.example/caucus/internal/forget"
)

// Events are those of the event shape.
var Events = []forget.Events{
	forget.OfEvents(&saturation.MinSpec, saturation.MinFromArgs),
	forget.OfEvents(&saturation.RootSpec, saturation.RootFromArgs),
	forget.OfEvents(&mesh.Spec, mesh.FromArgs),
	forget.OfEvents(&torus.Spec, torus.FromArgs),
	forget.OfEvents(&hyperelect.Spec, hyperelect.FromArgs),
	forget.OfEvents(&complete.Spec, complete.FromArgs),
	forget.OfEvents(&flood.Spec, flood.FromArgs),
	forget.OfEvents(&flood.ChangesSpec, flood.ChangesFromArgs),
	forget.OfEvents(&yoyo.Spec, yoyo.FromArgs),
	forget.OfEvents(&yoyo.PlainSpec, yoyo.PlainFromArgs),
	forget.OfEvents(&megamerger.Spec, megamerger.FromArgs),
}
