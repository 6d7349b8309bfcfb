package pacing

import "caucus.example/caucus"

// Word is what a neighbour says of itself in its last message.
type Word struct {
	Who    caucus.ID
	Nonce  uint32    // which instance of it
	Backs  caucus.ID // whom it supports
	Counts bool      // the link to it carries both ways
	Deaf   bool      // it hears nobody
}

// Ends tells whether a leadership is over by the word of the leader itself: it follows another, or hears nobody and so
// cannot know its region. What others still say of it is older than that, and is not believed: the
// successor of one that has stood back would else fall back upon it. Nonce 0 is any instance.
func (w *Word) Ends(leader caucus.ID, nonce uint32) bool {
	return w.Who == leader && (nonce == 0 || w.Nonce == nonce) &&
		(w.Deaf || w.Counts && w.Backs != leader && w.Backs != caucus.None)
}
