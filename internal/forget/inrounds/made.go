//go:build !agent

package inrounds

import (
	"caucus.example/caucus"
	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/sim"
)

// Made is an algorithm with its parameters, for the simulator of many nodes and for those who keep one.
type Made struct {
	Many sim.RoundAlgorithm
	One  columns.Rounds
}

func madeOf[S, M any](algo caucus.Rounds[S, M]) Made {
	return Made{sim.OfRounds(algo), columns.OfRounds(algo)}
}
