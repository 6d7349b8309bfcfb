package study

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"caucus.example/caucus/internal/jobs"
)

// By derivation, for n = 8: the k of n(k+2) is 4; halving rings cost Stages 2·8·3 + 3·8; All the Way 64 always.
func TestRings(t *testing.T) {
	r := Rings{MaxN: 16, Rings: 20, Seed: 1}
	report, err := r.Study().Run(context.Background(), jobs.Setting{})
	if err != nil {
		t.Fatal(err)
	}
	if report.Violated || len(report.Tables) != 2 ||
		len(report.Tables[0].Rows)+len(report.Tables[1].Rows) != len(ringCases()) {
		t.Fatalf("violated %t, tables %v", report.Violated, report.Tables)
	}
	var csv bytes.Buffer
	for _, f := range report.AllFiles() {
		var b bytes.Buffer
		if err := f.Write(&b); err != nil || b.Len() == 0 {
			t.Errorf("%s: %d bytes, %v", f.Name, b.Len(), err)
		}
		if f.Name == "results.csv" {
			csv = b
		}
	}
	for _, want := range []string{
		"rings,alternate,ring,8,,,bound,48",
		"rings,alternate,for alternate,8,,,messages,48",
		"rings,min-max,for min-max,16,,,messages,112",
		"rings,stages,halving,8,,,messages,72",
		"rings,stages,halving,16,,,messages,176",
		"rings,uni-stages,halving,8,,,messages,64",
		"rings,as-far,increasing,8,,,messages,44",
		"rings,all-the-way,random,8,1,,messages,64",
		`rings,control (doubling),ring,8,,,"bound, leading term",168`,
	} {
		if !strings.Contains(csv.String(), "\n"+want+"\n") {
			t.Errorf("results.csv has no line %q:\n%s", want, csv.String())
		}
	}
	// 20 of 5040 rings: the mean is within four standard errors of 8·H_8 + 8.
	if d, ok := report.Comparisons[0].Difference(); !ok || math.Abs(d) > 4 ||
		report.Comparisons[0].Variant != "as-far" {
		t.Errorf("%+v: %g standard errors", report.Comparisons[0], d)
	}
	var text, document bytes.Buffer
	if err := report.Text(&text); err != nil || !strings.Contains(text.String(), "attained=9 exceeded=0") {
		t.Errorf("%s, %v", text.String(), err)
	}
	var d struct {
		Tables []struct{ Rows [][]any }
	}
	if err := report.JSON(&document); err != nil || json.Unmarshal(document.Bytes(), &d) != nil || len(d.Tables) != 2 ||
		len(d.Tables[1].Rows) != 7 {
		t.Errorf("JSON %s, %v", document.String(), err)
	}
}

// A cost above an exact bound is reported and makes the experiment fail; above a leading term it does not.
func TestRingsExceeded(t *testing.T) {
	r := Rings{MaxN: 8, Rings: 1, Seed: 1}
	whole, err := r.Study().Run(context.Background(), jobs.Setting{})
	if err != nil {
		t.Fatal(err)
	}
	with := func(name string, messages float64) *Report {
		rows := slices.Clone(whole.Rows)
		for k := range rows {
			if x := &rows[k]; x.Series == name && x.Network == "random" {
				x.Value = messages
			}
		}
		return r.Study().Report(rows)
	}
	for _, name := range []string{"control (doubling)", "itai-rodeh"} {
		if report := with(name, 1000); report.Violated {
			t.Errorf("violated: %v", report.Notes)
		}
	}
	report := with("alternate", 49)
	if !report.Violated || !strings.Contains(report.Notes[0],
		`alternate, n = 8: 49 messages on the ring "random", more than n(k+2) = 48`) {
		t.Errorf("violated %t: %v", report.Violated, report.Notes)
	}
}

// Every job has its own algorithm and size.
func TestRingsJobs(t *testing.T) {
	r := Rings{MaxN: 100}
	seen := map[string]bool{}
	for job := range r.Study().Jobs {
		c, n := r.job(job)
		seen[c.name+string(rune(n))] = true
	}
	if want := 4 * len(ringCases()); len(seen) != want || r.Study().Jobs != want { // 8, 16, 32, 64
		t.Errorf("%d different jobs of %d, want %d", len(seen), r.Study().Jobs, want)
	}
}
