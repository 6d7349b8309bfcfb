package check

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/rings/asfar"
	"caucus.example/caucus/story"
)

// ringer is As Far with one thing changed.
type ringer struct {
	asfar.Algorithm
	receive func(l *caucus.Local, s *asfar.State, m asfar.Msg, out *caucus.Outbox[asfar.Msg]) bool // true: done
	wake    func(l *caucus.Local, initiator bool, out *caucus.Outbox[asfar.Msg])
}

func (r ringer) Receive(l *caucus.Local, s *asfar.State, port int, m asfar.Msg, out *caucus.Outbox[asfar.Msg]) {
	if r.receive == nil || !r.receive(l, s, m, out) {
		r.Algorithm.Receive(l, s, port, m, out)
	}
}

func (r ringer) Wake(l *caucus.Local, s *asfar.State, initiator bool, out *caucus.Outbox[asfar.Msg]) {
	r.Algorithm.Wake(l, s, initiator, out)
	if r.wake != nil {
		r.wake(l, initiator, out)
	}
}

func (r ringer) Timer(l *caucus.Local, s *asfar.State, timer int, out *caucus.Outbox[asfar.Msg]) {
	out.After(0, timer)
}

func toRight(l *caucus.Local, out *caucus.Outbox[asfar.Msg], m asfar.Msg) {
	for p, label := range l.Labels {
		if label == caucus.Right {
			out.Send(p, m)
		}
	}
}

func events(t *testing.T, r ringer, n int, reorder bool) *EventRow {
	t.Helper()
	rep, err := Events(t.Context(), r, &asfar.Spec,
		Config{Networks: Networks(Rings, n, Assignments{[]float64{1}, []float64{1}}), Reorder: reorder, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return rep.Events
}

// As Far is right from every set of initiators, in every order of events, even when messages overtake each other, and
// its worst number of messages is n(n+1)/2 + n (IDs rising in the direction of travel, the final lap included).
func TestAsFar(t *testing.T) {
	for n := 3; n <= 4; n++ {
		for _, reorder := range []bool{false, true} {
			e := events(t, ringer{}, n, reorder)
			if e.Fails != 0 || e.Undecided != 0 || e.Holds != e.Networks*(1<<n-1) {
				t.Errorf("n = %d: %+v", n, e)
			}
			if want := n*(n+1)/2 + n; e.Messages.N != want {
				t.Errorf("n = %d: %d messages on %s, want %d", n, e.Messages.N, e.Messages.Network, want)
			}
		}
	}
}

func TestBrokenEvents(t *testing.T) {
	for _, c := range []struct {
		name  string
		r     ringer
		wrong string
	}{
		{"forgets to notify", ringer{receive: func(l *caucus.Local, s *asfar.State, m asfar.Msg,
			_ *caucus.Outbox[asfar.Msg]) bool {
			if m.Kind == asfar.Elect && m.ID == l.ID && s.Min == l.ID {
				s.Role = caucus.Leader
				return true
			}
			return false
		}}, "is not done"},
		{"larger wins", ringer{receive: func(l *caucus.Local, s *asfar.State, m asfar.Msg,
			out *caucus.Outbox[asfar.Msg]) bool {
			if m.Kind == asfar.Elect && m.ID != l.ID {
				if m.ID > s.Min {
					s.Min, s.Role = m.ID, caucus.Defeated
					toRight(l, out, m)
				}
				return true
			}
			return false
		}}, "promised is"},
		{"leads on any message", ringer{receive: func(l *caucus.Local, s *asfar.State, m asfar.Msg,
			out *caucus.Outbox[asfar.Msg]) bool {
			if m.Kind == asfar.Elect && s.Role != caucus.Leader {
				s.Role, s.Leader = caucus.Leader, l.ID
				toRight(l, out, m)
			}
			return m.Kind == asfar.Elect
		}}, "2 leaders at a time"},
		{"passes everything on", ringer{receive: func(l *caucus.Local, s *asfar.State, m asfar.Msg,
			out *caucus.Outbox[asfar.Msg]) bool {
			toRight(l, out, m)
			return true
		}}, "it never ends"},
		{"a timer that sets itself", ringer{wake: func(_ *caucus.Local, _ bool,
			out *caucus.Outbox[asfar.Msg]) {
			out.After(1, 1)
		}}, "it never ends"},
		{"takes back what is final", ringer{receive: func(l *caucus.Local, s *asfar.State, m asfar.Msg,
			out *caucus.Outbox[asfar.Msg]) bool {
			switch {
			case m.Kind == asfar.Elect && m.ID == l.ID && s.Min == l.ID:
				s.Role, s.Leader = caucus.Leader, l.ID
				toRight(l, out, asfar.Msg{Kind: asfar.Notify, ID: l.ID})
				return true
			case m.Kind == asfar.Notify && s.Role == caucus.Leader:
				s.Role = caucus.Defeated
				return true
			}
			return false
		}}, "was final and has changed"},
	} {
		e := events(t, c.r, 3, false)
		if e.Fails == 0 || e.Counterexample == nil || !strings.Contains(e.Counterexample.Wrong, c.wrong) {
			t.Errorf("%s: %+v, %+v; should say %q", c.name, e, e.Counterexample, c.wrong)
			continue
		}
		x := e.Counterexample
		if len(x.Initiators) == 0 || !strings.Contains(x.Table(), c.wrong) || len(x.Steps) == 0 ||
			x.Steps[0].What != story.Wake {
			t.Errorf("%s:\n%s", c.name, x.Table())
		}
	}
}

// The clock is no part of a configuration, and neither are draws with too many results.
func TestVolatileEvents(t *testing.T) {
	for _, c := range []struct {
		reads func(l *caucus.Local) uint64
		want  error
	}{
		{func(l *caucus.Local) uint64 { return uint64(l.Now) }, errVolatile},
		{func(l *caucus.Local) uint64 { r := l.Rand.At(1); return r.Uint64() }, errVolatile},
		{func(l *caucus.Local) uint64 { return uint64(10 * l.Rand.Float64()) }, errDraws},
		{func(l *caucus.Local) uint64 { return uint64(l.Rand.IntN(1 << 20)) }, errDraws},
	} {
		r := ringer{wake: func(l *caucus.Local, _ bool, out *caucus.Outbox[asfar.Msg]) {
			toRight(l, out, asfar.Msg{ID: caucus.ID(c.reads(l))})
		}}
		_, err := Events(t.Context(), r, &asfar.Spec,
			Config{Networks: Networks(Rings, 3, Assignments{[]float64{1}, []float64{1}})})
		if !errors.Is(err, c.want) {
			t.Errorf("error %v, want %v", err, c.want)
		}
	}
}

// However many work, the report is the same, counterexample included.
func TestWorkersOfEvents(t *testing.T) {
	var first *EventRow
	for _, workers := range []int{1, 2, 7} {
		rep, err := Events(t.Context(), asfar.Algorithm{}, &asfar.Spec,
			Config{Networks: append(Networks(Rings, 3, Assignments{[]float64{1}, []float64{1}}),
				Networks(Rings, 4, Assignments{[]float64{1}, []float64{1}})...),
				Faults: Faults{Loss: 1}, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		rep.Events.Seconds = 0
		if first == nil {
			first = rep.Events
		}
		if !reflect.DeepEqual(first, rep.Events) {
			t.Errorf("%d workers: %+v, one: %+v", workers, rep.Events, first)
		}
	}
}
