package prasle

import "caucus.example/caucus"

// Patience is how long nodes follow a leader that has died: until its last claim, as the nearest of them has it, is too
// old. The unreliable variant follows it for ever.
func (e *Election) Patience(known caucus.Known) int {
	if e.unreliable {
		return 0
	}
	return e.Limit(known) + 1
}
