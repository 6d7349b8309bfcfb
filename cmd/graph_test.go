package cmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func TestGraphGolden(t *testing.T) {
	for _, c := range []struct{ name, args string }{
		{"graph-help", "graph"},
		{"graph-list", "graph list"},
		{"graph-list-json", "graph list --json"},
		{"graph-info-geant", "graph info geant2012"},
		{"graph-info-uscarrier-json", "graph info uscarrier --json"},
		{"graph-info-random", "graph info er:n=40,m=45 --graph-seed 3"},
		{"graph-info-mesh", "graph info testdata/mesh.csv"},
		{"graph-info-mesh-delay", "graph info testdata/mesh.csv --weight-attribute 4"},
		{"graph-info-help", "graph info --help"},
		{"graph-convert-dot", "graph convert abilene - --to dot"},
		{"graph-convert-json", "graph convert testdata/mesh.csv - --to nodelink"},
		{"graph-convert-help", "graph convert --help"},
		{"graph-gen-grid", "graph gen grid:2x3"},
		{"graph-gen-graphml", "graph gen line:3 --to graphml"},
		{"graph-gen-help", "graph gen --help"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, out, logs := caucusRun(t, strings.Fields(c.args)...)
			if code != exitOK {
				t.Fatalf("exit code %d\n%s", code, logs)
			}
			golden(t, c.name, out)
		})
	}
}

// TestGraphLogs: what was dropped, changed or lost is said on stderr.
func TestGraphLogs(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"graph convert testdata/mesh.csv - --to dot", "note: line 1 taken as a header: source,target,metres,delay\n" +
			"note: no column is called weight, value or cost, so that edges have no weight; another can be chosen\n" +
			"wrote=- format=dot nodes=5 edges=4 records=6 self_loops=1 repeats=1 renamed=0\n"},
		{"graph gen ring:3", "note: a file of format edgelist cannot hold the directions of ports, coordinates, the " +
			"graph's name\n" +
			"wrote=- format=edgelist nodes=3 edges=3 records=3 self_loops=0 repeats=0 renamed=0\n"},
	} {
		code, _, logs := caucusRun(t, strings.Fields(c.args)...)
		if code != exitOK || logs != c.want {
			t.Errorf("%s: exit %d\ngot  %s\nwant %s", c.args, code, logs, c.want)
		}
	}
}

func TestGraphRefuses(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.gml")
	if err := os.WriteFile(bad, []byte("graph [\nnode [ id 1 ]\nedge [ source 1 target 2 ] ]"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"graph", "nonsense"}, exitMisuse, `unknown command "nonsense" for "caucus graph"`},
		{[]string{"graph", "info"}, exitMisuse, "accepts 1 arg(s)"},
		{[]string{"graph", "info", "gaent2012"}, exitMisuse, `did you mean "geant2012"?`},
		{[]string{"graph", "info", bad}, exitMisuse, bad + `:3: edge names node "2", which the file does not declare`},
		{[]string{"graph", "info", bad, "--from", "word"}, exitMisuse, `format: found "word", allowed: graphml`},
		{[]string{"graph", "info", filepath.Join(dir, "none"), "--from", "gml"}, exitMisuse, "no such file"},
		{[]string{"graph", "convert", "abilene", filepath.Join(dir, "x.gml")}, exitMisuse,
			`found ".gml", allowed: .graphml`},
		{[]string{"graph", "convert", "abilene", bad, "--to", "dot"}, exitMisuse, "--force to replace it"},
		{[]string{"graph", "convert", "abilene", "-", "--to", "gml"}, exitMisuse, `format to write: found "gml"`},
		{[]string{"graph", "gen", "grid:0x0"}, exitMisuse, "found"},
		{[]string{"graph", "gen", "geant2012"}, exitMisuse, "generator"},
	} {
		code, out, logs := caucusRun(t, c.args...)
		if code != c.code || !strings.Contains(logs, c.want) || out != "" {
			t.Errorf("%v: exit %d, stdout %q, stderr %s; want exit %d, %s", c.args, code, out, logs, c.code, c.want)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("files left behind: %v", left)
	}
}

// TestGraphExamples runs the examples of every help text as they stand, but for the folder.
func TestGraphExamples(t *testing.T) {
	dir := t.TempDir()
	var each func(c *cobra.Command)
	ran := 0
	each = func(c *cobra.Command) {
		for _, line := range strings.Split(c.Example, "\n") {
			args := strings.Fields(strings.ReplaceAll(line, "/tmp/", dir+"/"))
			if len(args) == 0 {
				continue
			}
			if code, _, logs := caucusRun(t, args[1:]...); args[0] != "caucus" || code != exitOK {
				t.Errorf("%s: exit %d\n%s", line, code, logs)
			}
			ran++
		}
		for _, sub := range c.Commands() {
			each(sub)
		}
	}
	each(newGraphCommand())
	if ran < 12 {
		t.Errorf("only %d examples", ran)
	}
}
