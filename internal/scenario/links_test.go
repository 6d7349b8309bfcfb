package scenario

import (
	"fmt"
	"strings"
	"testing"
)

// Links are named by their nodes, whatever strokes these have; an arrow takes one direction.
func TestFaultsOfLinks(t *testing.T) {
	head := "topology: n.edgelist\nfaults:\n  - {at: 3, kind: loss, rate: 100%, links: "
	for links, want := range map[string]string{
		"[a-b]":             "[[0 1] [1 0]]",
		"[a->b, b-site-1]":  "[[0 1] [1 2] [2 1]]",
		"site-1->b":         "[[2 1]]",
		"[a-site-1]":        "links that the network has",
		"[a-c]":             "of nodes that there are",
		"[]":                "a list of links",
		"[a-b], nodes: [a]": "exclude each other",
	} {
		got := ""
		r, err := load(t, map[string]string{"s.yaml": head + links + "}\n", "n.edgelist": "a b\nb site-1\n"})
		if err != nil {
			got = err.Error()
		} else {
			got = fmt.Sprint(r.Config.Faults[0].Links)
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", links, got, want)
		}
	}
}

// A rate of 0, with which a study may begin, is no fault.
func TestRateOfNothing(t *testing.T) {
	for text, want := range map[string]int{
		"{kind: loss, rate: 0}": 0, "{kind: loss, rate: 0%}": 0, "{kind: loss, rate: 1e-3}": 1,
		"{kind: reordering, rate: 0, rounds: 1}": 0, "{kind: duplication, rate: 0, rounds: 1}": 0,
		"{kind: duplication, rate: 0.1, rounds: 1}": 1,
	} {
		r, err := load(t, map[string]string{"s.yaml": "topology: line:3\nfaults: [" + text + "]\n"})
		if err != nil || len(r.Config.Faults) != want {
			t.Errorf("%s: %v, want %d faults", text, err, want)
		}
	}
}
