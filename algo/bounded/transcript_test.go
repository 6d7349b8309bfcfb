package bounded_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"caucus"
	"caucus/algo/bounded"
	"caucus/sim"
	"caucus/topology"
)

var update = flag.Bool("update", false, "rewrite the tables of testdata/*.txt")

// Each file of testdata is a small run: what to run, a line "---", and for every round whom each
// node follows and at what distance. Lines above:
//
//	faithful MODE
//	options NAME=VALUE …
//	timing sync | async, seed N, rounds N
//	strengths S1 S2 …         one for each node
//	edges A-B:LENGTH …
//	ghost NODES VAL DIST ID   these nodes start with that candidacy
//	at TIME KIND NODE [VALUE] a fault
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 8 {
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
			got := parseTranscript(t, input).table(t)
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
	faithful, options string
	cfg               sim.Config
	edges             []topology.Edge
	ghosts            map[int]bounded.Candidacy
	rounds            int
}

func parseTranscript(t *testing.T, input string) *transcript {
	tr := &transcript{ghosts: map[int]bounded.Candidacy{}}
	for k, line := range strings.Split(input, "\n") {
		line, _, _ = strings.Cut(line, "#")
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		if err := tr.parseLine(f[0], f[1:]); err != nil {
			t.Fatalf("line %d: %v", k+1, err)
		}
	}
	return tr
}

func (tr *transcript) parseLine(word string, f []string) (err error) {
	number := func(text string) float64 {
		x, e := strconv.ParseFloat(text, 64)
		if e != nil {
			err = e
		}
		return x
	}
	switch word {
	case "faithful":
		tr.faithful = f[0]
	case "options":
		tr.options = strings.Join(f, " ")
	case "timing":
		tr.cfg.Timing = sim.Timing(f[0])
	case "seed":
		tr.cfg.Seed = uint64(number(f[0]))
	case "rounds":
		tr.rounds = int(number(f[0]))
	case "strengths":
		for _, s := range f {
			tr.cfg.Strengths = append(tr.cfg.Strengths, number(s))
		}
	case "edges":
		for _, s := range f {
			var e topology.Edge
			if _, err := fmt.Sscanf(s, "%d-%d:%g", &e.A, &e.B, &e.W); err != nil {
				return fmt.Errorf("edge %q: %w", s, err)
			}
			e.A, e.B = e.A-1, e.B-1
			tr.edges = append(tr.edges, e)
		}
	case "ghost":
		for _, i := range strings.Split(f[0], ",") {
			tr.ghosts[int(number(i))-1] = bounded.Candidacy{Val: number(f[1]), Dist: number(f[2]), Lead: caucus.ID(number(f[3]))}
		}
	case "at":
		fault := sim.Fault{At: number(f[0]), Kind: sim.FaultKind(f[1]), Nodes: []int{int(number(f[2])) - 1}}
		if len(f) > 3 {
			fault.Value = number(f[3])
		}
		tr.cfg.Faults = append(tr.cfg.Faults, fault)
	default:
		return fmt.Errorf("unknown word %q", word)
	}
	return err
}

func (tr *transcript) table(t *testing.T) string {
	tr.cfg.Graph = graph(t, len(tr.cfg.Strengths), tr.edges...)
	tr.cfg.Unsafe = true // edges of length 0
	r := start(t, elect(t, tr.faithful, tr.options), tr.cfg)
	for i, g := range tr.ghosts {
		r.Inject(i, g, g)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%5s", "")
	for i := range tr.cfg.Strengths {
		fmt.Fprintf(&b, " %8s", "node "+strconv.Itoa(i+1))
	}
	b.WriteString("\n")
	for k := 0; k <= tr.rounds; k++ {
		if k > 0 {
			r.Step()
		}
		fmt.Fprintf(&b, "%5d", k)
		for i, o := range r.Outcomes() {
			cell := "off"
			if r.Live()[i] {
				cell = fmt.Sprintf("%d@%g", o.Leader, o.Distance)
			}
			fmt.Fprintf(&b, " %8s", cell)
		}
		b.WriteString("\n")
	}
	return b.String()
}
