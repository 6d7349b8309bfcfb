package region_test

import (
	"context"
	"math"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/block"
	"caucus.example/caucus/algo/kit/over"
	"caucus.example/caucus/algo/kit/region"
	"caucus.example/caucus/check"
)

// first is the least ID of the checker's networks, whose nodes are numbered from there.
const first = 2

// resting is an election that has rested: all follow the first node. What is left to explore is the layer and the
// service.
type resting struct{}

type nothing struct {
	_ struct{} `cbor:",toarray"`
}

func (resting) Boot(*caucus.Local) (nothing, nothing)                               { return nothing{}, nothing{} }
func (resting) Round(*caucus.Local, *nothing, caucus.Inbox[nothing]) (none nothing) { return none }
func (resting) Outcome(l *caucus.Local, _ *nothing) caucus.Outcome {
	return caucus.Following(l, first)
}
func (resting) Domain(*caucus.World) (s caucus.Values[nothing], m caucus.Values[nothing]) {
	return s, m
}

type (
	restingState   = over.State[nothing, region.Report]
	restingMessage = over.Msg[nothing, region.Report]
)

// known is what a node has found out: its hops in the tree and, if it leads, that all of size members stand once in
// figures and roster, and nobody else. All else in a state is found anew in every round.
type known struct {
	Hops  uint16
	Exact bool
}

// counted is the sum with an outcome that tells what is known: the distance of a node is its hops, that of a leader
// which is not exact 9.
type counted struct {
	sum  caucus.Rounds[restingState, restingMessage]
	size int
}

func (c counted) Boot(l *caucus.Local) (known, restingMessage) {
	s, m := c.sum.Boot(l)
	return c.known(&s), m
}

func (c counted) Round(l *caucus.Local, k *known, in caucus.Inbox[restingMessage]) restingMessage {
	var s restingState
	m := c.sum.Round(l, &s, in)
	*k = c.known(&s)
	return m
}

func (c counted) known(s *restingState) known {
	return known{s.At.Hops, !s.At.Leads() || c.exact(&s.Above)}
}

func (c counted) Outcome(l *caucus.Local, k *known) caucus.Outcome {
	o := caucus.Following(l, first)
	o.Distance = float64(k.Hops)
	if !k.Exact {
		o.Distance = 9
	}
	return o
}

func (c counted) exact(r *region.Report) bool {
	roster := r.Roster.Members()
	if r.Figures.Members() != c.size || len(roster) != c.size || r.Word != (caucus.Word{}) {
		return false
	}
	for i, m := range roster { // of equal strengths: by ID
		if m.ID != caucus.ID(first+i) {
			return false
		}
	}
	return true
}

// Domain is every place, with a child, parent or stranger as the sender, with a wrong count and a ghost in the roster.
func (c counted) Domain(w *caucus.World) (caucus.Values[known], caucus.Values[restingMessage]) {
	message := caucus.Every(w, func(p *caucus.Pick) (m restingMessage) {
		m.At = over.Place{Node: p.ID(), Lead: first, Parent: p.AnyID(), Hops: uint16(p.Below(2))}
		m.Above.Figures.Count, m.Above.Roster[0].ID = 2, 7
		return m
	})
	return caucus.Every(w, func(*caucus.Pick) (k known) { return k }), message
}

// Expect is the hops to the first node.
func (c counted) Expect(n *caucus.Network) []caucus.Outcome {
	return block.Nearest(n, math.Inf(1), func(i int) bool { return n.IDs[i] == first })
}

// From every state, on every connected network of up to 3 nodes with any of them as leader, and whoever runs when, the
// leader comes to the exact roster and figures, and everybody to the shortest way to it.
func TestEveryExecutionEndsExact(t *testing.T) {
	for size := 1; size <= explored; size++ {
		networks := check.Networks(check.Connected, size,
			check.Assignments{Strengths: []float64{0}, Lengths: []float64{1}})
		algo := counted{over.New[nothing, nothing](resting{}, region.Region{}), size}
		report, err := check.Rounds(context.Background(), algo,
			check.Config{Networks: networks, Daemons: []check.Daemon{check.Distributed}})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range report.Rows {
			t.Logf("%d nodes: %d configurations of %d networks", size, row.Configurations, row.Networks)
			if row.Networks != len(networks) || row.Fair.Holds != row.Networks {
				t.Errorf("%d nodes: %+v", size, row)
			}
		}
	}
}
