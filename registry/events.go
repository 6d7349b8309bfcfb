//go:build !agent

package registry

import (
	"caucus.example/caucus/internal/forget"
	"caucus.example/caucus/registry/internal/graphs"
	"caucus.example/caucus/registry/internal/iot"
	"caucus.example/caucus/registry/internal/rings"
)

var allEvents = [][]forget.Events{iot.Events, rings.Events, graphs.Events}

// absent says what is not in this build.
const absent = ""
