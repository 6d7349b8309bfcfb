package cmd

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"caucus.example/caucus"
	"caucus.example/caucus/check"
	"caucus.example/caucus/internal/layout"
	"caucus.example/caucus/internal/picture"
	"caucus.example/caucus/internal/unpack"
	"caucus.example/caucus/network"
	"caucus.example/caucus/story"
	"github.com/spf13/cobra"
)

// replayed carries out a counterexample in the simulator instead of exploring.
func (f *checkFlags) replayed(cmd *cobra.Command, j *checkJob) error {
	if err := f.checkReplay(j); err != nil {
		return misuse(err)
	}
	if strings.TrimSpace(f.replay) == "" {
		return misuse(&caucus.FieldError{Field: "replay", Found: "nothing",
			Allowed: "the text that stands below a counterexample"})
	}
	if d := f.diagram; d != "" && d != "-" && !layout.Is(d) {
		return misuse(&caucus.FieldError{Field: "diagram", Found: d, Allowed: layout.Allowed})
	}
	out, err := f.verdictTo(cmd)
	if err != nil {
		return misuse(err)
	}
	s, err := f.readStory(j.cfg.Networks[0])
	if err != nil {
		return misuse(err)
	}
	r, err := j.entry.Replay(j.args, j.cfg.Networks[0], j.cfg, s)
	if err != nil {
		return err
	}
	if err := f.writeStory(cmd, j, r); err != nil {
		return failed(err)
	}
	if f.diagram != "" {
		draw := func(w io.Writer) error { return j.draw(w, r, f.diagram) }
		if err := writeOutput(cmd.OutOrStdout(), cmd.ErrOrStderr(), f.diagram, draw); err != nil {
			return err
		}
	}
	verdict := "violated"
	if r.Wrong == "" {
		verdict = "right"
	}
	if f.json {
		err = writeJSON(out, replayDocument{"caucus.check/2", version(), j.entry.Spec.Name, j.options(), verdict, r})
	} else {
		_, err = fmt.Fprintf(out, "%s\n%sverdict=%s steps=%d simulated=true\n", j.echo("in the simulator"), r.Table(),
			verdict, r.Length())
	}
	if err == nil {
		err = f.show(cmd, j, r, "")
	}
	switch {
	case err != nil:
		return failed(err)
	case r.Wrong != "":
		return failed(fmt.Errorf("%s ends with a wrong result in the simulator, too", j.entry.Spec.Name))
	}
	return nil
}

// Schema caucus.check/2, with --replay.
type replayDocument struct {
	Schema    string            `json:"schema"`
	Version   string            `json:"version"`
	Algorithm string            `json:"algorithm"`
	Options   map[string]string `json:"options"`
	Verdict   string            `json:"verdict"`
	Simulated *story.Story      `json:"simulated"`
}

func (f *checkFlags) checkReplay(j *checkJob) error {
	if len(j.cfg.Networks) != 1 {
		return &caucus.FieldError{Field: "replay", Found: fmt.Sprintf("%d networks", len(j.cfg.Networks)),
			Allowed: "one: give --network or --topology"}
	}
	if err := f.checkTrace(); err != nil {
		return err
	}
	return checkOutput("diagram", f.diagram, f.force)
}

func (f *checkFlags) checkTrace() error {
	if ending := filepath.Ext(f.trace); f.trace != "" && f.trace != "-" && ending != ".txt" && ending != ".jsonl" {
		return &caucus.FieldError{Field: "trace", Found: f.trace,
			Allowed: "a file name that ends in .txt or .jsonl, or - for standard output"}
	}
	if err := checkPage(f.page, f.force); err != nil {
		return err
	}
	return checkOutput("trace", f.trace, f.force)
}

// verdictTo is where the verdict goes: to stderr if what a file would hold has standard output for itself.
func (f *checkFlags) verdictTo(cmd *cobra.Command) (io.Writer, error) {
	taken := outlets{}
	if f.json {
		taken["-"] = "--json"
	}
	for _, x := range [][2]string{{"trace", f.trace}, {"diagram", f.diagram}, {"page", f.page}} {
		if err := taken.take(x[0], x[1]); err != nil {
			return nil, err
		}
	}
	if taken["-"] != "" && !f.json {
		return cmd.ErrOrStderr(), nil
	}
	return cmd.OutOrStdout(), nil
}

// readStory reads what --replay gives: a file that --trace has written, or the story itself.
func (f *checkFlags) readStory(net *caucus.Network) (*story.Story, error) {
	node := func(name string) (int, bool) {
		id, err := strconv.ParseUint(name, 10, 64)
		i := slices.Index(net.IDs, caucus.ID(id))
		return i, err == nil && i >= 0
	}
	if ending := filepath.Ext(f.replay); ending != ".txt" && ending != ".jsonl" {
		return story.Parse(f.replay, node)
	}
	file, err := unpack.Open(f.replay)
	if err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	defer file.Close()
	return story.Read(f.replay, file, node)
}

// writeStory writes a counterexample for --trace, if there is one.
func (f *checkFlags) writeStory(cmd *cobra.Command, j *checkJob, s *story.Story) error {
	if f.trace == "" || s == nil {
		return nil
	}
	from := filepath.Base(f.trace)
	if f.trace == "-" {
		from = "'" + s.Script() + "'"
	}
	s.Run = []string{j.echo(), j.replaying(s.Network, from)}
	write := func(w io.Writer) error {
		return s.WriteAll(w, filepath.Ext(f.trace) == ".jsonl", s.Names(j.entry.Spec.Kinds))
	}
	return writeOutput(cmd.OutOrStdout(), cmd.ErrOrStderr(), f.trace, write)
}

// simulation is the command that carries out a counterexample in the simulator, and draws it.
func (j *checkJob) simulation(network string, d check.Daemon, x *story.Story) string {
	file := strings.TrimSuffix(j.entry.Spec.Name+"-"+string(d), "-") + ".svg"
	return j.replaying(network, "'"+x.Script()+"'") + " --diagram " + file
}

// replaying is the command that carries out a story.
func (j *checkJob) replaying(network, story string) string {
	where := "--network '" + network + "'"
	if j.given != "" {
		where = j.given
	}
	return strings.Join(append(j.made, where, "--replay "+story), " ")
}

// draw draws a replay as a space-time diagram.
func (j *checkJob) draw(w io.Writer, r *story.Story, file string) error {
	net := j.cfg.Networks[0]
	d := picture.NewSpaceTime(net.Len())
	g := &network.Graph{Off: net.Off, Nbr: net.Nbr}
	d.Tell(r, g)
	d.Name = func(i int) string { return fmt.Sprint(net.IDs[i]) }
	// the title of an algorithm is that of its defaults
	made := strings.TrimPrefix(strings.Join(j.made, " "), "caucus check --algo ")
	d.Title = fmt.Sprintf("%s: %s, simulated", made, plural(r.Length(), "step"))
	d.Subtitle = check.Describe(net)
	d.Subtitle += "; " + r.Ending()
	d.Kinds, d.Follows, d.Ring = j.entry.Spec.Kinds, r.Rounds, !r.Rounds && picture.IsRing(g)
	return d.Write(w, file)
}
