package prasle_test

import (
	"math"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/iot/prasle"
)

// The rules of the hardened variant, one after the other, at node 5 of rank -2; a claim counts up to age 12.
func TestHardenedRules(t *testing.T) {
	e := election(t, prasle.Config{K: 2})
	own, better, best := pair(-2, 5), pair(-3, 7), pair(-4, 8)
	claim := func(p prasle.Claim, epoch uint32, age uint16) prasle.Claim {
		p.Epoch, p.Age = epoch, age
		return p
	}
	me, b, bb := prasle.Claim{Leader: own}, prasle.Claim{Leader: better}, prasle.Claim{Leader: best}
	lie, true5 := prasle.Claim{Leader: pair(-9, 5)}, prasle.Claim{Leader: pair(-1, 5)}
	for _, c := range []struct {
		what   string
		s      prasle.Claim
		msgs   []prasle.Claim
		missed []uint8
		want   prasle.Claim
	}{
		{"one older a hop", me, []prasle.Claim{claim(b, 0, 3)}, nil, claim(b, 0, 4)},
		{"one older a message that did not come", me, []prasle.Claim{claim(b, 0, 3)}, []uint8{5}, claim(b, 0, 9)},
		{"the younger of two", me, []prasle.Claim{claim(b, 0, 6), claim(b, 0, 3)}, nil, claim(b, 0, 4)},
		{"the greatest age", me, []prasle.Claim{claim(b, 0, 11)}, nil, claim(b, 0, 12)},
		{"too old", me, []prasle.Claim{claim(b, 0, 12)}, nil, me},
		{"as old as can be", me, []prasle.Claim{claim(b, 0, math.MaxUint16)}, []uint8{9}, me},
		{"a better one", claim(b, 0, 1), []prasle.Claim{claim(b, 0, 1), claim(bb, 0, 5)}, nil, claim(bb, 0, 6)},
		{"an epoch of the past", claim(me, 4, 0), []prasle.Claim{claim(b, 3, 0)}, nil, claim(me, 4, 0)},
		{"a later epoch", claim(b, 3, 1), []prasle.Claim{claim(b, 3, 1), claim(me, 4, 0)}, nil, claim(me, 4, 0)},
		{"lost", claim(b, 3, 1), nil, nil, claim(me, 4, 0)},
		{"lost, in favour of a worse one", claim(bb, 3, 1), []prasle.Claim{claim(b, 3, 1)}, nil, claim(me, 4, 0)},
		{"lost, in the last epoch", claim(b, math.MaxUint32, 1), nil, nil, claim(me, math.MaxUint32, 0)},
		{"denied", me, []prasle.Claim{lie}, nil, claim(me, 1, 0)},
		{"denied, then not", me, []prasle.Claim{lie, true5}, nil, claim(me, 1, 0)},
		{"denied at last", me, []prasle.Claim{true5, lie}, nil, claim(me, 1, 0)},
		{"a worse rank than the own", me, []prasle.Claim{true5}, nil, me},
		{"denied, in the last epoch", claim(me, math.MaxUint32, 0), []prasle.Claim{claim(lie, math.MaxUint32, 0)}, nil,
			claim(me, math.MaxUint32, 0)},
	} {
		s := c.s
		in := caucus.Inbox[prasle.Claim]{Msgs: c.msgs, Dist: make([]float64, len(c.msgs)), Missed: c.missed}
		told := e.Round(&caucus.Local{ID: 5, Strength: 2, Degree: 2}, &s, in)
		if told != c.want || s != c.want {
			t.Errorf("%s: holds %+v and tells %+v, want %+v", c.what, s, told, c.want)
		}
	}
}

// The age limit is patience·(K+2), K the diameter if it is not given, 16 if that is not known either.
func TestHardenedLimit(t *testing.T) {
	for _, c := range []struct{ k, diameter, want int }{
		{2, 0, 12}, {2, 50, 12}, {0, 4, 18}, {0, 1, 9}, {0, 0, 54}, {0, -1, 54}, {0, prasle.MaxHops + 1, 3 * 4002},
	} {
		if got := election(t, prasle.Config{K: c.k}).Limit(caucus.Known{Diameter: c.diameter}); got != c.want {
			t.Errorf("K = %d, diameter %d: %d, want %d", c.k, c.diameter, got, c.want)
		}
	}
}
