package agent

import (
	"time"

	"caucus.example/caucus/internal/pacing"
	"caucus.example/caucus/internal/wire"
)

// What has changed is told again where datagrams get lost: who does not hear that a neighbour has given up a leader
// waits for it, and numbers of terms that go against the beat get over a link once a period. The answer to a question
// would do as well, but only who knows that something has changed can ask.

// again is what the last broadcast said of leader and term, and when it is said once more.
type again struct {
	backs      wire.Instance
	term, need uint64
	left       int       // times
	at         time.Time // zero: not any more
}

// tellAgain says when what is told now is told again.
func (a *Agent) tellAgain(now time.Time) {
	is := again{backs: a.terms.following, left: a.again.left - 1}
	is.term, is.need = a.terms.announce()
	if was := &a.again; is.backs != was.backs || is.term != was.term || is.need != was.need {
		is.left = pacing.Again
	}
	if is.left = max(0, is.left); is.left > 0 && a.lossy() {
		is.at = now.Add(a.step() / pacing.AskAfter)
	}
	a.again = is
}

// lossy tells whether a neighbour is known to lose some of what it is sent.
func (a *Agent) lossy() bool {
	for _, p := range a.present {
		if p.loss >= lossLeast {
			return true
		}
	}
	return false
}
