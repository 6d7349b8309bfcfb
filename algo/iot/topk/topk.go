// Package topk ranks: every node ends with the K best candidates of the network, in order. The first leads and the
// others are its deputies: when it dies the next in rank leads at once, without an election. After WiLE
// (Sheshashayee, Basagni, 2019). The union of sets forgets order and repetition, so neither the network nor lost
// messages matter. Ours also forgets: an entry carries its age, one for each hop and each missed message since the
// candidate itself uttered it, and counts only while it is at most patience·(hops+2). So dead and fake candidates
// leave, and of two entries for one node the younger one counts, which brings a rank that has got worse.
package topk

import (
	"math"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/plain"
	"caucus.example/caucus/algo/kit/rank"
)

// Most is the greatest K.
const Most = 8

// Entry is a candidate and how old the news of it is.
type Entry struct {
	_    struct{} `cbor:",toarray"`
	Node rank.Pair
	Age  uint16
}

// View is the best candidates that a node knows, best first; those without ID come last. It is state and
// message in one.
type View struct {
	_    struct{} `cbor:",toarray"`
	Best [Most]Entry
}

const (
	maxHops     = 4000
	unknownHops = 16
)

// Config holds the options; see Spec for what each means.
type Config struct {
	K        int `param:"k"`
	Hops     int `param:"hops"`
	Patience int `param:"patience"`
}

// Election is the algorithm. It implements caucus.Rounds[View, View].
type Election struct {
	plain.FrankRounds
	Config
}

func (e *Election) limit(known caucus.Known) int {
	hops := e.Hops
	if hops == 0 {
		hops = min(known.Diameter, maxHops)
	}
	if hops <= 0 {
		hops = unknownHops
	}
	return e.Config.Patience * (hops + 2)
}

// Boot starts with the node alone.
func (e *Election) Boot(l *caucus.Local) (View, View) {
	var v View
	v.Best[0] = Entry{Node: rank.Of(l)}
	return v, v
}

// Round merges what the neighbours know into a view that begins with the node itself.
func (e *Election) Round(l *caucus.Local, s *View, in caucus.Inbox[View]) View {
	var v View
	v.Best[0] = Entry{Node: rank.Of(l)}
	limit := e.limit(l.Known)
	for k := range in.Msgs {
		by := uint32(1)
		if in.Missed != nil {
			by += uint32(in.Missed[k])
		}
		for _, x := range in.Msgs[k].Best {
			x.Age = uint16(min(uint32(x.Age)+by, math.MaxUint16))
			if x.Node.Valid() && x.Node.ID != l.ID && int(x.Age) <= limit {
				v.insert(x, e.K)
			}
		}
	}
	*s = v
	return v
}

// insert puts x in its place among the k best. Of two entries for one node the younger counts.
func (v *View) insert(x Entry, k int) {
	for i := range k {
		if y := v.Best[i]; y.Node.ID == x.Node.ID {
			if y.Age < x.Age || y.Age == x.Age && y.Node.Less(x.Node) {
				return
			}
			copy(v.Best[i:k-1], v.Best[i+1:k])
			v.Best[k-1] = Entry{}
			break
		}
	}
	for i := range k {
		if x.Node.Less(v.Best[i].Node) {
			v.Best[i], x = x, v.Best[i]
		}
	}
}
