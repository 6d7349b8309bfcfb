// Package inrounds is forget for algorithms of rounds, whose loops in the simulator are compiled for their types.
package inrounds

import (
	"reflect"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/sim"
)

// Rounds is an algorithm of rounds without its types.
type Rounds struct {
	Spec    *caucus.Spec
	Make    func(caucus.Args) (Made, error)
	Message reflect.Type
}

// Made is an algorithm with its parameters, for the simulator of many nodes and for those who keep one.
type Made struct {
	Many sim.RoundAlgorithm
	One  columns.Rounds
}

// Of forgets the types of an algorithm.
func Of[S, M any, A caucus.Rounds[S, M]](spec *caucus.Spec, make func(caucus.Args) (A, error)) Rounds {
	return Rounds{
		Spec: spec, Message: reflect.TypeFor[M](),
		Make: func(args caucus.Args) (Made, error) {
			algo, err := make(args)
			if err != nil {
				return Made{}, err
			}
			return Made{sim.OfRounds[S, M](algo), columns.OfRounds[S, M](algo)}, nil
		},
	}
}
