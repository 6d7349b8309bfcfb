package study

import (
	"slices"

	"caucus.example/caucus/internal/results"
)

// Whether an election has stabilised is read off two numbers in each second: how many nodes changed their leader, and
// how many are astray, which is that they name no leader that runs and leads.
//
// On a network that stands still an election has stabilised once, until the end of the run, nobody changes and nobody
// is astray. On one that moves there is no final rest: there it has stabilised once both the 10 s and the 50 s that
// follow are as calm as the undisturbed run of the same seed is. That is, the changes in them, and those astray, each
// summed and as a share of the nodes, are no more than in 95 % of all stretches of that length of that run after its
// first 100 s. The short stretch finds the moment, the long one that it lasts.
var stretches = [2]int{10, 50}

// never is the time to stabilise of what takes longer than familyLimit.
const never = -1

// atRest is the time from second `from` until nothing is wrong any more; never if that is more than `limit`.
func (e *familyElection) atRest(from, limit int) int {
	last := len(e.changes)
	for last > from && e.changes[last-1] == 0 && e.astray[last-1] == 0 {
		last--
	}
	if last-from > limit {
		return never
	}
	return last - from
}

// calm is how wrong a stretch of each length may be.
type calm [len(stretches)]struct{ changes, astray float64 }

// calmness takes the 95th percentiles of an undisturbed run.
func (e *familyElection) calmness() (c calm) {
	for k, length := range stretches {
		var changes, lost []float64
		for t := familyAt; t+length <= len(e.changes); t++ {
			changes = append(changes, e.share(e.changes, t, length))
			lost = append(lost, e.share(e.astray, t, length))
		}
		c[k].changes, c[k].astray = percentile95(changes), percentile95(lost)
	}
	return c
}

// percentile95 is the least value that at least 95 % do not exceed.
func percentile95(values []float64) float64 {
	slices.Sort(values)
	return values[(len(values)*95+99)/100-1]
}

// share sums the seconds that follow second t, over the nodes.
func (e *familyElection) share(counts []int, t, length int) float64 {
	sum := 0
	for _, c := range counts[t : t+length] {
		sum += c
	}
	return float64(sum) / float64(e.live)
}

// asCalm is the time from second `from` until what follows is as calm as that.
func (e *familyElection) asCalm(from int, c calm) int {
	for t := from; t <= from+familyLimit && t+stretches[1] <= len(e.changes); t++ {
		if e.isCalm(t, c) {
			return t - from
		}
	}
	return never
}

func (e *familyElection) isCalm(t int, c calm) bool {
	for k, length := range stretches {
		if e.share(e.changes, t, length) > c[k].changes || e.share(e.astray, t, length) > c[k].astray {
			return false
		}
	}
	return true
}

// stabilised is how many seconds an algorithm takes after a fault, from when familyFaults has it; never if too many.
func (r *familyRun) stabilised(fault, algorithm int) int {
	e, from := &r.elections[fault][algorithm], familyFaults[fault].from
	if r.rests {
		return e.atRest(from, familyLimit)
	}
	return e.asCalm(from, r.elections[0][algorithm].calmness())
}

// instability is the mean share of nodes that change their leader in a second, after second a.
func (e *familyElection) instability(a int) float64 {
	sum := 0
	for _, c := range e.changes[a:] {
		sum += c
	}
	return float64(sum) / float64(e.live*(len(e.changes)-a))
}

// orNone is a time as rows have it.
func orNone(t int) float64 {
	if t == never {
		return results.None
	}
	return float64(t)
}
