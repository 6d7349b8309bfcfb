package agent

import (
	"math"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/pacing"
)

// A neighbour is given up after so many periods of silence that loss alone explains it with this probability a
// period, or after the expiry if that is longer. The same holds for news of the leader.
const tolerated = 1e-5

// Loss is smoothed over about so many datagrams. What is longer than mostPatience expiries is no loss but silence.
const (
	lossMemory   = 128
	mostPatience = 4
)

// countLoss takes a datagram of a peer into account, which it has sent of its own accord, and those that have not come
// before it.
func (p *peer) countLoss(at time.Time, expiry int) {
	last := p.regular
	p.regular = at
	if last.IsZero() || p.wait <= 0 || p.ask.gap > 1 {
		return
	}
	silence := float64(at.Sub(last)) / float64(p.wait)
	if silence < 0.5 { // one out of turn
		return
	}
	missed := int(caucus.Missed(silence))
	if missed > mostPatience*expiry {
		return
	}
	for range missed {
		p.loss += (1 - p.loss) / lossMemory
	}
	p.loss -= p.loss / lossMemory
	p.expected += missed + 1
}

// patience is how many periods a peer may be silent.
func (p *peer) patience(expiry int) int {
	return min(max(expiry, lostInARow(p.loss)), mostPatience*expiry)
}

// lostInARow is the number of datagrams that loss takes in a row less often than tolerated.
func lostInARow(loss float64) int {
	if loss < lossLeast {
		return 0
	}
	return inARow(likely(loss))
}

// likely is the loss that there may be: what is measured may be too little by chance, so it is taken to be more by its
// standard deviation.
func likely(loss float64) float64 { return loss + math.Sqrt(loss*(1-loss)/lossMemory) }

func inARow(share float64) int {
	return int(math.Ceil(math.Log(tolerated) / math.Log(min(share, 0.9))))
}

// newsLost is the number of periods in a row in which news of the leader does not come from a peer, although it is
// asked for, less often than tolerated.
func (a *Agent) newsLost(p *peer) int {
	if p.loss < lossLeast {
		return 0
	}
	return inARow(likely(p.loss) * math.Pow(1-p.recall.share(a.recalls), pacing.AskThen))
}

// patience is how many rounds news of the leader may be late on the worst of the links that it comes by, or may come by
// where it has come by none of late.
func (a *Agent) patience(now time.Time) int {
	most, other, brought := 0, 0, false
	for _, p := range a.present {
		switch {
		case p.recall.recent(now, a.cfg.Period):
			most, brought = max(most, a.newsLost(p)), true
		case p.inst.ID == a.lead.LeaderID || p.backs.ID == a.lead.LeaderID:
			other = max(other, lostInARow(p.loss))
		}
	}
	if !brought {
		return other
	}
	return most
}
