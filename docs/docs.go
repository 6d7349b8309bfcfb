// Package docs are the documents, for those parts of the program that say what stands there.
package docs

import _ "embed"

// Verdicts is the page with what the checker found, as `caucus check --all` wrote it.
//
//go:embed verdicts.md
var Verdicts string
