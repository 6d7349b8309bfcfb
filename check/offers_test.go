package check

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/plain"
	"caucus.example/caucus/internal/columns"
)

// dice is an algorithm whose handlers are drawn at random, once: what a node does depends on its state and on what
// comes from where. It ends, since a node has only so many moves.
type dice struct {
	plain.Events[die, pip]
	seed   uint64
	states uint64
	finals bool // some outcomes are final
	adds   bool // what comes is added up, so that its order seldom matters
}

type die struct{ Face, Left uint8 }

type pip struct {
	_    struct{} `cbor:",toarray"`
	Face uint8
}

var diceSpec = caucus.Spec{Name: "dice", Shape: caucus.ShapeEvents, Silent: true, Kinds: []string{"pip"}}

func (d dice) Wake(l *caucus.Local, s *die, initiator bool, out *caucus.Outbox[pip]) {
	s.Left = 3
	if initiator {
		d.roll(l, s, 9, 9, out)
	}
}

func (d dice) Receive(l *caucus.Local, s *die, port int, m pip, out *caucus.Outbox[pip]) {
	d.roll(l, s, uint64(port), uint64(m.Face), out)
}

func (d dice) roll(l *caucus.Local, s *die, port, face uint64, out *caucus.Outbox[pip]) {
	if s.Left == 0 {
		return
	}
	r := rand.New(rand.NewPCG(d.seed, uint64(s.Face)|port<<8|face<<16|uint64(l.ID)<<24))
	s.Left--
	if d.adds {
		s.Face = uint8((uint64(s.Face) + face) % d.states)
		if s.Left == 0 {
			out.SendAll(l.Degree, -1, pip{Face: s.Face % 2})
		}
		return
	}
	if r.IntN(3) > 0 {
		s.Face = uint8(r.Uint64N(d.states))
	}
	for p := range l.Degree {
		if r.IntN(2) == 0 {
			out.Send(p, pip{Face: uint8(r.IntN(2))})
		}
	}
}

func (d dice) Outcome(l *caucus.Local, s *die) caucus.Outcome {
	o := caucus.Following(l, 2) // which is always right
	if d.finals && s.Face == 1 {
		o.Final, o.Distance = true, 1
	}
	return o
}

func (dice) Kind(*pip) int { return 0 }

func (dice) Domain(w *caucus.World) (caucus.Values[die], caucus.Values[pip]) {
	return caucus.Every(w, func(*caucus.Pick) die { return die{} }),
		caucus.Every(w, func(*caucus.Pick) pip { return pip{} })
}

// orders is what a search finds: the ends, as text, the most messages and how many configurations.
type orders struct {
	ends           []string
	most, count    int
	unsafe, astray bool
}

func explored(t *testing.T, algo columns.Events, spec *caucus.Spec, net *caucus.Network, set uint16, few bool) orders {
	t.Helper()
	cfg := Config{Networks: []*caucus.Network{net}, Start: Clean}
	cfg.fill()
	w, err := newPlay(algo, spec, &cfg, net, set)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.begin(cfg.MaxStates); err != nil {
		t.Fatal(err)
	}
	look, lim := w.explore, limits{context.Background(), 1 << 20, new(atomic.Int64)}
	if few {
		look = w.inOneOrder
	}
	if err := look(lim); err != nil {
		t.Fatal(err)
	}
	x := orders{most: w.worst, count: w.rows.count, unsafe: w.unsafe != nil, astray: w.unsafe != nil || w.stuck != nil}
	for id := range uint32(w.rows.count) {
		if x.astray || len(w.graph.of(id)) > 0 {
			continue
		}
		end := ""
		for i := range w.locals {
			if k := w.rows.at(id)[2*i]; k > 0 {
				end += fmt.Sprintf("%d %+v; ", i, w.states.value(k-1))
			}
		}
		x.ends = append(x.ends, end)
	}
	slices.Sort(x.ends)
	return x
}

// agrees compares some orders with all.
func (x orders) agrees(t *testing.T, all orders, where string) {
	t.Helper()
	switch {
	case x.astray != all.astray:
		t.Errorf("%s: goes wrong: %t, in all orders %t", where, x.astray, all.astray)
	case !x.astray && (x.most != all.most || !slices.Equal(x.ends, all.ends)):
		t.Errorf("%s: %d messages at most and ends\n%q\nin all orders %d and\n%q", where, x.most, x.ends, all.most,
			all.ends)
	case !x.astray && x.count > all.count:
		t.Errorf("%s: %d configurations, in all orders %d", where, x.count, all.count)
	}
}

// Some orders of deliveries have all ends of all orders, and as many messages, whatever nodes do; and what was final
// changes in some of them if it does in any.
func TestSomeOrdersOfDice(t *testing.T) {
	spared, races, changes := 0, 0, 0
	for _, network := range []string{"2-3 3-4", triangle, "2-3 3-4 4-5", "2-3 3-4 4-5 5-2"} {
		net := parse(t, network)
		for seed := range uint64(60) {
			d := dice{seed: seed, states: 1 + seed%4, finals: seed%3 == 0, adds: seed%5 == 0}
			for _, set := range []uint16{1, 5} {
				all := explored(t, columns.OfEvents(d), &diceSpec, net, set, false)
				few := explored(t, columns.OfEvents(d), &diceSpec, net, set, true)
				few.agrees(t, all, fmt.Sprintf("%+v on %s, initiators %b", d, network, set))
				spared += all.count - few.count
				races += len(all.ends)
				if all.unsafe {
					changes++
				}
			}
		}
	}
	if spared < 1000 || races < 900 || changes < 20 {
		t.Errorf("%d configurations spared, %d ends, %d changes of what was final: too few to show anything", spared,
			races, changes)
	}
}

// latch remembers from which ports something has come, and believes for a while that this is final.
type latch struct {
	dice
	final uint8
}

func (a latch) Wake(l *caucus.Local, _ *die, initiator bool, out *caucus.Outbox[pip]) {
	if initiator {
		out.SendAll(l.Degree, -1, pip{})
	}
}

func (a latch) Receive(_ *caucus.Local, s *die, port int, _ pip, _ *caucus.Outbox[pip]) {
	s.Face |= 1 << port
}

func (a latch) Outcome(l *caucus.Local, s *die) caucus.Outcome {
	o := caucus.Following(l, 2)
	o.Final = s.Face == a.final
	return o
}

// Two messages that leave the same behind in either order do not commute if what is final between them tells which
// came first.
func TestOrdersThatFinalsTellApart(t *testing.T) {
	for final, unsafe := range map[uint8]bool{0: true, 1: true, 2: true, 3: false} {
		x := explored(t, columns.OfEvents(latch{final: final}), &diceSpec, parse(t, row3), 5, true)
		if x.unsafe != unsafe {
			t.Errorf("final with %d: a change is found: %t", final, x.unsafe)
		}
	}
}
