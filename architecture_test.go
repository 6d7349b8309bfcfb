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
	"caucus":       {},
	"caucus/algo/": {"caucus", "caucus/algo/block", "caucus/algo/rank", "caucus/algo/ring", "caucus/algo/wbs"},
	// For the tests of algorithms only.
	"caucus/algo/algotest":      {"caucus", "caucus/sim", "caucus/topology", "pgregory.net/rapid"},
	"caucus/algo/ring/ringtest": {"caucus", "caucus/algo/ring/worst", "caucus/sim", "caucus/topology"},
	"caucus/topology":           {"caucus", "gonum.org/v1/gonum/"},
	"caucus/topology/format":    {"caucus", "caucus/topology", "gonum.org/v1/gonum/", "github.com/goccy/go-yaml", "golang.org/x/text/"},
	"caucus/mobility":           {"caucus", "caucus/topology"},
	"caucus/sim":                {"caucus", "caucus/topology", "caucus/mobility"},
	"caucus/check":              {"caucus", "caucus/topology", "caucus/sim"},
	"caucus/trace":              {"caucus", "caucus/sim"},
	"caucus/wire":               {"caucus", "github.com/fxamacker/cbor/v2"},
	"caucus/link":               {"caucus"},
	"caucus/fifo":               {},
	"caucus/energy":             {"caucus"},
	"caucus/agent":              {"caucus", "caucus/fifo", "caucus/link", "caucus/wire", "github.com/goccy/go-yaml", "github.com/goccy/go-yaml/", "github.com/prometheus/client_golang/"},
	"caucus/fleet":              {"caucus", "caucus/agent", "github.com/goccy/go-yaml"},
	"caucus/registry":           {"caucus", "caucus/algo/", "caucus/sim", "caucus/check", "caucus/agent", "caucus/wire"},
	"caucus/scenario":           {"caucus", "caucus/energy", "caucus/mobility", "caucus/registry", "caucus/sim", "caucus/trace", "caucus/topology", "caucus/topology/format", "github.com/goccy/go-yaml", "github.com/goccy/go-yaml/"},
	"caucus/scenarios":          {},
	"caucus/plot":               {"caucus", "caucus/sim", "caucus/topology", "gonum.org/v1/plot", "gonum.org/v1/plot/"},
	"caucus/experiment":         {"caucus", "caucus/agent", "caucus/algo/", "caucus/energy", "caucus/fleet", "caucus/link", "caucus/mobility", "caucus/registry", "caucus/scenario", "caucus/scenarios", "caucus/sim", "caucus/topology", "caucus/plot", "gonum.org/v1/gonum/"},
	"caucus/cmd/caucus":         {"caucus/", "caucus", "github.com/", "golang.org/x/", "gonum.org/"},
	"caucus/examples/":          {"caucus/", "caucus"},
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
		allowed, ok := rule(p.ImportPath)
		if !ok {
			t.Errorf("%s: no rule for this folder; add one to mayImport", p.ImportPath)
			continue
		}
		for _, imp := range p.Imports {
			if !isStandard(imp) && !matches(imp, allowed) {
				t.Errorf("%s imports %s; allowed: the standard library and %v", p.ImportPath, imp, allowed)
			}
			if strings.HasPrefix(p.ImportPath, "caucus/algo/") && !strings.HasSuffix(p.ImportPath, "test") && matches(imp, impure) {
				t.Errorf("%s imports %s: an algorithm gets clock, randomness and messages from its driver", p.ImportPath, imp)
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
	files, err := filepath.Glob("algo/*/*.go")
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

func rule(path string) ([]string, bool) {
	if r, ok := mayImport[path]; ok {
		return r, true
	}
	for prefix, r := range mayImport {
		if strings.HasSuffix(prefix, "/") && strings.HasPrefix(path, prefix) {
			return r, true
		}
	}
	return nil, false
}

func matches(path string, list []string) bool {
	for _, p := range list {
		if path == p || strings.HasSuffix(p, "/") && strings.HasPrefix(path, p) {
			return true
		}
	}
	return false
}

func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".") && first != "caucus"
}
