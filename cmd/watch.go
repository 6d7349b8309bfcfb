package cmd

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/picture"
	"caucus.example/caucus/internal/results"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/story"
)

// observers are those who watch a run of the events engine, one event after the other.
type observers struct {
	run     *scenario.Run
	watch   []func(*story.Step) bool
	diagram *picture.SpaceTime
	twins   *symmetry
	stepper *stepper
	*repetition
}

func (o *observers) names() story.Names {
	names := story.Names{
		Node: func(i int) string { return o.run.Names.Name(caucus.ID(i + 1)) },
		ID:   func(id caucus.ID) string { return o.run.Names.Name(o.run.Place(id)) },
		Kind: func(k int) string { return kindName(o.run.Entry.Spec, k) },
	}
	if o.run.Config.Moving == nil {
		names.Port = (&report{Run: o.run}).parent
	}
	return names
}

// observe prepares all that watches the run, but for the trace.
func observe(ctx context.Context, r *scenario.Run, f runFlags, in io.Reader, out, logs io.Writer) (*observers, error) {
	o := &observers{run: r}
	if r.Entry.Spec.Shape != caucus.ShapeEvents {
		if f.step {
			return nil, &caucus.FieldError{Field: "step", Found: "true",
				Allowed: "false: only event algorithms can be stepped through, " + r.Entry.Spec.Name +
					" runs in rounds"}
		}
		if r.Recorded == "" {
			return o, nil
		}
		var err error
		if o.repetition, err = repeating(r.Recorded, o.names()); err == nil {
			o.watch = append(o.watch, o.repetition.add)
		}
		return o, err
	}
	if f.step {
		if f.json {
			return nil, &caucus.FieldError{Field: "step", Found: "true",
				Allowed: "false with --json: both write to the standard output"}
		}
		o.stepper = &stepper{ctx: ctx, in: linesOf(ctx, in), out: out, prompt: promptFor(in, logs), names: o.names()}
		o.watch = append(o.watch, o.stepper.show)
	}
	if r.Get("diagram") != "" {
		o.diagram = picture.NewSpaceTime(r.Config.Graph.Len())
		o.diagram.Ring = picture.IsRing(r.Config.Graph)
		o.watch = append(o.watch, func(h *story.Step) bool { o.diagram.Add(h); return true })
	}
	if o.twins = newSymmetry(r); o.twins != nil {
		o.watch = append(o.watch, func(h *story.Step) bool { o.twins.add(h); return true })
	}
	return o, nil
}

// simulate runs with all observers, the trace included, which is written as the run goes on.
func (o *observers) simulate(run func(sim.Config) (*sim.Result, error), cfg sim.Config, stdout,
	logs io.Writer) (result *sim.Result, err error) {
	file := o.run.Get("trace")
	cfg.Around = file != "" || o.repetition != nil
	if file == "" {
		return o.watched(run, cfg)
	}
	written := writeOutput(stdout, logs, file, func(w io.Writer) error {
		if filepath.Ext(file) == ".parquet" {
			t := newTraceTable(w, o.names(), o.run)
			o.watch = append(o.watch, t.add)
			if result, err = o.watched(run, cfg); result == nil {
				return err
			}
			t.add(ending(result))
			return t.Close()
		}
		t := story.NewWriter(w, strings.HasSuffix(file, ".jsonl"), o.names(), &story.Story{Run: o.run.Echo(version()),
			Scenario: o.run.YAML()})
		o.watch = append(o.watch, func(h *story.Step) bool { t.Write(h); return t.Err() == nil })
		if result, err = o.watched(run, cfg); result == nil {
			return err
		}
		t.Write(ending(result))
		return t.Err()
	})
	switch {
	case result == nil:
		return nil, err
	case written != nil:
		return nil, failed(written)
	}
	return result, err
}

// traceTable is a trace as a table, a row a step.
type traceTable struct {
	*results.Parquet
	names story.Names
}

func newTraceTable(w io.Writer, names story.Names, run *scenario.Run) *traceTable {
	columns := results.Columns("time:real event:text node:names initiator:whole timer:whole number:whole port:whole " +
		"from:text kind:text message:text state:text role:text leader:names distance:single " +
		"sends:whole parent:names x:real y:real dx:real dy:real")
	meta := []results.Pair{{Name: "caucus.run", Value: strings.Join(run.Echo(version()), "\n")},
		{Name: scenario.ScenarioKey, Value: run.YAML()}}
	return &traceTable{results.NewParquet(w, columns, meta), names}
}

func (t *traceTable) add(x *story.Step) bool {
	var initiator, timer, number, port, from, kind, message, state, role, leader, distance, sends, parent any
	node, place := any(t.names.Node(x.Node)), [4]any{}
	switch x.What {
	case story.Sent, story.End:
		node, number = nil, x.Number
	case story.Move:
		place = [4]any{x.Place.X, x.Place.Y, x.Place.DX, x.Place.DY}
	case story.Wake:
		initiator = 0
		if x.Initiator {
			initiator = 1
		}
	case story.Timer:
		timer = x.Timer
	case story.Message, story.Lost:
		number, port, from, kind = x.Number, x.Port, t.names.Node(x.From), t.names.Kind(x.Kind)
		message = x.Message.String()
	}
	if events := t.events(x); events || x.What == story.Act {
		role, leader, distance = x.Role.String(), t.names.ID(x.Leader), x.Distance
		if name := t.names.Parent(x); name != "" {
			parent = name
		}
		if events {
			state, sends, distance = x.After.String(), len(x.Sends), nil
		}
	}
	t.Add(x.Time, x.What, node, initiator, timer, number, port, from, kind, message, state, role,
		leader, distance, sends, parent, place[0], place[1], place[2], place[3])
	return t.Err() == nil
}

// events tells whether a step is one of an event algorithm that changes its node.
func (t *traceTable) events(x *story.Step) bool {
	return x.What == story.Wake || x.What == story.Timer || x.What == story.Message
}

func (o *observers) watched(run func(sim.Config) (*sim.Result, error), cfg sim.Config) (*sim.Result, error) {
	if len(o.watch) > 0 {
		cfg.Watch = func(h *story.Step) bool {
			goOn := true
			for _, w := range o.watch {
				goOn = w(h) && goOn
			}
			return goOn
		}
	}
	return run(cfg)
}

func kindName(spec *caucus.Spec, k int) string {
	if k >= 0 && k < len(spec.Kinds) {
		return spec.Kinds[k]
	}
	return "message"
}
