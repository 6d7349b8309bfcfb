package experiment

import "slices"

// Whether an election has stabilised is read off two numbers in each second: how many nodes changed their leader, and how
// many are astray, which is that they name no leader that runs and leads.
//
// On a network that stands still an election has stabilised once, until the end of the run, nobody changes and nobody is
// astray. On one that moves there is no final rest: there it has stabilised once ten seconds in a row are
// as calm as the undisturbed run of the same seed is. That is, the changes in them, and those astray, each summed
// and as a share of the nodes, are no more than in all but one in twenty stretches of ten seconds of that run, after its
// first 100 s.

// stretch is how many seconds in a row are looked at, as many as instability is measured over.
const stretch = 10

// never is the time to stabilise of what takes longer than familyLimit.
const never = -1

// atRest is the time from second `from` until nothing is wrong any more, for a network that stands still.
func (e *FamilyElection) atRest(from int) int {
	for t := len(e.Changes); t > from; t-- {
		if e.Changes[t-1] > 0 || e.Astray[t-1] > 0 {
			return limited(t - from)
		}
	}
	return 0
}

// calm is how wrong ten seconds may be.
type calm struct{ changes, astray float64 }

// calmness takes the 95th percentiles of an undisturbed run.
func (e *FamilyElection) calmness() calm {
	var changes, lost []float64
	for t := familyAt; t+stretch <= len(e.Changes); t++ {
		changes = append(changes, e.share(e.Changes, t))
		lost = append(lost, e.share(e.Astray, t))
	}
	return calm{percentile95(changes), percentile95(lost)}
}

// percentile95 is the least value that at least 95 % do not exceed.
func percentile95(values []float64) float64 {
	slices.Sort(values)
	return values[(len(values)*95+99)/100-1]
}

// share sums ten seconds after second t, over the nodes.
func (e *FamilyElection) share(counts []int, t int) float64 {
	sum := 0
	for _, c := range counts[t : t+stretch] {
		sum += c
	}
	return float64(sum) / float64(e.Live)
}

// asCalm is the time from second `from` until ten seconds are as calm as that.
func (e *FamilyElection) asCalm(from int, c calm) int {
	for t := from; t+stretch <= len(e.Changes); t++ {
		if e.share(e.Changes, t) <= c.changes && e.share(e.Astray, t) <= c.astray {
			return limited(t - from)
		}
	}
	return never
}

func limited(seconds int) int {
	if seconds > familyLimit {
		return never
	}
	return seconds
}

// stabilised is how many seconds an algorithm takes after a fault, from when familyFaults has it; never if too many.
func (r *FamilyRun) stabilised(fault, algorithm int) int {
	e, from := &r.Elections[fault][algorithm], familyFaults[fault].from
	if r.Rests {
		return e.atRest(from)
	}
	return e.asCalm(from, r.Elections[0][algorithm].calmness())
}

// instability is the mean share of nodes that change their leader in a second, after second a.
func (e *FamilyElection) instability(a int) float64 {
	sum := 0
	for _, c := range e.Changes[a:] {
		sum += c
	}
	return float64(sum) / float64(e.Live*(len(e.Changes)-a))
}
