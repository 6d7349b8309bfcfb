package bounded

import (
	"testing"

	"caucus"
)

func path(e *Election, st []float64, ln float64, init []Candidacy, rounds int) []Candidacy {
	n := len(st)
	cur := make([]Candidacy, n)
	S := make([]Candidacy, n)
	for i := range cur {
		l := caucus.Local{ID: caucus.ID(i + 1), Strength: st[i]}
		S[i], cur[i] = e.Boot(&l)
		if init != nil {
			S[i], cur[i] = init[i], init[i]
		}
	}
	for r := 0; r < rounds; r++ {
		nx := make([]Candidacy, n)
		for i := range cur {
			var in caucus.Inbox[Candidacy]
			for _, j := range []int{i - 1, i + 1} {
				if j >= 0 && j < n {
					in.Msgs = append(in.Msgs, cur[j])
					in.Dist = append(in.Dist, ln)
				}
			}
			l := caucus.Local{ID: caucus.ID(i + 1), Strength: st[i]}
			nx[i] = e.Round(&l, &S[i], in)
		}
		cur = nx
	}
	return cur
}

func TestQuick(t *testing.T) {
	show := func(c []Candidacy) {
		var o []caucus.ID
		for _, x := range c {
			o = append(o, x.Lead)
		}
		t.Log(o)
	}
	mk := func(f string, g map[string]string) *Election {
		a, err := Spec.Resolve(f, g)
		if err != nil {
			t.Fatal(err)
		}
		e, err := FromArgs(a)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	s7 := []float64{9, 1, 2, 3, 4, 5, 6}
	show(path(mk("", map[string]string{"radius": "3"}), s7, 1, nil, 3))
	show(path(mk("", map[string]string{"radius": "3", "radius-cmp": "lt"}), s7, 1, nil, 3))
	eq := []float64{1, 1, 1, 1, 1, 1}
	show(path(mk("", map[string]string{"radius": "2"}), eq, 1, nil, 6))
	show(path(mk("paper", map[string]string{"radius": "2"}), eq, 1, nil, 6))
	gh := Candidacy{Val: -9, Lead: 99}
	g2 := []Candidacy{gh, gh}
	show(path(mk("paper", map[string]string{"radius": "100"}), []float64{1, 2}, 0, g2, 1000))
	show(path(mk("", map[string]string{"radius": "100"}), []float64{1, 2}, 0, g2, 10))
	for _, r := range []int{200, 201, 202} {
		show(path(mk("", map[string]string{"radius": "100", "heartbeat": "0", "clamp": "off"}), []float64{1, 2}, .5, g2, r))
	}
	for r := 1; r < 6; r++ {
		show(path(mk("", map[string]string{"radius": "100"}), []float64{1, 2}, .5, g2, r))
	}
}
