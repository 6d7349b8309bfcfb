package sim

import (
	"math"
	"reflect"

	"caucus.example/caucus"
)

func (t *tape[S, M]) timeless() bool {
	by, ok := t.algo.(caucus.Timeless)
	return ok && by.Timeless() && numbers(reflect.TypeFor[S]()) && numbers(reflect.TypeFor[M]())
}

// numbers tells whether all that a value of a type is lies in its own bits.
func numbers(t reflect.Type) bool {
	switch k := t.Kind(); k {
	case reflect.Struct:
		for i := range t.NumField() {
			if !numbers(t.Field(i).Type) {
				return false
			}
		}
		return true
	case reflect.Array:
		return numbers(t.Elem())
	default:
		return k >= reflect.Bool && k <= reflect.Complex128
	}
}

func (t *tape[S, M]) drifts() bool { return t.relative != nil }

// remember and compare stand around a round of a node in a whole round. A synchronous node is due in the next one, an
// asynchronous one perhaps again in this.
func (t *tape[S, M]) remember(h *hand, p int) {
	was := &t.was[h.number]
	was.state, was.export = t.state[p], t.export[p]
	if t.run.cfg.Timing != Synchronous {
		t.run.rest.due.remove(p)
	}
}

func (t *tape[S, M]) compare(h *hand, p int) {
	was := &t.was[h.number]
	if t.relative != nil {
		t.relative.Rebase(&was.state, &was.export, math.MaxUint64) // one more in each counter
	}
	if alike(&was.state, &t.state[p]) && alike(&was.export, &t.fresh[p]) {
		return
	}
	t.run.stir(p)
}

func (t *tape[S, M]) sweepDue(h *hand, a, b int) {
	e := t.run
	due, later := e.rest.due, e.cfg.Timing != Synchronous
	for p := due.next(a, b); p < b; p = due.next(p+1, b) {
		if later {
			due.remove(p)
		}
		if st := e.status[p]; st == running || st == waiting {
			t.rerun(h, p, e.activation(p))
		}
	}
}

// rerun is visit of a node that is due, in a round that is not whole.
func (t *tape[S, M]) rerun(h *hand, p int, now float64) {
	e, was := t.run, &t.was[h.number]
	started := e.status[p] == waiting
	if started {
		e.boot(h, p, now)
		e.ran[p] = -uint32(e.rest.behind)
		if t.relative != nil {
			t.relative.Rebase(&t.state[p], &t.export[p], uint64(e.rest.behind))
		}
	}
	var in caucus.Inbox[M]
	if e.calm {
		in = t.inbox(h, p, t.export)
		for k, q := range e.nbr[e.off[p]:e.off[p+1]] {
			t.align(h, p, int(q), &in.Msgs[k])
		}
	} else {
		in, _ = t.gather(h, p, now)
	}
	e.fill(&h.local, p, e.roundOf(p)+1, now)
	h.local.Degree = len(in.Msgs)
	was.state, was.export = t.state[p], t.export[p]
	t.fresh[p] = t.algo.Round(&h.local, &t.state[p], in)
	if t.relative != nil {
		t.relative.Rebase(&t.state[p], &t.fresh[p], 1)
	}
	h.ran++
	if started || !alike(&was.state, &t.state[p]) || !alike(&was.export, &t.fresh[p]) {
		e.stir(p)
	}
}

// align makes a message of the node at position q as far behind as the node at position p, which is about to run: who
// runs before it in an asynchronous period has run already, and who has stopped is not behind at all.
func (t *tape[S, M]) align(h *hand, p, q int, m *M) {
	e, by := t.run, uint64(0)
	switch {
	case t.relative == nil:
		return
	case e.status[q] != running:
		by = uint64(e.rest.behind)
	case q < p && e.cfg.Timing != Synchronous:
		by = math.MaxUint64
	default:
		return
	}
	t.relative.Rebase(&t.was[h.number].state, m, by)
}

func (t *tape[S, M]) take(a, b int) {
	due := t.run.rest.due
	for p := due.next(a, b); p < b; p = due.next(p+1, b) {
		if t.run.status[p] == running {
			t.export[p] = t.fresh[p]
		}
	}
}

func (t *tape[S, M]) shift(by uint64) {
	if t.relative == nil {
		return
	}
	for p, s := range t.run.status {
		if s == running {
			t.relative.Rebase(&t.state[p], &t.export[p], -by)
		}
	}
}

func (t *tape[S, M]) sizeOf(p, ahead int) int32 {
	m := &t.export[p]
	if t.relative != nil {
		scratch := &t.was[0]
		scratch.export = *m
		m = &scratch.export
		t.relative.Rebase(&scratch.state, m, -uint64(ahead))
	}
	return int32(t.run.cfg.SizeOf(m))
}
