package results

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

	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"
)

func written(t interface{ Fatal(...any) }, f *Table) string {
	var b bytes.Buffer
	if err := f.CSV(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// What is written is read back by a reader with its defaults, whatever the names: a '#', which other programs may take
// for a comment, never begins a line.
func TestTablesAreReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(
			rapid.SampledFrom([]string{"#99", "a,b", `say "x"`, "two\nlines", "", " x", "é"}),
			rapid.StringMatching(`[ -~]*`),
		)
		number := rapid.OneOf(rapid.Just(None), rapid.Float64())
		var rows []Row
		for range rapid.IntRange(1, 5).Draw(t, "rows") {
			rows = append(
				rows,
				Row{text.Draw(t, "series"), text.Draw(t, "network"), rapid.IntRange(0, 1e6).Draw(t, "n"),
					rapid.Uint64().
						Draw(t, "seed"),
					number.Draw(t, "x"), text.Draw(t, "metric"), number.Draw(t, "value")},
			)
		}
		out := written(t, Long("mine", rows))
		lines, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		if err != nil || len(lines) != 1+len(rows) ||
			strings.Join(lines[0], " ") != "study series network n seed x metric value" {
			t.Fatalf("%v\n%s", err, out)
		}
		for i, r := range rows {
			l := lines[i+1]
			same := func(cell string, want float64) bool {
				got, err := strconv.ParseFloat(cell, 64)
				return math.IsNaN(want) && cell == "" || err == nil && got == want
			}
			seed, _ := strconv.ParseUint(l[4], 10, 64)
			if !slices.Equal([]string{l[0], l[1], l[2], l[6]}, []string{"mine", r.Series, r.Network, r.Metric}) ||
				seed != r.Seed ||
				!same(l[3], float64(r.N)) ||
				!same(l[5], r.X) ||
				!same(l[7], r.Value) {
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
	rows := []Row{{"#99", "a,\"b\"", 3, 1, None, "seconds", 1.5}, {"K=1 le", "ring", 3, 0, 1e21, "é", None}}
	cmd := exec.Command(
		python,
		"-c",
		"import csv,json,sys\nprint(json.dumps([list(r.values()) for r in csv.DictReader(sys.stdin)]))",
	)
	cmd.Stdin = strings.NewReader(written(t, Long("mine", rows)))
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got [][]string
	if err := json.Unmarshal(out, &got); err != nil || len(got) != 2 {
		t.Fatalf("%v: %s", err, out)
	}
	for i, want := range [][]string{{"mine", "#99", `a,"b"`, "3", "1", "", "seconds", "1.5"},
		{"mine", "K=1 le", "ring", "3", "", "1e+21", "é", ""}} {
		if !slices.Equal(got[i], want) {
			t.Errorf("%q, want %q", got[i], want)
		}
	}
}

// Runs of the same are taken together, in the order in which they come; those without a value count as runs and are in
// no mean. Of 2, 4 and 6 the mean is 4 and the standard deviation 2; of one value there is no spread.
func TestPoints(t *testing.T) {
	row := func(series string, seed uint64, x, value float64) Row {
		return Row{series, "ring", 8, seed, x, "seconds", value}
	}
	list := Points(
		[]Row{
			row("b", 1, None, 2),
			row("a", 1, 1, 7),
			row("b", 2, None, 4),
			row("b", 3, None, None),
			row("b", 4, None, 6),
			row("a", 1, 2, None),
		},
	)
	if len(list) != 3 || list[0].Series != "b" || list[0].Runs != 4 || list[0].Mean.N != 3 || list[0].Value != 4 ||
		list[0].Mean.SD != 2 ||
		list[0].Mean.Most != 6 {
		t.Fatalf("%+v", list)
	}
	if p := Measured(list, "a", "ring", "seconds", 1); p.Value != 7 || p.Runs != 1 {
		t.Errorf("%+v", p)
	}
	if p := Measured(list, "a", "ring", "seconds", 2); !math.IsNaN(p.Value) || p.Runs != 1 || p.Mean.N != 0 {
		t.Errorf("%+v", p)
	}
	if p := Measured(list, "a", "ring", "seconds", None); p.Runs != 0 {
		t.Errorf("%+v", p)
	}
	lines := strings.Split(written(t, Means("mine", []Row{row("a", 1, None, 7), row("b", 1, None, None)})), "\n")
	if lines[1] != "mine,a,ring,8,,seconds,7,,,1,1" || lines[2] != "mine,b,ring,8,,seconds,,,,0,1" {
		t.Errorf("%q", lines)
	}
}

// Rows come back from a journal as they were.
func TestRowsInJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{"a", "#9", ""})
		number := rapid.OneOf(rapid.Just(None), rapid.Float64())
		var rows Rows
		for range rapid.IntRange(0, 9).Draw(t, "rows") {
			rows = append(rows, Row{word.Draw(t, "series"), word.Draw(t, "network"), rapid.IntRange(0, 9).Draw(t, "n"),
				rapid.Uint64Range(0, 2).
					Draw(t, "seed"),
				number.Draw(t, "x"), "m" + word.Draw(t, "metric"), number.Draw(t, "value")})
		}
		text, err := json.Marshal(rows)
		if err != nil {
			t.Fatal(err)
		}
		var back Rows
		if err := json.Unmarshal(text, &back); err != nil || len(back) != len(rows) {
			t.Fatalf("%v: %s", err, text)
		}
		for i := range rows {
			a, b := rows[i], back[i]
			if math.Float64bits(a.X) != math.Float64bits(b.X) ||
				math.Float64bits(a.Value) != math.Float64bits(b.Value) {
				t.Fatalf("%+v became %+v", a, b)
			}
			a.X, a.Value, b.X, b.Value = 0, 0, 0, 0
			if a != b {
				t.Fatalf("%+v became %+v", a, b)
			}
		}
	})
}

// A text is quoted where another program would take it for something else.
func TestQuotes(t *testing.T) {
	table := &Table{Columns: Columns("name:text value:real"), Rows: func(row func(...any)) {
		for _, name := range []string{"Paris", "K=1 le", "#99", "7", "NA", "", " x", "a,b", `say "x"`, "-5", "=1+1",
			"été", "x\ny"} {
			row(name, 1.5)
		}
		row(nil, None)
	}}
	want := "name,value\nParis,1.5\nK=1 le,1.5\n\"#99\",1.5\n7,1.5\n\"NA\",1.5\n\"\",1.5\n\" x\",1.5\n\"a,b\",1.5\n" +
		"\"say \"\"x\"\"\",1.5\n\"-5\",1.5\n\"=1+1\",1.5\nété,1.5\n\"x\ny\",1.5\n,\n"
	if got := written(t, table); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// Parquet has names, types, cells, empty ones too, and what the rows depend on; it is the same bytes every time.
func TestParquet(t *testing.T) {
	table := Long("mine", []Row{{"#99", "ring", 3, 1, None, "seconds", 1.5}, {"b", "ring", 3, 0, 1e21, "é", None}})
	table.Meta = []Pair{{"b", "2"}, {"a", "1"}}
	var out, again bytes.Buffer
	if err := table.Parquet(&out); err != nil {
		t.Fatal(err)
	}
	if err := table.Parquet(&again); err != nil || !bytes.Equal(out.Bytes(), again.Bytes()) {
		t.Fatalf("other bytes, %v", err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := f.Lookup("a"); v != "1" {
		t.Errorf("a = %q", v)
	}
	type line struct {
		Series string   `parquet:"series"`
		Metric string   `parquet:"metric"`
		N      int64    `parquet:"n"`
		Seed   *int64   `parquet:"seed"`
		X      *float64 `parquet:"x"`
		Value  *float64 `parquet:"value"`
	}
	got, err := parquet.Read[line](bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil || len(got) != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	if a := got[0]; a.Series != "#99" || *a.Seed != 1 || a.X != nil || *a.Value != 1.5 || a.N != 3 {
		t.Errorf("%+v", a)
	}
	if b := got[1]; b.Metric != "é" || b.Seed != nil || *b.X != 1e21 || b.Value != nil {
		t.Errorf("%+v", b)
	}
}
