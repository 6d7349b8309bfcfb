package fleet

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"
)

// history is who has held the lease when, in true time: all processes are on one machine.
type history struct {
	mu    sync.Mutex
	spans []span // of one holder in the order of their beginning
	wrong []string
}

// span is a time for which somebody holds, or acts.
type span struct {
	who        string // a life of a node
	begin, end time.Time
}

// claim takes in that a life of a node has held in a moment before begin and says that it does until the end. Whoever
// says so may act until then without a look at anything, so nobody else may hold meanwhile, whatever happens to it.
func (h *history) claim(who string, begin, end time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !begin.Before(end) {
		return
	}
	k := len(h.spans) - 1
	for ; k >= 0 && h.spans[k].who != who; k-- {
	}
	if k >= 0 && !begin.After(h.spans[k].end) {
		if end.After(h.spans[k].end) {
			h.spans[k].end = end
		}
	} else {
		h.spans = append(h.spans, span{who, begin, end})
	}
	// Spans before the last few have ended long ago.
	for _, s := range h.spans[max(0, len(h.spans)-16):] {
		if s.who != who && s.begin.Before(end) && begin.Before(s.end) {
			wrong := fmt.Sprintf("%s holds from %v to %v, %s from %v to %v", who, clock(begin), clock(end), s.who,
				clock(s.begin), clock(s.end))
			if len(h.wrong) < 20 && !slices.Contains(h.wrong, wrong) {
				h.wrong = append(h.wrong, wrong)
			}
		}
	}
}

func clock(t time.Time) string { return t.Format("15:04:05.000000") }

// last is the holder whose span ends last.
func (h *history) last() (s span) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, t := range h.spans {
		if t.end.After(s.end) {
			s = t
		}
	}
	return s
}

// held is for how long somebody has held, and how many spans that was.
func (h *history) held() (sum time.Duration, spans int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.spans {
		sum += s.end.Sub(s.begin)
	}
	return sum, len(h.spans)
}

// Two that hold at one moment are found, in whatever order one hears of them; two that hold one after the other are not
// mistaken for that, and neither is one that goes on.
func TestLeaseHistory(t *testing.T) {
	at := func(ms int) time.Time { return time.Unix(1e9, 0).Add(time.Duration(ms) * time.Millisecond) }
	for _, c := range []struct {
		name  string
		spans []span
		wrong int
	}{
		{"one after the other", []span{{"a", at(0), at(10)}, {"a", at(5), at(15)}, {"b", at(15), at(20)}}, 0},
		{"the former has until 15", []span{{"a", at(0), at(10)}, {"a", at(5), at(15)}, {"b", at(14), at(20)}}, 1},
		{"heard of late", []span{{"b", at(14), at(20)}, {"a", at(5), at(15)}}, 1},
		{"two lives of one node", []span{{"a 1", at(0), at(10)}, {"a 2", at(9), at(12)}}, 1},
		{"it comes back", []span{{"a", at(0), at(10)}, {"b", at(10), at(20)}, {"a", at(20), at(30)}}, 0},
		{"it comes back too soon", []span{{"a", at(0), at(10)}, {"b", at(10), at(20)}, {"a", at(19), at(30)}}, 1},
		{"over when it was said", []span{{"a", at(0), at(10)}, {"b", at(10), at(20)}, {"a", at(16), at(9)}}, 0},
	} {
		h := &history{}
		for _, s := range c.spans {
			h.claim(s.who, s.begin, s.end)
		}
		if len(h.wrong) != c.wrong {
			t.Errorf("%s: %q, want %d", c.name, h.wrong, c.wrong)
		}
	}
}
