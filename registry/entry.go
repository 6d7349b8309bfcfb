package registry

import (
	"context"

	"caucus"
	"caucus/agent"
	"caucus/check"
	"caucus/sim"
	"caucus/wire"
)

// Entry is an algorithm whose state and message types are forgotten.
type Entry struct {
	Spec *caucus.Spec

	// Simulate makes the algorithm from its parameters and runs it. When ctx ends first,
	// the result so far comes with ctx's error.
	Simulate func(context.Context, caucus.Args, sim.Config) (*sim.Result, error)

	// Agent makes the algorithm from its parameters and an agent that runs it on a real
	// network; nil for algorithms that cannot be deployed.
	Agent func(caucus.Args, agent.Config) (*agent.Agent, error)

	// Check makes the algorithm from its parameters and explores all its executions.
	Check func(context.Context, caucus.Args, check.Config) (*check.Report, error)

	// SizeOf gives the encoded size in bytes of a message, passed as a pointer to it: what
	// sim.Config wants.
	SizeOf func(message any) int
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
		Agent: func(args caucus.Args, cfg agent.Config) (*agent.Agent, error) {
			algo, err := make(args)
			if err != nil {
				return nil, err
			}
			return agent.New[S, M](algo, spec, cfg)
		},
		Check: func(ctx context.Context, args caucus.Args, cfg check.Config) (*check.Report, error) {
			algo, err := make(args)
			if err != nil {
				return nil, err
			}
			return check.Rounds[S, M](ctx, algo, cfg)
		},
		SizeOf: sizeOf[M](),
	}
}

func events[S, M any, A caucus.Events[S, M]](spec *caucus.Spec, make func(caucus.Args) (A, error)) Entry {
	return Entry{
		Spec: spec,
		Simulate: func(ctx context.Context, args caucus.Args, cfg sim.Config) (*sim.Result, error) {
			algo, err := make(args)
			if err != nil {
				return nil, err
			}
			return sim.RunEvents[S, M](ctx, algo, spec, cfg)
		},
		Check: func(ctx context.Context, args caucus.Args, cfg check.Config) (*check.Report, error) {
			algo, err := make(args)
			if err != nil {
				return nil, err
			}
			return check.Events[S, M](ctx, algo, spec, cfg)
		},
		SizeOf: sizeOf[M](),
	}
}

func sizeOf[M any]() func(any) int {
	codec, err := wire.NewCodec[M]()
	if err != nil {
		return nil // the message type can be simulated but not sent
	}
	return func(message any) int {
		m, ok := message.(*M)
		if !ok {
			return 0
		}
		b, _ := codec.Encode(m) // too long for a datagram is still a size
		return len(b)
	}
}
