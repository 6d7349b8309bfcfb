package registry

import (
	"fmt"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/algotest"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
)

// Each file of testdata/transcripts is a small run of an algorithm of the round shape: what to run, a line "---", and
// for every round whom each node follows and at what distance ("-" for none). Above are the lines of algotest.Rounds
// and
//
//	algo NAME [FAITHFUL]
func TestTranscripts(t *testing.T) {
	algotest.Transcripts(t, "testdata/transcripts/*.txt", 10, func(t *testing.T, input string) string {
		run := algotest.Rounds{Cfg: sim.Config{Seed: 1, Workers: 1}}
		algo, faithful := "", ""
		algotest.Lines(t, input, func(word string, f []string) error {
			known, err := run.Line(word, f)
			switch {
			case known:
				return err
			case word != "algo":
				return fmt.Errorf("unknown word %q", word)
			}
			algo = f[0]
			if len(f) > 1 {
				faithful = f[1]
			}
			return nil
		})
		g, _, err := network.Build(len(run.Cfg.Strengths), run.Edges)
		if err != nil {
			t.Fatal(err)
		}
		run.Cfg.Graph, run.Cfg.Lengths = g, g.Weight
		e, err := Get(algo)
		if err != nil {
			t.Fatal(err)
		}
		args, err := e.Spec.Resolve(faithful, run.Options)
		if err != nil {
			t.Fatal(err)
		}
		r, err := e.Start(args, run.Cfg)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		var now *sim.Result
		step := func() {
			r.Step()
			now = r.Result()
		}
		return run.Table(1, step, func(i int) string { return cell(now.Outcomes[i], now.Live[i]) })
	})
}

func cell(o caucus.Outcome, live bool) string {
	switch {
	case !live:
		return "off"
	case o.Leader == caucus.None:
		return "-"
	case o.Distance < 0:
		return fmt.Sprint(o.Leader)
	}
	return fmt.Sprintf("%d@%.4g", o.Leader, o.Distance)
}
