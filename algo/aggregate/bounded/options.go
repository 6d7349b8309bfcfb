package bounded

import (
	"math"

	"caucus.example/caucus"
)

// Config holds the options; see Spec for what each means.
type Config struct {
	Radius     float64 `param:"radius"`
	RadiusLess bool    `param:"radius-cmp=lt"` // supports only what is nearer than the radius
	DistFirst  bool    `param:"order=sdi"`     // (strength, distance, id) instead of (strength, id, distance)
	Clamp      bool    `param:"clamp"`
	HopLimit   int     `param:"hop-limit"` // 0: none
	Heartbeat  int     `param:"heartbeat"` // rounds without news of a leader until its neighbours give it up; 0: off
	Nonce      bool    `param:"nonce"`
}

// Default holds the defaults of Spec with the given radius: what an operator needs.
func Default(radius float64) Config {
	return Config{Radius: radius, Clamp: true, Heartbeat: 3, Nonce: true}
}

// New checks the options.
func New(c Config) (*Election, error) {
	if err := Spec.Check(c); err != nil {
		return nil, err
	}
	if math.IsInf(c.Radius, 1) && c.Heartbeat == 0 && c.HopLimit == 0 {
		return nil, caucus.Wrong("radius", "inf", "a finite length when heartbeat "+
			"and hop-limit "+
			"are off, since nothing would ever end the candidacy of a dead leader")
	}
	e := &Election{radius: c.Radius, distFirst: c.DistFirst, nonce: c.Nonce, hopLimit: c.HopLimit,
		stale: c.Heartbeat * beat, fresh: freshness(c.Heartbeat)}
	if c.RadiusLess && !math.IsInf(c.Radius, 1) {
		e.radius = math.Nextafter(c.Radius, 0)
	}
	if c.Clamp && !math.IsInf(c.Radius, 1) {
		e.floor = c.Radius / clampParts
	}
	e.counts = e.stale != 0 || e.hopLimit != 0
	if e.hopLimit == 0 {
		e.hopLimit = math.MaxInt
	}
	return e, nil
}

// FromArgs makes the algorithm from resolved parameters.
var FromArgs = caucus.Configure(New)

// clampParts is the number of clamped edges that fit into the radius: what nothing supports is longer than the radius
// after 65 rounds, however short the edges.
const clampParts = 64

// Length is the length that the election gives an edge: at least radius/64 when the clamp is on.
func (e *Election) Length(edge float64) float64 {
	if edge < e.floor {
		return e.floor
	}
	return edge
}

// nonceOf tells apart two instances of one ID: of two that both lead, the one with the larger nonce then follows the
// other.
func (e *Election) nonceOf(l *caucus.Local) uint32 {
	if e.nonce {
		return uint32(l.Nonce)
	}
	return 0
}
