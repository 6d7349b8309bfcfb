package cmd

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

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

// showProgress counts rounds on a terminal while a run takes long; nobody knows how many
// there will be. Call the function that it returns when the run is over.
func showProgress(logs io.Writer, cfg *sim.Config) (done func()) {
	if !isTerminal(logs) {
		return func() {}
	}
	start := time.Now()
	var bars *mpb.Progress
	var bar *mpb.Bar
	cfg.Progress = func(rounds int) {
		if bar == nil {
			if time.Since(start) < patience {
				return
			}
			bars = mpb.New(mpb.WithOutput(logs))
			bar = bars.New(0, mpb.NopStyle(), mpb.BarRemoveOnComplete(),
				mpb.PrependDecorators(decor.CurrentNoUnit("round %d, "), decor.NewElapsed(decor.ET_STYLE_GO, start)))
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

// showJobs is showProgress for jobs whose number is known: a bar with the time that is left. The jobs that are
// done at the first call took no time of this run.
func showJobs(logs io.Writer) (tell func(done, total int), end func()) {
	if !isTerminal(logs) {
		return nil, func() {}
	}
	start, earlier := time.Now(), -1
	var last atomic.Int64 // end of a job, for the goroutine of the bar
	var bars *mpb.Progress
	var bar *mpb.Bar
	tell = func(done, total int) {
		if earlier < 0 {
			earlier = done
		}
		last.Store(time.Now().UnixNano())
		if bar == nil {
			if time.Since(start) < patience {
				return
			}
			bars = mpb.New(mpb.WithOutput(logs), mpb.WithWidth(40))
			bar = bars.AddBar(int64(total), mpb.BarRemoveOnComplete(),
				mpb.PrependDecorators(decor.CountersNoUnit("%d of %d jobs ")),
				mpb.AppendDecorators(decor.Any(func(s decor.Statistics) string {
					lately := time.Unix(0, last.Load())
					return remaining(lately.Sub(start), time.Since(lately), int(s.Current)-earlier,
						int(s.Total-s.Current))
				})))
		}
		bar.SetCurrent(int64(done))
	}
	return tell, func() {
		if bar != nil {
			bar.Abort(true)
			bars.Wait()
		}
	}
}

// remaining guesses the time for the jobs that are left from what those done took until the last of them ended,
// some time ago.
func remaining(took, ago time.Duration, done, left int) string {
	if done <= 0 {
		return ""
	}
	return max(0, took/time.Duration(done)*time.Duration(left)-ago).Round(time.Second).String() + " left"
}
