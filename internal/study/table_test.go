package study

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func written(t interface{ Fatal(...any) }, f File) string {
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// What is written is read back by a reader with its defaults, whatever the names: a '#', which other programs may take for a
// comment, never begins a line.
func TestTablesAreReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.SampledFrom([]string{"#99", "a,b", `say "x"`, "two\nlines", "", " x", "é"}), rapid.StringMatching(`[ -~]*`))
		number := rapid.OneOf(rapid.Just(none), rapid.Float64())
		var rows []Row
		for range rapid.IntRange(1, 5).Draw(t, "rows") {
			rows = append(rows, Row{text.Draw(t, "series"), text.Draw(t, "network"), rapid.IntRange(0, 1e6).Draw(t, "n"),
				rapid.Uint64().Draw(t, "seed"), number.Draw(t, "x"), text.Draw(t, "metric"), number.Draw(t, "value")})
		}
		out := written(t, tables("mine", rows)[0])
		lines, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		if err != nil || len(lines) != 1+len(rows) || strings.Join(lines[0], " ") != "study series network n seed x metric value" {
			t.Fatalf("%v\n%s", err, out)
		}
		for i, r := range rows {
			l := lines[i+1]
			same := func(cell string, want float64) bool {
				got, err := strconv.ParseFloat(cell, 64)
				return math.IsNaN(want) && cell == "" || err == nil && got == want
			}
			seed, _ := strconv.ParseUint(l[4], 10, 64)
			if !slices.Equal([]string{l[0], l[1], l[2], l[6]}, []string{"mine", r.Series, r.Network, r.Metric}) || seed != r.Seed ||
				!same(l[3], float64(r.N)) || !same(l[5], r.X) || !same(l[7], r.Value) {
				t.Fatalf("%q for %+v", l, r)
			}
		}
	})
}

// Python's reader, with its defaults, finds the same cells.
func TestTablesInPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	rows := []Row{{"#99", "a,\"b\"", 3, 1, none, "seconds", 1.5}, {"K=1 le", "ring", 3, 0, 1e21, "é", none}}
	cmd := exec.Command(python, "-c", "import csv,json,sys\nprint(json.dumps([list(r.values()) for r in csv.DictReader(sys.stdin)]))")
	cmd.Stdin = strings.NewReader(written(t, tables("mine", rows)[0]))
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got [][]string
	if err := json.Unmarshal(out, &got); err != nil || len(got) != 2 {
		t.Fatalf("%v: %s", err, out)
	}
	for i, want := range [][]string{{"mine", "#99", `a,"b"`, "3", "1", "", "seconds", "1.5"}, {"mine", "K=1 le", "ring", "3", "", "1e+21", "é", ""}} {
		if !slices.Equal(got[i], want) {
			t.Errorf("%q, want %q", got[i], want)
		}
	}
}

// Runs of the same are taken together, in the order in which they come; those without a value count as runs and are in no
// mean. Of 2, 4 and 6 the mean is 4 and the standard deviation 2; of one value there is no spread.
func TestPoints(t *testing.T) {
	row := func(series string, seed uint64, x, value float64) Row {
		return Row{series, "ring", 8, seed, x, "seconds", value}
	}
	list := points([]Row{row("b", 1, none, 2), row("a", 1, 1, 7), row("b", 2, none, 4), row("b", 3, none, none), row("b", 4, none, 6), row("a", 1, 2, none)})
	if len(list) != 3 || list[0].Series != "b" || list[0].Runs != 4 || list[0].Mean.N != 3 || list[0].Value != 4 || list[0].Mean.SD != 2 || list[0].Mean.Most != 6 {
		t.Fatalf("%+v", list)
	}
	if p := measured(list, "a", "ring", "seconds", 1); p.Value != 7 || p.Runs != 1 {
		t.Errorf("%+v", p)
	}
	if p := measured(list, "a", "ring", "seconds", 2); !math.IsNaN(p.Value) || p.Runs != 1 || p.Mean.N != 0 {
		t.Errorf("%+v", p)
	}
	if p := measured(list, "a", "ring", "seconds", none); p.Runs != 0 {
		t.Errorf("%+v", p)
	}
	lines := strings.Split(written(t, tables("mine", []Row{row("a", 1, none, 7), row("b", 1, none, none)})[1]), "\n")
	if lines[1] != "mine,a,ring,8,,seconds,7,,,1,1" || lines[2] != "mine,b,ring,8,,seconds,,,,0,1" {
		t.Errorf("%q", lines)
	}
}
