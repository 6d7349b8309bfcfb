package mobility

// agenda is a heap of the next event of each node, the earliest first and the smaller
// node first among those at one time.
type agenda []event

type event struct {
	t    float64
	node int32
}

func (e event) before(o event) bool { return e.t < o.t || e.t == o.t && e.node < o.node }

func (a *agenda) push(e event) {
	*a = append(*a, e)
	h := *a
	for k := len(h) - 1; k > 0; {
		up := (k - 1) / 2
		if !h[k].before(h[up]) {
			return
		}
		h[k], h[up] = h[up], h[k]
		k = up
	}
}

func (a *agenda) pop() event {
	h := *a
	first := h[0]
	h[0] = h[len(h)-1]
	h = h[:len(h)-1]
	*a = h
	for k := 0; ; {
		down := 2*k + 1
		if down >= len(h) {
			return first
		}
		if down+1 < len(h) && h[down+1].before(h[down]) {
			down++
		}
		if !h[down].before(h[k]) {
			return first
		}
		h[k], h[down] = h[down], h[k]
		k = down
	}
}
