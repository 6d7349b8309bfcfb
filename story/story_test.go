package story_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/rings/asfar"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"caucus.example/caucus/story"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// names calls the nodes A B and so on; B has a space in its name.
func names() story.Names {
	name := func(i int) string { return []string{"A", "B 2", "C", "D"}[i] }
	return story.Names{
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
	w := story.NewWriter(&b, asJSON, names(), &story.Story{Run: []string{"caucus run", "fault at: 1.2"}})
	cfg.Watch = func(h *story.Step) bool { w.Write(h); return true }
	if _, err := engine.RunEvents(context.Background(), asfar.Algorithm{}, &asfar.Spec, cfg); err != nil {
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
			t.Errorf("%s (-want +got; go test ./story -update writes it anew):\n%s", file, diff)
		}
		cfg := config(t)
		if cfg.Replay, err = story.Read(file, bytes.NewReader(got), node); err != nil {
			t.Fatal(err)
		}
		if again := write(t, cfg, asJSON); !bytes.Equal(again, got) {
			t.Errorf("%s replayed:\n%s", file, cmp.Diff(string(got), string(again)))
		}
	}
}

func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		"0 wake":                      `f:1: event: found "0 wake", allowed: wake NODE`,
		"# x\n\nx wake A":             `f:3: event: found "x", allowed: act, again, begin`,
		"-1 wake A":                   `f:1: time: found "-1", allowed: a finite number >= 0`,
		"NaN wake A":                  `f:1: time: found "NaN"`,
		"0 sleep A #1":                `f:1: event: found "sleep", allowed: act, again, begin`,
		"0 wake E":                    `f:1: node: found "E", allowed: a node of the network`,
		"0 message A":                 `f:1: event: found "0 message A", allowed: message NODE #N, or from=NEIGHBOUR`,
		"0 message A 7":               `f:1: event: found "0 message A 7"`,
		"0 message A #7x":             `f:1: number: found "#7x", allowed: # and a whole number`,
		"0 message A #0":              `f:1: number: found "#0", allowed: a message number >= 1`,
		"0 timer A #x":                `f:1: number: found "#x"`,
		"0 timer A":                   `f:1: number: found ""`,
		"act A A":                     `f:1: node: found "A", allowed: each node once`,
		"begin A x=1 says y=1":        `f:1: event: found "begin A x=1 says y=1", allowed: begin NODE fields [say fields]`,
		"wake A draw=2/2":             `f:1: draw: found "2/2", allowed: draw=K/N`,
		"again 2\nwake A":             `f:2: again: found "wake A", allowed: again N, as the last`,
		`0 wake "B 2`:                 "f:1: a quoted name does not end",
		`{"schema":"caucus.trace/9"}`: `f:1: schema: found "caucus.trace/9", allowed: caucus.trace/1`,
		`{"time":`:                    "f:1: unexpected end of JSON input",
		`{"event":"begin","node":"A","plain":"x y"}`: `f:1: fields: found "x y", allowed: name=value`,
		`{"time":1,"event":"message"}`:               `f:1: node: found ""`,
		strings.Repeat("x", 2<<20):                   "f: bufio.Scanner: token too long",
	} {
		if _, err := story.Read("f", strings.NewReader(text), node); err == nil ||
			!strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.40s: %v\nwant %s", text, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("0 wake A initiator | {} -> {}\n1.5 message \"B 2\" #1 port=0 from=A elect {}\n")
	f.Add(`{"schema":"caucus.trace/1","run":[]}` + "\n" + `{"time":1,"event":"timer","node":"C","timer":2}`)
	f.Add("1e308 lost D #18446744073709551615")
	f.Add("messages\nbegin A x=1 say y=2\nhear A from=D z=1\nact A D\nlost A from=D\ncorrupt D -\nagain 1")
	f.Add("begin C x#=1,x[0].y=2 say z#=0") // lists
	f.Add("initiators A C\nwake C draw=1/2\ntimer A #1\ntick 3\nmessage A from=C x=1\ncrash A")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := story.Read("f", strings.NewReader(text), node)
		if err != nil {
			return
		}
		// what was read can be written in both formats and read again, and is then the same
		var first string
		for _, asJSON := range []bool{false, true, false} {
			var b, c bytes.Buffer
			if err := s.WriteAll(&b, asJSON, names()); err != nil {
				t.Fatal(err)
			}
			if s, err = story.Read("f", &b, node); err != nil {
				t.Fatalf("%v in\n%s", err, text)
			}
			if err := s.WriteAll(&c, false, names()); err != nil {
				t.Fatal(err)
			}
			again := strings.Join(slices.DeleteFunc(strings.Split(c.String(), "\n"),
				func(line string) bool { return strings.HasPrefix(line, "#") }), "\n")
			if first == "" {
				first = again
			}
			if again != first {
				t.Fatalf("read again:\n%s\nwas\n%s", again, first)
			}
		}
	})
}

func TestValue(t *testing.T) {
	type inner struct {
		a int
		B []string
	}
	v := struct {
		_     struct{}
		ID    caucus.ID
		role  caucus.Role
		In    inner
		After time.Duration
		X     float64
		M     map[int]bool
		P     *inner
	}{ID: 3, role: caucus.Leader, In: inner{-1,
		[]string{"x", "y z"}}, After: time.Second, X: 0.5, M: map[int]bool{2: true, 1: false}}
	d := story.ValueOf(&v)
	v.In.B[0] = "changed"
	if got, want := d.String(), `{ID:3 role:leader In:{a:-1 B:[x "y z"]} After:1s X:0.5 M:{1:false 2:true} P:nil}`; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	got, err := json.Marshal(d)
	if want := `{"ID":3,"role":"leader","In":{"a":-1,"B":["x","y z"]},"After":"1s","X":0.5,"M":{"1":false,"2":true},"P":"nil"}`; err != nil || string(got) != want {
		t.Errorf("%s %v\nwant %s", got, err, want)
	}
}
