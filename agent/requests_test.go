package agent

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/wire"
)

// answering is a line of 5 whose nodes answer with how many requests they have been asked, and which. Their leader is
// at one end.
func answering(t *testing.T, done *int) *virtual {
	v := knowing(t, 5, lineOf(5))
	for _, x := range v.nodes {
		x.cfg.Answers = func(_ context.Context, q Request) ([]byte, error) {
			if string(q.Data) == "no" {
				return nil, errors.New("why should I")
			}
			*done++
			if string(q.Data) == "who" {
				return []byte(q.From), nil
			}
			return fmt.Appendf(nil, "%d %s", *done, q.Data), nil
		}
	}
	v.upAll()
	v.run(2 * time.Second)
	return v
}

// asks has node i ask, without waiting.
func (v *virtual) asks(ctx context.Context, i int, data string) *question {
	v.t.Helper()
	q := &question{ctx: ctx, ask: wire.Ask{Data: []byte(data)}, told: make(chan verdict, 1)}
	if err := v.nodes[i].agent.enqueue(q, v.now); err != nil {
		v.t.Fatal(err)
	}
	return q
}

// answer runs until a request is answered.
func (v *virtual) answer(q *question, limit time.Duration) (said verdict, after time.Duration) {
	v.t.Helper()
	after = v.within(limit, "an answer", func() bool {
		for _, x := range v.nodes {
			if x.agent != nil && x.agent.answers.busy > 0 { // its command tells the loop, which is this one
				select {
				case f := <-x.agent.commands:
					f()
				case <-time.After(20 * time.Millisecond):
				}
			}
		}
		select {
		case said = <-q.told:
			return true
		default:
			return false
		}
	})
	return said, after
}

// The far end of a line of 5 has its answer at once: nobody waits for a round. With a third of all datagrams lost,
// 6 % of the questions come back answered, and one is asked in every period; each is done once.
func TestAsk(t *testing.T) {
	done := 0
	v := answering(t, &done)
	said, after := v.answer(v.asks(t.Context(), 4, "may I"), time.Second)
	if string(said.data) != "1 may I" || said.err != nil || after > 100*time.Millisecond {
		t.Errorf("%q %v after %v", said.data, said.err, after)
	}
	if said, _ := v.answer(v.asks(t.Context(), 0, "myself"), time.Second); string(said.data) != "2 myself" {
		t.Errorf("the leader asks itself: %q %v", said.data, said.err)
	}
	if said, _ := v.answer(v.asks(t.Context(), 4, "who"), time.Second); string(said.data) != v.nodes[4].cfg.Name {
		t.Errorf("the leader takes it for %q: %v", said.data, said.err)
	}
	done--
	var refusal *Refusal
	if said, _ := v.answer(v.asks(t.Context(), 3, "no"), time.Second); !errors.As(said.err, &refusal) ||
		refusal.Why != "why should I" {
		t.Errorf("refused: %q %v", said.data, said.err)
	}
	v.loss = 0.3
	for k := range 20 {
		data := fmt.Sprint("request ", k)
		said, _ := v.answer(v.asks(t.Context(), 1+k%4, data), 30*time.Second)
		if errors.Is(said.err, ErrChanged) { // so much loss changes terms
			done = k + 3
			continue
		}
		if want := fmt.Sprint(k+3, " ", data); string(said.data) != want || said.err != nil {
			t.Fatalf("%q %v, want %q", said.data, said.err, want)
		}
	}
}

// Who asks is told when the leader has gone, and asks the next one then; and waits while there is none.
func TestAskOfALeaderThatGoes(t *testing.T) {
	done := 0
	v := answering(t, &done)
	v.cut = func(from, to int) bool { return from == 0 || to == 0 }
	said, _ := v.answer(v.asks(t.Context(), 4, "may I"), 5*time.Second)
	if !errors.Is(said.err, ErrChanged) || done != 0 {
		t.Errorf("%q %v, done %d times", said.data, said.err, done)
	}
	v.settleTerm(4)
	if said, _ := v.answer(v.asks(t.Context(), 4, "may I"), 5*time.Second); string(said.data) != "1 may I" {
		t.Errorf("the next: %q %v", said.data, said.err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	first, second := v.asks(ctx, 3, "forget it"), v.asks(t.Context(), 3, "and this")
	if said, _ := v.answer(second, time.Second); string(said.data) != "2 and this" || len(first.told) > 0 {
		t.Errorf("after one that nobody waits for: %q %v", said.data, said.err)
	}
}

// settleTerm runs until a node has a leader with a term, and a little more.
func (v *virtual) settleTerm(i int) {
	v.within(5*time.Second, "a term", func() bool { return v.nodes[i].agent.lead.Term > 0 })
	v.run(2 * time.Second)
}

// Without anything that answers, who asks is told so.
func TestAskOfOneThatDoesNotAnswer(t *testing.T) {
	v := knowing(t, 3, lineOf(3))
	v.upAll()
	v.run(2 * time.Second)
	var refusal *Refusal
	if said, _ := v.answer(v.asks(t.Context(), 2, "may I"), time.Second); !errors.As(said.err, &refusal) {
		t.Errorf("%q %v", said.data, said.err)
	}
}

// What a node remembers of requests is bounded: whence they have come, of which the oldest are forgotten; who has
// asked, of whom nobody is forgotten who may ask again the same; and how many it asks itself.
func TestRequestsAreBounded(t *testing.T) {
	var r requests
	at := time.Unix(1e9, 0)
	of := func(k int) routeOf { return routeOf{wire.Instance{ID: 1}, uint32(k)} }
	for k := range 2 * maxRoutes {
		r.note(of(k), routeTo{at: at.Add(time.Duration(k))})
	}
	if _, has := r.routes[of(maxRoutes)]; len(r.routes) != maxRoutes || !has {
		t.Errorf("%d routes", len(r.routes))
	}
	if r.expire(at.Add(routeLasts + time.Second)); len(r.routes) != 0 {
		t.Errorf("%d routes in the end", len(r.routes))
	}
	s := answers{last: map[wire.Instance]*answered{}}
	for k := range maxAskers {
		s.last[wire.Instance{ID: caucus.ID(k + 1)}] = &answered{reply: &wire.Reply{}, at: at}
	}
	if s.room(at.Add(askerLasts / 2)) {
		t.Error("somebody is forgotten who may ask again")
	}
	if !s.room(at.Add(askerLasts + 1)) {
		t.Error("there is never any room")
	}
	v := knowing(t, 1, nil)
	v.upAll()
	ctx := t.Context()
	for range maxQuestions {
		v.asks(ctx, 0, "x")
	}
	if err := v.nodes[0].agent.enqueue(&question{ctx: ctx}, v.now); !errors.Is(err, errManyWait) {
		t.Errorf("%v", err)
	}
}
