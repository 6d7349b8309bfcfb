package registry

import (
	"context"

	"caucus"
	"caucus/sim"
)

// Entry is an algorithm whose state and message types are forgotten.
type Entry struct {
	Spec *caucus.Spec

	// Simulate makes the algorithm from its parameters and runs it. When ctx ends first,
	// the result so far comes with ctx's error.
	Simulate func(context.Context, caucus.Args, sim.Config) (*sim.Result, error)
}

func rounds[S, M any, A caucus.Rounds[S, M]](spec *caucus.Spec, make func(caucus.Args) (A, error)) Entry {
	return Entry{
		Spec: spec,
		Simulate: func(ctx context.Context, args caucus.Args, cfg sim.Config) (*sim.Result, error) {
			algo, err := make(args)
			if err != nil {
				return nil, err
			}
			return sim.Run[S, M](ctx, algo, spec, cfg)
		},
	}
}
