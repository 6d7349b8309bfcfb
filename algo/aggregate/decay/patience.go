package decay

import "caucus.example/caucus"

// Patience is how long a candidacy lives without its owner.
func (d *Decay) Patience(caucus.Known) int { return int(d.lifetime) + 1 }
