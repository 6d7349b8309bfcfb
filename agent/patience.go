package agent

import (
	"math"
	"time"

	"caucus.example/caucus"
)

// A neighbour is given up after so many periods of silence that loss alone explains it with this probability a
// period, or after the expiry if that is longer. The same holds for news of the leader.
const tolerated = 1e-5

// Loss is smoothed over about so many datagrams. What is longer than mostPatience expiries is no loss but silence.
const (
	lossMemory   = 128
	mostPatience = 4
)

// countLoss takes a datagram of a peer into account, and those that have not come before it.
func (p *peer) countLoss(at time.Time, expiry int) {
	if p.heard.IsZero() || p.wait <= 0 || p.ask.gap > 1 {
		return
	}
	silence := float64(at.Sub(p.heard)) / float64(p.wait)
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

// lostInARow is the number of datagrams that loss takes in a row less often than tolerated. What is measured may be too
// little by chance, so it is taken to be more by its standard deviation.
func lostInARow(loss float64) int {
	if loss < 1e-3 {
		return 0
	}
	loss += math.Sqrt(loss * (1 - loss) / lossMemory)
	return int(math.Ceil(math.Log(tolerated) / math.Log(min(loss, 0.9))))
}

// patience is how many rounds news of the leader may be late on the worst of the links that it may come by.
func (a *Agent) patience() int {
	most := 0
	for _, p := range a.present {
		if p.inst.ID == a.lead.LeaderID || p.backs.ID == a.lead.LeaderID {
			most = max(most, lostInARow(p.loss))
		}
	}
	return most
}
