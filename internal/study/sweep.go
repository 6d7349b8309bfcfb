// Package study repeats the published measurements of leader elections: sweeps of many
// independent runs that can be interrupted and go on, compared with the published numbers.
package study

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"sync"
)

// Option is one resolved option of an experiment.
type Option struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Sweep is a set of independent jobs, numbered from 0. What a job gives depends on the options and its number
// only, so that it does not matter who runs it, and when.
type Sweep[T any] struct {
	Name    string   // of the experiment
	Version string   // of the program
	Options []Option // all that the results depend on
	Jobs    int
	// Run does one job, on one core. It returns ctx's error soon after ctx ends. T must survive
	// JSON: exported fields, no NaN and no infinity.
	Run func(ctx context.Context, job int) (T, error)
}

// Setting is where and how a sweep is run; results do not depend on it.
type Setting struct {
	Dir     string // folder that keeps finished jobs, made if need be; "": they are not kept
	Force   bool   // start anew although Dir holds another sweep or other files
	Workers int    // jobs at a time; 0: all cores
	// Progress, if set, is told how many of the jobs are done: once at the start, which tells those of an
	// earlier call, and then after each job. Calls do not overlap.
	Progress func(done, total int)
}

// Interrupted is the error of a sweep whose context ended before its last job.
type Interrupted struct {
	Done, Total int
	Kept        bool // whether the finished jobs are kept
	Cause       error
}

func (e *Interrupted) Error() string {
	if e.Kept {
		return fmt.Sprintf("interrupted after %d of %d jobs; the same command goes on from there", e.Done, e.Total)
	}
	return fmt.Sprintf("interrupted after %d of %d jobs, which are lost: a folder for results would have kept them", e.Done, e.Total)
}

func (e *Interrupted) Unwrap() error { return e.Cause }

// Do runs the jobs that are not done yet and gives the results of all, by job. When ctx ends first the error is
// an *Interrupted, and the results of the jobs that are not done are zero values. A folder begun with other options is
// refused with a *caucus.FieldError that names the first that differs. When a job fails, no further one is begun.
func (s *Sweep[T]) Do(ctx context.Context, at Setting) ([]T, error) {
	head := header{journalFormat, s.Name, s.Version, s.Options}
	run := &progress[T]{sweep: s, results: make([]T, s.Jobs), done: make([]bool, s.Jobs), tell: at.Progress}
	if at.Dir != "" {
		j, lines, err := openJournal(at.Dir, head, at.Force)
		if err != nil {
			return nil, err
		}
		defer j.close()
		run.journal = j
		if err := run.recall(lines); err != nil {
			return nil, err
		}
	}
	if run.tell != nil {
		run.tell(run.count, s.Jobs)
	}
	run.work(ctx, at.Workers)
	switch {
	case run.err != nil && ctx.Err() == nil:
		return nil, run.err
	case run.count < s.Jobs:
		return run.results, &Interrupted{run.count, s.Jobs, run.journal != nil, ctx.Err()}
	case run.journal != nil && run.mixed:
		return run.results, rewrite(run.journal, head, run.results)
	}
	return run.results, nil
}

// Study is an experiment whose options are set.
type Study struct {
	Echo string // says in one line what is run
	Jobs int
	Run  func(context.Context, Setting) (*Report, error) // errors are those of Sweep.Do
}

// Of makes a study of its jobs and of what evaluates their results.
func Of[T any](s *Sweep[T], report func(version string, results []T) *Report) *Study {
	return &Study{s.Echo(), s.Jobs, func(ctx context.Context, at Setting) (*Report, error) {
		results, err := s.Do(ctx, at)
		if err != nil {
			return nil, err
		}
		return report(s.Version, results), nil
	}}
}

// progress is a sweep under way.
type progress[T any] struct {
	sweep   *Sweep[T]
	journal *journal // nil: nothing is kept
	tell    func(done, total int)

	mu      sync.Mutex // of all below
	results []T
	done    []bool
	count   int
	last    int  // job of the last line of the journal
	mixed   bool // its lines are not in the order of the jobs
	next    int
	err     error // the first
}

// recall takes up the results of an earlier call.
func (p *progress[T]) recall(lines []entry) error {
	for _, l := range lines {
		if l.Job < 0 || l.Job >= len(p.done) {
			return p.journal.damaged(l.line, fmt.Errorf("job %d of %d", l.Job, len(p.done)))
		}
		if err := json.Unmarshal(l.Result, &p.results[l.Job]); err != nil {
			return p.journal.damaged(l.line, err)
		}
		p.note(l.Job)
	}
	return nil
}

// note counts a job whose line stands in the journal.
func (p *progress[T]) note(job int) {
	p.mixed = p.mixed || job <= p.last && p.count > 0
	p.last = job
	if !p.done[job] {
		p.done[job] = true
		p.count++
	}
}

func (p *progress[T]) work(ctx context.Context, workers int) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var crew sync.WaitGroup
	for range min(workers, p.sweep.Jobs) {
		crew.Go(func() {
			for job := p.take(); job >= 0 && ctx.Err() == nil; job = p.take() {
				result, err := p.sweep.Run(ctx, job)
				if !p.finish(job, result, err) {
					cancel()
				}
			}
		})
	}
	crew.Wait()
}

// take gives the next job to run, -1 if there is none.
func (p *progress[T]) take() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	for ; p.next < len(p.done); p.next++ {
		if !p.done[p.next] {
			p.next++
			return p.next - 1
		}
	}
	return -1
}

// finish notes the end of a job; false tells everybody to stop.
func (p *progress[T]) finish(job int, result T, err error) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err == nil && p.journal != nil {
		err = p.journal.add(job, result)
	}
	if err != nil {
		if p.err == nil {
			p.err = fmt.Errorf("job %d of %s: %w", job, p.sweep.Name, err)
		}
		return false
	}
	p.results[job] = result
	p.note(job)
	if p.tell != nil {
		p.tell(p.count, len(p.done))
	}
	return true
}
