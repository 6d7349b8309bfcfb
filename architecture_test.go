package caucus_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"caucus.example/caucus/registry"
)

// folder is one idea and the only packages that it may import besides the standard library, tests aside. A name that
// ends in a slash is all below it; "" is the root, "/" anything of this module. docs/architecture.md has the same
// table, written by TestFolderTable.
type folder struct {
	name, idea string
	imports    []string
}

var folders = []folder{
	{"", "the contract: ID, Local, Inbox, Outbox, Rounds, Events, Outcome, parameters, assumptions, random streams",
		nil},
	{"algo/", "one algorithm a folder, by family (aggregate; iot; rings and graphs, the classics), and what it says " +
		"about itself (`Spec`)",
		[]string{"", "algo/kit/"}},
	{"algo/algotest", "for tests of algorithms only: transcripts, random networks",
		[]string{"", "network", "sim", "sim/engine", "pgregory.net/rapid"}},
	{"algo/kit/", "what algorithms share: blocks, ranks, rings, the restart layer, services above elections",
		[]string{"", "algo/kit/"}},
	{"algo/kit/ring/ringtest", "for tests of algorithms on rings only",
		[]string{"", "algo/kit/ring/worst", "network", "sim", "sim/engine"}},
	{"network", "graphs as flat arrays, generators, measures, orderings, edge lengths, embedded networks; whether a " +
		"network is what an algorithm assumes",
		[]string{"", "internal/exact", "gonum.org/v1/gonum/"}},
	{"network/format", "readers and writers of graph files",
		[]string{"", "network", "gonum.org/v1/gonum/", "github.com/go-json-experiment/json/jsontext",
			"github.com/goccy/go-yaml", "github.com/goccy/go-yaml/", "golang.org/x/text/", "internal/unpack"}},
	{"network/mobility", "networks that change: nodes that walk in an arena, traces of places and contacts",
		[]string{"", "internal/exact", "internal/unpack", "network"}},
	{"fault", "what bad links do, without clock or socket",
		[]string{"", "internal/exact"}},
	{"story", "an execution and its steps, of a run or a counterexample: written, read, shown as a table",
		[]string{""}},
	{"sim", "what a simulation is asked and what it answers: network, timing, faults; outcomes, samples",
		[]string{"", "fault", "internal/exact", "network", "network/mobility", "story"}},
	{"sim/engine", "deterministic engines for both shapes, on networks that stand still or move; faults, samples, " +
		"stories carried out",
		[]string{"", "fault", "internal/channel", "internal/columns", "internal/exact", "internal/pacing", "network",
			"network/mobility", "sim", "story"}},
	{"check", "every execution of an algorithm on small networks: daemons, faults, verdicts, counterexamples as the " +
		"simulator tells them",
		[]string{"", "fault", "internal/columns", "network", "sim", "sim/engine", "story"}},
	{"agent/act", "the work that follows leadership: hooks, and a child that runs only while the node leads",
		[]string{""}},
	{"agent/probe", "checks of what a node needs to lead: programs, servers, files, the machine itself",
		[]string{"", "agent/act"}},
	{"agent", "one node on a real network: rounds or events, neighbours, transport, link emulator, terms, HTTP",
		[]string{"", "agent/act", "agent/probe", "algo/kit/over", "algo/kit/region", "fault", "internal/channel",
			"internal/columns", "internal/lease", "internal/loopback", "internal/pacing", "internal/seal",
			"internal/wire", "github.com/goccy/go-yaml", "github.com/goccy/go-yaml/",
			"github.com/hashicorp/mdns", "github.com/miekg/dns",
			"golang.org/x/net/ipv4", "golang.org/x/net/ipv6",
			"golang.org/x/sys/unix"}},
	{"registry", "the list of algorithms, one line each; here the types of state and message end",
		[]string{"", "internal/forget", "internal/forget/inrounds", "registry/internal/"}},
	{"registry/agents", "real agents of the algorithms of the list",
		[]string{"", "agent", "algo/kit/region", "algo/kit/restart", "internal/columns", "internal/forget",
			"internal/forget/inrounds", "internal/wire", "registry"}},
	{"registry/internal/entry", "joins an algorithm of the list with simulator and checker",
		[]string{"", "algo/kit/region", "algo/kit/restart", "check", "internal/columns", "internal/forget",
			"internal/forget/inrounds", "internal/wire", "sim", "sim/engine", "story"}},
	{"registry/internal/", "the lines of the list, a package a family, so that one algorithm's change compiles one " +
		"of them",
		[]string{"algo/", "internal/forget", "internal/forget/inrounds"}},
	{"scenarios", "the scenario files that ship, embedded",
		nil},
	{"cmd", "the command line, one file a verb; a library, so that other modules have it for their algorithms",
		[]string{"/", "", "github.com/", "golang.org/x/", "gonum.org/"}},
	{"cmd/caucus", "the program",
		[]string{"cmd", "internal/operate"}},
	{"docs", "the documents, embedded where the program quotes them, and the test that runs what they say",
		nil},
	{"examples/", "programs that use the library",
		[]string{"/", ""}},
	{"packaging", "what an operator installs: unit, packages, containers, alerts; here the tests of these",
		nil},
	{"internal/benchhistory", "runs the benchmarks that matter, keeps a history of them and draws it",
		[]string{"internal/picture"}},
	{"internal/buildtime", "what a build has cost, package by package, for CONTRIBUTING", nil},
	{"internal/channel", "what makes a bad link carry messages once and in order, without clock or socket",
		nil},
	{"internal/columns", "values of an algorithm's states and messages behind an interface, so that engines are " +
		"compiled once",
		[]string{""}},
	{"internal/crew", "the jobs of a batch shared among workers on other machines, over NATS",
		[]string{"", "internal/jobs", "internal/loopback", "internal/results", "github.com/nats-io/nats.go",
			"github.com/nats-io/nats.go/jetstream"}},
	{"internal/energy", "what radio and processor of a node draw",
		[]string{""}},
	{"internal/exact", "functions of package math with the same last bit on every machine",
		nil},
	{"internal/fleet", "many agents on one machine, as goroutines, processes or hosts in namespaces, and what they " +
		"agree on",
		[]string{"", "agent", "fault", "github.com/goccy/go-yaml"}},
	{"internal/forget", "an algorithm of events without its types",
		[]string{"", "algo/kit/restart", "internal/columns"}},
	{"internal/forget/inrounds", "an algorithm of rounds without its types",
		[]string{"", "algo/kit/over", "algo/kit/region", "internal/columns"}},
	{"internal/frames", "what a page is told: runs, counterexamples and lessons, in frames; no server",
		[]string{"", "check", "internal/energy", "internal/layout", "internal/scenario", "network",
			"network/mobility", "registry", "scenarios", "sim", "story", "github.com/goccy/go-yaml"}},
	{"internal/hangup", "SIGHUP, caught from the first line of a program on",
		nil},
	{"internal/lab", "elections of real agents for the studies",
		[]string{"", "agent", "internal/fleet", "internal/study", "registry", "registry/agents"}},
	{"internal/layout", "where a picture has the nodes of a network, and how files of pictures are called; " +
		"draws nothing",
		[]string{"", "network"}},
	{"internal/lease", "the right to act that one node has at a time: grants, claims and their clocks; no clock of " +
		"its own",
		[]string{""}},
	{"internal/jobs", "independent jobs on all cores, and the journal that an interruption leaves them in",
		[]string{"", "internal/results"}},
	{"internal/loopback", "this machine's own addresses, told from others",
		nil},
	{"internal/operate", "the verbs of those who run agents, and what every verb shares; alone it is the program " +
		"that is built with the tag agent",
		[]string{"", "agent", "agent/act", "internal/hangup", "internal/seal", "registry", "registry/agents",
			"github.com/spf13/",
			"golang.org/x/"}},
	{"internal/pacing", "how rounds follow the news of a leader, and when its own word ends it, the same for agents " +
		"and simulator",
		[]string{""}},
	{"internal/picture", "pictures of results: regions on a map, charts, space-time diagrams",
		[]string{"", "internal/layout", "network", "story", "codeberg.org/go-pdf/fpdf", "golang.org/x/image/font",
			"golang.org/x/image/font/sfnt", "golang.org/x/image/math/fixed", "gonum.org/v1/plot",
			"gonum.org/v1/plot/"}},
	{"internal/release", "makes what is handed out: the program for every platform, packages of it", nil},
	{"internal/results", "measurements as one long table of rows: means, intervals and tests, and files in CSV and " +
		"Parquet",
		[]string{"", "gonum.org/v1/gonum/", "github.com/parquet-go/parquet-go"}},
	{"internal/scenario", "strict YAML and flags resolved to one run",
		[]string{"", "fault", "internal/energy", "internal/layout", "internal/results", "internal/unpack",
			"network", "network/format", "network/mobility", "registry", "sim", "story", "github.com/goccy/go-yaml",
			"github.com/goccy/go-yaml/"}},
	{"internal/seal", "what keeps datagrams secret and unforgeable: keys, subkeys of lives, replay windows; no " +
		"clock, no socket",
		[]string{"", "golang.org/x/crypto/argon2", "golang.org/x/crypto/chacha20poly1305"}},
	{"internal/study", "published experiments: jobs that give rows, and what is found in them beside the published " +
		"numbers; elections of real agents beside them, which come from outside",
		[]string{"", "algo/", "fault", "internal/energy", "internal/jobs", "internal/layout", "internal/picture",
			"internal/results", "internal/scenario", "network", "network/mobility", "registry", "scenarios", "sim",
			"sim/engine", "gonum.org/v1/gonum/"}},
	{"internal/sweep",
		"the runs of a study of one's own as jobs, their one typed table, shards of it, and what it says",
		[]string{"", "internal/crew", "internal/energy", "internal/jobs", "internal/picture", "internal/results",
			"internal/scenario", "network", "sim"}},
	{"internal/unpack", "files that are packed with a common compression, unpacked; others named",
		[]string{"", "github.com/klauspost/compress/zstd", "github.com/ulikunitz/xz"}},
	{"internal/view", "the page on which one watches elections: its server, its files; its script is in page/",
		[]string{"internal/frames", "internal/loopback"}},
	{"internal/view/worker", "the simulator for pages without a server, compiled to WebAssembly",
		[]string{"internal/frames"}},
	{"internal/wire", "the datagram: codec of a message type, envelope, limits",
		[]string{"", "github.com/fxamacker/cbor/v2"}},
}

// impure is what an algorithm would need to read a clock, a socket or a random
// source, or to run a goroutine of its own.
var impure = []string{"net", "os", "math/rand", "math/rand/v2", "crypto/rand", "sync", "sync/atomic", "runtime",
	"context", "io", "log", "syscall", "unsafe"}

type pkg struct {
	ImportPath string
	Imports    []string
	Standard   bool
}

func TestImports(t *testing.T) {
	for _, tags := range []string{"", "agent"} { // the whole program, and the one that only runs agents
		imports(t, tags)
	}
}

func imports(t *testing.T, tags string) {
	out, err := exec.Command("go", "list", "-tags", tags, "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	seen := 0
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		seen++
		name := inModule(p.ImportPath)
		allowed, ok := rule(name)
		if !ok {
			t.Errorf("%q: no rule for this folder; add one to folders", name)
			continue
		}
		for _, imp := range p.Imports {
			if !isStandard(imp) && !matches(inModule(imp), allowed) {
				t.Errorf("%s imports %s; allowed: the standard library and %v", name, imp, allowed)
			}
			if strings.HasPrefix(name, "algo/") && !strings.HasSuffix(name, "test") && matches(imp, impure) {
				t.Errorf("%s imports %s: an algorithm gets clock, randomness and messages from its driver", name, imp)
			}
		}
	}
	if seen < 5 {
		t.Fatalf("go list showed %d packages", seen)
	}
}

// A page without a server brings the simulator and what that needs, and nothing that sends, draws or keeps secrets: it
// would be twice as large.
func TestPageBringsNoNetwork(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "./internal/view/worker")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	all := strings.Fields(string(out))
	for _, no := range []string{"net", "net/http", "crypto/tls", module + "/agent", module + "/internal/picture",
		"github.com/parquet-go/parquet-go", "github.com/spf13/cobra", "gonum.org/v1/plot"} {
		if slices.Contains(all, no) {
			t.Errorf("the simulator of a page brings %s", no)
		}
	}
	if !slices.Contains(all, module+"/sim/engine") {
		t.Errorf("go list showed %d packages and no simulator", len(all))
	}
}

// TestAlgorithmsStartNothing looks for what imports do not show.
func TestAlgorithmsStartNothing(t *testing.T) {
	forbidden :=
		regexp.MustCompile(
			`\bgo func|^\s*go [a-z.A-Z]+\(|\btime\.(Now|Since|Sleep|After|Tick|NewTimer)\b|\bmake\(chan\b`)
	files, err := filepath.Glob("algo/*/*/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no algorithm found: %v", err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if forbidden.MatchString(line) {
				t.Errorf("%s:%d: an algorithm starts nothing and reads no clock: %s", file, i+1,
					strings.TrimSpace(line))
			}
		}
	}
}

// module is the path of this module; what it holds is named by the folder alone, "" being the root.
const module = "caucus.example/caucus"

// inModule gives the folder of one of the module's own packages and leaves other import paths as they are.
func inModule(path string) string {
	if path == module {
		return ""
	}
	return strings.TrimPrefix(path, module+"/")
}

// rule finds what a folder may import: by its own line, or else by the longest one that ends in a slash above it.
func rule(name string) (allowed []string, ok bool) {
	longest := -1
	for _, f := range folders {
		above := strings.HasSuffix(f.name, "/") && strings.HasPrefix(name, f.name)
		if f.name == name || above && len(f.name) > longest {
			allowed, ok, longest = f.imports, true, len(f.name)
			if f.name == name {
				return allowed, ok
			}
		}
	}
	return allowed, ok
}

func matches(path string, list []string) bool {
	for _, p := range list {
		if path == p || p == "/" && !strings.Contains(strings.SplitN(path, "/", 2)[0], ".") ||
			strings.HasSuffix(p, "/") && strings.HasPrefix(path, p) {
			return true
		}
	}
	return false
}

func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

var update = flag.Bool("update", false, "write what is generated from the law")

// The table of folders in docs/architecture.md is that of the law.
func TestFolderTable(t *testing.T) {
	const file, begin, end = "docs/architecture.md", "-update -->\n", "<!-- end of folders -->"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the table", file)
	}
	want := before + begin + folderTable() + end + after
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if want != string(text) {
		t.Errorf("%s: the table of folders is not that of this test; go test . -run TestFolderTable -update writes it",
			file)
	}
}

func folderTable() string {
	var b strings.Builder
	b.WriteString("| folder | one idea | may import |\n|---|---|---|\n")
	for _, f := range folders {
		var imports []string
		for _, i := range f.imports {
			switch i {
			case "":
				i = "root"
			case "/":
				i = "everything"
			}
			imports = append(imports, i)
		}
		name := f.name
		if name == "" {
			name = "."
		}
		list := strings.Join(imports, ", ")
		if list == "" {
			list = "standard library"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, f.idea, list)
	}
	return b.String()
}

// Drivers, scenarios and verbs name no algorithm: they take what the registry lists.
func TestNoAlgorithmIsNamed(t *testing.T) {
	names := map[string]bool{}
	for _, e := range registry.All {
		names[e.Spec.Name] = true
	}
	// Names that are also those of a network or of a verb about one published experiment, and the one default.
	allowed := map[string]bool{"cmd mesh": true, "cmd mo": true, "cmd prasle": true, "agent bounded": true,
		"network mesh": true, "network torus": true}
	literal := regexp.MustCompile(`"([a-z0-9-]+)"`)
	for _, dir := range []string{"sim", "check", "agent", "fault", "network", "internal/scenario", "cmd"} {
		for file, lines := range sources(t, dir) {
			for i, line := range lines {
				for _, m := range literal.FindAllStringSubmatch(line, -1) {
					if names[m[1]] && !allowed[dir+" "+m[1]] {
						t.Errorf("%s:%d names the algorithm %s; what is about single algorithms is data beside them",
							file, i+1, m[1])
					}
				}
			}
		}
	}
}

// sources gives the lines of the Go files of a folder, tests aside.
func sources(t *testing.T, dir string) map[string][]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no files, %v", dir, err)
	}
	all := map[string][]string{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[file] = strings.Split(string(text), "\n")
	}
	return all
}

// What an algorithm says of itself is so: strengths decide where its code, or what it is made of, reads them.
func TestByStrength(t *testing.T) {
	reads := regexp.MustCompile(`l\.Strength|"caucus.example/caucus/algo/kit/(rank|block)"`)
	byStrength := regexp.MustCompile(`ByStrength:\s+true`)
	files, err := filepath.Glob("algo/*/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	uses, says := make(map[string]bool), make(map[string]bool)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if dir := filepath.Dir(file); !strings.HasSuffix(file, "_test.go") && !strings.HasPrefix(dir, "algo/kit") {
			uses[dir] = uses[dir] || reads.Match(text)
			says[dir] = says[dir] || byStrength.Match(text)
		}
	}
	for dir := range uses {
		if uses[dir] != says[dir] {
			t.Errorf("%s: strengths decide: %v by its code, %v by its Spec", dir, uses[dir], says[dir])
		}
	}
}

// Paragraphs of the page on architecture have at most ten lines: what needs more is a decision, with its measurements.
func TestShortParagraphs(t *testing.T) {
	text, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range strings.Split(string(text), "\n\n") {
		lines := strings.Split(strings.TrimSpace(p), "\n")
		if len(lines) > 10 && !strings.HasPrefix(lines[0], "<!--") && !strings.HasPrefix(lines[0], "* ") &&
			!strings.HasPrefix(lines[0], "|") {
			t.Errorf("%d lines: %s …", len(lines), lines[0])
		}
	}
}

// Lines have at most 120 columns, but for raw strings, which are texts as they are, and directives; functions at most
// 60 lines.
func TestLinesAndFunctions(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := os.ReadFile(path)
		begin, raw := -1, false
		for i, line := range strings.Split(string(text), "\n") {
			quotes := strings.Count(line, "`")
			if width := len([]rune(strings.ReplaceAll(line, "\t", "    "))); width > 120 && !raw && quotes == 0 &&
				!strings.HasPrefix(line, "//go:") {
				t.Errorf("%s:%d: a line of %d columns", path, i+1, width)
			}
			raw = raw != (quotes%2 == 1)
			if strings.HasPrefix(line, "func ") {
				begin = i
			}
			if line == "}" && begin >= 0 {
				if i-begin+1 > 60 && !strings.HasSuffix(path, "_test.go") {
					t.Errorf("%s:%d: a function of %d lines", path, begin+1, i-begin+1)
				}
				begin = -1
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
