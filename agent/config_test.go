package agent

import (
	"bytes"
	"errors"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
)

func TestParse(t *testing.T) {
	got, err := Parse("node.yaml", []byte(`
group: prod
name: köln-1
listen: "[::]:7400"
algo: bounded
params: {radius: 20ms, order: sdi, heartbeat: 2}
strength: 2.5
metric: rtt
rtt-floor: 50us
profile: wan
period: 250ms
peers:
  - addr: node2.example:7400
    name: node2
  - addr: 10.0.0.3:7400
    length: 3
`))
	if err != nil {
		t.Fatal(err)
	}
	want := Config{
		Group: "prod", Name: "köln-1", ID: HashID("köln-1"), Listen: "[::]:7400", Algo: "bounded",
		Params:   map[string]string{"radius": "20", "order": "sdi", "heartbeat": "2"},
		Strength: 2.5, Metric: RTT, RTTFloor: 50 * time.Microsecond, Profile: "wan", Period: 250 * time.Millisecond,
		Expiry: 4,
		HTTP:   DefaultHTTP,
		Peers:  []Peer{{Addr: "node2.example:7400", Name: "node2"}, {Addr: "10.0.0.3:7400", Length: 3}},
	}
	if d := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Config{}),
		cmpopts.IgnoreFields(Config{}, "Logger", "Program")); d != "" {
		t.Error(d)
	}
}

// A peer may be its address alone, also beside others.
func TestParsePlainPeers(t *testing.T) {
	for _, text := range []string{
		"peers: [10.0.0.1:7400, b:1]", "peers:\n- 10.0.0.1:7400\n- {addr: b:1}",
		"peers:\n- addr: 10.0.0.1:7400\n- 'b:1'",
	} {
		c, err := Parse("node.yaml", []byte("name: a\n"+text))
		if d := cmp.Diff([]Peer{{Addr: "10.0.0.1:7400"}, {Addr: "b:1"}}, c.Peers); err != nil || d != "" {
			t.Errorf("%q: %v\n%s", text, err, d)
		}
	}
}

// A file that says nothing about the HTTP endpoint, or nothing at all, has one where
// `caucus status` asks.
func TestParseDefaults(t *testing.T) {
	for _, text := range []string{"", "# nothing\n", "name: a", "name: a\nhttp:", "name: a\nhttp: ''"} {
		c, err := Parse("node.yaml", []byte(text))
		if err != nil || c.HTTP != DefaultHTTP {
			t.Errorf("%q: http %q, error %v", text, c.HTTP, err)
		}
	}
}

// FNV-1a of "a": (2166136261 ^ 97) * 16777619 mod 2^32 = 0xe40c292c.
func TestHashID(t *testing.T) {
	if got := HashID("a"); got != 0xe40c292c {
		t.Errorf("%#x", got)
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"name: a\nlisen: x":                              `node.yaml:2: unknown field "lisen"; did you mean "listen"?`,
		"name: a\nzzz: 1":                                `node.yaml:2: unknown field "zzz"; allowed: group, name`,
		"name: a\npeers:\n- {adr: x:1}":                  `node.yaml:3: unknown field "adr"; did you mean "addr"?`,
		"name: a\nname: b":                               `node.yaml:2: `,
		"name: [":                                        `node.yaml:1: `,
		"name: a\nperiod: 10":                            `node.yaml:2: found "10", allowed: a duration`,
		"name: a\nperiod: 1us":                           `node.yaml:2: period: found "1µs"`,
		"name: a\nexpiry: -1":                            `node.yaml:2: expiry: found "-1"`,
		"name: a\nstrength: -1":                          `node.yaml:2: strength: found "-1"`,
		"name: a\nstrength: .nan":                        `node.yaml:2: strength: found "NaN"`,
		"name: a\nstrength: .inf":                        `node.yaml:2: strength: found "+Inf"`,
		"name: a\nmetric: miles":                         `node.yaml:2: metric: found "miles", allowed: hops, weight, rtt, etx`,
		"name: a\nprofile: moon":                         `node.yaml:2: profile: found "moon", allowed: loopback, lan, wan`,
		"name: a\nprofile: moon\nperiod: 1s\nexpiry: 2":  `node.yaml:2: profile: found "moon"`,
		"name: a\nlisten: 7400":                          `node.yaml:2: listen: found "7400"`,
		"name: a\nlisten: ::1:7400":                      `node.yaml:2: listen: found "::1:7400"`,
		"name: a\nhttp: nowhere":                         `node.yaml:2: http: found "nowhere"`,
		"name: \"a\\eb\"":                                `node.yaml:1: name: found`,
		"name: a\npeers:\n- addr: b:1\n- addr: c":        `node.yaml:4: peers[1].addr: found "c"`,
		"name: a\npeers:\n- addr: b:0":                   `node.yaml:3: peers[0].addr: found "b:0"`,
		"name: a\npeers:\n- addr: :7":                    `node.yaml:3: peers[0].addr: found ":7"`,
		"name: a\npeers:\n- addr: b:1\n- addr: b:1":      `node.yaml:4: peers[1].addr: found "b:1"`,
		"name: a\npeers:\n- {addr: b:1, name: a}":        `node.yaml:3: peers[0].name: found "a"`,
		"name: a\nmetric: weight\npeers:\n- {addr: b:1}": `peers[0].length: found "0"`,
		"name: a\npeers:\n- b:1\n- c":                    `node.yaml:4: peers[1].addr: found "c"`,
		"name: a\npeers:\n- 7400":                        `node.yaml:3: peers[0].addr: found "7400"`,
		"name: a\npeers:\n- [b:1]":                       `node.yaml:3: `,
		"name: a\npeers:\n- {addr: b:1, length: -2}":     `node.yaml:3: peers[0].length: found "-2"`,
		"name: a\nid: -4":                                `node.yaml:2: found "-4", allowed: a whole number from 0`,
		"name: a\nid: 99999999999999999999999":           `node.yaml:2: found "99999999999999999999999", allowed: a whole number from 0`,
		"name: a\n---\nstrength: 3":                      `node.yaml:3: found a second document`,
		"name: " + strings.Repeat("[", 1000):             `node.yaml:1: found brackets 1000 deep`,
		"name: a\nid: x":                                 `node.yaml:2: found "x", allowed: a whole number from 0`,
		"name: a\nstrength: big":                         `node.yaml:2: found "big", allowed: a number`,
		"name: a\nid: 1.5":                               `node.yaml:2: found "1.5", allowed: a whole number`,
		"name: a\nexpiry: 1.5":                           `node.yaml:2: found "1.5", allowed: a whole number`,
		"name: a\nasleep: yes":                           `node.yaml:2: found "yes", allowed: true or false`,
		"name: a\npeers: b:1":                            `node.yaml:2: `,
		"name: a\nparams: [radius]":                      `node.yaml:2: `,
		"name: a\ngroup: \xff\xfe":                       `node.yaml:2: found bytes that are not UTF-8`,
		"name: a\npeers:\n- {addr: b:1, name: x}\n- {addr: c:1, name: x}": `node.yaml:4: peers[1].name: found "x", allowed: a name that is not peers[0].name too`,
		"name: " + strings.Repeat("x", 65):                                `node.yaml:1: name: found`,
		"name: a\nrtt-floor: -1s":                                         `node.yaml:2: rtt-floor: found "-1s"`,
	} {
		_, err := Parse("node.yaml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q in it", text, err, want)
		}
	}
}

// Errors that are found after reading are located as well.
func TestLocate(t *testing.T) {
	c, err := Parse("node.yaml", []byte("name: a\nparams:\n  order: sdi\n  radius: -1\n"))
	if err != nil {
		t.Fatal(err)
	}
	for field, want := range map[string]string{"radius": "node.yaml:4: ", "algo": "node.yaml: ",
		"strange[": "node.yaml: ", "params.none": "node.yaml:3: "} {
		if got := c.Locate(caucus.Wrong(field, "x", "y")).Error(); !strings.HasPrefix(got, want+field) {
			t.Errorf("%q, want it to start with %q", got, want+field)
		}
	}
	if err := c.Locate(nil); err != nil {
		t.Error(err)
	}
}

func TestResolveRefusesZeroValueMistakes(t *testing.T) {
	for name, c := range map[string]Config{
		"strength": {Name: "a", Strength: math.NaN()},
		"peer":     {Name: "a", Peers: []Peer{{}}},
		"period":   {Name: "a", Period: -1},
		"expiry":   {Name: "a", Expiry: 1001},
	} {
		var field *caucus.FieldError
		if _, err := c.Resolve(); !errors.As(err, &field) {
			t.Errorf("%s: error %v, want one about a field", name, err)
		}
	}
}

// Files that would cost the YAML reader gigabytes are refused before it sees them, and the largest that it does see
// costs little.
func TestHostileFiles(t *testing.T) {
	for _, unit := range []string{
		"- ", "? ", ": ", "-\t", "a: ", "! ", "!!x ", "&a ", "*a ", "[", "{", "[{", "{a: ", "[- ", "\"", "'", "| ",
		"> ", "# ", "%", "--- ", "\t", " ", "...\n",
		"- -\n", "-\n ", "a:\n", "a:\n ", "- b:1\n", "&a *a\n", "a: &a b\n", "? a\n", "a: |\n", "'\n",
		"name: a\n", ",", "a,", "- ? ",
	} {
		for _, size := range []int{40 << 10, 256 << 10} {
			text := strings.Repeat(unit, size/len(unit))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			began := time.Now()
			_, err := Parse("f", []byte("name: a\npeers:\n"+text))
			runtime.ReadMemStats(&after)
			mb := (after.TotalAlloc - before.TotalAlloc) >> 20
			t.Logf("%q, %d KiB: %v, %d MB", unit, size>>10, time.Since(began).Round(time.Millisecond), mb)
			if mb > 200 {
				t.Errorf("%q, %d KiB: %d MB allocated; %.100v", unit, size>>10, mb, err)
			}
		}
	}
}

// Only regular files of at most 1 MiB are read.
func TestLoadRefuses(t *testing.T) {
	dir := t.TempDir()
	big := dir + "/big.yaml"
	if err := os.WriteFile(big, bytes.Repeat([]byte("#\n"), maxFile), 0o600); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{big: "found more than", dir: "allowed: a regular file",
		"/dev/zero": "allowed: a regular file"} {
		if _, err := Load(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q in it", file, err, want)
		}
	}
}

// The full configuration of the manual is one that the agent takes.
func TestManual(t *testing.T) {
	text, err := os.ReadFile("../docs/agent.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(text), "```yaml\n")
	if len(blocks) < 3 {
		t.Fatalf("the manual has %d configurations", len(blocks)-1)
	}
	for i, b := range blocks[1:] {
		b, _, _ = strings.Cut(b, "```")
		c, err := Parse("docs/agent.md", []byte(b))
		if err == nil {
			err = c.Locate(second(bounded.Spec.Resolve(c.Faithful, c.Params)))
		}
		if err != nil {
			t.Errorf("configuration %d: %v\n%s", i+1, err, b)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func FuzzConfig(f *testing.F) {
	f.Add("name: a\npeers: [{addr: b:1, length: 2}]\nparams: {radius: 3}")
	f.Add("a: &x [*x]")
	f.Add("period: 1e9\nid: 0x7f\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse("f", []byte(text))
		if err != nil {
			return
		}
		if c.ID == caucus.None || c.Period <= 0 || c.Expiry <= 0 || !(c.Strength >= 0) {
			t.Errorf("%q gives %+v", text, c)
		}
	})
}

// A file that is being written when it is read again must not turn a running agent into one of all defaults.
func TestReloadOfAnEmptyFile(t *testing.T) {
	for _, text := range []string{"", "\n", "# nothing\n"} {
		next, err := Parse("f.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := new(Agent).Reload(next); err == nil || !strings.Contains(err.Error(), "f.yaml: found nothing") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// What may stand somewhere is what the mapping around it takes.
func TestUnknownFieldsNameTheirNeighbours(t *testing.T) {
	for text, want := range map[string]string{
		"zzz: 1":                                 "allowed: group, name,",
		"peers:\n  - addr: x:1\n    zzz: 1":      "allowed: addr, name, length, label, link",
		"peers: [{addr: 'x:1', zzz: 1}]":         "allowed: addr, name, length, label, link",
		"known: {zzz: 1}":                        "allowed: nodes, diameter, delay",
		"on:\n  zzz: [x]":                        "allowed: lead, follow, undecided, any",
		"on:\n  lead:\n  - shell: x\n    zzz: 1": "allowed: shell, run, webhook, stream, style, timeout",
		"on: {any: [x, {shell: y, zzz: 1}]}":     "allowed: shell, run, webhook, stream, style, timeout",
		"checks:\n- shell: x\n  zzz: 1":          "allowed: name, shell, run, http, tcp, file, process, unit, gauge",
	} {
		if _, err := Parse("node.yaml", []byte("name: a\n"+text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
