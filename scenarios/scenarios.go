// Package scenarios holds the scenario files that ship with Caucus, for programs that run them without
// the source tree.
package scenarios

import "embed"

// Files holds every scenario file, by its name in this folder, and what they refer to.
//
//go:embed *.yaml *.edgelist *.txt studies/*.yaml
var Files embed.FS
