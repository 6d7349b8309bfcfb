// Package inrounds is forget for algorithms of rounds, whose loops in the simulator are compiled for their types.
package inrounds

import (
	"reflect"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/over"
	"caucus.example/caucus/algo/kit/region"
)

// Rounds is an algorithm of rounds without its types.
type Rounds struct {
	Spec    *caucus.Spec
	Make    func(caucus.Args) (Made, error)
	Message reflect.Type
	// Region is the algorithm with a service above it that lets leaders know their regions.
	Region func(region.Region) Rounds
}

// Of forgets the types of an algorithm. RS and RM, which no caller writes, are those with the service above it: named
// here, they are compiled for the algorithm's own types once; made of S and M in the body they would be twice.
func Of[S, M any, A caucus.Rounds[S, M], RS interface{ over.State[S, report] }, RM interface{ over.Msg[M, report] }](
	spec *caucus.Spec, make func(caucus.Args) (A, error)) Rounds {
	r := of(spec, func(args caucus.Args) (caucus.Rounds[S, M], error) { return make(args) })
	r.Region = func(service region.Region) Rounds {
		return of(region.SpecOf(spec), func(args caucus.Args) (caucus.Rounds[RS, RM], error) {
			algo, err := make(args)
			return any(over.New[S, M](algo, service)).(caucus.Rounds[RS, RM]), err
		})
	}
	return r
}

type report = region.Report

func of[S, M any](spec *caucus.Spec, make func(caucus.Args) (caucus.Rounds[S, M], error)) Rounds {
	return Rounds{
		Spec: spec, Message: reflect.TypeFor[M](),
		Make: func(args caucus.Args) (Made, error) {
			algo, err := make(args)
			if err != nil {
				return Made{}, err
			}
			return madeOf(algo), nil
		},
	}
}
