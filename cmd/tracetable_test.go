package cmd

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caucus.example/caucus/internal/results"
)

func readTraceTable(t *testing.T, name string) (rows []map[string]any) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	table, err := results.ReadFile(f)
	if err != nil {
		t.Fatal(err)
	}
	table.Rows(func(cells ...any) {
		row := map[string]any{}
		for k, c := range table.Columns {
			if cells[k] != nil {
				row[c.Name] = cells[k]
			}
		}
		rows = append(rows, row)
	})
	return rows
}

// A trace as a table has a row for each line of the one as JSON lines, of rounds on networks that stand still or move
// and of events; that of events is repeated like any other.
func TestTraceTable(t *testing.T) {
	dir, spaced := t.TempDir(), strings.NewReplacer(":", ": ", ",", ", ")
	table, lines := filepath.Join(dir, "t.parquet"), filepath.Join(dir, "t.jsonl")
	for _, args := range []string{
		"--topology grid:6x6 --radius 3 --rounds 60 --stable-for 0 --fault at:30,kind:crash,leaders:true",
		"--arena 100x100 --range 30 --radius 3 --metric hops --rounds 30 --stable-for 0",
		"--algo as-far --topology ring:8 --ids random --delays uniform",
		"--algo prasle-reliable --topology line:4 --strength random --delays uniform --rounds 30",
	} {
		list := strings.Fields(args)
		for k := range list {
			if strings.HasPrefix(list[k], "at:") {
				list[k] = spaced.Replace(list[k])
			}
		}
		if strings.HasPrefix(args, "--arena") {
			list = append(list, "--walkers", "nodes: 30, motion: levy, speed: 2")
		}
		run := func(more ...string) string {
			code, out, logs := caucusRun(t, append(append([]string{"run"}, list...), more...)...)
			if code == exitMisuse {
				t.Fatalf("%s: %s", args, logs)
			}
			return out[strings.LastIndex(strings.TrimSpace(out), "\n")+1:]
		}
		last := run("--trace", table, "--force")
		if other := run("--trace", lines, "--force"); other != last {
			t.Fatalf("%s: %s, %s", args, last, other)
		}
		text, err := os.ReadFile(lines)
		if err != nil {
			t.Fatal(err)
		}
		rows := readTraceTable(t, table)
		records := bytes.Split(bytes.TrimSpace(text), []byte("\n"))[1:]
		if len(rows) != len(records) || len(rows) < 20 {
			t.Fatalf("%s: %d rows, %d lines", args, len(rows), len(records))
		}
		for k, line := range records {
			var want map[string]any
			if err := json.Unmarshal(line, &want); err != nil {
				t.Fatal(err)
			}
			for _, name := range strings.Fields("time event node from kind role leader distance parent x dy") {
				if want[name] != rows[k][name] {
					t.Fatalf("%s: row %d has %v, want %v of %s", args, k, rows[k], want[name], name)
				}
			}
		}
		if strings.HasPrefix(args, "--algo") {
			if again := run("--replay", table); again != last {
				t.Errorf("%s: replayed %s, before %s", args, again, last)
			}
		}
	}
	code, _, logs := caucusRun(t, "run", "--algo", "as-far", "--topology", "ring:6", "--replay", table)
	if code != exitMisuse || !strings.Contains(logs, table) {
		t.Errorf("exit %d: %s", code, logs)
	}
}
