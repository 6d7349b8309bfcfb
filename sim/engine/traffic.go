package engine

func newTraffic(n int) *traffic {
	return &traffic{make([]int64, n), make([]int64, n), make([]int64, n)}
}

// receive takes over what has come to a box of the node at position p.
func (t *traffic) receive(p int, came *int32) {
	t.received[p] += int64(*came)
	*came = 0
}

// send counts a round of the node at position p, with its message on so many links.
func (t *traffic) send(p, links int) {
	t.sent[p] += int64(links)
	t.rounds[p]++
}

// unsend takes back a round that does not count.
func (t *traffic) unsend(p, links int) {
	t.sent[p] -= int64(links)
	t.rounds[p]--
}

// miss forgets what has come to the node at position p while it does not run.
func (e *RoundRun) miss(p int) {
	if e.traffic == nil {
		return
	}
	for s, end := e.rows.Span(p); s < end; s++ {
		e.boxes[s].came = 0
	}
}

// byNode gives the counts in the order of the caller's nodes.
func (e *RoundRun) byNode(t *traffic) (sent, received []int64, up []float64) {
	sent, received, up = make([]int64, e.n), make([]int64, e.n), make([]float64, e.n)
	for p := range e.n {
		i := e.node(p)
		sent[i], received[i], up[i] = t.sent[p], t.received[p], float64(t.rounds[p])
	}
	return sent, received, up
}
