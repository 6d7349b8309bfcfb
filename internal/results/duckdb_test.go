package results

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// duckDB asks DuckDB, as the package @duckdb/node-api has it, which a folder node_modules of NODE_PATH holds.
func duckDB(t *testing.T, sql string) (rows []map[string]any) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip(
			"no node; with it and NODE_PATH=…/node_modules, where npm install @duckdb/node-api has put DuckDB, this " +
				"test runs",
		)
	}
	if _, err := os.Stat(filepath.Join(os.Getenv("NODE_PATH"), "@duckdb", "node-api")); err != nil {
		t.Skip("no DuckDB; npm install @duckdb/node-api somewhere, and NODE_PATH=…/node_modules")
	}
	cmd := exec.Command(node, "-e", `const {DuckDBInstance} = require("@duckdb/node-api");
(async () => {
	const c = await (await DuckDBInstance.create()).connect();
	const r = await c.runAndReadAll(process.argv[1]);
	console.log(JSON.stringify(r.getRowObjectsJson()));
})().catch(e => { console.error(e); process.exit(1); });`, sql)
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, said.String())
	}
	if err := json.Unmarshal(out, &rows); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return rows
}

// Another reader finds what was written, with its types: in Parquet, and in CSV without a word about its format.
func TestDuckDB(t *testing.T) {
	table := Long("mine", []Row{
		{
			"#99",
			"a,\"b\"",
			3,
			1,
			None,
			"seconds",
			1.5,
		}, {"K=1 le", "NA", 3, 0, 1e21, "é", None}, {"two\nlines", "", 40, 1 << 40, 0.1, "m", -2},
	})
	dir := t.TempDir()
	for _, ending := range Endings {
		name := filepath.Join(dir, "t"+ending)
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := table.Write(ending)(f); err != nil {
			t.Fatal(err)
		}
		f.Close()
		got := duckDB(t, "select * from '"+name+"'")
		i := 0
		table.Rows(func(cells ...any) {
			for k, c := range table.Columns {
				want := cells[k]
				switch x := want.(type) {
				case int:
					want = text(got[i][c.Name], Number(float64(x)))
				case uint64:
					want = text(got[i][c.Name], Number(float64(x)))
				case float64:
					if want = any(nil); x == x {
						want = x
					}
				case string:
					if ending == ".csv" && x == "" {
						want = nil // to this reader of CSV there is no difference
					}
				}
				if g := got[i][c.Name]; g != want && !(ending == ".csv" && g == "" && want == nil) {
					t.Errorf("%s, row %d, %s: %v (%T), want %v (%T)", ending, i, c.Name, g, g, want, want)
				}
			}
			i++
		})
		if i != len(got) {
			t.Errorf("%s: %d rows", ending, len(got))
		}
		types := duckDB(t, "describe select * from '"+name+"'")
		for k, c := range table.Columns {
			want := []string{"VARCHAR", "BIGINT", "DOUBLE"}[c.Kind]
			if got := types[k]["column_type"]; types[k]["column_name"] != c.Name || got != want {
				t.Errorf("%s: column %v is %v, want %s of %s", ending, types[k]["column_name"], got, want, c.Name)
			}
		}
	}
}

// text is a whole number as the reader gives it: a text, if it is one of 64 bits.
func text(got any, number string) any {
	if _, ok := got.(string); !ok {
		return got
	}
	return strings.Replace(number, "1.099511627776e+12", "1099511627776", 1)
}
