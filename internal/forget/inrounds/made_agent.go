//go:build agent

package inrounds

import (
	"caucus.example/caucus"
	"caucus.example/caucus/internal/columns"
)

// Made is an algorithm with its parameters, in a program that only runs agents.
type Made struct{ One columns.Rounds }

func madeOf[S, M any](algo caucus.Rounds[S, M]) Made { return Made{columns.OfRounds(algo)} }
