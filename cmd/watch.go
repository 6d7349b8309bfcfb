package cmd

import (
	"context"
	"io"
	"strings"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/picture"
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
}

func (o *observers) names() story.Names {
	return story.Names{
		Node: func(i int) string { return o.run.Names.Name(caucus.ID(i + 1)) },
		ID:   func(id caucus.ID) string { return o.run.Names.Name(o.run.Place(id)) },
		Kind: func(k int) string { return kindName(o.run.Entry.Spec, k) },
	}
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
		return o, nil
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
		if n := r.Config.Graph.Len(); n > picture.MaxLines {
			return nil, &caucus.FieldError{Field: "diagram", Found: plural(n, "node"),
				Allowed: "networks of at most " + plural(picture.MaxLines, "node")}
		}
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
	if file == "" {
		return o.watched(run, cfg)
	}
	written := writeOutput(stdout, logs, file, func(w io.Writer) error {
		t := story.NewWriter(w, strings.HasSuffix(file, ".jsonl"), o.names(), &story.Story{Run: o.run.Echo(version())})
		o.watch = append(o.watch, func(h *story.Step) bool { t.Write(h); return t.Err() == nil })
		if result, err = o.watched(run, cfg); result == nil {
			return err
		}
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
