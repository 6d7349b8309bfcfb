package prasle

import (
	"fmt"
	"slices"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/rank"
)

// Reliable is the variant for reliable links. It implements caucus.Events[Node, rank.Pair].
type Reliable struct {
	k               int     // listening rounds; 0: as many as the nodes' knowledge of the network asks for
	t               float64 // length of a round in bounds on the delay
	neighbourKnows  bool
	asks            bool // artefact: those not heard after T are asked
	first, overtime int  // artefact: rounds that the first listening round lasts beyond its own, and rounds after the last
}

// ReliableConfig holds the options of Reliable; see ReliableSpec for what each means.
type ReliableConfig struct {
	K              int
	T              float64
	NeighbourKnows bool
	Artefact       bool
}

// NewReliable checks the options.
func NewReliable(c ReliableConfig) (*Reliable, error) {
	switch {
	case c.K < 0 || c.K > MaxK:
		return nil, &caucus.FieldError{Field: "k", Found: fmt.Sprint(c.K), Allowed: fmt.Sprintf("an integer >= 0 and <= %d", MaxK)}
	case !(c.T > 0) || c.T > 1e6:
		return nil, &caucus.FieldError{Field: "t", Found: fmt.Sprint(c.T), Allowed: "a number > 0 and <= 1e6"}
	}
	r := &Reliable{k: c.K, t: c.T, neighbourKnows: c.NeighbourKnows}
	if c.Artefact {
		r.asks, r.first, r.overtime = true, 2, 1
	}
	return r, nil
}

// MaxK is the greatest K.
const MaxK = 100_000

// ReliableSpec describes the variant for reliable links.
var ReliableSpec = caucus.Spec{
	Name:   "prasle-reliable",
	Title:  "PraSLE for reliable links",
	Family: "iot",
	Shape:  caucus.ShapeEvents,
	Source: "Conard, Ebnenasir, 2021, reliable variant",
	Elects: "the node of least rank (largest strength), smaller ID on equal rank",
	Guarantee: "terminates with one leader that every node knows if links are reliable and K rounds of length T cover the hops and the skew of the start " +
		"(proved); with K too small several nodes lead and none notices; not self-stabilising: a dead or fake minimum stays for ever (tested)",
	Cost:  "O(D·deg·n) messages, about a third less with neighbour-knows but on a clique; time K·T, one more T after every improvement in the last round",
	Needs: caucus.Needs{Connected: true, DistinctIDs: true, Diameter: true, Delay: true},
	Params: []caucus.Param{
		{Name: "k", Kind: caucus.KindInt, Default: "0", Max: MaxK,
			Doc: "rounds without news until a node decides; at least the diameter; 0 for what covers hops and skew: D(1 + 2/t) + 1, D the bound on the diameter"},
		{Name: "t", Kind: caucus.KindNumber, Default: "1", Open: true, Max: 1e6,
			Doc: "length T of a round, in bounds on how long a message travels (1/64 of one is added, for what arrives at the last moment)"},
		{Name: "neighbour-knows", Kind: caucus.KindSwitch, Default: "off",
			Doc: "do not tell a neighbour what it was the last to tell"},
		{Name: "rounds", Kind: caucus.KindChoice, Default: "paper", Choices: []string{"paper", "artefact"},
			Doc: "K rounds (paper), or K + 1 of which the first lasts three times as long, so (K + 3)·T in all, and after T asks those neighbours that have not been heard (artefact)"},
	},
	Faithful: map[string]map[string]string{
		"paper":    {"rounds": "paper"},
		"artefact": {"rounds": "artefact", "neighbour-knows": "off"},
	},
}

// ReliableFromArgs makes the algorithm from resolved parameters.
func ReliableFromArgs(a caucus.Args) (*Reliable, error) {
	return NewReliable(ReliableConfig{
		K: a.Int("k"), T: a.Number("t"), NeighbourKnows: a.On("neighbour-knows"), Artefact: a.Text("rounds") == "artefact",
	})
}

// Demands refuses a K that does not cover the diameter.
func (r *Reliable) Demands(known caucus.Known) error { return demands(r.k, known) }

func demands(k int, known caucus.Known) error {
	if k > 0 && k < known.Diameter {
		return &caucus.FieldError{Field: "k", Found: fmt.Sprint(k),
			Allowed: fmt.Sprintf("at least the diameter, %d, or 0; with fewer rounds several nodes may lead (only in an unsafe run)", known.Diameter)}
	}
	return nil
}

// Node is the state of a node.
type Node struct {
	Min, Next rank.Pair   // (min, leader) and (tmin, tleader) in the paper
	Round     int32       // rounds that are left; none before it wakes
	Said      []rank.Pair // what each neighbour was the last to tell; nil without neighbour-knows and in the paper's rounds
	Final     bool
}

// Boot gives a sleeping node.
func (r *Reliable) Boot(*caucus.Local) Node { return Node{} }

// Wake is the first pass, which does not listen: the rank goes out at once, to all.
func (r *Reliable) Wake(l *caucus.Local, s *Node, _ bool, out *caucus.Outbox[rank.Pair]) {
	s.Next = rank.Of(l)
	s.Min = s.Next
	s.Round = int32(r.rounds(l.Known) + r.overtime)
	if r.neighbourKnows || r.asks {
		s.Said = make([]rank.Pair, l.Degree)
	}
	out.SendAll(l.Degree, -1, s.Min)
	if r.asks {
		out.After(r.length(l), ask)
	}
	out.After(r.length(l)*time.Duration(1+r.first), endOfRound)
}

// Timers.
const (
	endOfRound = iota
	ask
)

// query, no candidate, asks for the receiver's.
var query rank.Pair

// rounds is how often a node listens: the hops, one more share of a round for what each hop
// takes, and as much for the flood that woke the others.
func (r *Reliable) rounds(known caucus.Known) int {
	if r.k > 0 {
		return r.k
	}
	d := max(1, known.Diameter)
	return min(MaxK, d+int(min(MaxK, 2*float64(d)/r.t))+1)
}

func (r *Reliable) length(l *caucus.Local) time.Duration {
	delay := max(l.Known.Delay, time.Millisecond) // none only in an unsafe run
	return time.Duration(r.t*float64(delay)) + delay/64
}

// Receive listens, and answers a query.
func (r *Reliable) Receive(_ *caucus.Local, s *Node, port int, m rank.Pair, out *caucus.Outbox[rank.Pair]) {
	if s.Final {
		return
	}
	if r.asks && m == query {
		out.Send(port, s.Min)
		return
	}
	if port < len(s.Said) {
		s.Said = slices.Clone(s.Said)
		s.Said[port] = m
	}
	if m.Less(s.Next) {
		s.Next = m
	}
}

// Timer ends a round, or asks those who have said nothing.
func (r *Reliable) Timer(l *caucus.Local, s *Node, timer int, out *caucus.Outbox[rank.Pair]) {
	if timer == ask {
		for p, said := range s.Said {
			if said == query {
				out.Send(p, query)
			}
		}
		return
	}
	s.Round = max(0, s.Round-1)
	switch {
	case s.Next.Less(s.Min):
		s.Min = s.Next
		for p := range l.Degree {
			if !r.neighbourKnows || p >= len(s.Said) || s.Said[p].ID != s.Min.ID {
				out.Send(p, s.Min)
			}
		}
	case s.Round == 0:
		s.Final = true
		return
	}
	out.After(r.length(l), endOfRound)
}

// Outcome follows the best so far; it is final once the node has decided.
func (r *Reliable) Outcome(l *caucus.Local, s *Node) caucus.Outcome {
	return rank.Outcome(l, s.Min, s.Final)
}

// Kind is the same for all messages.
func (r *Reliable) Kind(*rank.Pair) int { return 0 }

// Domain is every pair of candidates, with every number of rounds left.
func (r *Reliable) Domain(w *caucus.World) (caucus.Values[Node], caucus.Values[rank.Pair]) {
	pairs, rounds := rank.Domain(w), max(1, w.Counter)
	n := int(pairs.Len)
	return caucus.Values[Node]{Len: caucus.Size(n, n, rounds, 2), At: func(k uint64) Node {
		var buf [4]int
		d := caucus.Digits(k, buf[:], n, n, rounds, 2)
		return Node{Min: pairs.At(uint64(d[0])), Next: pairs.At(uint64(d[1])), Round: int32(d[2]), Final: d[3] == 1}
	}}, pairs
}
