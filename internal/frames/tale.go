package frames

import (
	"bytes"
	"fmt"
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/layout"
	"caucus.example/caucus/network"
	"caucus.example/caucus/story"
)

// Tale is an execution that a checker has found, to be looked at as runs are.
type Tale struct {
	Spec    *caucus.Spec
	Network *caucus.Network
	Story   *story.Story
	Title   string // who has picked the steps
	Again   string // the command that carries it out
}

// Record gives the frames of a tale. A moment is a step of the daemon; of events, whatever somebody has chosen.
func (t *Tale) Record() ([]byte, error) {
	var out bytes.Buffer
	f := newFrames(&out)
	g := &network.Graph{Off: t.Network.Off, Nbr: t.Network.Nbr, Labels: t.Network.Labels}
	sheet := t.Story.Sheet()
	if err := f.json(frameHead, t.head(g, sheet)); err != nil {
		return nil, err
	}
	seen := nodes{g, func(id caucus.ID) int { return slices.Index(t.Network.IDs, id) }}
	tell := t.events
	if t.Story.Rounds {
		tell = t.rounds
	}
	if err := tell(f, &seen); err != nil {
		return nil, err
	}
	last := len(sheet.Rows) - 1
	e := end{Rounds: last, Settled: last, Converged: t.Story.Wrong == "", Time: float64(last)}
	for _, x := range t.Story.Steps {
		e.Messages += int64(len(x.Sends))
	}
	err := f.json(frameEnd, e)
	return out.Bytes(), err
}

func (t *Tale) head(g *network.Graph, sheet *story.Sheet) head {
	h := head{Algo: t.Spec.Name, Shape: string(t.Spec.Shape), Title: t.Title, Strengths: t.Network.Strengths,
		Kinds: t.Spec.Kinds, Initiators: t.Story.Initiators, Rounds: len(sheet.Rows) - 1, Edges: pairs(g),
		Told: &telling{Sheet: sheet, Ending: t.ending(), On: t.Story.Network, Again: t.Again}}
	h.X, h.Y, h.Chart = layout.Places(g)
	for i, id := range t.Network.IDs {
		h.Names = append(h.Names, fmt.Sprint(id))
		if t.Story.Wanted != nil {
			h.Told.Wanted = append(h.Told.Wanted, story.OutcomeText(t.Story.Wanted[i]))
		}
	}
	h.IDs = h.Names
	return h
}

// ending says how a tale goes on; of events it says what is wrong with that itself.
func (t *Tale) ending() string {
	switch {
	case !t.Story.Rounds:
		return t.Story.Ending()
	case t.Story.Wrong == "":
		return t.Story.Ending() + ": right"
	}
	return t.Story.Ending() + ": wrong"
}

// rounds tells what every node answers after each step.
func (t *Tale) rounds(f *frames, seen *nodes) error {
	for r, m := range t.Story.Moments() {
		var list []change
		for i := range m.Now {
			x := m.Now[i]
			if x.Node = i; m.Gone[i] {
				x.What = story.Crash
			}
			list = append(list, seen.change(&x))
		}
		if err := f.changes(float64(r), list); err != nil {
			return err
		}
	}
	return nil
}

// events tells of every event. The moments of a tale are its rows: what follows from an event is at the same one.
func (t *Tale) events(f *frames, seen *nodes) error {
	var count counter
	for _, x := range t.Story.Steps {
		x.Time = count.next(&x)
		if err := f.event(&x, seen.change(&x)); err != nil {
			return err
		}
	}
	return nil
}
