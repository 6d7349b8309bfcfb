package study

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"caucus.example/caucus"
	"github.com/google/go-cmp/cmp"
)

type drawn struct {
	Job    int
	Values []float64
}

// draws is a sweep whose jobs draw a few numbers; ran counts the jobs run.
func draws(seed uint64, jobs int, ran *atomic.Int64) *Sweep[drawn] {
	return &Sweep[drawn]{
		Name: "draws", Version: "1", Jobs: jobs,
		Options: []Option{{"seed", fmt.Sprint(seed)}, {"jobs", fmt.Sprint(jobs)}},
		Run: func(ctx context.Context, job int) (drawn, error) {
			ran.Add(1)
			d, r := drawn{Job: job}, caucus.NewRand(seed, "test", uint64(job))
			for range 20 {
				d.Values = append(d.Values, r.Float64()/3)
			}
			return d, ctx.Err()
		},
	}
}

func do(t *testing.T, s *Sweep[drawn], at Setting) []drawn {
	t.Helper()
	got, err := s.Do(context.Background(), at)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// Neither the number of workers nor a trip through the journal shows in the results.
func TestSweepIsDeterministic(t *testing.T) {
	var ran atomic.Int64
	once := t.TempDir()
	want := do(t, draws(1, 50, &ran), Setting{Workers: 1, Dir: once})
	journal, err := os.ReadFile(filepath.Join(once, journalName))
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{0, 2, 7, 100} {
		dir := t.TempDir()
		for range 2 {
			if diff := cmp.Diff(want, do(t, draws(1, 50, &ran), Setting{Workers: workers, Dir: dir})); diff != "" {
				t.Errorf("%d workers: %s", workers, diff)
			}
			if text, err := os.ReadFile(filepath.Join(dir, journalName)); err != nil || string(text) != string(journal) {
				t.Errorf("%d workers: another journal, %v", workers, err)
			}
		}
	}
	if ran.Load() != 5*50 {
		t.Errorf("%d jobs ran, want 250: the second call of each folder runs none", ran.Load())
	}
	if other := do(t, draws(2, 50, &ran), Setting{}); cmp.Equal(want, other) {
		t.Error("another seed gives the same")
	}
}

// Cut anywhere, a journal costs no more than the job whose line was cut.
func TestSweepGoesOnAfterACut(t *testing.T) {
	var ran atomic.Int64
	dir := t.TempDir()
	want := do(t, draws(1, 4, &ran), Setting{Dir: dir, Workers: 1})
	whole, err := os.ReadFile(filepath.Join(dir, journalName))
	if err != nil {
		t.Fatal(err)
	}
	for cut := 0; cut < len(whole); cut += 7 {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, journalName), whole[:cut], 0o644); err != nil {
			t.Fatal(err)
		}
		lines := strings.Count(string(whole[:cut]), "\n")
		ran.Store(0)
		if diff := cmp.Diff(want, do(t, draws(1, 4, &ran), Setting{Dir: dir, Workers: 1})); diff != "" {
			t.Fatalf("cut at %d: %s", cut, diff)
		}
		if got, want := int(ran.Load()), 4-max(0, lines-1); got != want {
			t.Errorf("cut at %d: %d jobs ran, want %d", cut, got, want)
		}
		if again, err := os.ReadFile(filepath.Join(dir, journalName)); err != nil || string(again) != string(whole) {
			t.Errorf("cut at %d: the journal differs from the uncut one, %v", cut, err)
		}
	}
}

func TestSweepInterrupted(t *testing.T) {
	var ran atomic.Int64
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	var told []int
	_, err := draws(1, 20, &ran).Do(ctx, Setting{Dir: dir, Workers: 1, Progress: func(done, total int) {
		told = append(told, done)
		if done == 5 {
			cancel()
		}
	}})
	var stop *Interrupted
	if !errors.As(err, &stop) || stop.Done != 5 || stop.Total != 20 || !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	if want := []int{0, 1, 2, 3, 4, 5}; !slices.Equal(told, want) {
		t.Errorf("progress %v, want %v", told, want)
	}
	ran.Store(0)
	told = nil
	want := do(t, draws(1, 20, &ran), Setting{})
	ran.Store(0)
	got := do(t, draws(1, 20, &ran), Setting{Dir: dir, Progress: func(done, total int) { told = append(told, done) }})
	if diff := cmp.Diff(want, got); diff != "" || ran.Load() != 15 || told[0] != 5 || told[len(told)-1] != 20 {
		t.Errorf("went on with %d jobs, progress %v; %s", ran.Load(), told, diff)
	}
}

func TestSweepRefusals(t *testing.T) {
	var ran atomic.Int64
	begun := t.TempDir()
	do(t, draws(1, 3, &ran), Setting{Dir: begun})
	kept, err := os.ReadFile(filepath.Join(begun, journalName))
	if err != nil {
		t.Fatal(err)
	}
	used := t.TempDir()
	if err := os.WriteFile(filepath.Join(used, "thesis.tex"), []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(used, "thesis.tex")
	other, newer, more, fewer := draws(1, 3, &ran), draws(1, 3, &ran), draws(1, 3, &ran), draws(1, 3, &ran)
	other.Name, newer.Version = "rings", "2"
	more.Options = append(more.Options, Option{"k", "2"})
	fewer.Options = fewer.Options[:1]
	for _, c := range []struct {
		dir   string
		sweep *Sweep[drawn]
		want  string
	}{
		{begun, draws(2, 3, &ran), `seed: found "2", allowed: 1, with which ` + begun + ` was begun`},
		{begun, draws(1, 4, &ran), `jobs: found "4", allowed: 3, with which`},
		{begun, other, `experiment: found "rings", allowed: draws`},
		{begun, newer, `version: found "2", allowed: 1, with which`},
		{begun, more, `k: found "2", allowed: no such option`},
		{begun, fewer, `jobs: found "no such option", allowed: 3`},
		{used, draws(1, 3, &ran), `output folder: found "` + used + `", allowed: a new or empty folder`},
		{file, draws(1, 3, &ran), `output folder: found "` + file + `", allowed: a folder; this is a file`},
	} {
		ran.Store(0)
		if _, err := c.sweep.Do(context.Background(), Setting{Dir: c.dir}); err == nil || !strings.Contains(err.Error(), c.want) || ran.Load() > 0 {
			t.Errorf("error %v after %d jobs, want %s", err, ran.Load(), c.want)
		}
	}
	if now, err := os.ReadFile(filepath.Join(begun, journalName)); err != nil || string(now) != string(kept) {
		t.Error("a refused sweep changed the journal")
	}
	ran.Store(0)
	do(t, draws(2, 3, &ran), Setting{Dir: begun, Force: true})
	if ran.Load() != 3 {
		t.Errorf("forced: %d jobs ran", ran.Load())
	}
}

// A line that no kill explains is not skipped in silence.
func TestSweepDamagedJournal(t *testing.T) {
	for damage, want := range map[string]string{
		"\n":                               ":1: no header",
		"{}\n":                             ":1: no header",
		"HEAD\nrubbish\n":                  ":2: invalid character",
		"HEAD\n{\"job\":3}\n":              ":2: job 3 of 3",
		"HEAD\n{\"job\":1}\nTORN":          ":2: unexpected end of JSON input",
		"HEAD\n{\"job\":-1}\n":             ":2: job -1 of 3",
		"HEAD\n{\"job\":1,\"result\":7}\n": ":2: json: cannot unmarshal number",
	} {
		var ran atomic.Int64
		dir := t.TempDir()
		do(t, draws(1, 3, &ran), Setting{Dir: dir})
		name := filepath.Join(dir, journalName)
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		head, _, _ := strings.Cut(string(text), "\n")
		if err := os.WriteFile(name, []byte(strings.Replace(damage, "HEAD", head, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := draws(1, 3, &ran).Do(context.Background(), Setting{Dir: dir}); err == nil || !strings.Contains(err.Error(), name+want) {
			t.Errorf("%q: error %v, want %s", damage, err, want)
		}
	}
}

// Two programs with one folder would do the same work twice.
func TestSweepFolderInUse(t *testing.T) {
	var ran atomic.Int64
	dir := t.TempDir()
	outer := draws(1, 1, &ran)
	var second error
	outer.Run = func(ctx context.Context, job int) (drawn, error) {
		_, second = draws(1, 1, &ran).Do(ctx, Setting{Dir: dir})
		return drawn{}, nil
	}
	do(t, outer, Setting{Dir: dir})
	if second == nil || !strings.Contains(second.Error(), "no other process") {
		t.Errorf("a folder in use was taken: %v", second)
	}
	if _, err := outer.Do(t.Context(), Setting{Dir: dir}); err != nil {
		t.Errorf("and it stays locked: %v", err)
	}
}

func TestSweepJobFails(t *testing.T) {
	var ran atomic.Int64
	s := draws(1, 1000, &ran)
	run := s.Run
	s.Run = func(ctx context.Context, job int) (drawn, error) {
		if job == 10 {
			return drawn{}, errors.New("no")
		}
		return run(ctx, job)
	}
	if _, err := s.Do(context.Background(), Setting{Workers: 2}); err == nil || err.Error() != "job 10 of draws: no" || ran.Load() > 900 {
		t.Errorf("error %v after %d jobs", err, ran.Load())
	}
}
