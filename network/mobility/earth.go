package mobility

import (
	"math"

	"caucus.example/caucus/internal/exact"
)

// earth is the mean radius of the earth in metres.
const earth = 6371008.8

// projection makes metres of degrees: east and north of the first place, on a cylinder that touches the earth there.
// That is good for areas of some tens of kilometres.
type projection struct {
	lat, lon float64
	placed   bool
}

func (p *projection) at(lat, lon float64) point {
	if !p.placed {
		p.placed, p.lat, p.lon = true, lat, lon
	}
	rad := math.Pi / 180
	east := math.Remainder(lon-p.lon, 360)
	_, cos := exact.Sincos(p.lat / 360)
	return point{float64(earth * rad * east * cos), float64(earth * rad * (lat - p.lat))}
}
