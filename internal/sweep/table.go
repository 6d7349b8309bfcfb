package sweep

import (
	"fmt"
	"slices"
	"strings"

	"caucus.example/caucus/internal/results"
)

// Table is one tidy table: a row a measurement, with the run, all variables of the plan, the algorithm, the network,
// the seed, the round, the measure and the value.
type Table struct {
	columns []results.Column
	Meta    []results.Pair
	rows    [][]any
}

// Keys of the metadata of a table.
const (
	keyPlan, keyStudy, keyBuild, keyVersion, keyShard = "caucus.plan", "caucus.study", "caucus.build", "caucus.version",
		"caucus.shard"
)

// File is the table, to be written.
func (t *Table) File() *results.Table {
	return &results.Table{Columns: t.columns, Meta: t.Meta, Rows: func(row func(...any)) {
		for _, r := range t.rows {
			row(r...)
		}
	}}
}

// Len is how many measurements there are.
func (t *Table) Len() int { return len(t.rows) }

// Part is a table that was read from a file.
type Part struct {
	File string
	*results.Table
}

// Shard is one of several parts of a sweep: part Index, from 1, of Of.
type Shard struct{ Index, Of int }

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Of) }

// Missing is the error of a merge without all shards.
type Missing struct{ Shards []string }

func (m *Missing) Error() string {
	return "shards are missing: " + strings.Join(m.Shards, ", ") + "; run these, then merge again"
}

// Merge puts the shards of one study together, made by one build: the same table as that of one worker alone.
func Merge(parts []Part) (*Table, error) {
	first := parts[0]
	t := &Table{columns: first.Columns, Meta: slices.Clone(first.Meta)}
	of, have := 0, map[int]string{}
	for _, p := range parts {
		shard, err := p.shard(first)
		if err != nil {
			return nil, err
		}
		if of == 0 {
			of = shard.Of
		}
		if other, twice := have[shard.Index]; twice || shard.Of != of {
			if !twice {
				other = first.File
			}
			return nil, fmt.Errorf(
				"%s: found shard %s beside %s, allowed: each of %d shards once",
				p.File,
				shard,
				other,
				of,
			)
		}
		have[shard.Index] = p.File
		p.Rows(func(cells ...any) { t.rows = append(t.rows, slices.Clone(cells)) })
	}
	var missing []string
	for i := 1; i <= of; i++ {
		if have[i] == "" {
			missing = append(missing, Shard{i, of}.String())
		}
	}
	if len(missing) > 0 {
		return nil, &Missing{missing}
	}
	slices.SortStableFunc(t.rows, func(a, b []any) int { return int(a[0].(int64) - b[0].(int64)) })
	for k := range t.Meta {
		if t.Meta[k].Name == keyShard {
			t.Meta[k].Value = Shard{1, 1}.String()
		}
	}
	return t, nil
}

// shard tells which part it is, of the same study and build as the first.
func (p *Part) shard(first Part) (s Shard, err error) {
	for _, key := range []string{keyStudy, keyBuild, keyVersion} {
		a, b := lookUp(first.Meta, key), lookUp(p.Meta, key)
		if a == "" && key == keyStudy || a != b {
			return s, fmt.Errorf("%s: found %s %q, allowed: %q, as in %s; shards are of one study and one build",
				p.File, key, b, a, first.File)
		}
	}
	text := lookUp(p.Meta, keyShard)
	if _, err := fmt.Sscanf(text, "%d/%d", &s.Index, &s.Of); err != nil || s.Index < 1 || s.Index > s.Of {
		return s, fmt.Errorf("%s: found %s %q, allowed: that of a sweep", p.File, keyShard, text)
	}
	return s, nil
}

// Plan is the text of the study.
func (t *Table) Plan() string { return lookUp(t.Meta, keyPlan) }

func lookUp(meta []results.Pair, key string) string {
	for _, m := range meta {
		if m.Name == key {
			return m.Value
		}
	}
	return ""
}
