package trace_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/rings/asfar"
	"caucus.example/caucus/internal/trace"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// names calls the nodes A B and so on; B has a space in its name.
func names() trace.Names {
	name := func(i int) string { return []string{"A", "B 2", "C", "D"}[i] }
	return trace.Names{
		Node: name,
		ID: func(id caucus.ID) string {
			return map[bool]string{true: "-", false: name(int(max(id, 1)) - 1)}[id == caucus.None]
		},
		Kind: func(k int) string { return asfar.Spec.Kinds[k] },
	}
}

func node(name string) (int, bool) {
	for i := range 4 {
		if names().Node(i) == name {
			return i, true
		}
	}
	return 0, false
}

// config is a ring of 4 with a crash, so that something is lost.
func config(t *testing.T) sim.Config {
	g, err := network.Generate("ring:4", 1)
	if err != nil {
		t.Fatal(err)
	}
	return sim.Config{Graph: g, Initiators: []int{0, 2}, Delays: sim.UniformDelay, Seed: 2,
		Faults: []sim.Fault{{At: 1.2, Kind: sim.Crash, Nodes: []int{3}}, {At: 0.5, Kind: sim.Loss, Rate: 0.4}}}
}

func write(t *testing.T, cfg sim.Config, asJSON bool) []byte {
	var b bytes.Buffer
	w := trace.NewWriter(&b, asJSON, names(), []string{"caucus run", "fault at: 1.2"})
	cfg.Watch = func(h *sim.Happening) bool { w.Write(h); return true }
	if _, err := sim.RunEvents(context.Background(), asfar.Algorithm{}, &asfar.Spec, cfg); err != nil {
		t.Fatal(err)
	}
	if w.Err() != nil {
		t.Fatal(w.Err())
	}
	return b.Bytes()
}

// Both formats are what they were, and each, replayed, gives the same again.
func TestGoldenAndBack(t *testing.T) {
	for _, file := range []string{"ring.txt", "ring.jsonl"} {
		asJSON := strings.HasSuffix(file, "l")
		got := write(t, config(t), asJSON)
		path := filepath.Join("testdata", file)
		if *update {
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s (-want +got; go test ./trace -update writes it anew):\n%s", file, diff)
		}
		cfg := config(t)
		if cfg.Replay, err = trace.Read(file, bytes.NewReader(got), node); err != nil {
			t.Fatal(err)
		}
		if again := write(t, cfg, asJSON); !bytes.Equal(again, got) {
			t.Errorf("%s replayed:\n%s", file, cmp.Diff(string(got), string(again)))
		}
	}
}

func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		"0 wake":                       `f:1: found "0 wake", allowed: time, event, node and #number`,
		"# x\n\nx wake A":              `f:3: time: found "x"`,
		"-1 wake A":                    `f:1: time: found "-1", allowed: a finite number >= 0`,
		"NaN wake A":                   `f:1: time: found "NaN"`,
		"0 sleep A #1":                 `f:1: event: found "sleep", allowed: wake, message, timer, lost, crash`,
		"0 wake E":                     `f:1: node: found "E", allowed: a node of the network`,
		"0 message A":                  `f:1: number: found ""`,
		"0 message A 7":                `f:1: number: found "7", allowed: # and a whole number`,
		"0 message A #0":               `f:1: number: found "0", allowed: a message number >= 1`,
		"0 timer A #x":                 `f:1: number: found "#x"`,
		`0 wake "B 2`:                  "f:1: a quoted name does not end",
		`{"schema":"caucus.trace/9"}`:  `f:1: schema: found "caucus.trace/9", allowed: caucus.trace/1`,
		`{"time":`:                     "f:1: unexpected end of JSON input",
		`{"time":1,"event":"message"}`: `f:1: number: found "0"`,
		strings.Repeat("x", 2<<20):     "f: bufio.Scanner: token too long",
	} {
		if _, err := trace.Read("f", strings.NewReader(text), node); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.40s: %v\nwant %s", text, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("0 wake A initiator | {} -> {}\n1.5 message \"B 2\" #1 port=0 from=A elect {}\n")
	f.Add(`{"schema":"caucus.trace/1","run":[]}` + "\n" + `{"time":1,"event":"timer","node":"C","timer":2}`)
	f.Add("1e308 lost D #18446744073709551615")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := trace.Read("f", strings.NewReader(text), node)
		if err != nil {
			return
		}
		// what was read can be written as text and read again
		var b strings.Builder
		for _, c := range list {
			b.WriteString(strconv.FormatFloat(c.Time, 'g', -1, 64) + " " + c.What + " " + strconv.Quote(names().Node(c.Node)))
			switch c.What {
			case sim.TimerFired:
				b.WriteString(" #" + strconv.Itoa(c.Timer))
			case sim.Arrival, sim.Lost:
				b.WriteString(" #" + strconv.FormatUint(c.Number, 10))
			}
			b.WriteString("\n")
		}
		again, err := trace.Read("f", strings.NewReader(b.String()), node)
		if err != nil || len(again) != len(list) {
			t.Fatalf("%v, %d events, want %d, in\n%s", err, len(again), len(list), b.String())
		}
		for k := range list {
			list[k].Where, again[k].Where = "", ""
			if again[k] != list[k] {
				t.Fatalf("%+v, want %+v", again[k], list[k])
			}
		}
	})
}
