package prasle

import (
	"fmt"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/rank"
)

// Spec describes the variants that tell in every round.
var Spec = caucus.Spec{
	Name: "prasle", Title: "PraSLE, hardened", Family: "iot", Shape: caucus.ShapeRounds, ByStrength: true,
	Source: "Conard, Ebnenasir, 2021, unreliable variant; epochs, heartbeat and ages: this project",
	Elects: "the node of least rank (largest strength), smaller ID on equal rank", Stabilising: caucus.Tested,
	Guarantee: "hardened: self-stabilising while the ages of true claims stay below patience·(K+2) (tested from " +
		"clean and corrupted states, with crashes, loss and ranks that get " +
		"worse); unreliable: agreement with probability 1 (proved), not self-stabilising, as a dead or fake " +
		"minimum stays for ever (tested)",
	Cost: "one message of at most 28 bytes per node and round; agreement after as many rounds as the leader has " +
		"hops to the farthest node, 1/α times as many if messages arrive with probability α; a lost leader is " +
		"noticed after patience·(K+2) rounds",
	Needs: caucus.Needs{DistinctIDs: true, UsesDiameter: true},
	Params: []caucus.Param{
		{Name: "variant", Kind: caucus.KindChoice, Default: "hardened", Choices: []string{"hardened", "unreliable"},
			Doc: "hardened forgets dead leaders and worse ranks; unreliable is as published (prasle-reliable is " +
				"the third)"},
		{Name: "k", Kind: caucus.KindInt, Default: "0", Max: MaxHops,
			Doc: "hops that a claim has to travel, at least the diameter; 0 for the bound on the diameter that " +
				"the nodes know, or 16 if they know none"},
		{Name: "patience", Kind: caucus.KindInt, Default: "3", Min: 1, Max: 16,
			Doc: "rounds that each hop may take: more tolerate more loss and notice a lost leader later"},
	},
	Faithful: map[string]map[string]string{
		"paper":    {"variant": "unreliable"},
		"artefact": {"variant": "unreliable"},
	},
}

// ReliableSpec describes the variant for reliable links.
var ReliableSpec = caucus.Spec{
	Name: "prasle-reliable", Title: "PraSLE for reliable links", Family: "iot", Shape: caucus.ShapeEvents,
	ByStrength: true,
	Source:     "Conard, Ebnenasir, 2021, reliable variant",
	Elects:     "the node of least rank (largest strength), smaller ID on equal rank",
	Guarantee: "terminates with one leader that every node knows if links are reliable and K rounds of length T " +
		"cover the hops and the skew of the start " +
		"(proved); with K too small several nodes lead and none notices; not self-stabilising: a dead or fake " +
		"minimum stays for ever (tested)",
	Cost: "O(D·deg·n) messages, about a third less with neighbour-knows but on a clique; time K·T, one more T " +
		"after every improvement in the last round",
	Needs: caucus.Needs{Connected: true, DistinctIDs: true, Diameter: true, Delay: true},
	Params: []caucus.Param{
		{Name: "k", Kind: caucus.KindInt, Default: "0", Max: MaxK,
			Doc: "rounds without news until a node decides; at least the diameter; 0 for what covers hops and " +
				"skew: D(1 + 2/t) + 1, D the bound on the diameter"},
		{Name: "t", Kind: caucus.KindNumber, Default: "1", Open: true, Max: 1e6,
			Doc: "length T of a round, in bounds on how long a message travels (1/64 of one is added, for what " +
				"arrives at the last moment)"},
		{Name: "neighbour-knows", Kind: caucus.KindSwitch, Default: "off",
			Doc: "do not tell a neighbour what it was the last to tell"},
		{Name: "rounds", Kind: caucus.KindChoice, Default: "paper", Choices: []string{"paper", "artefact"},
			Doc: "K rounds (paper), or K + 1 of which the first lasts three times as long, so (K + 3)·T in all, " +
				"and after T asks those neighbours that have not been heard (artefact)"},
	},
	Faithful: map[string]map[string]string{
		"paper":    {"rounds": "paper"},
		"artefact": {"rounds": "artefact", "neighbour-knows": "off"},
	},
}

// Config holds the options of the variants that tell in every round; see Spec for what each means.
type Config struct {
	Unreliable bool `param:"variant=unreliable"`
	K          int  `param:"k"`
	Patience   int  `param:"patience"`
}

// New checks the options.
func New(c Config) (*Election, error) {
	return &Election{unreliable: c.Unreliable, k: c.K, patience: c.Patience}, Spec.Check(c)
}

// ReliableConfig holds the options of Reliable; see ReliableSpec for what each means.
type ReliableConfig struct {
	K              int     `param:"k"`
	T              float64 `param:"t"`
	NeighbourKnows bool    `param:"neighbour-knows"`
	Artefact       bool    `param:"rounds=artefact"`
}

// NewReliable checks the options.
func NewReliable(c ReliableConfig) (*Reliable, error) {
	r := &Reliable{k: c.K, t: c.T, neighbourKnows: c.NeighbourKnows}
	if c.Artefact {
		r.asks, r.first, r.overtime = true, 2, 1
	}
	return r, ReliableSpec.Check(c)
}

// FromArgs makes the algorithm from resolved parameters, ReliableFromArgs the variant for reliable links.
var (
	FromArgs         = caucus.Configure(New)
	ReliableFromArgs = caucus.Configure(NewReliable)
)

// Demands refuses a K that does not cover the diameter.
func (e *Election) Demands(known caucus.Known) error { return demands(e.k, known) }

// Demands refuses a K that does not cover the diameter.
func (r *Reliable) Demands(known caucus.Known) error { return demands(r.k, known) }

func demands(k int, known caucus.Known) error {
	if k > 0 && k < known.Diameter {
		return caucus.Wrong("k", k, fmt.Sprintf(
			"at least the diameter, %d, or 0; with fewer rounds several nodes may lead (only "+
				"in an unsafe run)", known.Diameter))
	}
	return nil
}

// Outcome follows the leader of the claim. Its age is no distance.
func (e *Election) Outcome(l *caucus.Local, s *Claim) caucus.Outcome {
	return rank.Outcome(l, s.Leader, false)
}

// Outcome follows the best so far; it is final once the node has decided.
func (r *Reliable) Outcome(l *caucus.Local, s *Node) caucus.Outcome {
	return rank.Outcome(l, s.Min, s.Final)
}

// Domain is every claim of the first epochs and ages.
func (e *Election) Domain(w *caucus.World) (caucus.Values[Claim], caucus.Values[Claim]) {
	v := caucus.Every(w, func(p *caucus.Pick) Claim {
		c, counts := Claim{Leader: rank.PickPair(p)}, max(1, p.Counter)
		if e.unreliable {
			counts = 1
		}
		c.Epoch, c.Age = uint32(p.Below(counts)), uint16(p.Below(counts))
		return c
	})
	return v, v
}

// Backs names the leader that a message supports, whichever instance of it.
func (e *Election) Backs(m *Claim) (caucus.ID, uint64) { return m.Leader.ID, 0 }

// Domain is every pair of candidates, with every number of rounds left.
func (r *Reliable) Domain(w *caucus.World) (caucus.Values[Node], caucus.Values[rank.Pair]) {
	return caucus.Every(w, func(p *caucus.Pick) Node {
		n := Node{Min: rank.PickPair(p), Next: rank.PickPair(p)}
		n.Round, n.Final = int32(p.Below(max(1, p.Counter))), p.Bool()
		return n
	}), caucus.Every(w, rank.PickPair)
}

// Expect is the best node of each component for all.
func (*Reliable) Expect(n *caucus.Network) []caucus.Outcome { return rank.FollowBest(n) }

// Expect is the same for the variants that tell in every round. The hardened one promises nothing of networks that
// its claims do not cross.
func (e *Election) Expect(n *caucus.Network) []caucus.Outcome {
	if !e.unreliable && e.k > 0 && e.k < n.Len()-1 {
		return nil
	}
	return rank.FollowBest(n)
}

// Patience is how long nodes follow a leader that has died: until its last claim, as the nearest of them has it, is too
// old. The unreliable variant follows it for ever.
func (e *Election) Patience(known caucus.Known) int {
	if e.unreliable {
		return 0
	}
	return e.Limit(known) + 1
}
