// Package topk ranks: every node ends with the K best candidates of the network, in order. The first
// leads and the others are its deputies: when it dies the next in rank leads at once, without an election.
//
// After WiLE (Sheshashayee, Basagni, 2019), which elects ranked leaders in networks of many hops. The union of
// sets forgets order and repetition, so neither the network nor lost messages matter. Ours also forgets: an entry
// carries its age, one for each hop and each missed message since the candidate itself uttered it, and counts only while it
// is at most patience·(hops+2). So dead and fake candidates leave, and of two entries for one node the younger
// one counts, which brings a rank that has got worse. Self-stabilising for that reason.
//
// Assumes distinct IDs, and a bound on the hops that is no less than the diameter.
//
// Cost: O(K·degree) time, one message of at most 58 + 16·K bytes per node and round; as many rounds as the network has hops.
package topk

import (
	"fmt"
	"math"

	"caucus.example/caucus"
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

// Spec describes the algorithm.
var Spec = caucus.Spec{
	Name:        "top-k",
	Title:       "Ranking of the k best, with deputies",
	Family:      "iot",
	Shape:       caucus.ShapeRounds,
	Source:      "after Sheshashayee, Basagni, 2019 (WiLE), in a specification of our own; ages: this project",
	Elects:      "the k nodes of least rank (largest strength) in order, smaller ID on equal rank; the first leads",
	Stabilising: caucus.Tested,
	Guarantee: "self-stabilising while the ages of true entries stay below patience·(hops+2) (tested from clean and corrupted states, with crashes and loss); " +
		"a deputy leads in the round in which the loss of the leader is noticed",
	Cost:  "one message of at most 58 + 16k bytes per node and round; the k best are known everywhere after as many rounds as the network has hops",
	Needs: caucus.Needs{DistinctIDs: true, UsesDiameter: true},
	Params: []caucus.Param{
		{Name: "k", Kind: caucus.KindInt, Default: "3", Min: 1, Max: Most, Doc: "how many are ranked: the leader and k - 1 deputies"},
		{Name: "hops", Kind: caucus.KindInt, Default: "0", Max: maxHops,
			Doc: "bound on the hops between two nodes; 0 for the bound on the diameter that the nodes know, or 16 if they know none"},
		{Name: "patience", Kind: caucus.KindInt, Default: "3", Min: 1, Max: 16,
			Doc: "rounds that each hop may take: more tolerate more loss and notice a lost leader later"},
	},
}

const (
	maxHops     = 4000
	unknownHops = 16
)

// Config holds the options; see Spec for what each means.
type Config struct{ K, Hops, Patience int }

// Election is the algorithm. It implements caucus.Rounds[View, View].
type Election struct{ Config }

// New checks the options.
func New(c Config) (*Election, error) {
	switch {
	case c.K < 1 || c.K > Most:
		return nil, &caucus.FieldError{Field: "k", Found: fmt.Sprint(c.K), Allowed: fmt.Sprintf("an integer >= 1 and <= %d", Most)}
	case c.Hops < 0 || c.Hops > maxHops:
		return nil, &caucus.FieldError{Field: "hops", Found: fmt.Sprint(c.Hops), Allowed: fmt.Sprintf("an integer >= 0 and <= %d", maxHops)}
	case c.Patience < 1 || c.Patience > 16:
		return nil, &caucus.FieldError{Field: "patience", Found: fmt.Sprint(c.Patience), Allowed: "an integer >= 1 and <= 16"}
	}
	return &Election{c}, nil
}

// FromArgs makes the algorithm from resolved parameters.
func FromArgs(a caucus.Args) (*Election, error) {
	return New(Config{K: a.Int("k"), Hops: a.Int("hops"), Patience: a.Int("patience")})
}

// Demands refuses a bound on the hops below the diameter.
func (e *Election) Demands(known caucus.Known) error {
	if e.Hops > 0 && e.Hops < known.Diameter {
		return &caucus.FieldError{Field: "hops", Found: fmt.Sprint(e.Hops), Allowed: fmt.Sprintf("at least the diameter, %d, or 0", known.Diameter)}
	}
	return nil
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

// Rank is the place of a node among the k best, from 1; 0 if it is not among them.
func (v *View) Rank(id caucus.ID) int {
	for i, x := range v.Best {
		if x.Node.ID == id && id != caucus.None {
			return i + 1
		}
	}
	return 0
}

// Outcome follows the first.
func (e *Election) Outcome(l *caucus.Local, s *View) caucus.Outcome {
	return rank.Outcome(l, s.Best[0].Node, false)
}

// Domain is every view of up to two entries.
func (e *Election) Domain(w *caucus.World) (caucus.Values[View], caucus.Values[View]) {
	pairs, ages := rank.Domain(w), max(1, w.Counter)
	n := int(pairs.Len)
	v := caucus.Values[View]{Len: caucus.Size(n, ages, n, ages), At: func(k uint64) View {
		var buf [4]int
		d := caucus.Digits(k, buf[:], n, ages, n, ages)
		var v View
		v.Best[0] = Entry{Node: pairs.At(uint64(d[0])), Age: uint16(d[1])}
		if e.K > 1 {
			v.Best[1] = Entry{Node: pairs.At(uint64(d[2])), Age: uint16(d[3])}
		}
		return v
	}}
	return v, v
}

// Backs names the leader that a message supports, whichever instance of it.
func (e *Election) Backs(m *View) (caucus.ID, uint64) { return m.Best[0].Node.ID, 0 }
