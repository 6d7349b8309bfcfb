package scenario

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const base = "version: 1\nscenario:\n  topology: ring:${n}\n  algo: bounded\n"

func plan(t *testing.T, text string) *Plan {
	t.Helper()
	p, err := ParsePlan("study.yaml", []byte(base+text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return p
}

// Points come in the order of the file, the first variable changing slowest; ranges have both ends, steps no dust, and
// factors those of the example.
func TestPoints(t *testing.T) {
	for text, want := range map[string][]string{
		"grid: {n: [4, 8], radius: {from: 1, to: 3}}": {"4 1", "4 2",
			"4 3", "8 1", "8 2", "8 3"},
		"grid: {n: 5, radius: {from: 0.1, to: 0.5, step: 0.2}}": {"5 0.1",
			"5 0.3", "5 0.5"},
		"grid: {n: {from: 4, to: 400, count: 3, log: true}}": {"4", "40",
			"400"},
		"grid: {n: {from: 4, to: 9, count: 4, log: true, whole: true}}": {"4", "5", "7",
			"9"},
		"grid: {n: {from: 4, to: 6, count: 5, whole: true}}": {"4", "5",
			"6"},
		"zip: {n: [4, 5], radius: [1, inf]}": {"4 1",
			"5 inf"},
		"grid: {radius: [1, 2]}\nzip: {n: [4, 5], rounds: [7, 9]}": {"1 4 7",
			"1 5 9", "2 4 7", "2 5 9"},
		"grid: {n: [4, 6], radius: [1, 5]}\nwhere: [radius <= n, n != 6 or radius = 1]":          {"4 1", "6 1"},
		"grid: {n: [4, 6], radius: [1, 5]}\nwhere: n = 4 and radius = 5 or n = 6 and radius = 1": {"4 5", "6 1"},
		"grid: {n: [4, 6], radius: [1, 5]}\nwhere: radius > 1":                                   {"4 5", "6 5"},
		"grid: {n: [4], params.max-radius: []}":                                                  nil,
		"grid: {n: [4], strength: [id, random], radius: [9, 10]}\nwhere: strength = id or radius >= 10": {"4 id 9",
			"4 id 10", "4 random 10"},
	} {
		p, err := ParsePlan("study.yaml", []byte(base+text))
		if want == nil {
			if err == nil {
				t.Errorf("%s: no error", text)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var got []string
		for _, at := range p.Points {
			got = append(got, strings.Join(at, " "))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

// Each of ten strata of each variable has one sample, and another seed draws others.
func TestLatinHypercube(t *testing.T) {
	text := "latin: {samples: 10, seed: %d, n: {from: 10, to: 20}, radius: {from: 1, to: 1000, log: true}}"
	p := plan(t, fmt.Sprintf(strings.ReplaceAll(text, "n: {from: 10, to: 20}", "n: {from: 10, to: 19, whole: true}"),
		1))
	var n []string
	strata := map[int]bool{}
	for _, at := range p.Points {
		n = append(n, at[0])
		var radius float64
		fmt.Sscan(at[1], &radius)
		for k := range 10 { // factors of 10^0.3
			if low, high := pow10(0.3*float64(k)), pow10(0.3*float64(k+1)); radius >= low && radius < high {
				strata[k] = true
			}
		}
	}
	if len(p.Points) != 10 || len(strata) != 10 {
		t.Errorf("%d points in %d strata of the radius: %v", len(p.Points), len(strata), p.Points)
	}
	slices.Sort(n)
	if n[0] > "11" || n[9] < "18" {
		t.Errorf("n %v", n)
	}
}

func pow10(x float64) float64 { return interval{from: 1, to: 1000, log: true}.share(x / 3) }

// Places are filled, settings and parameters set, and the seed is that of the run and of the graph unless the base has
// another.
func TestPlanScenario(t *testing.T) {
	p := plan(t, "grid: {n: [5], rounds: [77], params.heartbeat: [3]}\nalgorithms: [{algo: bounded, label: b, "+
		"params: {radius-cmp: le}}, {algo: bounded, label: c}]")
	_, err := p.Scenario(p.Points[0], p.Algorithms[1], 9)
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Scenario(p.Points[0], p.Algorithms[0], 9)
	if err != nil {
		t.Fatal(err)
	}
	if s.Get("topology") != "ring:5" || s.Get("rounds") != "77" || s.Get("seed") != "9" || s.Get("graph-seed") != "9" ||
		s.params["heartbeat"] != "3" || s.params["radius-cmp"] != "le" || p.Algorithms[0].Label != "b" ||
		p.Algorithms[1].Label != "c" {
		t.Errorf("%+v %+v", s.texts, s.params)
	}
	own, err := ParsePlan("study.yaml", []byte("scenario: {topology: ring:5, graph-seed: 4, seed: 3}"))
	if err != nil {
		t.Fatal(err)
	}
	if s, err := own.Scenario(nil, own.Algorithms[0], 9); err != nil || s.Get("graph-seed") != "4" ||
		s.Get("seed") != "9" {
		t.Errorf("%v, %v", s, err)
	}
}

func TestPlanErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                `study.yaml:3: variable: found "n"`,
		"grids: {n: [4]}": `study.yaml:5: unknown field "grids"; did you mean "grid"?`,
		"grid: {n: [4], radios: [1]}": "the variable radios is no setting, no params.name, and ${radios} does " +
			"not occur",
		"grid: {n: [4]}\ngrid: {n: [5]}":                                           "grid",
		"grid: [4]":                                                                `study.yaml:5: grid: found "a list", allowed: name: values`,
		"grid: {n: [4, 5], radius: [0, -1]}":                                       "radius",
		"grid: {n: {from: 4}}":                                                     "from and a to",
		"grid: {n: {from: 9, to: 4}}":                                              "from and a to",
		"grid: {n: {from: 0, to: 4, count: 2, log: true}}":                         "then from is above 0",
		"grid: {n: {from: 4, to: 5, log: true}}":                                   "a count, with log",
		"grid: {n: {from: 4, to: 5, steps: 1}}":                                    `unknown field "steps"; did you mean "step"?`,
		"grid: {n: {from: 4, to: x}}":                                              `to: found "x", allowed: a number`,
		"grid: {n: {from: 4, to: 1e9, step: 0.1}}":                                 "at most 100000",
		"grid: {n: {from: 1, to: 1000}, radius: {from: 1, to: 1000}}":              "more than 100000 points",
		"zip: {n: [4, 5], radius: [1]}":                                            "2 values, as those beside it",
		"grid: {n: [11, 12, 1.1e1]}":                                               `n: found "1.1e1 twice", allowed: each value once`,
		"grid: {n: [4]}\nzip: {n: [5]}":                                            "each variable once",
		"grid: {n: [4], seed: [1, 2]}":                                             "seeds and algorithms have fields",
		"grid: {n: [4]}\nwhere: [m > 3]":                                           `study.yaml:6: where: found "m"`,
		"grid: {n: [4]}\nwhere: [often]":                                           "comparisons such as",
		"grid: {n: [4]}\nwhere: [n > 4]":                                           `where: found "n > 4", allowed: some that leave one`,
		"grid: {n: [4, 5]}\nwhere: n != x":                                         `where: found "x", allowed: n, 4, 5`,
		"grid: {n: [4]}\nwhere: n < x":                                             `where: found "x", allowed: a number, or n`,
		"grid: {n: [4]}\nwhere: n <":                                               `where: found "n <", allowed: something to compare with`,
		"grid: {n: [4]}\nwhere: [n < 5 and]":                                       `found "n < 5 and", allowed: something`,
		"grid: {n: [4]}\nseeds: 0":                                                 `study.yaml:6: seeds: found "0", allowed: a whole number from 1`,
		"grid: {n: [4]}\nseeds: {least: 5, until: leaders}":                        "within: share",
		"grid: {n: [4]}\nseeds: {least: 5, most: 9, until: leaders, within: 200%}": "share",
		"grid: {n: [4]}\nseeds: {often: 5}":                                        `unknown field "often"`,
		"grid: {n: [4]}\nalgorithms: [nobody]":                                     `algo: found "nobody"`,
		"grid: {n: [4]}\nalgorithms: [bounded, bounded]":                           "each once",
		"grid: {n: [4]}\nmetric: hops":                                             `unknown field "metric"`,
		"latin: {n: {from: 4, to: 9}}":                                             "samples: how many",
		"latin: {samples: 1, n: {from: 4, to: 9}}":                                 "from 2 to 100000",
	} {
		if _, err := ParsePlan("study.yaml", []byte(base+text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"version: 2\nscenario: {topology: ring:4}": `study.yaml:1: version: found "2"`,
		"grid: {radius: [1]}":                      "settings as in a scenario file",
		"scenario: none.yaml":                      "study.yaml:1: stat none.yaml",
		"[":                                        "study.yaml:1",
		"":                                         "settings as in a scenario file",
	} {
		if _, err := ParsePlan("study.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}

func FuzzPlan(f *testing.F) {
	for _, text := range []string{
		"grid: {n: [4, 8], radius: {from: 1, to: 3, count: 2, log: true}}\n" +
			"where: n > 3 or radius = 1\nseeds: {least: 3, most: 9, until: leaders, within: 5%}",
		"latin: {samples: 3, n: {from: 4, to: 9, whole: true}}\n" +
			"algorithms: [{algo: bounded, params: {radius: 3}}]\nmeasures: [leaders]",
		"zip: {n: [4, 5], rounds: [7, 9]}\nname: x",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParsePlan("study.yaml", []byte(strings.Replace(base, "ring:${n}", "ring:4", 1)+text))
		if err == nil &&
			(len(p.Points) == 0 || len(p.Algorithms) == 0 || p.Seeds.Most < p.Seeds.Least || p.Seeds.Least < 1) {
			t.Errorf("%+v of %q", p, text)
		}
	})
}

// Files that a plan names, at any point, belong to it by what they hold: the base scenario, networks, lists of IDs.
func TestPlanFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a.txt", "1 2\n2 3\n")
	write("b.txt", "1 2\n2 3\n3 1\n")
	write("ids", "3\n1\n2\n")
	write("base.yaml", "version: 1\ntopology: ${net}.txt\nids: ids\nalgo: bounded\n")
	write("study.yaml", "version: 1\nscenario: base.yaml\ngrid: {net: [a, b]}\n")
	files := func() (names []string, list []Content) {
		p, err := LoadPlan(filepath.Join(dir, "study.yaml"), Only{})
		if err == nil {
			list, err = p.Files()
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range list {
			names = append(names, filepath.Base(f.Name))
		}
		return names, list
	}
	names, before := files()
	if d := cmp.Diff([]string{"base.yaml", "a.txt", "ids", "b.txt"}, names); d != "" {
		t.Error(d)
	}
	write("b.txt", "1 2\n2 3\n")
	if _, after := files(); before[3].Sum == after[3].Sum || before[1] != after[1] {
		t.Error(after)
	}
	write("nodes.csv", "Id,Label\n1,one\n2,two\n3,three\n")
	write("base.yaml", "version: 1\ntopology: ${net}.txt\nnodes-file: nodes.csv\nalgo: bounded\n")
	names, _ = files()
	if d := cmp.Diff([]string{"base.yaml", "a.txt", "nodes.csv", "b.txt"}, names); d != "" {
		t.Error(d)
	}
	write("graph.json", "{}")
	write("nodes.json", "{}")
	write("base.yaml", "version: 1\ntopology: ${net}.txt\nalgo: bounded\n")
	p, err := ParsePlan(filepath.Join(dir, "study.yaml"), []byte("scenario: base.yaml\ngrid: {net: [a, b]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	p.Variables, p.Points = []string{"topology"}, []Values{{filepath.Join(dir, "graph.json")}}
	list, err := p.Files()
	if err != nil || len(list) != 3 || filepath.Base(list[2].Name) != "nodes.json" {
		t.Error(list, err)
	}
	if list, err := plan(t, "grid: {n: [4]}\n").Files(); err != nil || len(list) != 0 {
		t.Error(list, err)
	}
}
