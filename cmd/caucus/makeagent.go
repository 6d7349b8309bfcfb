package main

import (
	"caucus"
	"caucus/agent"
	"caucus/algo/bounded"
	"caucus/registry"
)

// newAgent is the seam to the registry until its entries can make agents.
func newAgent(cfg agent.Config) (*agent.Agent, error) {
	e, err := registry.Get(cfg.Algo)
	if err != nil {
		return nil, err
	}
	args, err := e.Spec.Resolve(cfg.Faithful, cfg.Params)
	if err != nil {
		return nil, err
	}
	if e.Spec != &bounded.Spec {
		return nil, &caucus.FieldError{Field: "algo", Found: cfg.Algo, Allowed: "bounded"}
	}
	algo, err := bounded.FromArgs(args)
	if err != nil {
		return nil, err
	}
	return agent.New(algo, e.Spec, cfg)
}
