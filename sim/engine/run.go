// Package engine runs algorithms of both shapes on simulated networks, deterministically.
package engine

import (
	"context"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/sim"
)

// Run runs an algorithm of the round shape until it is stable (see
// Config.StableFor) or at its limit. When ctx ends first the result is what there is
// so far, and the error ctx's.
func Run[S, M any](ctx context.Context, algo caucus.Rounds[S, M], spec *caucus.Spec, cfg sim.Config) (*sim.Result,
	error) {
	return RunRoundColumns(ctx, columns.OfNodes(algo), spec, cfg)
}

// RunRoundColumns is Run of an algorithm whose types are forgotten.
func RunRoundColumns(ctx context.Context, algo columns.Nodes, spec *caucus.Spec, cfg sim.Config) (*sim.Result, error) {
	e, err := NewRoundRun(algo, spec, cfg)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	e.halt = func() bool { return ctx.Err() != nil }
	e.Observe()
	for on := e.tell(); on && e.periods < e.cfg.MaxRounds && !e.stable() && ctx.Err() == nil; on = e.tell() {
		e.Step()
		if cfg.Progress != nil {
			cfg.Progress(e.periods)
		}
	}
	if cfg.AtEnd != nil {
		cfg.AtEnd(e.Holds)
	}
	converged := e.stable()
	e.clearOut()
	r := e.Result()
	r.Converged = converged
	return r, ctx.Err()
}

// clearOut lets go of what is not needed to tell how a run has ended, before the outcomes take as much again.
func (e *RoundRun) clearOut() {
	e.catchUp()
	e.tape.Quiet()
	e.boxes, e.probe.seen = nil, sights{}
	if e.air == nil {
		e.rows, e.length = e.rows.Degrees(), nil
	}
	giveBack(e.n)
}

// stable tells whether nothing has changed for long enough and nothing is scheduled.
func (e *RoundRun) stable() bool {
	f := &e.faults
	if e.cfg.StableFor == 0 || f.next < len(f.actions) {
		return false
	}
	since := e.probe.settled
	if len(f.actions) > 0 {
		since = max(since, int(f.actions[len(f.actions)-1].at))
	}
	return e.periods-since >= e.cfg.StableFor
}
