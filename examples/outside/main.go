// Command outside is caucus with one algorithm more, which lives in this module.
package main

import (
	"caucus.example/caucus/cmd"
	"caucus.example/caucus/registry"
	"caucus.example/outside/loudest"
)

func main() { cmd.Main(registry.Rounds(&loudest.Spec, loudest.New)) }
