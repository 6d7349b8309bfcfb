package agent

import (
	"math"
	"time"

	"caucus.example/caucus/internal/pacing"
)

// recall is what a node has asked of a neighbour.
type recall struct {
	news  time.Time // it brought some
	token uint64    // of this silence
	at    time.Time // the first ask of this silence
	now   tally     // in this silence
	tally           // in those that have ended: who has died answers nothing, and is not waited for longer by that
}

// tally counts what has been asked lately, and what of that was answered within a period.
type tally struct{ asked, answered int }

const (
	lossLeast    = 1e-3 // less is none
	recallMemory = 128  // asks; then both counts are halved
	recallFirst  = 8    // asks before anything is made of the answers
	// recallFor is for how many periods a neighbour is asked that has brought news: as long as asking goes on, and 4.
	recallFor = 4 + pacing.AskMost/pacing.AskThen
)

// begin is for a new silence: the neighbour has spoken since the last one, which gives what it has answered.
func (r *recall) begin(token uint64, now time.Time) (ended tally) {
	ended = r.now
	r.add(ended)
	r.now, r.token, r.at = tally{}, token, now
	return ended
}

// restart forgets the present silence: it was the end of a life, not of datagrams.
func (r *recall) restart() { r.now, r.token = tally{}, 0 }

func (t *tally) add(x tally) {
	t.asked, t.answered = t.asked+x.asked, t.answered+x.answered
	if t.asked >= recallMemory {
		t.asked, t.answered = t.asked/2, t.answered/2
	}
}

// take counts an answer, if it comes within a period.
func (r *recall) take(response uint64, now time.Time, period time.Duration) {
	if response != 0 && response == r.token && now.Sub(r.at) < period {
		r.now.answered = min(r.now.answered+1, r.now.asked)
	}
}

// share is that of asks which a neighbour answers, less what it may be too much by chance; that of all neighbours,
// where this one has hardly been asked.
func (r *recall) share(all tally) float64 {
	t := r.tally
	if t.asked < recallFirst {
		t = all
	}
	if t.asked < recallFirst {
		return 0
	}
	n := float64(t.asked)
	share := float64(t.answered) / n
	return max(0, share-math.Sqrt(share*(1-share)/n))
}

// recent tells whether a neighbour has brought news of late.
func (r *recall) recent(now time.Time, period time.Duration) bool {
	return now.Sub(r.news) < recallFor*period
}
