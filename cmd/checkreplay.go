package cmd

import (
	"fmt"
	"io"
	"strings"

	"caucus.example/caucus"
	"caucus.example/caucus/check"
	"caucus.example/caucus/internal/picture"
	"caucus.example/caucus/network"
	"github.com/spf13/cobra"
)

// replayed carries out a counterexample in the simulator instead of exploring.
func (f *checkFlags) replayed(cmd *cobra.Command, j *checkJob) error {
	if err := f.checkReplay(j); err != nil {
		return misuse(err)
	}
	if strings.TrimSpace(f.replay) == "" {
		return misuse(&caucus.FieldError{Field: "replay", Found: "nothing", Allowed: "the text that stands below a counterexample"})
	}
	if d := f.diagram; d != "" && d != "-" && !isPicture(d) {
		return misuse(&caucus.FieldError{Field: "diagram", Found: d, Allowed: "a file that ends in .svg or .png"})
	}
	out := cmd.OutOrStdout()
	r, err := j.entry.Replay(j.args, j.cfg.Networks[0], j.cfg, f.replay)
	if err != nil {
		return err
	}
	if f.diagram != "" {
		draw := func(w io.Writer) error { return j.draw(w, r, !isPNG(f.diagram)) }
		if err := writeOutput(out, cmd.ErrOrStderr(), f.diagram, draw); err != nil {
			return err
		}
		if f.diagram == "-" {
			out = cmd.ErrOrStderr()
		}
	}
	verdict := "violated"
	if r.Right {
		verdict = "right"
	}
	if f.json {
		err = writeJSON(out, replayDocument{"caucus.check/1", version(), j.entry.Spec.Name, j.options(), verdict, r.Trace, r.Events})
	} else {
		_, err = fmt.Fprintf(out, "%s\n%sverdict=%s steps=%d simulated=true\n", j.echo("in the simulator"), r.Table(), verdict, r.Steps())
	}
	switch {
	case err != nil:
		return failed(err)
	case !r.Right:
		return failed(fmt.Errorf("%s ends with a wrong result in the simulator, too", j.entry.Spec.Name))
	}
	return nil
}

// Schema caucus.check/1, with --replay.
type replayDocument struct {
	Schema    string            `json:"schema"`
	Version   string            `json:"version"`
	Algorithm string            `json:"algorithm"`
	Options   map[string]string `json:"options"`
	Verdict   string            `json:"verdict"`
	Simulated *check.Trace      `json:"simulated,omitempty"`
	Events    *check.EventTrace `json:"simulated_events,omitempty"`
}

func (f *checkFlags) checkReplay(j *checkJob) error {
	if len(j.cfg.Networks) != 1 {
		return &caucus.FieldError{Field: "replay", Found: fmt.Sprintf("%d networks", len(j.cfg.Networks)), Allowed: "one: give --network or --topology"}
	}
	return checkOutput("diagram", f.diagram, f.force)
}

// simulation is the command that carries out a counterexample in the simulator, and draws it; "" if it cannot be.
func (j *checkJob) simulation(network string, d check.Daemon, replay string) string {
	if replay == "" {
		return ""
	}
	where := "--network '" + network + "'"
	if j.given != "" {
		where = j.given
	}
	file := strings.TrimSuffix(j.entry.Spec.Name+"-"+string(d), "-") + ".svg"
	return strings.Join(append(j.made, where, "--replay '"+replay+"'", "--diagram "+file), " ")
}

// draw draws a replay as a space-time diagram.
func (j *checkJob) draw(w io.Writer, r *check.Replayed, svg bool) error {
	net := j.cfg.Networks[0]
	d := picture.NewSpaceTime(net.Len())
	for k := range r.Happenings {
		d.Add(&r.Happenings[k])
	}
	d.Name = func(i int) string { return fmt.Sprint(net.IDs[i]) }
	// the title of an algorithm is that of its defaults
	made := strings.TrimPrefix(strings.Join(j.made, " "), "caucus check --algo ")
	d.Title = fmt.Sprintf("%s: %s, simulated", made, plural(r.Steps(), "step"))
	d.Subtitle = check.Describe(net)
	if r.Events != nil {
		d.Subtitle += "; " + r.Events.Wrong
		d.Kinds, d.Ring = j.entry.Spec.Kinds, picture.IsRing(&network.Graph{Off: net.Off, Nbr: net.Nbr})
	} else {
		d.Subtitle += "; " + r.Trace.Ending()
		d.Follows = true
	}
	if svg {
		return d.SVG(w)
	}
	return d.PNG(w)
}
