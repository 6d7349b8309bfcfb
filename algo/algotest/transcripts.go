// Package algotest runs the transcripts of algorithms: files that say what to run and what comes of it.
package algotest

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
)

var update = flag.Bool("update", false, "write what the transcripts should say anew")

// Transcripts runs the files of a pattern, of which there are so many at least. What stands above the line "---" is
// the input, what stands below should be what record makes of it.
func Transcripts(t *testing.T, pattern string, least int, record func(t *testing.T, input string) string) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) < least {
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
			got := record(t, input)
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

// Lines calls line with the words of every line of the input that has any; # begins a comment.
func Lines(t *testing.T, input string, line func(word string, rest []string) error) {
	t.Helper()
	for k, text := range strings.Split(input, "\n") {
		text, _, _ = strings.Cut(text, "#")
		if f := strings.Fields(text); len(f) > 0 {
			if err := line(f[0], f[1:]); err != nil {
				t.Fatalf("line %d: %v", k+1, err)
			}
		}
	}
}

// Numbers reads words as numbers.
func Numbers(words ...string) ([]float64, error) {
	list := make([]float64, len(words))
	var errs error
	for k, w := range words {
		x, err := strconv.ParseFloat(w, 64)
		list[k], errs = x, errors.Join(errs, err)
	}
	return list, errs
}

// Rounds is a run of an algorithm of the round shape.
type Rounds struct {
	Cfg     sim.Config
	Count   int // of rounds
	Edges   []network.Edge
	Options map[string]string
}

// Line takes a line of the input; false if the word is none of
//
//	options NAME=VALUE …, timing sync | async, seed N, rounds N
//	strengths S1 S2 …         one for each node
//	edges A-B:LENGTH …
//	at TIME KIND NODE [VALUE] a fault; for fake-leader VALUE is the ID, of strength 9
func (r *Rounds) Line(word string, f []string) (known bool, err error) {
	var x []float64
	switch word {
	case "options":
		if r.Options == nil {
			r.Options = map[string]string{}
		}
		for _, pair := range f {
			name, value, _ := strings.Cut(pair, "=")
			r.Options[name] = value
		}
	case "timing":
		r.Cfg.Timing = sim.Timing(f[0])
	case "seed":
		if x, err = Numbers(f[0]); err == nil {
			r.Cfg.Seed = uint64(x[0])
		}
	case "rounds":
		if x, err = Numbers(f[0]); err == nil {
			r.Count = int(x[0])
		}
	case "strengths":
		r.Cfg.Strengths, err = Numbers(f...)
	case "edges":
		for _, s := range f {
			var e network.Edge
			if _, err := fmt.Sscanf(s, "%d-%d:%g", &e.A, &e.B, &e.W); err != nil {
				return true, fmt.Errorf("edge %q: %w", s, err)
			}
			e.A, e.B = e.A-1, e.B-1
			r.Edges = append(r.Edges, e)
		}
	case "at":
		err = r.fault(f)
	default:
		return false, nil
	}
	return true, err
}

func (r *Rounds) fault(f []string) error {
	kind := sim.FaultKind(f[1])
	x, err := Numbers(append([]string{f[0], f[2]}, f[3:]...)...)
	if err != nil {
		return err
	}
	fault := sim.Fault{At: x[0], Kind: kind, Nodes: []int{int(x[1]) - 1}}
	switch {
	case kind == sim.FakeLeader:
		fault.Fake, fault.Value = caucus.ID(x[2]), 9
	case len(x) > 2:
		fault.Value = x[2]
	}
	r.Cfg.Faults = append(r.Cfg.Faults, fault)
	return nil
}

// Table writes a row for each round from first to the last, with a cell for every node; step goes one round on.
func (r *Rounds) Table(first int, step func(), cell func(node int) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%5s", "")
	for i := range r.Cfg.Strengths {
		fmt.Fprintf(&b, " %8s", "node "+strconv.Itoa(i+1))
	}
	b.WriteString("\n")
	for round := first; round <= r.Count; round++ {
		if round > 0 {
			step()
		}
		fmt.Fprintf(&b, "%5d", round)
		for i := range r.Cfg.Strengths {
			fmt.Fprintf(&b, " %8s", cell(i))
		}
		b.WriteString("\n")
	}
	return b.String()
}
