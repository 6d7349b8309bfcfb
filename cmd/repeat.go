package cmd

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/story"
)

// repetition compares a run of rounds with the trace of one, change by change.
type repetition struct {
	*scenario.Recording
	file  string
	names story.Names
	same  int   // steps so far
	err   error // the first difference, or what is wrong with the file
}

// errDiffers is what a trace and a run differ in.
type errDiffers struct{ error }

func repeating(file string, names story.Names) (*repetition, error) {
	rec, err := scenario.OpenRecording(file)
	if err != nil {
		return nil, err
	}
	return &repetition{Recording: rec, file: file, names: names}, nil
}

// add compares the next step; false at the first difference.
func (p *repetition) add(x *story.Step) bool {
	now := p.names.Record(x)
	was, err := p.Next()
	if err != nil {
		p.err = err
		return false
	}
	if field, recorded, found := p.difference(&was, &now); field != "" {
		p.err = errDiffers{fmt.Errorf("%s: the run is another than was recorded, and this is the first difference: "+
			"%s: recorded %s, now %s", p.Where, field, recorded, found)}
		return false
	}
	p.same++
	return true
}

// difference gives the first field in which two steps differ, and what it is in each; "": none.
func (p *repetition) difference(was, now *story.Record) (field, recorded, found string) {
	if was.Time != now.Time || was.Event != now.Event || was.Node != now.Node {
		return "next", stepText(was), stepText(now)
	}
	length := func(x *float64) string {
		switch {
		case x == nil || !story.Measured(*x):
			return "none"
		case p.Single:
			return fmt.Sprint(float32(*x))
		}
		return fmt.Sprint(*x)
	}
	for _, f := range []struct{ name, was, now string }{
		{"role", was.Role, now.Role}, {"leader", was.Leader, now.Leader},
		{"distance", length(was.Distance), length(now.Distance)}, {"parent", was.Parent, now.Parent},
		{"messages", fmt.Sprint(was.Number), fmt.Sprint(now.Number)},
		{"x", place(was.X), place(now.X)}, {"y", place(was.Y), place(now.Y)},
		{"dx", place(was.DX), place(now.DX)}, {"dy", place(was.DY), place(now.DY)},
	} {
		if f.was != f.now {
			return fmt.Sprintf("%s, %s", stepText(was), f.name), cmp.Or(f.was, "none"), cmp.Or(f.now, "none")
		}
	}
	return "", "", ""
}

func place(x *float64) string {
	if x == nil {
		return ""
	}
	return fmt.Sprint(*x)
}

// stepText tells which step it is.
func stepText(x *story.Record) string {
	what := map[string]string{story.Act: "an outcome", story.Sent: "the messages of each round",
		story.Move: "a movement", story.Crash: "a stop", story.End: "the end"}[x.Event]
	text := fmt.Sprintf("round %g, %s", x.Time, cmp.Or(what, caucus.Shown(x.Event)))
	if x.Node != "" {
		text += " of " + caucus.Shown(x.Node)
	}
	return text
}

// end compares how the runs end, and says that they are the same.
func (p *repetition) end(result *sim.Result, logs io.Writer) error {
	defer p.Close()
	if p.err == nil {
		p.add(ending(result))
	}
	if p.err == nil {
		if _, err := p.Next(); err != io.EOF {
			p.err = err
		}
	}
	switch p.err.(type) {
	case nil:
		fmt.Fprintf(logs, "%s: repeated, %s in %s the same\n", p.file, plural(p.same-1, "change"),
			plural(result.Rounds, "round"))
		return nil
	case errDiffers:
		return failed(p.err)
	}
	return misuse(p.err)
}

// ending is the last step of a run.
func ending(r *sim.Result) *story.Step {
	return &story.Step{Time: float64(r.Rounds), What: story.End, Number: uint64(r.Messages)}
}

// repeats tells whether a trace alone says what is to be run: --replay without anything that names a network or an
// algorithm.
func repeats(changed func(string) bool, args []string) bool {
	return len(args) == 0 && changed("replay") && !slices.ContainsFunc([]string{"topology", "movements", "walkers",
		"algo"}, changed)
}
