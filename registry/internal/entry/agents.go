// Package entry joins an algorithm, whose types are forgotten, with what it runs in: simulator, checker, agent. It
// stands between these and the registry so that a change in one of them does not compile all that reads the registry.
package entry

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
)

// inRounds makes agents, and more, of algorithms of the round shape.
type inRounds struct{ inrounds.Rounds }

func (r inRounds) agent(args caucus.Args, cfg agent.Config) (*agent.Agent, error) {
	if cfg.Region {
		name := r.Spec.Name
		r = inRounds{r.Region(region.Region{})}
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
	if err := demand(algo.One.Algorithm(), cfg.Known, false); err != nil {
		return nil, err
	}
	return agent.NewRoundColumns(algo.One, r.Spec, cfg)
}

// forgotten makes agents, and more, of algorithms of the event shape.
type forgotten struct{ forget.Events }

func (f forgotten) agent(args caucus.Args, cfg agent.Config) (*agent.Agent, error) {
	if cfg.Region {
		return nil, caucus.Wrong("region", "true",
			"false: only algorithms of rounds have it, "+f.Spec.Name+" is of events")
	}
	algo, err := f.demanded(args, cfg.Known, false)
	if err != nil {
		return nil, err
	}
	if cfg.Restart == 0 {
		return agent.NewEventColumns(algo, f.Spec, cfg)
	}
	return f.restartingAgent(algo, cfg)
}

// demanded makes the algorithm, unless its parameters do not fit what the nodes know.
func (f forgotten) demanded(args caucus.Args, known caucus.Known, unsafe bool) (columns.Events, error) {
	algo, err := f.Make(args)
	if err == nil {
		err = demand(algo.Algorithm(), known, unsafe)
	}
	return algo, err
}

// restartingAgent puts the restart layer around the algorithm of an agent: one tick a period.
func (f forgotten) restartingAgent(algo columns.Events, cfg agent.Config) (*agent.Agent, error) {
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

// demand refuses parameters that do not fit what the nodes know of the network, unless the run is unsafe.
func demand(algo any, known caucus.Known, unsafe bool) error {
	if d, ok := algo.(caucus.Demander); ok && !unsafe {
		return d.Demands(known)
	}
	return nil
}
