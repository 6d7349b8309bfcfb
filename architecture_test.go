package caucus_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// mayImport lists, for each folder, which of the module's own packages and which
// other modules it may import, tests aside (a trailing slash allows all below). The standard library is always
// allowed, but for what impure forbids to algorithms.
var mayImport = map[string][]string{
	"":                         {},
	"algo/":                    {"", "algo/kit/", "algo/iot/wbs"},
	"algo/algotest":            {"", "sim", "network", "pgregory.net/rapid"}, // for tests of algorithms only
	"algo/kit/ring/ringtest":   {"", "algo/kit/ring/worst", "sim", "network"},
	"network":                  {"", "gonum.org/v1/gonum/"},
	"network/format":           {"", "network", "gonum.org/v1/gonum/", "github.com/goccy/go-yaml", "golang.org/x/text/"},
	"network/mobility":         {"", "network"},
	"fault":                    {""},
	"internal/columns":         {""},
	"sim":                      {"", "internal/columns", "network", "network/mobility"},
	"check":                    {"", "internal/columns", "network", "sim"},
	"agent":                    {"", "internal/channel", "internal/columns", "fault", "internal/wire", "github.com/goccy/go-yaml", "github.com/goccy/go-yaml/", "github.com/prometheus/client_golang/"},
	"registry":                 {"", "algo/kit/restart", "sim", "check", "agent", "internal/columns", "internal/forget", "internal/forget/inrounds", "internal/wire", "registry/internal/"},
	"registry/internal/":       {"algo/", "internal/forget", "internal/forget/inrounds"},
	"internal/forget":          {"", "algo/kit/restart", "internal/columns"},
	"internal/forget/inrounds": {"", "internal/columns", "sim"},
	"internal/channel":         {},
	"internal/energy":          {""},
	"internal/fleet":           {"", "agent", "github.com/goccy/go-yaml"},
	"internal/picture":         {"", "sim", "network", "gonum.org/v1/plot", "gonum.org/v1/plot/"},
	"internal/scenario":        {"", "internal/energy", "network/mobility", "registry", "sim", "internal/trace", "network", "network/format", "github.com/goccy/go-yaml", "github.com/goccy/go-yaml/"},
	"internal/study":           {"", "agent", "algo/", "internal/energy", "internal/fleet", "fault", "network/mobility", "registry", "internal/scenario", "scenarios", "sim", "network", "internal/picture", "gonum.org/v1/gonum/"},
	"internal/trace":           {"", "sim"},
	"internal/wire":            {"", "github.com/fxamacker/cbor/v2"},
	"scenarios":                {},
	"cmd":                      {"/", "", "github.com/", "golang.org/x/", "gonum.org/"},
	"cmd/caucus":               {"cmd"},
	"examples/":                {"/", ""},
}

// impure is what an algorithm would need to read a clock, a socket or a random
// source, or to run a goroutine of its own.
var impure = []string{"net", "os", "math/rand", "math/rand/v2", "crypto/rand", "sync", "sync/atomic", "runtime", "context", "io", "log", "syscall", "unsafe"}

type pkg struct {
	ImportPath string
	Imports    []string
	Standard   bool
}

func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
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
		folder := inModule(p.ImportPath)
		allowed, ok := rule(folder)
		if !ok {
			t.Errorf("%q: no rule for this folder; add one to mayImport", folder)
			continue
		}
		for _, imp := range p.Imports {
			if !isStandard(imp) && !matches(inModule(imp), allowed) {
				t.Errorf("%s imports %s; allowed: the standard library and %v", folder, imp, allowed)
			}
			if strings.HasPrefix(folder, "algo/") && !strings.HasSuffix(folder, "test") && matches(imp, impure) {
				t.Errorf("%s imports %s: an algorithm gets clock, randomness and messages from its driver", folder, imp)
			}
		}
	}
	if seen < 5 {
		t.Fatalf("go list showed %d packages", seen)
	}
}

// TestAlgorithmsStartNothing looks for what imports do not show.
func TestAlgorithmsStartNothing(t *testing.T) {
	forbidden := regexp.MustCompile(`\bgo func|^\s*go [a-z.A-Z]+\(|\btime\.(Now|Since|Sleep|After|Tick|NewTimer)\b|\bmake\(chan\b`)
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
				t.Errorf("%s:%d: an algorithm starts nothing and reads no clock: %s", file, i+1, strings.TrimSpace(line))
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

// rule finds what a folder may import: its own line, or else the longest one that ends in a slash above it.
func rule(folder string) (allowed []string, ok bool) {
	if r, ok := mayImport[folder]; ok {
		return r, true
	}
	longest := ""
	for prefix, r := range mayImport {
		if strings.HasSuffix(prefix, "/") && strings.HasPrefix(folder, prefix) && len(prefix) > len(longest) {
			longest, allowed, ok = prefix, r, true
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
