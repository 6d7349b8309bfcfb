//go:build !agent

package registry

import (
	"slices"

	"caucus.example/caucus/registry/internal/graphs"
	"caucus.example/caucus/registry/internal/iot"
	"caucus.example/caucus/registry/internal/rings"
)

func ofAllEvents() []Entry {
	return slices.Concat(entries(ofEvents, iot.Events), entries(ofEvents, rings.Events),
		entries(ofEvents, graphs.Events))
}

// absent says what is not in this build.
const absent = ""
