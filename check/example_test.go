package check_test

import (
	"context"
	"fmt"

	"caucus.example/caucus"
	"caucus.example/caucus/check"
)

// greatest spreads the greatest ID ever heard of, as everybody's first election does.
type greatest struct{}

func (greatest) Boot(l *caucus.Local) (state, export caucus.ID) { return l.ID, l.ID }

func (greatest) Round(_ *caucus.Local, s *caucus.ID, in caucus.Inbox[caucus.ID]) caucus.ID {
	for _, id := range in.Msgs {
		*s = max(*s, id)
	}
	return *s
}

func (greatest) Outcome(l *caucus.Local, s *caucus.ID) caucus.Outcome {
	return caucus.Decided(l, *s, false)
}

func (greatest) Domain(w *caucus.World) (states, messages caucus.Values[caucus.ID]) {
	all := caucus.Values[caucus.ID]{Len: uint64(len(w.IDs)), At: func(k uint64) caucus.ID { return w.IDs[k] }}
	return all, all
}

// An algorithm of one's own on all networks of three nodes: from a clean start it elects, but from any state it does
// not, since an ID that no node has is never forgotten.
func ExampleRounds() {
	networks := check.Networks(check.Connected, 3, check.Assignments{Strengths: []float64{1}, Lengths: []float64{1}})
	for _, start := range []check.Start{check.Clean, check.Anywhere} {
		report, err := check.Rounds(context.Background(), greatest{}, check.Config{
			Networks: networks, Start: start, Ghosts: 2, Daemons: []check.Daemon{check.Synchronous},
		})
		if err != nil {
			panic(err)
		}
		row := report.Rows[0]
		fmt.Printf("start %s: converges on %d of %d networks\n", start, row.Fair.Holds, row.Networks)
	}
	// Output:
	// start clean: converges on 4 of 4 networks
	// start any: converges on 0 of 4 networks
}
