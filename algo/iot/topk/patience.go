package topk

import "caucus.example/caucus"

// Patience is how long nodes keep one that has died in their view.
func (e *Election) Patience(known caucus.Known) int { return e.limit(known) + 1 }
