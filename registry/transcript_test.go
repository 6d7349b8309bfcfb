package registry

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"caucus"
	"caucus/sim"
	"caucus/topology"
)

var update = flag.Bool("update", false, "rewrite the tables of testdata/transcripts")

// Each file of testdata/transcripts is a small run of an algorithm of the round shape: what to run, a line "---", and for every
// round whom each node follows and at what distance ("-" for none). Lines above:
//
//	algo NAME [FAITHFUL], options NAME=VALUE …, timing sync | async, rounds N
//	strengths S1 S2 …          one for each node
//	edges A-B:LENGTH …
//	at TIME KIND NODE [VALUE]  a fault; for fake-leader VALUE is the ID, of strength 9
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/transcripts/*.txt")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d transcripts: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			input, want, ok := strings.Cut(string(text), "---\n")
			if !ok {
				t.Fatal("no line ---")
			}
			got := parse(t, input).table(t)
			if *update {
				if err := os.WriteFile(file, []byte(input+"---\n"+got), 0o666); err != nil {
					t.Fatal(err)
				}
			} else if got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
		})
	}
}

type transcript struct {
	algo, faithful string
	options        map[string]string
	cfg            sim.Config
	rounds         int
}

func parse(t *testing.T, input string) *transcript {
	tr := &transcript{options: map[string]string{}, cfg: sim.Config{Seed: 1, Workers: 1}}
	var edges []topology.Edge
	for k, line := range strings.Split(input, "\n") {
		line, _, _ = strings.Cut(line, "#")
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		if f[0] == "edges" {
			for _, s := range f[1:] {
				var e topology.Edge
				if _, err := fmt.Sscanf(s, "%d-%d:%g", &e.A, &e.B, &e.W); err != nil {
					t.Fatalf("line %d: edge %q: %v", k+1, s, err)
				}
				e.A, e.B = e.A-1, e.B-1
				edges = append(edges, e)
			}
		} else if err := tr.line(f[0], f[1:]); err != nil {
			t.Fatalf("line %d: %v", k+1, err)
		}
	}
	g, _, err := topology.Build(len(tr.cfg.Strengths), edges)
	if err != nil {
		t.Fatal(err)
	}
	tr.cfg.Graph, tr.cfg.Lengths = g, g.Weight
	return tr
}

func (tr *transcript) line(word string, f []string) (err error) {
	number := func(text string) float64 {
		x, e := strconv.ParseFloat(text, 64)
		if e != nil {
			err = e
		}
		return x
	}
	switch word {
	case "algo":
		tr.algo = f[0]
		if len(f) > 1 {
			tr.faithful = f[1]
		}
	case "options":
		for _, pair := range f {
			name, value, _ := strings.Cut(pair, "=")
			tr.options[name] = value
		}
	case "timing":
		tr.cfg.Timing = sim.Timing(f[0])
	case "rounds":
		tr.rounds = int(number(f[0]))
	case "strengths":
		for _, s := range f {
			tr.cfg.Strengths = append(tr.cfg.Strengths, number(s))
		}
	case "at":
		fault := sim.Fault{At: number(f[0]), Kind: sim.FaultKind(f[1]), Nodes: []int{int(number(f[2])) - 1}}
		switch {
		case fault.Kind == sim.FakeLeader:
			fault.Fake, fault.Value = caucus.ID(number(f[3])), 9
		case len(f) > 3:
			fault.Value = number(f[3])
		}
		tr.cfg.Faults = append(tr.cfg.Faults, fault)
	default:
		return fmt.Errorf("unknown word %q", word)
	}
	return err
}

// table runs once for every row, which only a deterministic simulator allows.
func (tr *transcript) table(t *testing.T) string {
	e, err := Get(tr.algo)
	if err != nil {
		t.Fatal(err)
	}
	args, err := e.Spec.Resolve(tr.faithful, tr.options)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%5s", "")
	for i := range tr.cfg.Strengths {
		fmt.Fprintf(&b, " %8s", "node "+strconv.Itoa(i+1))
	}
	b.WriteString("\n")
	for round := 1; round <= tr.rounds; round++ {
		tr.cfg.MaxRounds = round
		r, err := e.Simulate(context.Background(), args, tr.cfg)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%5d", round)
		for i, o := range r.Outcomes {
			fmt.Fprintf(&b, " %8s", cell(o, r.Live[i]))
		}
		b.WriteString("\n")
	}
	return b.String()
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
