// Package agents makes real agents of the algorithms of the registry. It stands apart so that who simulates or checks
// them needs nothing of a network: no socket, no cipher.
package agents

import (
	"fmt"
	"strconv"

	"caucus.example/caucus"
	"caucus.example/caucus/agent"
	"caucus.example/caucus/algo/kit/region"
	"caucus.example/caucus/algo/kit/restart"
	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/internal/forget"
	"caucus.example/caucus/internal/forget/inrounds"
	"caucus.example/caucus/internal/wire"
	"caucus.example/caucus/registry"
)

// New finds the algorithm that a configuration names and makes an agent of it. Errors tell where in the file their
// cause stands.
func New(cfg agent.Config) (*agent.Agent, error) {
	e, err := registry.Get(cfg.Algo)
	if err != nil {
		return nil, cfg.Locate(err)
	}
	args, err := e.Spec.Resolve(cfg.Faithful, cfg.Params)
	if err != nil {
		return nil, cfg.Locate(err)
	}
	a, err := Of(e, args, cfg)
	return a, cfg.Locate(err)
}

// Of makes an algorithm from its parameters and an agent that runs it on a real network, with the restart layer around
// it if the configuration says so.
func Of(e registry.Entry, args caucus.Args, cfg agent.Config) (*agent.Agent, error) {
	switch {
	case e.Rounds != nil:
		return inRounds(*e.Rounds, args, cfg)
	case e.Events != nil:
		return ofEvents(*e.Events, args, cfg)
	}
	return nil, fmt.Errorf("%s has the restart layer around it already: no agent runs it", e.Spec.Name)
}

func inRounds(r inrounds.Rounds, args caucus.Args, cfg agent.Config) (*agent.Agent, error) {
	if cfg.Region {
		name := r.Spec.Name
		r = r.Region(region.Region{})
		if n, err := wire.Longest(r.Message); err == nil && n > wire.MaxBody {
			return nil, caucus.Wrong("region", "true", fmt.Sprintf("false with the algorithm %s: its message and "+
				"that of a region have up to %d bytes, and %d fit into a datagram", name, n, wire.MaxBody))
		}
	}
	algo, err := r.Make(args)
	if err != nil {
		return nil, err
	}
	if cfg.Restart != 0 {
		return nil, caucus.Wrong("restart", strconv.Itoa(cfg.Restart),
			"0: only event algorithms have it, "+r.Spec.Name+" runs in rounds")
	}
	if cfg.Asleep {
		return nil, caucus.Wrong("asleep", "true",
			"false: only event algorithms have initiators, "+r.Spec.Name+" runs in rounds")
	}
	if err := caucus.Demand(algo.One.Algorithm(), cfg.Known); err != nil {
		return nil, err
	}
	return agent.NewRoundColumns(algo.One, r.Spec, cfg)
}

func ofEvents(f forget.Events, args caucus.Args, cfg agent.Config) (*agent.Agent, error) {
	if cfg.Region {
		return nil, caucus.Wrong("region", "true",
			"false: only algorithms of rounds have it, "+f.Spec.Name+" is of events")
	}
	algo, err := f.Make(args)
	if err != nil {
		return nil, err
	}
	if err := caucus.Demand(algo.Algorithm(), cfg.Known); err != nil {
		return nil, err
	}
	if cfg.Restart == 0 {
		return agent.NewEventColumns(algo, f.Spec, cfg)
	}
	return restarting(f, algo, cfg)
}

// restarting puts the restart layer around the algorithm of an agent: one tick a period.
func restarting(f forget.Events, algo columns.Events, cfg agent.Config) (*agent.Agent, error) {
	cfg, err := cfg.Resolve()
	if err != nil {
		return nil, err
	}
	again, err := f.Again(algo, restart.Config{
		Every: cfg.Period, Patience: cfg.Restart, Ports: restart.PortsFor(f.Spec.Needs.Topology),
	})
	if err != nil {
		return nil, caucus.Wrong("restart", strconv.Itoa(cfg.Restart), "0: "+err.Error())
	}
	return agent.NewEventColumns(again, restart.SpecOf(f.Spec), cfg)
}
