package study

import "gonum.org/v1/gonum/mathext"

// lowerBound and upperBound are those of Clopper and Pearson for a probability of which so many trials succeeded:
// whatever it is, each is on the wrong side of it with probability alpha at most.
func lowerBound(succeeded, trials int, alpha float64) float64 {
	if succeeded == 0 {
		return 0
	}
	return mathext.InvRegIncBeta(float64(succeeded), float64(trials-succeeded+1), alpha)
}

// upperBound is described with lowerBound.
func upperBound(succeeded, trials int, alpha float64) float64 {
	if succeeded == trials {
		return 1
	}
	return mathext.InvRegIncBeta(float64(succeeded+1), float64(trials-succeeded), 1-alpha)
}
