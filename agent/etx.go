package agent

import "math"

// Under metric etx the length of an edge is the number of datagrams that it takes, on average, for one to arrive and
// its answer to come back (De Couto, Aguayo, Bicket, Morris: A High-Throughput Path Metric for Multi-Hop Wireless
// Routing, MobiCom 2003): ETX = 1 / (df * dr), where df and dr are the shares of datagrams that arrive in the two
// directions. Each end measures what arrives here, and tells the other.
const (
	etxSamples  = 16 // datagrams that were to come until a direction counts as measured
	etxLeast    = 1.0 / 20
	etxTold     = 4 // of 255: a change as small is not worth telling at once
	arrivalsAll = 255
)

// arrivals is the share of a peer's datagrams that arrive here; false if too few were to come. The smoothed loss begins
// at 0, as if none had been lost before: what that hides is taken out.
func (p *peer) arrivals() (float64, bool) {
	if p.expected < etxSamples {
		return 0, false
	}
	known := 1 - math.Pow(1-1.0/lossMemory, float64(p.expected))
	return min(max(1-p.loss/known, etxLeast), 1), true
}

// tellArrivals is what a datagram tells a peer of that: when it has changed, and now and then. 0: nothing.
func (a *Agent) tellArrivals(p *peer) uint8 {
	share, known := p.arrivals()
	if a.cfg.Metric != ETX || !p.live || !known {
		return 0
	}
	now := uint8(math.Round(share * arrivalsAll))
	change := int(now) - int(p.saidArrive)
	if (a.beats+p.slot)%nameEvery != 0 && change < etxTold && change > -etxTold {
		return 0
	}
	p.saidArrive = now
	return now
}

// expect takes in what a datagram says of the other direction, and brings the length up to date. As a round-trip
// time, it is held while it stays within a quarter: a path that is about as long as the radius would else come and
// go.
func (p *peer) expect(told uint8) {
	if told != 0 {
		p.theirs = max(float64(told)/arrivalsAll, etxLeast)
	}
	ours, known := p.arrivals()
	if !known || p.theirs == 0 {
		return
	}
	now := 1 / (ours * p.theirs)
	p.outside++
	if now <= p.etx*(1+1.0/steadyPart) && now >= p.etx*(1-1.0/steadyPart) {
		p.outside = 0
	}
	if p.etx == 0 || p.outside >= steadyOutside {
		p.etx, p.outside = now, 0
	}
}
