//go:build !agent

package inrounds

import (
	"caucus.example/caucus"
	"caucus.example/caucus/internal/columns"
)

// Made is an algorithm with its parameters, for the simulator of many nodes and for those who keep one.
type Made struct {
	Many columns.Nodes
	One  columns.Rounds
}

func madeOf[S, M any](algo caucus.Rounds[S, M]) Made {
	return Made{columns.OfNodes(algo), columns.OfRounds(algo)}
}
