// Package prasle is PraSLE, the practical leader election for the Internet of Things (Conard,
// Ebnenasir, 2021): neighbours tell each other the least rank heard so far, in rounds of a length T
// that is chosen so that messages arrive within it, and K rounds, at least the diameter, bring it everywhere.
//
//   - reliable (Reliable, event shape): tells only what is news, and decides after K rounds without any;
//   - unreliable: tells it in every round for ever, so that lost messages only cost time, about 1/α rounds a
//     hop where messages arrive with probability α;
//   - hardened (ours, the default): as unreliable, but able to forget.
//
// Both published variants never forget: the rank of a node that has died, of one that has got worse and of
// one that never was stay for ever. In the hardened variant
//
//   - the age of a claim is what it has been through since its leader uttered it: one for each hop and for
//     each message that did not come. The leader utters a new one in every round, its heartbeat, and a claim older than
//     patience·(K+2) counts for nobody. A claim without a leader gets one older whenever it is passed on, so it dies
//     whatever else happens, and the algorithm is self-stabilising for that reason alone;
//   - a node begins a new epoch, in which nothing said before counts and everybody stands again, when it hears a
//     better rank claimed in its name than it has, and when the leader that it follows is lost. News of an
//     epoch takes a round for each hop, so the old claims need not grow old one by one. The last epoch, which only a
//     corrupt message brings, has no successor: from then on age alone has to do.
//
// Assumes distinct IDs and, for both variants here, nothing of the links; the hardened one needs K, or a bound on
// the diameter that the nodes know, to cover the diameter. The rank is minus the strength (package rank).
//
// Cost: O(degree) time and one message of at most 28 bytes per node and round. All follow the best after as many rounds as
// the best has hops to the farthest; the loss of a leader is noticed after patience·(K+2) rounds.
package prasle

import (
	"fmt"
	"math"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/rank"
)

// Claim is what a node believes: state and message in one.
type Claim struct {
	_      struct{} `cbor:",toarray"`
	Leader rank.Pair
	Epoch  uint32 // 0 for ever in the unreliable variant, as is Age
	Age    uint16 // hops and missed messages since the leader uttered it; stops at its greatest value
}

// Config holds the options; see Spec for what each means.
type Config struct {
	Unreliable bool
	K          int
	Patience   int
}

// Election is both variants that tell in every round. It implements caucus.Rounds[Claim, Claim].
type Election struct {
	unreliable  bool
	k, patience int
}

// Spec describes the variants that tell in every round.
var Spec = caucus.Spec{
	Name:        "prasle",
	Title:       "PraSLE, hardened",
	Family:      "iot",
	Shape:       caucus.ShapeRounds,
	Source:      "Conard, Ebnenasir, 2021, unreliable variant; epochs, heartbeat and ages: this project",
	Elects:      "the node of least rank (largest strength), smaller ID on equal rank",
	Stabilising: caucus.Tested,
	Guarantee: "hardened: self-stabilising while the ages of true claims stay below patience·(K+2) (tested from clean and corrupted states, with crashes, loss and ranks that get " +
		"worse); unreliable: agreement with probability 1 (proved), not self-stabilising, as a dead or fake minimum stays for ever (tested)",
	Cost:  "one message of at most 28 bytes per node and round; agreement after as many rounds as the leader has hops to the farthest node, 1/α times as many if messages arrive with probability α; a lost leader is noticed after patience·(K+2) rounds",
	Needs: caucus.Needs{DistinctIDs: true, UsesDiameter: true},
	Params: []caucus.Param{
		{Name: "variant", Kind: caucus.KindChoice, Default: "hardened", Choices: []string{"hardened", "unreliable"},
			Doc: "hardened forgets dead leaders and worse ranks; unreliable is as published (prasle-reliable is the third)"},
		{Name: "k", Kind: caucus.KindInt, Default: "0", Max: MaxHops,
			Doc: "hops that a claim has to travel, at least the diameter; 0 for the bound on the diameter that the nodes know, or 16 if they know none"},
		{Name: "patience", Kind: caucus.KindInt, Default: "3", Min: 1, Max: 16,
			Doc: "rounds that each hop may take: more tolerate more loss and notice a lost leader later"},
	},
	Faithful: map[string]map[string]string{
		"paper":    {"variant": "unreliable"},
		"artefact": {"variant": "unreliable"},
	},
}

const (
	// MaxHops is the greatest K of the variants that tell in every round.
	MaxHops = 4000
	// unknownK is K for nodes that know nothing of their network.
	unknownK = 16
)

// New checks the options.
func New(c Config) (*Election, error) {
	switch {
	case c.K < 0 || c.K > MaxHops:
		return nil, &caucus.FieldError{Field: "k", Found: fmt.Sprint(c.K), Allowed: fmt.Sprintf("an integer >= 0 and <= %d", MaxHops)}
	case c.Patience < 1 || c.Patience > 16:
		return nil, &caucus.FieldError{Field: "patience", Found: fmt.Sprint(c.Patience), Allowed: "an integer >= 1 and <= 16"}
	}
	return &Election{c.Unreliable, c.K, c.Patience}, nil
}

// FromArgs makes the algorithm from resolved parameters.
func FromArgs(a caucus.Args) (*Election, error) {
	return New(Config{Unreliable: a.Text("variant") == "unreliable", K: a.Int("k"), Patience: a.Int("patience")})
}

// Demands refuses a K that does not cover the diameter.
func (e *Election) Demands(known caucus.Known) error { return demands(e.k, known) }

// Limit is the greatest age at which a claim counts.
func (e *Election) Limit(known caucus.Known) int {
	k := e.k
	if k == 0 {
		k = min(known.Diameter, MaxHops)
	}
	if k <= 0 {
		k = unknownK
	}
	return e.patience * (k + 2)
}

// Boot starts with the node's own claim.
func (e *Election) Boot(l *caucus.Local) (Claim, Claim) {
	c := Claim{Leader: rank.Of(l)}
	return c, c
}

// Round follows the best claim.
func (e *Election) Round(l *caucus.Local, s *Claim, in caucus.Inbox[Claim]) Claim {
	if e.unreliable {
		return e.flood(l, s, in)
	}
	epoch := s.Epoch
	for k := range in.Msgs {
		epoch = max(epoch, in.Msgs[k].Epoch)
	}
	best := Claim{Leader: rank.Of(l), Epoch: epoch}
	own, limit, denied := best.Leader, e.Limit(l.Known), false
	for k := range in.Msgs {
		m := in.Msgs[k]
		if m.Age = older(m.Age, 1); in.Missed != nil {
			m.Age = older(m.Age, uint16(in.Missed[k]))
		}
		switch {
		case m.Epoch != epoch || !m.Leader.Valid():
		case m.Leader.ID == l.ID:
			denied = denied || m.Leader.Less(own)
		case int(m.Age) <= limit && m.better(&best):
			best = m
		}
	}
	// A node that followed a better one than it now finds, in this same epoch, has lost it.
	lost := s.Epoch == epoch && s.Leader.Valid() && s.Leader.Less(best.Leader)
	if (denied || lost) && epoch < math.MaxUint32 {
		best = Claim{Leader: own, Epoch: epoch + 1}
	}
	*s = best
	return best
}

// flood is a round of the unreliable variant.
func (e *Election) flood(l *caucus.Local, s *Claim, in caucus.Inbox[Claim]) Claim {
	if own := rank.Of(l); own.Less(s.Leader) {
		s.Leader = own
	}
	for k := range in.Msgs {
		if in.Msgs[k].Leader.Less(s.Leader) {
			s.Leader = in.Msgs[k].Leader
		}
	}
	s.Epoch, s.Age = 0, 0
	return *s
}

// better orders claims of one epoch: by candidate, then the younger.
func (c *Claim) better(d *Claim) bool {
	return c.Leader.Less(d.Leader) || c.Leader == d.Leader && c.Age < d.Age
}

// older adds without leaving the range.
func older(age, by uint16) uint16 { return uint16(min(uint32(age)+uint32(by), math.MaxUint16)) }

// Outcome follows the leader of the claim. Its age is no distance.
func (e *Election) Outcome(l *caucus.Local, s *Claim) caucus.Outcome {
	return rank.Outcome(l, s.Leader, false)
}

// Domain is every claim of the first epochs and ages.
func (e *Election) Domain(w *caucus.World) (caucus.Values[Claim], caucus.Values[Claim]) {
	pairs, counts := rank.Domain(w), max(1, w.Counter)
	if e.unreliable {
		counts = 1
	}
	n := int(pairs.Len)
	v := caucus.Values[Claim]{Len: caucus.Size(n, counts, counts), At: func(k uint64) Claim {
		var buf [3]int
		d := caucus.Digits(k, buf[:], n, counts, counts)
		return Claim{Leader: pairs.At(uint64(d[0])), Epoch: uint32(d[1]), Age: uint16(d[2])}
	}}
	return v, v
}

// Backs names the leader that a message supports, whichever instance of it.
func (e *Election) Backs(m *Claim) (caucus.ID, uint64) { return m.Leader.ID, 0 }
