package jobs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/results"
	"github.com/google/go-cmp/cmp"
)

// draws is a batch whose jobs draw a few numbers; ran counts the jobs run.
func draws(seed uint64, jobs int, ran *atomic.Int64) *Batch {
	return &Batch{
		Name: "draws", Version: "1", Jobs: jobs,
		Options: []Option{{"seed", fmt.Sprint(seed)}, {"jobs", fmt.Sprint(jobs)}},
		Run: func(ctx context.Context, job int) (results.Rows, error) {
			ran.Add(1)
			r, rows := caucus.NewRand(seed, "test", uint64(job)), results.Rows{}
			for k := range 20 {
				rows = append(
					rows,
					results.Row{
						Series: "draws",
						Seed:   uint64(job),
						X:      float64(k),
						Metric: "value",
						Value:  r.Float64() / 3,
					},
				)
			}
			return rows, ctx.Err()
		},
	}
}

func do(t *testing.T, s *Batch, at Setting) []results.Rows {
	t.Helper()
	got, err := s.Do(context.Background(), at)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// Neither the number of workers nor a trip through the journal shows in the results.
func TestIsDeterministic(t *testing.T) {
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
			if text, err := os.ReadFile(filepath.Join(dir, journalName)); err != nil ||
				string(text) != string(journal) {
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
func TestGoesOnAfterACut(t *testing.T) {
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

func TestInterrupted(t *testing.T) {
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

// A job that does not look at the context is left behind, and what it gives later is in no journal.
func TestStubbornJob(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ran atomic.Int64
		dir, goOn := t.TempDir(), make(chan struct{})
		ctx, cancel := context.WithCancel(context.Background())
		b := draws(1, 3, &ran)
		quick := b.Run
		b.Run = func(_ context.Context, job int) (results.Rows, error) {
			if job == 1 {
				cancel()
				<-goOn
			}
			return quick(context.Background(), job)
		}
		began := time.Now()
		_, err := b.Do(ctx, Setting{Dir: dir, Workers: 1})
		var stop *Interrupted
		if took := time.Since(began); !errors.As(err, &stop) || stop.Done != 1 || took != grace {
			t.Errorf("after %v: %v", took, err)
		}
		before, err1 := os.ReadFile(filepath.Join(dir, journalName))
		close(goOn)
		synctest.Wait()
		after, err2 := os.ReadFile(filepath.Join(dir, journalName))
		if err1 != nil || err2 != nil || !bytes.Equal(before, after) || ran.Load() != 2 {
			t.Errorf("%d jobs, a journal of %d bytes before, %d after: %v, %v", ran.Load(), len(before), len(after),
				err1, err2)
		}
	})
}

func TestRefusals(t *testing.T) {
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
	rebuilt := draws(1, 3, &ran)
	rebuilt.Build = "abc"
	for _, c := range []struct {
		dir   string
		batch *Batch
		want  string
	}{
		{begun, draws(2, 3, &ran), `seed: found "2", allowed: 1, with which ` + begun + ` was begun`},
		{begun, draws(1, 4, &ran), `jobs: found "4", allowed: 3, with which`},
		{begun, other, `experiment: found "rings", allowed: draws`},
		{begun, rebuilt, `build: found "abc", allowed: `},
		{begun, newer, `version: found "2", allowed: 1, with which`},
		{begun, more, `k: found "2", allowed: no such option`},
		{begun, fewer, `jobs: found "no such option", allowed: 3`},
		{used, draws(1, 3, &ran), `output folder: found "` + used + `", allowed: a new or empty folder`},
		{file, draws(1, 3, &ran), `output folder: found "` + file + `", allowed: a folder; this is a file`},
	} {
		ran.Store(0)
		if _, err := c.batch.Do(context.Background(), Setting{Dir: c.dir}); err == nil ||
			!strings.Contains(err.Error(), c.want) ||
			ran.Load() > 0 {
			t.Errorf("error %v after %d jobs, want %s", err, ran.Load(), c.want)
		}
	}
	if now, err := os.ReadFile(filepath.Join(begun, journalName)); err != nil || string(now) != string(kept) {
		t.Error("a refused batch changed the journal")
	}
	ran.Store(0)
	do(t, draws(2, 3, &ran), Setting{Dir: begun, Force: true})
	if ran.Load() != 3 {
		t.Errorf("forced: %d jobs ran", ran.Load())
	}
}

// A line that no kill explains is not skipped in silence.
func TestDamagedJournal(t *testing.T) {
	line := func(text string) string { return string(seal([]byte(text))) }
	for damage, want := range map[string]string{
		"\n":                       ":1: no header",
		line("{}"):                 ":1: no header",
		"HEAD\nrubbish\n":          ":2: the line is damaged: its checksum does not fit",
		"HEAD\n" + line("rubbish"): ":2: invalid character",
		"HEAD\n" + strings.Replace(line(`{"job":1,"rows":[]}`), "1", "2", 1) + "TORN": ":2: the line is damaged",
		"HEAD\n" + line(`{"job":3,"rows":[]}`):                                        ":2: job 3 of 3",
		"HEAD\n" + line(`{"rows":[]}`):                                                ":2: job -1 of 3",
		"HEAD\n" + line(`{"job":1,"rows":[]}`):                                        ":2: job 1 has no rows",
		"HEAD\n" + line(`{"job":1}`): ":2: unexpected end of " +
			"JSON input",
		"HEAD\n" + line(
			`{"job":1,"rows":7}`): ":2: json: cannot unmarshal number",
		"HEAD\n" + line(`{"job":1,"rows":[{"metric":"m","n":1,"x":[1,2],"value":[3]}]}`): `:2: measurement 1: found metric "m", 1 nodes, 1 values and 2 places`,
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
		if _, err := draws(1, 3, &ran).Do(context.Background(), Setting{Dir: dir}); err == nil ||
			!strings.Contains(err.Error(), name+want) {
			t.Errorf("%q: error %v, want %s", damage, err, want)
		}
	}
}

// A byte changed anywhere in a line is noticed, and the line is named.
func TestChecksums(t *testing.T) {
	var ran atomic.Int64
	dir := t.TempDir()
	do(t, draws(1, 2, &ran), Setting{Dir: dir})
	name := filepath.Join(dir, journalName)
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	first := strings.Index(string(text), "\n") + 1
	for at := first; at < len(text)-1; at += 41 {
		damaged := slices.Clone(text)
		if damaged[at] ^= 1; text[at] == '\n' || damaged[at] == '\n' {
			continue
		}
		if err := os.WriteFile(name, damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		line := fmt.Sprintf("%s:%d: ", name, strings.Count(string(text[:at]), "\n")+1)
		if _, err := draws(1, 2, &ran).Do(t.Context(), Setting{Dir: dir}); err == nil ||
			!strings.Contains(err.Error(), line) {
			t.Fatalf("byte %d: %v", at, err)
		}
	}
}

// What an earlier call was writing when it was killed is taken away; what somebody else has put there is not.
func TestUnfinishedFilesGo(t *testing.T) {
	var ran atomic.Int64
	dir := t.TempDir()
	do(t, draws(1, 2, &ran), Setting{Dir: dir})
	for _, name := range []string{".results.csv.123" + Unfinished, "notes.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	do(t, draws(1, 2, &ran), Setting{Dir: dir})
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 2 || files[0].Name() != journalName || files[1].Name() != "notes.txt" {
		t.Errorf("%v, %v", files, err)
	}
}

// Jobs that are asked for later are done and kept like the others, and asked for again in the same way by a call that
// goes on: the question sees no more than what was done before it.
func TestMoreJobs(t *testing.T) {
	var ran atomic.Int64
	more := func() *Batch {
		b := draws(1, 4, &ran)
		b.Most = 12
		b.More = func(done []results.Rows) (next []int) {
			for job := range 4 {
				for round := 1; round <= job && round < 3; round++ {
					if done[4*round+job] == nil {
						next = append(next, 4*round+job)
						break
					}
				}
			}
			return next
		}
		return b
	}
	dir := t.TempDir()
	want := do(t, more(), Setting{Workers: 1, Dir: dir})
	if ran.Load() != 4+3+2 || want[4+0] != nil || want[8+1] != nil || want[8+2] == nil {
		t.Fatalf("%d jobs ran, want 9", ran.Load())
	}
	whole, err := os.ReadFile(filepath.Join(dir, journalName))
	if err != nil {
		t.Fatal(err)
	}
	for cut := len(whole); cut > 0; cut -= 501 {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, journalName), whole[:cut], 0o644); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, do(t, more(), Setting{Dir: dir})); diff != "" {
			t.Fatalf("cut at %d: %s", cut, diff)
		}
		if again, err := os.ReadFile(filepath.Join(dir, journalName)); err != nil || string(again) != string(whole) {
			t.Errorf("cut at %d: another journal, %v", cut, err)
		}
	}
}

// A disk that is full leaves whole lines only, and the error.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full")
	}
	j := &journal{file: full}
	if err := j.write(entry{}); err == nil || j.size != 0 {
		t.Errorf("%v, size %d", err, j.size)
	}
}

// Two programs with one folder would do the same work twice.
func TestFolderInUse(t *testing.T) {
	var ran atomic.Int64
	dir := t.TempDir()
	outer := draws(1, 1, &ran)
	var second error
	outer.Run = func(ctx context.Context, job int) (results.Rows, error) {
		_, second = draws(1, 1, &ran).Do(ctx, Setting{Dir: dir})
		return results.Rows{{Metric: "m"}}, nil
	}
	do(t, outer, Setting{Dir: dir})
	if second == nil || !strings.Contains(second.Error(), "no other process") {
		t.Errorf("a folder in use was taken: %v", second)
	}
	if _, err := outer.Do(t.Context(), Setting{Dir: dir}); err != nil {
		t.Errorf("and it stays locked: %v", err)
	}
}

func TestJobFails(t *testing.T) {
	var ran atomic.Int64
	s := draws(1, 1000, &ran)
	run := s.Run
	s.Run = func(ctx context.Context, job int) (results.Rows, error) {
		if job == 10 {
			return nil, errors.New("no")
		}
		return run(ctx, job)
	}
	if _, err := s.Do(context.Background(), Setting{Workers: 2}); err == nil || err.Error() != "job 10 of draws: no" ||
		ran.Load() > 900 {
		t.Errorf("error %v after %d jobs", err, ran.Load())
	}
}
