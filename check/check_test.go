package check

import (
	"math"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/collect"
)

// Of several networks the worst counts: without bound before unknown, and what is unknown stays so, whatever comes
// after it.
func TestWorst(t *testing.T) {
	for _, c := range []struct {
		list []int
		want int
	}{{[]int{2, 5, 3}, 5}, {[]int{2, -2, 3}, -2}, {[]int{-2, 3, -1}, -1}, {[]int{-1, 3, -2}, -1}, {nil, 0}} {
		var w Worst
		for _, n := range c.list {
			w.add(n, "")
		}
		if w.N != c.want {
			t.Errorf("%v: %d, want %d", c.list, w.N, c.want)
		}
	}
}

// All reasons are told, of which most networks are undecided first.
// What cannot even be made is no reason beside what was explored, or beside there being nothing to explore.
func TestWhyUndecided(t *testing.T) {
	c, err := collect.New(collect.Config{MaxDistance: math.Inf(1)})
	if err != nil {
		t.Fatal(err)
	}
	rep, err := Rounds(t.Context(), c, Config{Networks: []*caucus.Network{parse(t, "2-3 3-4")}, Ghosts: 1,
		MaxStates: 2000, Daemons: []Daemon{Central}})
	if err != nil || rep.Rows[0].Why != "too large: even with one value of each counter" {
		t.Errorf("%+v, %v", rep, err)
	}
}

func TestReasons(t *testing.T) {
	for want, whys := range map[string]map[string]int{
		"":                                {},
		"too large":                       {"too large": 7},
		"interrupted (3); too large (1)":  {"too large": 1, "interrupted": 3},
		"a (2); b (2); c (1); others (2)": {"b": 2, "a": 2, "e": 1, "c": 1, "d": 1},
	} {
		if is := reasons(whys); is != want {
			t.Errorf("%q, want %q", is, want)
		}
	}
}
