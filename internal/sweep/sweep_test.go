package sweep

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caucus.example/caucus/internal/jobs"
	"caucus.example/caucus/internal/results"
	"caucus.example/caucus/internal/scenario"
)

const study = `
version: 1
name: small
scenario: {topology: "ring:${n}", metric: hops, strength: random, stable-for: 5, faults: [{at: 12, kind: crash, leaders: true}]}
grid: {n: [8, 12], radius: [1, 2]}
algorithms: [bounded, recursive]
seeds: {least: 3, most: 9, until: messages, within: 5%}
measures: [instability, stabilise, leaders, messages, correct, leaders-by-round]
`

func sweepOf(t *testing.T, text string, shard Shard) *Sweep {
	t.Helper()
	p, err := scenario.ParsePlan("small.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(p, shard)
	if err != nil {
		t.Fatal(err)
	}
	s.Version, s.Build = "1", "test"
	return s
}

func tableOf(t *testing.T, s *Sweep, at jobs.Setting) *Table {
	t.Helper()
	table, err := s.Do(context.Background(), at)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func bytesOf(t *testing.T, table *Table, ending string) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := table.File().Write(ending)(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func summaryOf(t *testing.T, table *Table) *Summary {
	t.Helper()
	s, err := table.Summary()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func part(t *testing.T, s *Sweep, name string) Part {
	t.Helper()
	file := bytesOf(t, tableOf(t, s, jobs.Setting{}), ".parquet")
	read, err := results.ReadParquet(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	return Part{name, read}
}

// Not a byte depends on who has made the runs: one worker or three, a call that goes on where a journal was cut, or
// shards that are put together.
func TestSameBytes(t *testing.T) {
	whole, dir := Shard{1, 1}, t.TempDir()
	one := tableOf(t, sweepOf(t, study, whole), jobs.Setting{Workers: 1, Dir: dir})
	want := bytesOf(t, one, ".parquet")
	three := tableOf(t, sweepOf(t, study, whole), jobs.Setting{Workers: 3})
	if !bytes.Equal(bytesOf(t, three, ".parquet"), want) ||
		!bytes.Equal(bytesOf(t, three, ".csv"), bytesOf(t, one, ".csv")) {
		t.Error("three workers: other bytes")
	}
	journal, err := os.ReadFile(filepath.Join(dir, "journal.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, cut := range []int{len(journal) / 3, len(journal) * 3 / 4} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "journal.jsonl"), journal[:cut], 0o644); err != nil {
			t.Fatal(err)
		}
		if again := tableOf(t, sweepOf(t, study, whole), jobs.Setting{Dir: dir}); !bytes.Equal(
			bytesOf(t, again, ".parquet"),
			want,
		) {
			t.Errorf("cut at %d: other bytes", cut)
		}
	}
	var parts []Part
	for _, i := range []int{3, 1, 2} {
		parts = append(parts, part(t, sweepOf(t, study, Shard{i, 3}), "part"))
	}
	merged, err := Merge(parts)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytesOf(t, merged, ".parquet"), want) {
		t.Error("three shards: other bytes")
	}
	if a, b := summaryOf(t, one), summaryOf(t, merged); len(a.Means) != len(b.Means) || len(a.Means) == 0 ||
		*a.Means[3].Mean != *b.Means[3].Mean {
		t.Errorf("another summary of shards: %d means, %d", len(a.Means), len(b.Means))
	}
}

// What is no whole sweep is named.
func TestMergeRefuses(t *testing.T) {
	at := func(text string, i, n int) Part { return part(t, sweepOf(t, text, Shard{i, n}), "x.parquet") }
	first, second := at(study, 1, 3), at(study, 2, 3)
	_, err := Merge([]Part{first})
	if missing := new(Missing); !errors.As(err, &missing) ||
		err.Error() != "shards are missing: 2/3, 3/3; run these, then merge again" {
		t.Errorf("%v", err)
	}
	other := sweepOf(t, study, Shard{3, 3})
	other.Build = "other"
	for want, parts := range map[string][]Part{
		`found caucus.study "`:         {first, at(strings.Replace(study, "[8, 12]", "[8, 10]", 1), 2, 3)},
		`found caucus.build "other"`:   {first, second, part(t, other, "y.parquet")},
		"found shard 1/3 beside x":     {first, second, first},
		"found shard 2/2 beside x":     {first, at(study, 2, 2)},
		`found caucus.shard "", allow`: {{"z", &results.Table{Meta: []results.Pair{{Name: keyStudy, Value: "s"}}}}},
		`found caucus.study ""`:        {{"z", &results.Table{}}},
	} {
		if _, err := Merge(parts); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// A cell has as many runs as its mean needs: on rings the messages of one round are the same for all seeds, so that the
// least number will do for what takes as long every time, and never more than the most.
func TestAdaptiveSeeds(t *testing.T) {
	table := tableOf(t, sweepOf(t, study, Shard{1, 1}), jobs.Setting{})
	few, many := 0, 0
	for _, m := range summaryOf(t, table).Means {
		if m.Measure != "messages" {
			continue
		}
		width := max(*m.High-*m.Mean, *m.Mean-*m.Low) / *m.Mean
		switch {
		case m.Runs < 3 || m.Runs > 9 || m.Runs < 9 && width > 0.05:
			t.Errorf("%d runs of %v %s: %g to each side of the mean", m.Runs, m.Point, m.Algorithm, width)
		case m.Runs < 9:
			few++
		default:
			many++
		}
	}
	if few == 0 {
		t.Errorf("%d cells with few runs, %d with many", few, many)
	}
}

// By hand: on a line of 4 with strengths by ID, sparse regions apart, minimum finding elects node 4 or 1 in as many
// rounds as there are hops; a crash of the leader is followed by another election.
func TestMeasures(t *testing.T) {
	table := tableOf(t, sweepOf(t, `
scenario: {topology: "line:4", metric: hops, strength: id, stable-for: 5}
algorithms: [{algo: bounded, label: bounded, params: {radius: 10}}, flood]
seeds: 2
measures: [stabilise, leaders, messages, bytes, energy, correct, rounds, changes-by-round]
`, Shard{1, 1}), jobs.Setting{})
	got := map[string]float64{}
	for _, m := range summaryOf(t, table).Means {
		if m.Mean != nil {
			got[m.Algorithm+" "+m.Measure] = *m.Mean
		}
		if m.Runs != 2 {
			t.Errorf("%+v", m)
		}
	}
	// The strongest is node 4; node 1, three hops away, hears of it in round 3, since a clean node's candidacy counts
	// as heard before round 1.
	for name, want := range map[string]float64{"bounded stabilise": 3, "bounded leaders": 1, "bounded correct": 1,
		"flood leaders": 1, "flood correct": 1,
		"flood messages": 2 * 3 * 3} { // 2mD
		if got[name] != want {
			t.Errorf("%s: %g, want %g", name, got[name], want)
		}
	}
	if got["bounded rounds"] < 8 || got["bounded messages"] != 6*got["bounded rounds"] ||
		got["bounded bytes"] <= got["bounded messages"] ||
		got["bounded energy"] <= 0 {
		t.Errorf("%v", got)
	}
	if low := summaryOf(t, table).Differences; len(low) == 0 || low[0].Pairs != 2 || low[0].Above != "bounded" {
		t.Errorf("%+v", low)
	}
	var text bytes.Buffer
	if err := summaryOf(t, table).Text(&text); err != nil ||
		!strings.Contains(text.String(), "Differences on the same seeds") {
		t.Errorf("%v: %s", err, text.String())
	}
}

func TestNewRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"measures: [leader]": `measures: found "leader", allowed: instability, `,
		"measures: [leaders]\nseeds: {least: 3, most: 9, until: messages, within: 5%}": `measures: found "messages", allowed: leaders`,
	} {
		p, err := scenario.ParsePlan("small.yaml", []byte("scenario: {topology: ring:4}\n"+text))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := New(p, Shard{1, 1}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// What goes on changing until the next event has not stabilised before it.
func TestStabiliseNever(t *testing.T) {
	s := sweepOf(t, `
scenario: {topology: "line:9", metric: hops, strength: id, radius: 20, stable-for: 5, faults: [{at: 4, kind: crash, nodes: [9]}]}
algorithms: [bounded]
seeds: 2
measures: [stabilise]
`, Shard{1, 1})
	var first []float64
	tableOf(t, s, jobs.Setting{}).File().Rows(func(cells ...any) {
		n := len(cells)
		if cells[n-3].(float64) == 0 {
			first = append(first, cells[n-1].(float64))
		}
	})
	if len(first) != 2 || !math.IsNaN(first[0]) {
		t.Errorf("%v: the candidacy of node 9 takes 8 rounds to node 1, and has 4", first)
	}
}
