// Package jobs runs independent jobs on all cores, and keeps a journal of those that are done, so that an interruption
// costs no more than the ones under way.
package jobs

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"runtime"
	"sync"
	"time"

	"caucus.example/caucus/internal/results"
)

// Batch is a set of independent jobs, numbered from 0. What a job gives depends on the options and its number
// only, so that it does not matter who runs it, and when.
type Batch struct {
	Name    string   // of the experiment
	Version string   // of the program
	Build   string   // of the program, closer than its version
	Options []Option // all that the results depend on
	Jobs    int
	// Run does one job, on one core. It returns ctx's error soon after ctx ends, or is left behind.
	Run func(ctx context.Context, job int) (results.Rows, error)
	// More, if set, is asked once all jobs are done, with what they gave, and names others that are to be done as well:
	// with numbers from Jobs to Most-1, and none that was named before. None ends it.
	More func(done []results.Rows) []int
	Most int
}

// Hash is short for the name and all options.
func (b *Batch) Hash() string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(Describe(b.Name, b.Options))))[:16]
}

// Setting is where and how a batch is run; results do not depend on it.
type Setting struct {
	Dir     string // folder that keeps finished jobs, made if need be; "": they are not kept
	Force   bool   // start anew although Dir holds another batch or other files
	Workers int    // jobs at a time; 0: all cores
	// Elsewhere, if set, does the jobs in place of this process.
	Elsewhere Elsewhere
	// Progress, if set, is told how many of the jobs are done: once at the start, which tells those of an
	// earlier call, and then after each job. Calls do not overlap.
	Progress func(done, total int)
	// Finished, if set, is told what each job gave, those of an earlier call included, before Progress counts it.
	Finished func(job int, rows results.Rows)
}

// Remaining guesses the time for the jobs that are left from what those done took until the last of them ended,
// some time ago; without any that is done, there is nothing to guess from.
func Remaining(took, ago time.Duration, done, left int) (time.Duration, bool) {
	if done <= 0 {
		return 0, false
	}
	return max(0, took/time.Duration(done)*time.Duration(left)-ago), true
}

// Elsewhere does jobs of a batch on other machines, in any order, and tells finish the end of each. It returns once all
// are done, ctx has ended, or finish is false.
type Elsewhere func(ctx context.Context, b *Batch, jobs []int, finish Finish) error

// Finish notes what a job gave; false: no more are wanted. Calls may overlap.
type Finish func(job int, rows results.Rows, err error) bool

// Interrupted is the error of a batch whose context ended before its last job.
type Interrupted struct {
	Done, Total int
	Kept        bool // whether the finished jobs are kept
	Cause       error
}

func (e *Interrupted) Error() string {
	if e.Kept {
		return fmt.Sprintf("interrupted after %d of %d jobs; the same command goes on from there", e.Done, e.Total)
	}
	return fmt.Sprintf(
		"interrupted after %d of %d jobs, which are lost: a folder for results would have kept them",
		e.Done,
		e.Total,
	)
}

func (e *Interrupted) Unwrap() error { return e.Cause }

// Do runs the jobs that are not done yet and gives the rows of all, by job. When ctx ends first the error is
// an *Interrupted, and the jobs that are not done have no rows. A folder begun with other options is
// refused with a *caucus.FieldError that names the first that differs. When a job fails, no further one is begun.
func (b *Batch) Do(ctx context.Context, at Setting) ([]results.Rows, error) {
	most := max(b.Jobs, b.Most)
	run := &progress{
		batch:   b,
		results: make([]results.Rows, most),
		done:    make([]bool, most),
		tell:    at.Progress,
		told:    at.Finished,
		total:   b.Jobs,
		last:    -1,
	}
	if at.Dir != "" {
		j, lines, err := openJournal(at.Dir, b.head(), at.Force)
		if err != nil {
			return nil, err
		}
		defer j.close()
		run.journal = j
		if err := run.recall(lines); err != nil {
			return nil, err
		}
	}
	wanted := make([]int, b.Jobs)
	for job := range wanted {
		wanted[job] = job
	}
	for len(wanted) > 0 {
		if run.prepare(wanted); at.Elsewhere != nil {
			run.send(ctx, at.Elsewhere)
		} else {
			run.work(ctx, at.Workers)
		}
		switch {
		case run.err != nil && ctx.Err() == nil:
			return nil, run.err
		case run.count < run.total:
			return run.results, &Interrupted{run.count, run.total, run.journal != nil, ctx.Err()}
		}
		if wanted = nil; b.More != nil {
			wanted = b.More(run.results)
		}
		run.total += len(wanted)
	}
	if run.journal != nil && run.mixed {
		return run.results, run.journal.rewrite(b.head(), run.results, run.done)
	}
	return run.results, nil
}

func (b *Batch) head() header {
	return header{journalFormat, b.Name, b.Version, b.Build, b.Hash(), b.Options}
}

// progress is a batch under way.
type progress struct {
	batch   *Batch
	journal *journal // nil: nothing is kept
	tell    func(done, total int)
	told    func(job int, rows results.Rows)
	total   int // jobs that are known of

	mu      sync.Mutex // of all below
	results []results.Rows
	done    []bool
	kept    map[int]results.Rows // done by an earlier call, and perhaps not wanted yet
	count   int
	last    int  // job of the last line of the journal
	mixed   bool // its lines are not in the order of the jobs
	wanted  []int
	err     error // the first
}

// recall takes up the rows of an earlier call. Those of jobs that nobody knows of yet count once they are wanted.
func (p *progress) recall(lines []entry) error {
	p.kept = map[int]results.Rows{}
	for _, l := range lines {
		if l.Job < 0 || l.Job >= len(p.done) {
			return p.journal.damaged(l.line, fmt.Errorf("job %d of %d", l.Job, len(p.done)))
		}
		var rows results.Rows
		if err := json.Unmarshal(l.Rows, &rows); err != nil {
			return p.journal.damaged(l.line, err)
		}
		if len(rows) == 0 {
			return p.journal.damaged(l.line, fmt.Errorf("job %d has no rows", l.Job))
		}
		p.kept[l.Job] = rows
		p.note(l.Job)
	}
	return nil
}

// note looks at the place of a job in the journal.
func (p *progress) note(job int) {
	p.mixed = p.mixed || job <= p.last
	p.last = job
}

// prepare finds the jobs that are wanted and not done yet.
func (p *progress) prepare(wanted []int) {
	p.wanted = nil
	for _, job := range wanted {
		if rows, ok := p.kept[job]; ok {
			p.enter(job, rows)
		} else {
			p.wanted = append(p.wanted, job)
		}
	}
	if p.tell != nil {
		p.tell(p.count, p.total)
	}
}

// enter counts a job that is done.
func (p *progress) enter(job int, rows results.Rows) {
	p.results[job], p.done[job] = rows, true
	p.count++
	if p.told != nil {
		p.told(job, rows)
	}
}

// send has the jobs done elsewhere.
func (p *progress) send(ctx context.Context, elsewhere Elsewhere) {
	if err := elsewhere(ctx, p.batch, p.wanted, p.finish); err != nil && p.err == nil {
		p.err = err
	}
}

// work does the jobs here.
func (p *progress) work(ctx context.Context, workers int) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	var crew sync.WaitGroup
	for range min(workers, len(p.wanted)) {
		crew.Go(func() {
			for job := p.take(); job >= 0 && inner.Err() == nil; job = p.take() {
				rows, err := p.batch.Run(inner, job)
				if !p.finish(job, rows, err) {
					cancel()
				}
			}
		})
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		crew.Wait()
	}()
	select {
	case <-over:
		return
	case <-ctx.Done():
	}
	select {
	case <-over:
	case <-time.After(grace):
		p.leave(ctx.Err())
	}
}

// grace is how long jobs may go on after an interruption. Those that take longer are left behind: not every step of
// theirs looks at the context.
const grace = time.Second

// leave makes nothing of what jobs give from now on.
func (p *progress) leave(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil {
		p.err = err
	}
}

// take gives the next job to run, -1 if there is none.
func (p *progress) take() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.wanted) == 0 {
		return -1
	}
	job := p.wanted[0]
	p.wanted = p.wanted[1:]
	return job
}

// finish notes the end of a job; false tells everybody to stop.
func (p *progress) finish(job int, rows results.Rows, err error) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != nil {
		return false // what comes after an error in the journal would stand behind it
	}
	if err == nil && p.journal != nil {
		if err = p.journal.add(job, rows); err == nil {
			p.note(job)
		}
	}
	if err != nil {
		p.err = fmt.Errorf("job %d of %s: %w", job, p.batch.Name, err)
		return false
	}
	p.enter(job, rows)
	if p.tell != nil {
		p.tell(p.count, p.total)
	}
	return true
}
