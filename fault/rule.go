package fault

import (
	"slices"

	"caucus.example/caucus"
)

// Way is a direction of the links of a node.
type Way string

// Ways.
const (
	BothWays Way = ""    // what the nodes send and what they receive
	Out      Way = "out" // what they send: nobody hears them well
	In       Way = "in"  // what they receive: they do not hear well
)

// Links tells which links are meant, in which direction; the zero value, all of them. Nodes are numbers.
type Links struct {
	Of   []bool   // nodes that are at an end; nil: all
	Way  Way      // of these nodes
	Cut  bool     // those between Of and all others, both ways
	Only [][2]int // those from the first node to the second; nil: all
}

// Have tells whether what one node sends to another goes over one of them.
func (l *Links) Have(from, to int) bool {
	switch {
	case l.Cut:
		return l.Of != nil && l.Of[from] != l.Of[to]
	case l.Of != nil && !(l.Of[from] && l.Way != In || l.Of[to] && l.Way != Out):
		return false
	}
	return l.Only == nil || slices.Contains(l.Only, [2]int{from, to})
}

// Kind is what links do to messages.
type Kind string

// Kinds. Time is in any unit.
const (
	Loss        Kind = "loss"        // with probability Rate a message is lost
	Duplication Kind = "duplication" // … arrives a second time, up to Time later
	Delay       Kind = "delay"       // … arrives Time later
	Reordering  Kind = "reordering"  // … is held back by up to Time, so that others overtake it
	Latency     Kind = "latency"     // every message takes Time, uniformly by up to Spread more or less
)

// Rule is what some links do to messages while it holds.
type Rule struct {
	Links
	Kind         Kind
	Rate         float64 // 0: always
	Time, Spread float64
	Whole        bool // what is drawn up to Time is a whole number, at least 1
}

// Fate is what becomes of a message.
type Fate struct {
	Lost    bool
	Late    float64 // how much later it arrives
	Again   float64 // how much later than that once more; 0: it does not
	InOrder bool    // what it overtakes is dropped
}

// Meet lets a rule decide about a message, with a stream of its own for each of them, and tells whether it has changed
// anything.
func (r *Rule) Meet(f *Fate, draw caucus.Rand) bool {
	if r.Kind == Latency {
		f.InOrder = true
		if f.Late += r.Time; r.Spread > 0 {
			// rounded before it is added: the same bytes on every processor
			f.Late += float64(r.Spread * (2*draw.Float64() - 1))
		}
		return true
	}
	if r.Rate > 0 && draw.Float64() >= r.Rate {
		return false
	}
	switch r.Kind {
	case Loss:
		f.Lost = true
	case Delay:
		f.Late += r.Time
	case Reordering:
		f.Late += r.upTo(&draw)
	case Duplication:
		f.Again = r.upTo(&draw)
	}
	return true
}

func (r *Rule) upTo(draw *caucus.Rand) float64 {
	if r.Whole {
		return float64(1 + draw.IntN(int(r.Time)))
	}
	return draw.Float64() * r.Time
}
