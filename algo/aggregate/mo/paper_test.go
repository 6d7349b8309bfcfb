package mo_test

import (
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/mo"
)

// What the paper says (Mo, Audrito, Dasgupta, Beal, IFAC 2020), one test for each equation: node 5 runs one round.

// round gives what node 5 believes after one round, if it was s and its neighbours export these bids.
func round(t *testing.T, c mo.Config, s mo.Bid, bids ...mo.Bid) mo.Bid {
	t.Helper()
	e, err := mo.New(c)
	if err != nil {
		t.Fatal(err)
	}
	in := caucus.Inbox[mo.Bid]{Msgs: bids}
	for range bids {
		in.Dist = append(in.Dist, 1)
	}
	return e.Round(&caucus.Local{ID: 5, Degree: len(bids)}, &s, in)
}

// bid is that of neighbour `from`, who follows `lead` at d hops with reach R and hangs below nobody.
func bid(from, lead caucus.ID, d, r uint32) mo.Bid {
	return mo.Bid{From: from, Lead: lead, Dist: d, Reach: r, Parent: lead}
}

// (2): a bid counts while its distance is below its reach. The figures fit "at most"; that is mabf-cmp le.
func TestPaperEquation2(t *testing.T) {
	for _, c := range []struct {
		d, r uint32
		less bool
		want caucus.ID
	}{{2, 3, true, 1}, {3, 3, true, 5}, {4, 3, true, 5}, {3, 3, false, 1}, {4, 3, false, 5}, {0, 0, true, 5}} {
		got := round(t, mo.Config{K: 2, LessEq: !c.less}, mo.Bid{}, bid(7, 1, c.d, c.r))
		if got.Lead != c.want {
			t.Errorf("d %d, R %d, strict %v: follows %d, want %d", c.d, c.r, c.less, got.Lead, c.want)
		}
	}
}

// (3): the leader is the least among the bids that pass (2), not among all.
func TestPaperEquation3(t *testing.T) {
	got := round(t, mo.Config{K: 2}, mo.Bid{}, bid(7, 1, 3, 3), bid(8, 3, 0, 9), bid(9, 2, 1, 9))
	if got.Lead != 2 {
		t.Errorf("follows %d, want 2: the bid of 1 has no reach left", got.Lead)
	}
}

// (4): who hears of nobody better leads: distance 0, its own constraint, reach K·D + 1.
func TestPaperEquation4(t *testing.T) {
	for name, bids := range map[string][]mo.Bid{"alone": nil, "best": {bid(7, 6, 0, 9)}, "own ID": {bid(7, 5, 1, 9)}} {
		got := round(t, mo.Config{K: 3}, mo.Bid{Dist: 4}, bids...)
		if want := (mo.Bid{From: 5, Lead: 5, Parent: 5, Reach: 3*4 + 1, Depth: 4}); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

// (5): of the bids for one leader that of least distance is taken.
func TestPaperEquation5(t *testing.T) {
	if got := round(t, mo.Config{K: 2}, mo.Bid{}, bid(7, 1, 4, 90), bid(9, 1, 2, 9),
		bid(6, 1, 3, 90)); got.Parent != 9 {
		t.Errorf("taken from %d, want 9", got.Parent)
	}
}

// (6): among those the largest reach (the text) or depth (the equation), then the smallest ID.
func TestPaperEquation6(t *testing.T) {
	far, deep := bid(8, 1, 2, 9), bid(9, 1, 2, 7)
	deep.Depth = 5
	for _, c := range []struct {
		depth bool
		bids  []mo.Bid
		want  caucus.ID
	}{{false, []mo.Bid{deep, far}, 8}, {true, []mo.Bid{far, deep}, 9}, {false, []mo.Bid{bid(9, 1, 2, 9), far}, 8}} {
		if got := round(t, mo.Config{K: 2, TieDepth: c.depth}, mo.Bid{}, c.bids...); got.Parent != c.want {
			t.Errorf("tie by depth %v: taken from %d, want %d", c.depth, got.Parent, c.want)
		}
	}
}

// (7): a follower takes over leader and reach, is one hop farther and constrained by the neighbour.
func TestPaperEquation7(t *testing.T) {
	got := round(t, mo.Config{K: 2}, mo.Bid{Dist: 1}, bid(7, 1, 2, 9))
	if want := (mo.Bid{From: 5, Lead: 1, Parent: 7, Dist: 3, Reach: 9, Depth: 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// (11): the depth is the greatest of the own last distance and of the depths of those who hang below; a leader sets its
// reach by the depth of this same round.
func TestPaperEquation11(t *testing.T) {
	child, stranger := bid(7, 5, 1, 9), bid(8, 6, 1, 9)
	child.Parent, child.Depth, stranger.Depth = 5, 6, 40
	got := round(t, mo.Config{K: 2}, mo.Bid{Dist: 3}, child, stranger)
	if got.Depth != 6 || got.Reach != 2*6+1 {
		t.Errorf("depth %d, reach %d, want 6 and 13", got.Depth, got.Reach)
	}
	if got := round(t, mo.Config{K: 2}, mo.Bid{Dist: 8}, child); got.Depth != 8 {
		t.Errorf("depth %d, want its own last distance 8", got.Depth)
	}
}

// After Theorem 1: what no leader renews runs out. Two nodes that show each other a fake one gain a hop a round, and
// its reach cannot grow, so it is gone 1 + R - d rounds later.
func TestPaperFakesRunOut(t *testing.T) {
	e, err := mo.New(mo.Config{K: 2})
	if err != nil {
		t.Fatal(err)
	}
	const reach = 9
	s := [2]mo.Bid{{From: 5, Lead: 1, Parent: 6, Reach: reach}, {From: 6, Lead: 1, Parent: 5, Reach: reach}}
	for round := 1; round <= reach+1; round++ {
		last := s
		for i := range s {
			in := caucus.Inbox[mo.Bid]{Msgs: []mo.Bid{last[1-i]}, Dist: []float64{1}}
			e.Round(&caucus.Local{ID: caucus.ID(5 + i), Degree: 1}, &s[i], in)
		}
		if fake := s[0].Lead == 1 || s[1].Lead == 1; fake != (round < reach+1) {
			t.Errorf("round %d: %+v", round, s)
		}
	}
}

// (6): of bids of one leader and distance the text takes the largest R, whoever sends it; the equation, tie=D, does not
// look at R.
func TestPaperTies(t *testing.T) {
	for depth, parent := range map[bool]caucus.ID{false: 8, true: 7} {
		got := round(t, mo.Config{K: 2, TieDepth: depth}, mo.Bid{}, bid(7, 1, 1, 4), bid(8, 1, 1, 5))
		if got.Lead != 1 || got.Parent != parent {
			t.Errorf("tie by depth %v: follows %d over %d, want 1 over %d", depth, got.Lead, got.Parent, parent)
		}
	}
}
