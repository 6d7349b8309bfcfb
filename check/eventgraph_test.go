package check

import (
	"slices"
	"testing"
)

func graphOf(lists ...[]arrow) *graph {
	g := new(graph)
	for _, l := range lists {
		g.vertex()
		for _, a := range l {
			g.add(a)
		}
	}
	return g
}

// An adversary stays for ever where its choices suffice, and not where a draw may lead out each time.
func TestTraps(t *testing.T) {
	for _, c := range []struct {
		name  string
		g     *graph
		draws bool
		trap  []uint32 // vertices with a way round
	}{
		{"a path", graphOf([]arrow{{to: 1}}, []arrow{{to: 2}}, nil), false, nil},
		{"a cycle", graphOf([]arrow{{to: 1}}, []arrow{{to: 0}, {to: 2}}, nil), false, []uint32{0, 1}},
		{"a coin that may end it", graphOf([]arrow{{to: 1}}, []arrow{{to: 0}, {to: 2}}, nil), true, nil},
		{"a choice that need not end it", graphOf([]arrow{{to: 1}}, []arrow{{to: 0}, {to: 2, action: 1}}, nil), true,
			[]uint32{0, 1}},
		{"a coin beside a loop", graphOf([]arrow{{to: 1}}, []arrow{{to: 0}, {to: 2}, {to: 1, action: 1}}, nil), true,
			[]uint32{1}},
		{"one coin that cuts off another", graphOf( // 1 may end; without it 0 leads nowhere but to 3
			[]arrow{{to: 1}, {to: 3}}, []arrow{{to: 0}, {to: 2}}, nil, []arrow{{to: 0}}), true, nil},
	} {
		comp, cut := c.g.traps(c.draws)
		var trap []uint32
		for v := range uint32(len(comp)) {
			a, b := c.g.span(v)
			for k := a; k < b; k++ {
				if !cut[k] && comp[c.g.arrows[k].to] == comp[v] && !slices.Contains(trap, v) {
					trap = append(trap, v)
				}
			}
		}
		if !slices.Equal(trap, c.trap) {
			t.Errorf("%s: trapped in %v, want %v", c.name, trap, c.trap)
		}
	}
}

func TestLongest(t *testing.T) {
	g := graphOf([]arrow{{to: 1, sent: 2}, {to: 2, sent: 1}}, []arrow{{to: 3, sent: 1}}, []arrow{{to: 3, sent: 3}}, nil)
	if got := g.longest(g.components(nil), []uint32{0}); got != 4 {
		t.Errorf("%d messages, want 1 + 3", got)
	}
	g = graphOf([]arrow{{to: 1}}, []arrow{{to: 1, sent: 1}})
	if got := g.longest(g.components(nil), []uint32{0}); got != -1 {
		t.Errorf("%d messages round and round", got)
	}
}

// The shortest way round, with a tick in it if that is asked.
func TestRound(t *testing.T) {
	g := graphOf([]arrow{{to: 1}}, []arrow{{to: 0}, {to: 2, ticks: true}}, []arrow{{to: 0}})
	comp := g.components(nil)
	if way := g.round(0, comp, nil, false); !slices.Equal(way, []uint32{1, 0}) {
		t.Errorf("way %v", way)
	}
	if way := g.round(0, comp, nil, true); !slices.Equal(way, []uint32{1, 2, 0}) {
		t.Errorf("way with a tick %v", way)
	}
}
