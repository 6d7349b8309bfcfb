package sweep

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"caucus.example/caucus/internal/results"
)

// Table is one tidy table: a row a measurement, with the run, all variables of the plan, the algorithm, the network, the
// seed, the round, the measure and the value.
type Table struct {
	columns []results.Column
	Meta    []results.Pair
	rows    [][]any
}

// Keys of the metadata of a table.
const (
	keyPlan, keyStudy, keyBuild, keyVersion, keyShard = "caucus.plan", "caucus.study", "caucus.build", "caucus.version", "caucus.shard"
)

// columns of a variable are typed by its values: whole numbers, numbers, or texts.
func (s *Sweep) columns() []results.Column {
	list := results.Columns("run:whole")
	for k, name := range s.Variables {
		kind := results.Whole
		for _, at := range s.Points {
			_, notWhole := strconv.ParseInt(at[k], 10, 64)
			_, notReal := strconv.ParseFloat(at[k], 64)
			switch {
			case notReal != nil:
				kind = results.Text
			case notWhole != nil && kind == results.Whole:
				kind = results.Real
			}
		}
		list = append(list, results.Column{Name: name, Kind: kind})
	}
	return append(list, results.Columns("algorithm:text network:text nodes:whole seed:whole round:real measure:text value:real")...)
}

func (s *Sweep) meta() []results.Pair {
	b := s.batch()
	b.Options = s.Options() // the same for all shards
	return []results.Pair{{Name: keyPlan, Value: s.Text}, {Name: keyStudy, Value: b.Hash()}, {Name: keyBuild, Value: s.Build},
		{Name: keyVersion, Value: s.Version}, {Name: keyShard, Value: s.Shard.String()}}
}

// add appends a measurement. The number of its run does not depend on how many runs other cells have.
func (t *Table) add(s *Sweep, cell int, seed uint64, r results.Row) {
	row := []any{int64(cell*s.Seeds.Most) + int64(seed-s.Seeds.First) + 1}
	at, _ := s.at(cell)
	for k, text := range at {
		var value any = text
		switch t.columns[1+k].Kind {
		case results.Whole:
			value, _ = strconv.ParseInt(text, 10, 64)
		case results.Real:
			value, _ = strconv.ParseFloat(text, 64)
		}
		row = append(row, value)
	}
	t.rows = append(t.rows, append(row, r.Series, r.Network, int64(r.N), int64(seed), r.X, r.Metric, r.Value))
}

// Files writes the table.
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
		for _, key := range []string{keyStudy, keyBuild, keyVersion} {
			a, b := lookUp(first.Meta, key), lookUp(p.Meta, key)
			if a == "" && key == keyStudy || a != b {
				return nil, fmt.Errorf("%s: found %s %q, allowed: %q, as in %s; shards are of one study and one build", p.File, key, b, a, first.File)
			}
		}
		var shard Shard
		if _, err := fmt.Sscanf(lookUp(p.Meta, keyShard), "%d/%d", &shard.Index, &shard.Of); err != nil || shard.Of < 1 || shard.Index < 1 || shard.Index > shard.Of {
			return nil, fmt.Errorf("%s: found %s %q, allowed: that of a sweep", p.File, keyShard, lookUp(p.Meta, keyShard))
		}
		if of == 0 {
			of = shard.Of
		}
		if other, twice := have[shard.Index]; twice || shard.Of != of {
			if !twice {
				other = first.File
			}
			return nil, fmt.Errorf("%s: found shard %s beside %s, allowed: each of %d shards once", p.File, shard, other, of)
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

func lookUp(meta []results.Pair, key string) string {
	for _, m := range meta {
		if m.Name == key {
			return m.Value
		}
	}
	return ""
}
