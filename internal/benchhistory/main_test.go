package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A second run is appended to the first, and compared with it where the machine is the same.
func TestHistoryGrows(t *testing.T) {
	file := filepath.Join(t.TempDir(), "history.csv")
	first, err := read(file)
	if err != nil || first != nil {
		t.Fatalf("before the first run: %v, %v", first, err)
	}
	day := func(date, commit, machine string, processor float64) row {
		return row{date, commit, machine, "sim/Rounds", 2 * processor, processor}
	}
	first = []row{day("2026-01-01", "a", "old", 100)}
	if err := write(file, first); err != nil {
		t.Fatal(err)
	}
	rows, err := read(file)
	if err != nil || cmp.Diff(first, rows, cmp.AllowUnexported(row{})) != "" {
		t.Fatalf("read again: %v, %v", rows, err)
	}
	rows = append(rows, day("2026-02-01", "b", "old", 150), day("2026-02-01", "b", "new", 30))
	if err := write(file, rows); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := `date,commit,machine,benchmark,ns_per_op,cpu_ns_per_op,times_first
2026-01-01,a,old,sim/Rounds,200,100,1.000
2026-02-01,b,old,sim/Rounds,300,150,1.500
2026-02-01,b,new,sim/Rounds,60,30,1.000
`
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Error(diff)
	}
	picture := filepath.Join(filepath.Dir(file), "history.svg")
	if err := draw(picture, rows); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(picture); err != nil || !strings.Contains(string(text), "sim/Rounds") {
		t.Errorf("%v: no line of this name", err)
	}
}

// What a benchmark prints is read; two at a time would share their processor time.
func TestParse(t *testing.T) {
	line := "BenchmarkRounds/n=10-2 \t 10\t 300.5 ns/op\t 3 B/op\n"
	got, ok := parse("sim", "goos: linux\n"+line+"PASS\n")
	if want := (row{name: "sim/Rounds/n=10", clock: 300.5}); !ok || got != want {
		t.Errorf("%+v, %v, want %+v", got, ok, want)
	}
	for _, out := range []string{"PASS\n", line + line} {
		if r, ok := parse("sim", out); ok {
			t.Errorf("%q: %+v", out, r)
		}
	}
}
