package prasle_test

import (
	"fmt"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/iot/prasle"
	"caucus.example/caucus/algo/kit/rank"
)

// What the report says (Conard, Ebnenasir, CS-TR-21-01, 2021), one test for each claim about the listings of the two
// variants. Node 5, of rank -2, has three neighbours; K is 2.

// end is the timer of the end of a round.
const end = 0

type one struct {
	*prasle.Reliable
	l   *caucus.Local
	s   prasle.Node
	out caucus.Outbox[rank.Pair]
}

func pair(r float64, id caucus.ID) rank.Pair { return rank.Pair{Rank: r, ID: id} }

func woken(t *testing.T, c prasle.ReliableConfig, initiator bool) *one {
	t.Helper()
	c.T = 1
	r, err := prasle.NewReliable(c)
	if err != nil {
		t.Fatal(err)
	}
	n := &one{Reliable: r, l: &caucus.Local{ID: 5, Strength: 2, Degree: 3}}
	n.s = r.Boot(n.l)
	r.Wake(n.l, &n.s, initiator, &n.out)
	return n
}

// sends gives, and forgets, what the node has sent: port and ID.
func (n *one) sends() string {
	text := ""
	for _, s := range n.out.Sends {
		text += fmt.Sprintf("%d:%d ", s.Port, s.Msg.ID)
	}
	n.out.Reset()
	return text
}

func (n *one) hears(port int, p rank.Pair) { n.Receive(n.l, &n.s, port, p, &n.out) }
func (n *one) round()                      { n.Timer(n.l, &n.s, end, &n.out) }

// Reliable variant, first pass: it does not listen, so the rank goes out to all neighbours at once; and whoever is
// first contacted starts just so.
func TestPaperFirstPass(t *testing.T) {
	for _, initiator := range []bool{true, false} {
		if got := woken(t, prasle.ReliableConfig{K: 2}, initiator).sends(); got != "0:5 1:5 2:5 " {
			t.Errorf("initiator %v: sends %q", initiator, got)
		}
	}
}

// Reliable variant, listening: within a round the least of all pairs is kept, by rank and then by ID, and nothing is
// sent.
func TestPaperListening(t *testing.T) {
	n := woken(t, prasle.ReliableConfig{K: 2}, true)
	n.sends()
	for _, p := range []rank.Pair{pair(-1, 1), pair(-3, 8), pair(-3, 7), pair(-3, 9)} {
		n.hears(0, p)
	}
	if n.s.Next != pair(-3, 7) || n.s.Min != pair(-2, 5) || n.sends() != "" {
		t.Errorf("after listening: %+v", n.s)
	}
}

// Reliable variant, end of a round: an improvement becomes the minimum and goes to every neighbour, the one that told
// it too.
func TestPaperImprovementIsTold(t *testing.T) {
	n := woken(t, prasle.ReliableConfig{K: 2}, true)
	n.sends()
	n.hears(1, pair(-3, 7))
	n.round()
	if got := n.sends(); n.s.Min != pair(-3, 7) || got != "0:7 1:7 2:7 " {
		t.Errorf("min %v, sends %q", n.s.Min, got)
	}
	n.round()
	if got := n.sends(); got != "" {
		t.Errorf("a round without news sends %q", got)
	}
}

// Reliable variant, return: K listening rounds, and one more after every improvement in the last.
func TestPaperReturn(t *testing.T) {
	for _, c := range []struct {
		news int // the round in which the news comes; 0: none
		want int // rounds until it returns
	}{{0, 2}, {1, 2}, {2, 3}} {
		n := woken(t, prasle.ReliableConfig{K: 2}, true)
		rounds := 0
		for !n.s.Final && rounds < 10 {
			if rounds++; rounds == c.news {
				n.hears(0, pair(-3, 7))
			}
			n.round()
		}
		if o := n.Outcome(n.l, &n.s); rounds != c.want || !o.Final {
			t.Errorf("news in round %d: returns after %d rounds, want %d: %+v", c.news, rounds, c.want, o)
		}
		n.sends()
		n.hears(0, pair(-9, 1))
		if n.sends(); n.s.Min.ID == 1 || n.s.Next.ID == 1 {
			t.Errorf("listens after it has returned: %+v", n.s)
		}
	}
}

// Neighbour-knows: after an improvement those are left out whose last report names the new leader; the first send
// goes to all.
func TestPaperNeighbourKnows(t *testing.T) {
	n := woken(t, prasle.ReliableConfig{K: 2, NeighbourKnows: true}, true)
	if got := n.sends(); got != "0:5 1:5 2:5 " {
		t.Errorf("first sends %q", got)
	}
	n.hears(0, pair(-3, 7))
	n.hears(1, pair(-1, 9))
	n.hears(2, pair(-3, 7))
	n.hears(2, pair(-1, 8)) // only the last report counts
	n.round()
	if got := n.sends(); got != "1:7 2:7 " {
		t.Errorf("sends %q, want to the neighbours that have not named 7 last", got)
	}
}

// Assumption: K covers the diameter.
func TestPaperKCoversDiameter(t *testing.T) {
	r := woken(t, prasle.ReliableConfig{K: 2}, true).Reliable
	if r.Demands(caucus.Known{Diameter: 2}) != nil || r.Demands(caucus.Known{Diameter: 3}) == nil {
		t.Error("K = 2 should do for a diameter of 2, not for one of 3")
	}
}

// Unreliable variant: the least pair so far goes out in every round, news or not; nothing is ever returned, and what
// was once heard is never forgotten.
func TestPaperUnreliable(t *testing.T) {
	e, err := prasle.New(prasle.Config{Unreliable: true, Patience: 3})
	if err != nil {
		t.Fatal(err)
	}
	l := &caucus.Local{ID: 5, Strength: 2, Degree: 1}
	s, first := e.Boot(l)
	if first.Leader != pair(-2, 5) {
		t.Errorf("begins with %v", first.Leader)
	}
	for round, c := range []struct{ hears, want rank.Pair }{
		{pair(-1, 1), pair(-2, 5)}, {pair(-3, 7), pair(-3, 7)}, {pair(-1, 1), pair(-3, 7)}, {pair(-3, 6), pair(-3, 6)},
	} {
		in := caucus.Inbox[prasle.Claim]{Msgs: []prasle.Claim{{Leader: c.hears}}, Dist: []float64{1}}
		if m := e.Round(l, &s, in); m.Leader != c.want || e.Outcome(l, &s).Final {
			t.Errorf("round %d: tells %v, want %v", round, m.Leader, c.want)
		}
	}
	for range 1000 {
		if m := e.Round(l, &s, caucus.Inbox[prasle.Claim]{}); m.Leader != pair(-3, 6) {
			t.Fatalf("tells %v of a minimum that nobody has any more", m.Leader)
		}
	}
}

// A round of the unreliable variant compares with the node's own rank as it is now: who has got better than what it
// followed says so. Epoch and age, which the variant does not have, are 0 whatever was there.
func TestPaperUnreliableOwn(t *testing.T) {
	e, err := prasle.New(prasle.Config{Unreliable: true, Patience: 3})
	if err != nil {
		t.Fatal(err)
	}
	s := prasle.Claim{Leader: pair(-3, 7), Epoch: 4, Age: 9}
	told := e.Round(&caucus.Local{ID: 5, Strength: 6, Degree: 1}, &s, caucus.Inbox[prasle.Claim]{
		Msgs: []prasle.Claim{{Leader: pair(-4, 8)}}, Dist: []float64{1}})
	if want := (prasle.Claim{Leader: pair(-6, 5)}); told != want || s != want {
		t.Errorf("holds %+v and tells %+v, want %+v", s, told, want)
	}
}
