package check

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sort"
	"strings"
	"sync/atomic"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/graphs/flood"
	"caucus.example/caucus/algo/graphs/megamerger"
	"caucus.example/caucus/algo/graphs/yoyo"
	"caucus.example/caucus/algo/iot/brogo"
	"caucus.example/caucus/algo/iot/bully"
	"caucus.example/caucus/algo/iot/minfind"
	"caucus.example/caucus/algo/iot/prasle"
	"caucus.example/caucus/algo/iot/wbs"
	"caucus.example/caucus/algo/kit/ring"
	"caucus.example/caucus/algo/rings/asfar"
	"caucus.example/caucus/algo/rings/itairodeh"
	"caucus.example/caucus/internal/columns"
)

// naive explores by other means what play explores, for the tests: plain recursion over copies of states and messages,
// which it tells apart as text; time by the clock and not by what is left of it.
type naive[S, M any] struct {
	algo  caucus.Events[S, M]
	spec  *caucus.Spec
	net   *caucus.Network
	draws int // results of a draw
	norm  func(c *instant[S, M])
	seen  map[string]int // most messages from there; open while it is on the way
	wrong int            // configurations at rest that are
	loops bool
}

const open = -1

type instant[S, M any] struct {
	states []*S // nil while asleep
	links  map[[2]int][]letter[M]
	timers []bell
	now    int
}

type letter[M any] struct {
	m   M
	due int
}

type bell struct{ node, timer, at int }

// copied copies all that a value refers to.
func copied[T any](v T) T {
	var deep func(x reflect.Value) reflect.Value
	deep = func(x reflect.Value) reflect.Value {
		y := reflect.New(x.Type()).Elem()
		y.Set(x)
		switch x.Kind() {
		case reflect.Struct:
			for i := range x.NumField() {
				if x.Type().Field(i).IsExported() {
					y.Field(i).Set(deep(x.Field(i)))
				}
			}
		case reflect.Slice:
			if !x.IsNil() {
				y.Set(reflect.MakeSlice(x.Type(), x.Len(), x.Len()))
				for i := range x.Len() {
					y.Index(i).Set(deep(x.Index(i)))
				}
			}
		}
		return y
	}
	return deep(reflect.ValueOf(&v).Elem()).Interface().(T)
}

func (c *instant[S, M]) clone() *instant[S, M] {
	d := &instant[S, M]{states: make([]*S, len(c.states)), links: map[[2]int][]letter[M]{},
		timers: slices.Clone(c.timers), now: c.now}
	for i, s := range c.states {
		if s != nil {
			own := copied(*s)
			d.states[i] = &own
		}
	}
	for l, q := range c.links {
		for _, m := range q {
			d.links[l] = append(d.links[l], letter[M]{copied(m.m), m.due})
		}
	}
	return d
}

func (n *naive[S, M]) key(c *instant[S, M]) string {
	var words []string
	for i, s := range c.states {
		if s != nil {
			words = append(words, fmt.Sprintf("%d %#v", i, *s))
		}
	}
	for l, q := range c.links {
		for k, m := range q {
			words = append(words, fmt.Sprintf("%v %d %#v", l, k, m.m))
			if n.spec.Needs.Delay {
				words = append(words, fmt.Sprintf("%v %d in %d", l, k, m.due-c.now))
			}
		}
	}
	for _, b := range c.timers {
		if !n.spec.Needs.Delay {
			b.at = c.now
		}
		words = append(words, fmt.Sprintf("bell %d %d in %d", b.node, b.timer, b.at-c.now))
	}
	sort.Strings(words)
	return strings.Join(words, "\n")
}

// visit gives the most messages from a configuration on.
func (n *naive[S, M]) visit(c *instant[S, M]) int {
	key := n.key(c)
	if most, ok := n.seen[key]; ok {
		n.loops = n.loops || most == open
		return most
	}
	n.seen[key] = open
	most, any := 0, false
	n.steps(c, func(d *instant[S, M], sent int) {
		any = true
		if n.norm != nil {
			n.norm(d)
		}
		most = max(most, sent+n.visit(d))
	})
	if !any && !n.right(c) {
		n.wrong++
	}
	n.seen[key] = most
	return most
}

func (n *naive[S, M]) local(i int) *caucus.Local {
	a, b := n.net.Off[i], n.net.Off[i+1]
	l := &caucus.Local{ID: n.net.IDs[i], Strength: n.net.Strengths[i], Degree: b - a, Known: n.net.Known}
	if n.net.Labels != nil {
		l.Labels = n.net.Labels[a:b]
	}
	return l
}

// steps calls visit with every configuration that comes next.
func (n *naive[S, M]) steps(c *instant[S, M], visit func(d *instant[S, M], sent int)) {
	timed := n.spec.Needs.Delay
	try := func(i int, do func(d *instant[S, M], l *caucus.Local, out *caucus.Outbox[M])) {
		for k := range n.draws {
			d, l := c.clone(), n.local(i)
			l.Rand = caucus.Chosen(uint64(k))
			var out caucus.Outbox[M]
			do(d, l, &out)
			if k > 0 && func() bool { made, _ := l.Rand.Choices(); return made == 1 }() {
				return // there was no draw
			}
			for _, s := range out.Sends {
				link := [2]int{i, int(n.net.Nbr[n.net.Off[i]+s.Port])}
				d.links[link] = append(d.links[link], letter[M]{s.Msg, d.now + delayTicks})
			}
			for _, a := range out.Alarms {
				d.timers = append(d.timers, bell{i, a.Timer, d.now + int(math.Ceil(float64(a.After)/float64(tick)))})
			}
			visit(d, len(out.Sends))
		}
	}
	late, waiting := false, timed && len(c.timers) > 0
	for _, q := range c.links {
		for _, m := range q {
			waiting = timed
			late = late || m.due == c.now
		}
	}
	for l, q := range c.links {
		if len(q) == 0 {
			continue
		}
		try(l[1], func(d *instant[S, M], local *caucus.Local, out *caucus.Outbox[M]) {
			m := d.links[l][0].m
			d.links[l] = d.links[l][1:]
			if d.states[l[1]] == nil {
				s := n.algo.Boot(local)
				d.states[l[1]] = &s
				n.algo.Wake(local, &s, false, out)
			}
			port := slices.Index(n.net.Nbr[n.net.Off[l[1]]:n.net.Off[l[1]+1]], int32(l[0]))
			n.algo.Receive(local, d.states[l[1]], port, m, out)
		})
	}
	hold := timed && late
	for k, b := range c.timers {
		if timed && (late || b.at > c.now) {
			continue
		}
		hold = true
		try(b.node, func(d *instant[S, M], local *caucus.Local, out *caucus.Outbox[M]) {
			d.timers = slices.Delete(d.timers, k, k+1)
			n.algo.Timer(local, d.states[b.node], b.timer, out)
		})
	}
	for i := range c.states {
		if c.states[i] != nil || !n.net.Starts(i) {
			continue
		}
		hold = hold || n.spec.Needs.Together
		try(i, func(d *instant[S, M], local *caucus.Local, out *caucus.Outbox[M]) {
			s := n.algo.Boot(local)
			d.states[i] = &s
			n.algo.Wake(local, &s, true, out)
		})
	}
	if waiting && !hold {
		d := c.clone()
		d.now++
		visit(d, 0)
	}
}

// right says that everybody has the same leader, who knows it.
func (n *naive[S, M]) right(c *instant[S, M]) bool {
	leader, leads := caucus.None, 0
	var names []caucus.ID
	for i, s := range c.states {
		if s == nil {
			return false
		}
		o := n.algo.Outcome(n.local(i), s)
		if o.Role == caucus.Leader {
			leader, leads = n.net.IDs[i], leads+1
		}
		names = append(names, o.Leader)
	}
	return leads == 1 && slices.Max(names) == leader && slices.Min(names) == leader
}

// agreeOnEvents compares the search with the recursion on every set of initiators.
func agreeOnEvents[S, M any](t *testing.T, algo caucus.Events[S, M], spec *caucus.Spec, network string, draws int,
	norm func(*instant[S, M])) {
	t.Helper()
	net := parse(t, network)
	for set := uint16(1); set < 1<<net.Len(); set++ {
		cfg := Config{Networks: []*caucus.Network{net}, Start: Clean}
		cfg.fill()
		w, err := newPlay(columns.OfEvents(algo), spec, &cfg, net, set)
		if err == nil {
			err = w.begin(cfg.MaxStates)
		}
		if err == nil {
			err = w.explore(limits{context.Background(), 1 << 22, new(atomic.Int64)})
		}
		if err != nil {
			t.Fatal(err)
		}
		n := &naive[S, M]{algo: algo, spec: spec, net: settled(net, spec, set), draws: draws, norm: norm,
			seen: map[string]int{}}
		most := n.visit(&instant[S, M]{states: make([]*S, net.Len()), links: map[[2]int][]letter[M]{}})
		where := fmt.Sprintf("%s on %s, initiators %b", spec.Name, network, set)
		if good := w.stuck == nil && w.unsafe == nil; good != (n.wrong == 0) {
			t.Errorf("%s: right %v, by recursion %d configurations at rest are wrong", where, good, n.wrong)
			continue
		}
		if n.wrong > 0 {
			continue // the search has stopped there
		}
		if w.rows.count != len(n.seen) {
			t.Errorf("%s: %d configurations, by recursion %d", where, w.rows.count, len(n.seen))
		}
		if w.promise == Lasts != n.loops && !w.draws {
			t.Errorf("%s: it goes on for ever: %v, by recursion %v", where, w.promise == Lasts, n.loops)
		}
		if !n.loops && w.worst != most || n.loops && w.worst >= 0 {
			t.Errorf("%s: %d messages at most, by recursion %d", where, w.worst, most)
		}
	}
}

// The search agrees with plain recursion on configurations, the most messages and what is right: with slices in the
// states, with draws and with time.
func TestEventsByRecursion(t *testing.T) {
	const two, line, triangle, circle = "2-3", "3-2 2-4", "2-3 3-4 4-2", "2-3 3-4 4-2 right=2>4"
	agreeOnEvents(t, minfind.Algorithm{}, &minfind.Spec, triangle, 1, nil)
	agreeOnEvents(t, yoyo.Algorithm{Prune: true}, &yoyo.Spec, triangle, 1, nil)
	agreeOnEvents(t, yoyo.Algorithm{}, &yoyo.PlainSpec, line, 1, nil)
	agreeOnEvents(t, megamerger.Algorithm{}, &megamerger.Spec, triangle, 1, nil)
	agreeOnEvents(t, asfar.Algorithm{Way: asfar.Random}, &asfar.Probabilistic, circle, 2, nil)
	agreeOnEvents(t, itairodeh.Algorithm{}, &itairodeh.Spec, circle, 3, fromRoundOne)
	agreeOnEvents(t, wbs.Algorithm{}, &wbs.Spec, line, 1, nil)
	agreeOnEvents(t, wbs.Algorithm{Unit: 1}, &wbs.Spec, line, 1, nil) // too short a unit: several lead
	agreeOnEvents(t, brogo.Algorithm{}, &brogo.Spec, line, 1, nil)
	agreeOnEvents(t, flood.Algorithm{Changes: true}, &flood.ChangesSpec, line, 1, nil)
	knows, err := prasle.NewReliable(prasle.ReliableConfig{K: 2, T: 1, NeighbourKnows: true})
	if err != nil {
		t.Fatal(err)
	}
	agreeOnEvents(t, knows, &prasle.ReliableSpec, two, 1, nil)
	b, err := bully.New(bully.Config{Heartbeat: 1, Patience: 1})
	if err != nil {
		t.Fatal(err)
	}
	agreeOnEvents(t, b, &bully.Spec, two, 1, nil)
	agreeOnEvents(t, hoard{}, &hoardSpec, triangle, 1, nil)
}

// fromRoundOne numbers the rounds of Itai–Rodeh from the least that somebody is in.
func fromRoundOne(c *instant[itairodeh.State, itairodeh.Msg]) {
	least := uint32(math.MaxUint32)
	for _, s := range c.states {
		if s != nil && s.Round > 0 {
			least = min(least, s.Round)
		}
	}
	for _, q := range c.links {
		for _, m := range q {
			if m.m.Kind == ring.Elect {
				least = min(least, m.m.Round)
			}
		}
	}
	if least == math.MaxUint32 {
		return
	}
	for _, s := range c.states {
		if s != nil && s.Round > 0 {
			s.Round -= least - 1
		}
	}
	for _, q := range c.links {
		for k := range q {
			if q[k].m.Kind == ring.Elect {
				q[k].m.Round -= least - 1
			}
		}
	}
}

// hoard elects the least ID after every node has heard all its neighbours. It changes its slice in place, and appends
// to one that has room to spare: what a checker would share between configurations if it did not copy.
type hoard struct{}

var hoardSpec = caucus.Spec{Name: "hoard", Silent: true}

type hoarded struct {
	Names []string
	Best  caucus.ID
}

func (hoard) Boot(*caucus.Local) hoarded { return hoarded{} }

func (hoard) Wake(l *caucus.Local, s *hoarded, _ bool, out *caucus.Outbox[hoarded]) {
	s.Names, s.Best = append(make([]string, 0, 8), fmt.Sprint(l.ID)), l.ID
	out.SendAll(l.Degree, -1, hoarded{slices.Clone(s.Names), l.ID})
}

func (hoard) Receive(_ *caucus.Local, s *hoarded, _ int, m hoarded, _ *caucus.Outbox[hoarded]) {
	s.Best = min(s.Best, m.Best)
	s.Names = append(s.Names, m.Names...)
	m.Names[0] = "read"
	for k := range s.Names {
		s.Names[k] += "."
	}
}

func (hoard) Timer(*caucus.Local, *hoarded, int, *caucus.Outbox[hoarded]) {}

func (hoard) Outcome(l *caucus.Local, s *hoarded) caucus.Outcome {
	o := caucus.Decided(l, s.Best, false)
	o.Final = false
	return o
}

func (hoard) Kind(*hoarded) int { return 0 }

func (hoard) Domain(*caucus.World) (caucus.Values[hoarded], caucus.Values[hoarded]) {
	return caucus.Values[hoarded]{}, caucus.Values[hoarded]{}
}
