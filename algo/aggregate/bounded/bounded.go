// Package bounded is Bounded Election (Pianini, Casadei, Viroli, "Self-stabilising
// priority-based multi-leader election and network partitioning", ACSOS 2022,
// Algorithm 1): every node supports the best candidacy that reaches it within a
// radius, so that the network falls into regions with one leader each.
//
// Assumes distinct IDs and edge lengths > 0. Any strength, which may change at any
// time. Ends never: the result is a fixpoint that is reached again after any fault.
//
// With the paper's settings a candidacy without support dies only by growing
// longer than the radius, at least one edge length a round, so after
// floor(radius/length)+1 rounds. Two additions, on by default, make that
// independent of the lengths: the clamp (no edge counts as shorter than
// radius/64) and the heartbeat (see Candidacy.Seq).
//
// Cost: O(degree) time and one message of 32 bytes per node and round; a region
// fills in as many rounds as its tree has hops.
package bounded

import (
	"fmt"
	"math"

	"caucus.example/caucus"
)

// beat is the age that a candidacy gains in a round without news of its leader.
// Passing the candidacy on adds 1, so that even a ghost that runs round a cycle at
// full speed, always one step ahead of its own end, is stale after a bounded
// number of hops.
const beat = 16

// A follower waits heartbeat rounds for news, and one more for every hop between the leader and
// the neighbour that it depends on, since each hop may hold news back by a period. That
// delays no re-election, and nor does patience with links that are known to lose messages (Local.Patience) where they lose none:
// a copy without news counts only if it comes from fewer hops away than
// the node's own, so followers give up in the order of their hops, each in the round after those it
// depends on, and waiting is only for what got late on the way.
const mostPatience = 15 * beat

// maxAhead is how far ahead a heartbeat may be to count as news. Counters modulo 2^16
// have no greatest: without a limit three corrupt copies of one ghost, each ahead of the
// next, would keep each other young for ever. Now it takes a circle of 2^16/64 of them.
// A node that has missed more gives up the candidacy and takes it anew.
const maxAhead = 64

// clampParts is the number of clamped edges that fit into the radius.
const clampParts = 64

// Candidacy is a claim to leadership as one node supports it: state and export in
// one. Candidacies are the same if Val, Lead and Nonce are.
type Candidacy struct {
	_     struct{}  `cbor:",toarray"`
	Val   float64   // -strength of the leader
	Dist  float64   // length of the path to the leader
	Lead  caucus.ID // the leader
	Nonce uint32    // which instance of Lead it is
	Seq   uint16    // heartbeat: the leader's counter, one more every round; compared modulo 2^16
	Age   uint8     // since Seq was seen to advance, in 1/16 rounds; stops at 255
	Hops  uint8     // hops of the path; stops at 255
}

// Config holds the options; see Spec for what each means.
type Config struct {
	Radius     float64
	RadiusLess bool // radius-cmp lt: supports only what is nearer than the radius
	DistFirst  bool // order sdi: (strength, distance, id) instead of (strength, id, distance)
	Clamp      bool
	HopLimit   int // 0: none
	Heartbeat  int // rounds without news of a leader until its neighbours give it up; 0: off
	Nonce      bool
}

// Default holds the defaults of Spec with the given radius: what an operator needs.
func Default(radius float64) Config {
	return Config{Radius: radius, Clamp: true, Heartbeat: 3, Nonce: true}
}

// Election is the algorithm. It implements caucus.Rounds[Candidacy, Candidacy].
type Election struct {
	radius    float64 // with <=: radius-cmp lt takes the float below
	floor     float64 // least length of an edge
	distFirst bool
	nonce     bool
	hopLimit  int
	stale     int  // age at which a candidacy is given up; 0: never
	counts    bool // beats, ages or hops matter; else they stay 0, so that a fixpoint is one
}

// New checks the options.
func New(c Config) (*Election, error) {
	switch {
	case !(c.Radius > 0):
		return nil, &caucus.FieldError{Field: "radius", Found: fmt.Sprint(c.Radius), Allowed: "a length > 0, or inf"}
	case c.HopLimit < 0 || c.HopLimit > 255:
		return nil, &caucus.FieldError{Field: "hop-limit", Found: fmt.Sprint(c.HopLimit), Allowed: "an integer >= 0 and <= 255"}
	case c.Heartbeat < 0 || c.Heartbeat > 15:
		return nil, &caucus.FieldError{Field: "heartbeat", Found: fmt.Sprint(c.Heartbeat), Allowed: "an integer >= 0 and <= 15"}
	case math.IsInf(c.Radius, 1) && c.Heartbeat == 0 && c.HopLimit == 0:
		return nil, &caucus.FieldError{Field: "radius", Found: "inf",
			Allowed: "a finite length when heartbeat and hop-limit are off, since nothing would ever end the candidacy of a dead leader"}
	}
	e := &Election{radius: c.Radius, distFirst: c.DistFirst, nonce: c.Nonce, hopLimit: c.HopLimit, stale: c.Heartbeat * beat}
	if c.RadiusLess && !math.IsInf(c.Radius, 1) {
		e.radius = math.Nextafter(c.Radius, 0)
	}
	if c.Clamp && !math.IsInf(c.Radius, 1) {
		e.floor = c.Radius / clampParts
	}
	e.counts = e.stale != 0 || e.hopLimit != 0
	if e.hopLimit == 0 {
		e.hopLimit = math.MaxInt
	}
	return e, nil
}

// Length is the length that the election gives an edge: at least radius/64 when
// the clamp is on.
func (e *Election) Length(edge float64) float64 {
	if edge < e.floor {
		return e.floor
	}
	return edge
}

// Boot starts with the node's own candidacy.
func (e *Election) Boot(l *caucus.Local) (Candidacy, Candidacy) {
	c := Candidacy{Val: -l.Strength, Lead: l.ID, Nonce: e.nonceOf(l)}
	return c, c
}

func (e *Election) nonceOf(l *caucus.Local) uint32 {
	if e.nonce {
		return uint32(l.Nonce)
	}
	return 0
}

// Round supports the least candidacy among the node's own and those that its
// neighbours export, each one edge longer, within the radius. It holds what it compares in
// scalars, not in Candidacies: this is the inner loop of every simulation.
func (e *Election) Round(l *caucus.Local, s *Candidacy, in caucus.Inbox[Candidacy]) Candidacy {
	me, nonce, seq := l.ID, e.nonceOf(l), s.Seq+1
	val, dist, from := -l.Strength, 0.0, -1 // the best so far and its index; -1: my own
	fromAge := uint8(0)
	held, heldBits := -1, uint64(math.MaxUint64) // the nearest copy of the candidacy of the last round
	news := uint16(0)                            // how far the latest heartbeat among those copies is ahead
	lengths := in.Dist[:len(in.Msgs)]
	for k := range in.Msgs {
		m := &in.Msgs[k]
		if m.Lead == me && m.Nonce == nonce {
			// An echo of my own. One ahead of me is left from before a restart or a
			// corruption: overtake it, so that followers see me advance.
			if int16(m.Seq-seq) >= 0 {
				seq = m.Seq + 1
			}
			continue
		}
		d := m.Dist + e.Length(lengths[k])
		// Written so that a NaN or a negative distance from outside is out of range.
		if !(m.Dist >= 0 && d <= e.radius) || int(m.Hops) >= e.hopLimit || m.Lead == caucus.None {
			continue
		}
		age := m.Age
		if in.Missed != nil {
			age = older(age, beat*min(in.Missed[k], 15)) // it went on ageing on the way
		}
		if e.stale != 0 {
			if m.same(s) {
				// Which of the neighbours has news and which is nearest is as good as random, so
				// this is written for conditional moves. Bits of floats >= 0 order as they do.
				ahead := m.Seq - s.Seq
				if ahead > maxAhead {
					ahead = 0
				}
				news = max(news, ahead)
				if age >= beat && ahead == 0 && m.Hops >= s.Hops {
					continue // it may have its support from here
				}
				bits := math.Float64bits(d)
				if bits < heldBits {
					held = k
				}
				heldBits = min(heldBits, bits)
				continue
			}
			if age >= beat {
				continue // its sender has no fresh news of that leader either
			}
		}
		if m.Val < val || m.Val == val && e.breaksTie(m, d, l, in.Msgs, from, dist) {
			val, dist, from, fromAge = m.Val, d, k, age
		}
	}
	heldDist := math.Float64frombits(heldBits)
	if held >= 0 && (s.Val < val || s.Val == val && e.breaksTie(s, heldDist, l, in.Msgs, from, dist)) {
		age := uint8(0)
		if news == 0 {
			age = older(s.Age, beat)
		}
		hops, patience := in.Msgs[held].Hops, max(e.stale, min(l.Patience, 15)*beat)
		if hops < s.Hops {
			patience = min(patience+int(hops)*beat, mostPatience)
		}
		if int(age) < patience {
			s.Dist, s.Seq, s.Age, s.Hops = heldDist, s.Seq+news, age, older(hops, 1)
			return *s
		}
	}
	s.Val, s.Dist = val, dist
	if !e.counts {
		s.Seq, s.Age, s.Hops = 0, 0, 0
		if s.Lead, s.Nonce = me, nonce; from >= 0 {
			s.Lead, s.Nonce = in.Msgs[from].Lead, in.Msgs[from].Nonce
		}
	} else if from < 0 {
		s.Lead, s.Nonce, s.Seq, s.Age, s.Hops = me, nonce, seq, 0, 0
	} else {
		m := &in.Msgs[from]
		s.Lead, s.Nonce, s.Seq, s.Age, s.Hops = m.Lead, m.Nonce, m.Seq, older(fromAge, 1), older(m.Hops, 1)
	}
	return *s
}

func (c *Candidacy) same(d *Candidacy) bool {
	return c.Lead == d.Lead && c.Val == d.Val && c.Nonce == d.Nonce
}

// breaksTie compares m with the best so far, which is as strong, by (id, distance) or
// (distance, id). The nonce counts as the end of the id.
func (e *Election) breaksTie(m *Candidacy, d float64, l *caucus.Local, msgs []Candidacy, from int, dist float64) bool {
	if e.distFirst && d != dist {
		return d < dist
	}
	lead, nonce := l.ID, e.nonceOf(l)
	if from >= 0 {
		lead, nonce = msgs[from].Lead, msgs[from].Nonce
	}
	if m.Lead != lead {
		return m.Lead < lead
	}
	if m.Nonce != nonce {
		return m.Nonce < nonce
	}
	return d < dist
}

// older adds without leaving the range of a byte.
func older(age, by uint8) uint8 {
	if age > math.MaxUint8-by {
		return math.MaxUint8
	}
	return age + by
}

// Outcome reads leader and distance off the supported candidacy.
func (e *Election) Outcome(l *caucus.Local, s *Candidacy) caucus.Outcome {
	o := caucus.Outcome{Role: caucus.Follower, Leader: s.Lead, Distance: s.Dist}
	if s.Lead == l.ID {
		if e.nonce && s.Nonce != uint32(l.Nonce) {
			o.Twin = uint64(s.Nonce)
		} else {
			o.Role = caucus.Leader
		}
	}
	return o
}

// Domain is every candidacy with the world's IDs, strengths and distances.
func (e *Election) Domain(w *caucus.World) (caucus.Values[Candidacy], caucus.Values[Candidacy]) {
	seqs, ages := 1, 1
	if e.stale != 0 {
		seqs, ages = w.Counter, min(w.Counter, e.stale/beat)
	}
	radix := []int{len(w.Strengths), len(w.Dists), len(w.IDs), seqs, ages}
	v := caucus.Values[Candidacy]{Len: caucus.Size(radix...), At: func(k uint64) Candidacy {
		var buf [5]int
		d := caucus.Digits(k, buf[:], radix...)
		return Candidacy{Val: -w.Strengths[d[0]], Dist: w.Dists[d[1]], Lead: w.IDs[d[2]], Seq: uint16(d[3]), Age: uint8(d[4] * beat)}
	}}
	return v, v
}

// Backs names the instance that a message supports.
func (e *Election) Backs(m *Candidacy) (caucus.ID, uint64) { return m.Lead, uint64(m.Nonce) }
