package sweep

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"caucus.example/caucus/internal/jobs"
	"caucus.example/caucus/internal/scenario"
)

// Who looks on is told of every run once, and in the end sees the means and intervals that the table has.
func TestLive(t *testing.T) {
	s := sweepOf(t, study, Shard{1, 1})
	at := jobs.Setting{Workers: 2}
	seen := 0
	at.Progress = func(done, total int) { seen = done }
	l := s.Live(&at)
	if first := l.Look(0); first.Done != 0 || first.Left >= 0 || first.Over || len(first.Runs) != 0 {
		t.Errorf("before it begins: %+v", first)
	}
	var told [][]any
	grew := 0
	shown := at.Progress
	at.Progress = func(done, total int) {
		shown(done, total)
		if look := l.Look(len(told)); len(look.Runs) > 0 {
			told = append(told, look.Runs...)
			grew++
		}
	}
	table := tableOf(t, s, at)
	l.End(nil)
	look := l.Look(len(told))
	if len(look.Runs) != 0 || !look.Over || look.Left != 0 || look.Done != look.Total || look.Done != len(told) ||
		seen != look.Done || grew < look.Done/2 {
		t.Errorf("%d of %d runs, %d told in %d looks, %v s left, over: %v", look.Done, look.Total, len(told), grew,
			look.Left, look.Over)
	}
	if want := []string{"run", "n", "radius", "algorithm", "seed", "instability", "stabilise", "leaders", "messages",
		"correct"}; !slices.Equal(look.Columns, want) {
		t.Errorf("columns %v", look.Columns)
	}
	k := slices.IndexFunc(look.Charts, func(c Curves) bool { return c.Measure == "messages" })
	got := look.Charts[k]
	chart, err := table.chart(&scenario.Chart{Measure: "messages", Over: "n"})
	if err != nil || got.Over != "n" || len(got.Lines) != 4 {
		t.Fatalf("%+v %v", got, err)
	}
	for i, want := range chart.Series {
		if !reflect.DeepEqual(got.Lines[i],
			Curve{want.Name, want.X, want.Y, want.Lo, want.Hi}) {
			t.Errorf("the line %+v, want %+v", got.Lines[i], want)
		}
	}
	l.End(errors.New("full"))
	if look := l.Look(0); look.Wrong != "full" || len(look.Runs) != len(told) {
		t.Errorf("%+v", look)
	}
}

// A run that is picked is the one that the sweep has made.
func TestLiveScenario(t *testing.T) {
	s := sweepOf(t, study, Shard{1, 1})
	var at jobs.Setting
	l := s.Live(&at)
	tableOf(t, s, at)
	for _, run := range l.Look(0).Runs[:9] {
		text, folder, err := l.Scenario(int(run[0].(int64)))
		if err != nil || folder != "." {
			t.Fatalf("run %v: %q %v", run[0], folder, err)
		}
		sc, err := scenario.Parse("x.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		again, err := sc.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		result, err := again.Entry.Simulate(t.Context(), again.Args, again.Config)
		if err != nil {
			t.Fatal(err)
		}
		if again := fmt.Sprintf("%.6g", float64(result.Messages)); run[8] != again {
			t.Errorf("run %v has %v messages, again %v", run[0], run[8], again)
		}
	}
	for _, run := range []int{0, -1, 8*9 + 1} {
		if _, _, err := l.Scenario(run); err == nil {
			t.Errorf("run %d is none", run)
		}
	}
}
