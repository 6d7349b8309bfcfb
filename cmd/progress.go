package cmd

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"caucus.example/caucus/internal/jobs"
	"caucus.example/caucus/sim"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"
)

// patience is how long a run may take before it shows progress.
const patience = 2 * time.Second

func isTerminal(logs io.Writer) bool {
	f, ok := logs.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// showPhase says on a terminal what takes long, and for how long it has.
func showPhase(logs io.Writer, what string) (stop func()) {
	if !isTerminal(logs) {
		return func() {}
	}
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		began := time.Now()
		for next := patience; ; next = time.Second {
			select {
			case <-end:
				if time.Since(began) > patience {
					fmt.Fprint(logs, "\r\033[K")
				}
				return
			case <-time.After(next):
				fmt.Fprintf(logs, "\r%s: %.0f s\033[K", what, time.Since(began).Seconds())
			}
		}
	}()
	return func() {
		close(end)
		<-ended
	}
}

// showProgress counts rounds on a terminal while a run takes long. Call the function that it returns when the run is
// over.
func showProgress(logs io.Writer, cfg *sim.Config) (done func()) {
	if !isTerminal(logs) {
		return func() {}
	}
	start := time.Now()
	most, certain := cfg.MaxRounds, cfg.StableFor == 0
	var bars *mpb.Progress
	var bar *mpb.Bar
	cfg.Progress = func(rounds int) {
		if bar == nil {
			if time.Since(start) < patience {
				return
			}
			bars = mpb.New(mpb.WithOutput(logs))
			bar = bars.New(0, mpb.NopStyle(), mpb.BarRemoveOnComplete(),
				mpb.PrependDecorators(decor.Any(func(s decor.Statistics) string {
					return roundsDone(int(s.Current), most, certain, time.Since(start))
				})))
		}
		bar.SetCurrent(int64(rounds))
	}
	return func() {
		if bar != nil {
			bar.Abort(true)
			bars.Wait()
		}
	}
}

// roundsDone says how far a run is, and when it ends: certainly after so many rounds, or by then if nothing comes to
// rest before. 0: nobody knows.
func roundsDone(done, most int, certain bool, took time.Duration) string {
	if most <= 0 {
		return fmt.Sprintf("round %d, %s", done, took.Round(time.Second))
	}
	bound := " at most"
	if certain {
		bound = ""
	}
	text := fmt.Sprintf("round %d of %d%s, %s", done, most, bound, took.Round(time.Second))
	if left := remaining(took, 0, done, most-done); left != "" {
		text += "," + bound + " " + left
	}
	return text
}

// showJobs is showProgress for jobs whose number is known: a bar with the time that is left, or that has passed as long
// as the first of them lasts. The jobs that are done at the first call took no time of this run.
func showJobs(logs io.Writer) (tell func(done, total int), end func()) {
	if !isTerminal(logs) {
		return nil, func() {}
	}
	s := &jobBar{logs: logs, start: time.Now(), earlier: -1}
	s.late = time.AfterFunc(patience, s.open)
	return s.tell, s.end
}

// jobBar is what showJobs shows.
type jobBar struct {
	logs  io.Writer
	start time.Time
	late  *time.Timer

	mu                   sync.Mutex
	over                 bool
	earlier, done, total int
	last                 time.Time // the end of a job
	bars                 *mpb.Progress
	bar                  *mpb.Bar
}

func (s *jobBar) tell(done, total int) {
	s.mu.Lock()
	if s.earlier < 0 {
		s.earlier = done
	}
	s.done, s.total, s.last = done, total, time.Now()
	bar := s.bar
	s.mu.Unlock()
	if bar != nil {
		move(bar, done, total)
	}
}

// move moves a bar, without the lock: who draws it takes the lock to say what is left, and a bar that is drawn lets
// nobody move it. There may be more jobs than it was said at first.
func move(bar *mpb.Bar, done, total int) {
	bar.SetTotal(int64(total), false)
	bar.SetCurrent(int64(done))
}

// open shows the bar, once it is known how many jobs there are.
func (s *jobBar) open() {
	s.mu.Lock()
	if !s.over && s.earlier < 0 {
		s.late.Reset(patience)
	}
	if s.over || s.earlier < 0 {
		s.mu.Unlock()
		return
	}
	s.bars = mpb.New(mpb.WithOutput(s.logs), mpb.WithWidth(40), mpb.WithAutoRefresh())
	bar := s.bars.AddBar(0, mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.CountersNoUnit("%d of %d jobs ")),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return s.left() })))
	s.bar = bar
	done, total := s.done, s.total
	s.mu.Unlock()
	move(bar, done, total)
}

func (s *jobBar) left() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.done <= s.earlier {
		return time.Since(s.start).Round(time.Second).String()
	}
	return remaining(s.last.Sub(s.start), time.Since(s.last), s.done-s.earlier, s.total-s.done)
}

func (s *jobBar) end() {
	s.late.Stop()
	s.mu.Lock()
	bar, bars := s.bar, s.bars
	s.over = true
	s.mu.Unlock()
	if bar != nil {
		bar.Abort(true)
		bars.Wait()
	}
}

// remaining says how much longer the jobs that are left take.
func remaining(took, ago time.Duration, done, left int) string {
	more, ok := jobs.Remaining(took, ago, done, left)
	if !ok {
		return ""
	}
	return more.Round(time.Second).String() + " left"
}
