package scenario

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/results"
	"caucus.example/caucus/internal/unpack"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/story"
)

// fillEvents resolves what only event algorithms have.
func (r *Run) fillEvents(s *Scenario) (err error) {
	if r.Entry.Spec.Shape != caucus.ShapeEvents {
		return r.refuseEvents(s)
	}
	if err = s.refuse("only algorithms of rounds have it", "two-way"); err != nil {
		return err
	}
	if r.Config.Initiators, err = r.chooseInitiators(s.texts["initiators"]); err != nil {
		return located(s.places["initiators"], err)
	}
	c := &r.Config
	c.Delays = sim.Delays(s.texts["delays"])
	c.Scheduler = sim.Scheduler(s.texts["scheduler"])
	c.NoFIFO = s.texts["fifo"] == "false"
	c.Channel, _ = Count("channel", s.texts["channel"])
	events, _ := Count("events", s.texts["events"])
	c.MaxEvents = int64(events)
	if err := r.restart(s); err != nil {
		return located(s.places["restart"], err)
	}
	return r.readReplay(s)
}

// refuseEvents refuses for an algorithm of rounds what would have no effect.
func (r *Run) refuseEvents(s *Scenario) error {
	r.Recorded = s.beside("replay")
	if story.Scripted(r.Recorded) {
		return located(s.places["replay"], caucus.Wrong("replay", r.Recorded, "the file of a trace, which is compared "+
			"with the run: "+r.Entry.Spec.Name+" runs in rounds, and nobody picks what comes next"))
	}
	names := slices.DeleteFunc(slices.Collect(maps.Keys(ofEvents)), func(name string) bool { return name == "replay" })
	o, ok := s.changed(append(names, "diagram"))
	if !ok {
		return nil
	}
	return located(s.places[o.Name], caucus.Wrong(o.Name, s.texts[o.Name],
		cmp.Or(o.Default, "none")+": only event algorithms have it, "+r.Entry.Spec.Name+" runs in rounds"))
}

// restart puts the restart layer around the algorithm: one tick a round.
func (r *Run) restart(s *Scenario) error {
	switch patience, _ := Count("restart", s.texts["restart"]); {
	case patience == 0:
	case patience < 4 || patience > 1e6:
		return caucus.Wrong("restart", s.texts["restart"], "0, or from 4 to 1e6 rounds")
	default:
		if err := r.Entry.Restarts(); err != nil {
			return caucus.Wrong("restart", s.texts["restart"], "0: "+err.Error())
		}
		r.Entry = r.Entry.Restarting(r.Config.Period, patience)
	}
	return nil
}

// chooseInitiators draws nodes or looks them up; nil, which means all, for "all".
func (r *Run) chooseInitiators(text string) ([]int, error) {
	nodes := r.Config.Graph.Len()
	switch {
	case text == "all":
		return nil, nil
	case text == "one":
		text = "1"
	}
	k, err := Count("initiators", text)
	if err != nil {
		return r.listedNodes(text)
	}
	if k < 1 || k > nodes {
		return nil, caucus.Wrong("initiators", text,
			fmt.Sprintf("all, one, 1 to %d, or names of nodes with commas", nodes))
	}
	return slices.Sorted(slices.Values(shuffled(nodes, caucus.NewRand(r.Config.Seed, "initiators"))[:k])), nil
}

// shuffled gives the numbers below n in random order.
func shuffled(n int, r caucus.Rand) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	for i := range order {
		j := i + r.IntN(n-i)
		order[i], order[j] = order[j], order[i]
	}
	return order
}

func (r *Run) listedNodes(text string) ([]int, error) {
	var list []int
	for _, name := range strings.Split(text, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		i, ok := r.Node(name)
		if !ok {
			allowed := "all, one, a number, or names of nodes with commas"
			if near := caucus.Nearest(name, r.names()); near != "" {
				allowed += fmt.Sprintf("; did you mean %q?", near)
			}
			return nil, caucus.Wrong("initiators", name, allowed)
		}
		list = append(list, i)
	}
	return list, nil
}

// Node finds a node by name.
func (r *Run) Node(name string) (int, bool) {
	id, ok := r.Names.ID(name)
	return int(id) - 1, ok
}

// readReplay reads the order of events: a file, or a story in one line.
func (r *Run) readReplay(s *Scenario) (err error) {
	if text := s.texts["replay"]; story.Scripted(text) {
		r.Config.Replay, err = story.Parse(text, r.Node)
		return located(s.places["replay"], err)
	}
	file := s.beside("replay")
	if file == "" {
		return nil
	}
	f, err := unpack.Open(file)
	if err != nil {
		return located(s.places["replay"], fmt.Errorf("replay: %w", err))
	}
	defer f.Close()
	var lines io.Reader = f
	if filepath.Ext(file) == ".parquet" {
		if lines, err = linesOf(f); err != nil {
			return located(s.places["replay"], fmt.Errorf("%s: %w", file, err))
		}
	}
	r.Config.Replay, err = story.Read(file, lines, r.Node)
	return located(s.places["replay"], err)
}

// told are the columns of a trace as a table that tell what was picked; the others follow from it.
var told = []string{"time", "event", "node", "initiator", "timer", "number", "port", "from", "kind"}

// linesOf gives the rows of a trace that is a table as JSON lines, which have the same names.
func linesOf(f *os.File) (io.Reader, error) {
	t, err := results.ReadFile(f)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	t.Rows(func(cells ...any) {
		line := map[string]any{}
		for k, c := range t.Columns {
			if cells[k] != nil && slices.Contains(told, c.Name) {
				line[c.Name] = cells[k]
			}
		}
		if by, ok := line["initiator"]; ok {
			line["initiator"] = by == int64(1)
		}
		if e := out.Encode(line); e != nil {
			err = e
		}
	})
	return &b, err
}
