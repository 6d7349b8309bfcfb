package main

import (
	"io"
	"os"
	"time"

	"caucus/sim"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"
)

// patience is how long a run may take before it shows progress.
const patience = 2 * time.Second

// showProgress counts rounds on a terminal while a run takes long; nobody knows how many
// there will be. Call the function that it returns when the run is over.
func showProgress(logs io.Writer, cfg *sim.Config) (done func()) {
	f, ok := logs.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
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
