package cmd

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/story"
)

// symmetry follows nodes that have one ID in an unsafe run, and compares their states after
// every unit of time.
type symmetry struct {
	name   func(i int) string
	twins  [][]int // nodes of one ID, at least two
	states []string
	asleep string
	time   float64
	rows   []string
	parted []string // when the states of twins first differed, by class; "": never
	more   bool     // rows were left out
}

const (
	maxTwins = 16 // that fit on a line
	maxTimes = 40
)

// newSymmetry gives nil unless the run is unsafe, some IDs are equal and the network is small enough to show.
func newSymmetry(r *scenario.Run) *symmetry {
	n := r.Config.Graph.Len()
	if !r.Config.Unsafe || r.Config.IDs == nil || n > maxTwins {
		return nil
	}
	s := &symmetry{name: func(i int) string { return caucus.Shown(r.Names.Name(caucus.ID(i + 1))) },
		states: make([]string, n), time: -1}
	of := map[caucus.ID]int{}
	classes := [][]int{}
	for i, id := range r.Config.IDs {
		k, ok := of[id]
		if !ok {
			k = len(classes)
			of[id] = k
			classes = append(classes, nil)
		}
		classes[k] = append(classes[k], i)
	}
	for _, c := range classes {
		if len(c) > 1 {
			s.twins = append(s.twins, c)
		}
	}
	if s.twins == nil {
		return nil
	}
	s.parted = make([]string, len(s.twins))
	return s
}

func (s *symmetry) add(h *story.Step) {
	if h.Time != s.time {
		s.endTime()
		s.time = h.Time
	}
	if h.What == story.Lost || h.What == story.Crash {
		return
	}
	if s.asleep == "" {
		s.asleep = h.Before.String()
	}
	s.states[h.Node] = h.After.String()
}

// endTime writes down how the twins stand at the end of an instant.
func (s *symmetry) endTime() {
	if s.time < 0 {
		return
	}
	time := strconv.FormatFloat(s.time, 'g', 6, 64)
	for k, nodes := range s.twins {
		equal := true
		for _, i := range nodes {
			equal = equal && s.states[i] == s.states[nodes[0]]
		}
		var text string
		if equal {
			text = fmt.Sprintf("%s: all %s", s.list(nodes), s.state(nodes[0]))
		} else {
			var each []string
			for _, i := range nodes {
				each = append(each, s.name(i)+" "+s.state(i))
			}
			text = strings.Join(each, ", ")
			if s.parted[k] == "" {
				s.parted[k] = time
			}
		}
		if len(s.rows) < maxTimes {
			s.rows = append(s.rows, fmt.Sprintf("time %s  %s", time, text))
		} else {
			s.more = true
		}
	}
}

func (s *symmetry) state(i int) string {
	if s.states[i] == "" {
		return s.asleep + " (asleep)"
	}
	return s.states[i]
}

func (s *symmetry) list(nodes []int) string {
	var names []string
	for _, i := range nodes {
		names = append(names, s.name(i))
	}
	return strings.Join(names, ", ")
}

// write shows what was seen, and what it means.
func (s *symmetry) write(out io.Writer) {
	s.endTime()
	s.time = math.Inf(-1)
	fmt.Fprintln(out, "nodes of one ID, time by time:")
	for _, row := range s.rows {
		fmt.Fprintln(out, " ", row)
	}
	if s.more {
		fmt.Fprintf(out, "  … (the first %d lines)\n", maxTimes)
	}
	for k, nodes := range s.twins {
		if s.parted[k] == "" {
			fmt.Fprintf(out, "%s were in equal states at every time: what one does the other does too, so no "+
				"deterministic algorithm can elect one of them (Angluin 1980)\n", s.list(nodes))
			continue
		}
		fmt.Fprintf(out, "%s were no longer in equal states at time %s: something but the ID tells them apart here "+
			"(their place, who started, delays, or random choices)\n", s.list(nodes), s.parted[k])
	}
}
