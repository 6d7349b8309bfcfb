package bounded_test

import (
	"fmt"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/algo/algotest"
	"caucus.example/caucus/sim/engine"
)

// Each file of testdata is a small run: what to run, a line "---", and for every round whom each
// node follows and at what distance. Above are the lines of algotest.Rounds and
//
//	faithful MODE
//	ghost NODES VAL DIST ID   these nodes start with that candidacy
func TestTranscripts(t *testing.T) {
	algotest.Transcripts(t, "testdata/*.txt", 8, func(t *testing.T, input string) string {
		var run algotest.Rounds
		faithful, options, ghosts := "", "", map[int]bounded.Candidacy{}
		algotest.Lines(t, input, func(word string, f []string) error {
			if word == "options" {
				options = strings.Join(f, " ")
				return nil
			}
			known, err := run.Line(word, f)
			switch {
			case known:
				return err
			case word == "faithful":
				faithful = f[0]
				return nil
			case word == "ghost":
				return ghost(ghosts, f)
			}
			return fmt.Errorf("unknown word %q", word)
		})
		run.Cfg.Graph = graph(t, len(run.Cfg.Strengths), run.Edges...)
		run.Cfg.Unsafe = true // edges of length 0
		r := start(t, elect(t, faithful, options), run.Cfg)
		for i, g := range ghosts {
			r.Inject(i, g, g)
		}
		return run.Table(0, r.Step, func(i int) string { return follows(r, i) })
	})
}

func ghost(ghosts map[int]bounded.Candidacy, f []string) error {
	x, err := algotest.Numbers(f[1:]...)
	if err != nil {
		return err
	}
	nodes, err := algotest.Numbers(strings.Split(f[0], ",")...)
	for _, i := range nodes {
		ghosts[int(i)-1] = bounded.Candidacy{Val: x[0], Dist: x[1], Lead: caucus.ID(x[2])}
	}
	return err
}

func follows(r *engine.Rounds[bounded.Candidacy, bounded.Candidacy], i int) string {
	if !r.Live()[i] {
		return "off"
	}
	o := r.Outcomes()[i]
	return fmt.Sprintf("%d@%g", o.Leader, o.Distance)
}
