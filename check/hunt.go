package check

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"caucus.example/caucus"
)

// A hunt looks for a counterexample where there are too many configurations to decide: many short executions from a
// start drawn at random, each step drawn from those of the daemon. One that comes back to a configuration, with a wrong
// result on the way round and every node having acted, can go round for ever, and one that stands still with a wrong
// result does. What it finds is therefore a violation as good as any; that it finds nothing says nothing.
const huntSteps = 60 // of each walk, for every process

// hunt is for a network that is too large under a daemon.
type hunt struct {
	r      *run
	net    *caucus.Network
	daemon Daemon
	walks  int
	most   int // configurations to remember

	next atomic.Int64
	mu   sync.Mutex
	seen *keyMap // hashes of the configurations
	said Hunt
	cost int // of what is found
	best int // the walk that has found it; -1: none has
	err  error
}

// hunt gives a counterexample, or what it has met without finding one, also if it was cut short.
func (r *run) hunt(net *caucus.Network, d Daemon) (f found, err error) {
	h := &hunt{r: r, net: net, daemon: d, walks: r.cfg.Walks, best: -1, seen: newKeyMap(),
		most: min(maxVertices, int(r.cfg.memory/perKey))}
	if d == Synchronous && r.cfg.Start == Clean {
		h.walks = 1 // there is one execution
	}
	w, err := h.walker()
	if err != nil {
		return f, err
	}
	var wait sync.WaitGroup
	for r.crew.take() {
		wait.Go(func() {
			defer r.crew.give()
			h.some()
		})
	}
	h.some()
	wait.Wait()
	if h.err != nil {
		return f, h.err
	}
	h.said.Met = int64(h.seen.count)
	if h.best < 0 {
		f.hunt = h.said
		return f, r.ctx.Err()
	}
	f = found{hunted: true, want: w.y.want}
	f.configurations, f.steps, f.rounds = uint64(h.said.Met), -1, -1
	f.exploration.fair, f.unfair = &cycle{}, &cycle{}
	l, _ := h.make(w, h.best)
	f.fair, err = w.tell(r.many, w.shorten(l))
	f.free = f.fair
	return f, err
}

// portionOfWalks is how many walks share what they know of the values of nodes: it is forgotten then.
const portionOfWalks = 64

// some makes walks as long as there are any left.
func (h *hunt) some() {
	for {
		first := int(h.next.Add(portionOfWalks)) - portionOfWalks
		if first >= h.walks || h.r.ended() {
			return
		}
		w, err := h.walker()
		for k := first; k < min(h.walks, first+portionOfWalks) && err == nil && !h.r.ended(); k++ {
			l, found := h.make(w, k)
			if err = w.y.err; err == nil {
				h.take(k, w, l, found)
			}
		}
		if err != nil {
			h.mu.Lock()
			h.err = err
			h.mu.Unlock()
			h.next.Store(int64(h.walks))
			return
		}
	}
}

// make makes the k-th walk, which is the same whoever makes it.
func (h *hunt) make(w *walk, k int) (lasso, bool) {
	w.rand = rand.New(rand.NewPCG(h.r.cfg.Seed, uint64(k)))
	return w.run(w.start(), w.draw(k%2 == 1), w.processes*huntSteps)
}

// take adds a walk to what is known. What comes of all does not depend on their order.
func (h *hunt) take(k int, w *walk, l lasso, found bool) {
	h.r.explored.Add(int64(len(w.steps)))
	h.mu.Lock()
	defer h.mu.Unlock()
	h.said.Walks++
	h.said.Steps, h.said.Of = max(h.said.Steps, len(w.steps)), w.of
	h.said.Full = h.seen.meet(w.hashes, h.most) || h.said.Full
	if cost := w.cost(l); found && (h.best < 0 || cost < h.cost || cost == h.cost && k < h.best) {
		h.cost, h.best = cost, k
	}
}

// walker makes what one worker needs.
func (h *hunt) walker() (*walk, error) {
	algo, err := inNumbers(h.r.algo, &h.r.letterings)
	if err != nil {
		return nil, err
	}
	y, err := newSystem(algo, h.net)
	if err != nil {
		return nil, err
	}
	c := &h.r.cfg
	return newWalk(y, h.daemon, c.Start == Clean, c.Model == Messages, world(h.net, c.Ghosts, c.Counter))
}

// draw makes a schedule: one that comes again and again, in which some nodes are far faster than others, or one that is
// drawn step by step.
func (w *walk) draw(again bool) schedule {
	full := w.full
	switch {
	case w.daemon == Synchronous:
		return schedule{period: 1, at: func(int) uint64 { return full }}
	case w.daemon.inRounds():
		order, period := w.rand.Perm(w.processes), w.processes
		if w.daemon == Paced && !again {
			period = 0
		}
		return schedule{period: period, at: func(k int) uint64 {
			if k%len(order) == 0 && period == 0 {
				w.rand.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
			}
			return 1 << order[k%len(order)]
		}}
	case again:
		word := w.word()
		return schedule{period: len(word), at: func(k int) uint64 { return word[k%len(word)] }}
	}
	return schedule{at: func(int) uint64 {
		one := uint64(1) << nth(w.enabled, w.rand.IntN(bits.OnesCount64(w.enabled)))
		if w.daemon == Central {
			return one
		}
		return w.join(one, w.enabled&w.rand.Uint64())
	}}
}

// fastest is how often a process may come in a word, at most.
const fastest = 5 // as a power of two

// word draws who acts, one step after the other: all at least once, and every fourth many times.
func (w *walk) word() (word []uint64) {
	var order []int
	for p := range w.processes {
		times := 1
		if w.rand.IntN(4) == 0 {
			times += w.rand.IntN(1 << w.rand.IntN(fastest+1))
		}
		for range times {
			order = append(order, p)
		}
	}
	w.rand.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
	together := w.daemon != Central && w.rand.IntN(2) == 0
	for _, p := range order {
		one := uint64(1) << p
		if last := len(word) - 1; together && last >= 0 && w.rand.IntN(2) == 0 {
			if both := w.join(word[last], one); both != word[last] {
				word[last] = both
				continue
			}
		}
		word = append(word, one)
	}
	return word
}

// join adds to a set those of another that may act together with it.
func (w *walk) join(set, more uint64) uint64 {
	for ; more != 0; more &= more - 1 {
		p := bits.TrailingZeros64(more)
		if w.daemon != LocallyCentral || set&w.beside[p] == 0 {
			set |= 1 << p
		}
	}
	return set
}

// nth is the place of the k-th one of a set.
func nth(set uint64, k int) int {
	for range k {
		set &= set - 1
	}
	return bits.TrailingZeros64(set)
}

// power is the decimal logarithm of in how many ways all nodes can hold and say values of a domain.
func power(values []uint64) (sum float64) {
	for _, n := range values {
		sum += math.Log10(max(1, float64(n)))
	}
	return sum
}
