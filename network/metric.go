package network

import (
	"fmt"
	"math"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/exact"
)

// Metric is what the length of an edge means.
type Metric string

// Metrics. Distance is in kilometres along the great circle if the graph is
// geographic, else Euclidean, in the unit of the coordinates.
const (
	MetricHops     Metric = "hops"
	MetricWeight   Metric = "weight"
	MetricDistance Metric = "distance"
)

// EarthRadius is the mean radius of WGS 84, (2a+b)/3, in kilometres.
const EarthRadius = 6371.0088

// ShortestDistance is the least geographic length, in kilometres: two sites of one town
// often share one pair of coordinates, but an edge of length 0 would break the
// elections that count on lengths > 0. One metre is what the fifth decimal of a
// degree, the finest that sources give, can tell apart.
const ShortestDistance = 0.001

// LengthOptions say how strict Lengths is.
type LengthOptions struct {
	// AllowZero keeps edges of length 0 as they are, for runs that reproduce what happens
	// then. Otherwise they are raised to ShortestDistance or refused.
	AllowZero bool
}

// LengthReport says what Lengths did to get lengths.
type LengthReport struct {
	Placed int // nodes without coordinates that were put at the mean of their neighbours; see Place
	Raised int // edges shorter than the least length and raised to it
	Zero   int // edges of length 0 kept, with AllowZero
}

// Lengths gives the edge lengths, parallel to g.Nbr; nil for MetricHops, where every
// edge has length 1 and a million nodes need no array to say so.
//
// A weight that is missing, negative, infinite or NaN is an error that names the edge;
// so is a weight or Euclidean distance of 0 without opts.AllowZero. Geographic
// distances below ShortestDistance are raised to it. A node that Place put on top of
// its only located neighbour in the plane is taken to be a millionth of the
// drawing's size away. The report counts all that.
func Lengths(g *Graph, metric Metric, opts LengthOptions) ([]float64, LengthReport, error) {
	var report LengthReport
	var err error
	var lengths []float64
	switch metric {
	case MetricHops:
		return nil, report, nil
	case MetricWeight:
		lengths, err = g.weights()
	case MetricDistance:
		lengths, err = g.distances(opts, &report)
	default:
		err = caucus.Wrong("metric", string(metric), "hops, weight, distance")
	}
	if err != nil {
		return nil, report, err
	}
	zero := 0
	for i := range g.Len() {
		for k := g.Off[i]; k < g.Off[i+1]; k++ {
			l := lengths[k]
			if l == 0 {
				zero++
			}
			if !(l >= 0) || math.IsInf(l, 0) || l == 0 && !opts.AllowZero {
				allowed := "a finite number > 0"
				if opts.AllowZero {
					allowed = "a finite number >= 0"
				}
				return nil, report, caucus.Wrong(string(metric)+" of edge "+g.edgeName(i, int(g.Nbr[k])), l, allowed)
			}
		}
	}
	report.Zero = zero / 2
	return lengths, report, nil
}

func (g *Graph) edgeName(i, j int) string {
	return fmt.Sprintf("%q – %q", g.NodeName(i), g.NodeName(j))
}

func (g *Graph) weights() ([]float64, error) {
	if g.Weight == nil && len(g.Nbr) > 0 {
		return nil, caucus.Wrong("metric", string(MetricWeight),
			"hops or distance: "+g.describe()+" has no edge weights")
	}
	for i := range g.Len() {
		for k := g.Off[i]; k < g.Off[i+1]; k++ {
			if math.IsNaN(g.Weight[k]) {
				return nil, fmt.Errorf("edge %s has no weight, or one that is not a number",
					g.edgeName(i, int(g.Nbr[k])))
			}
		}
	}
	return append([]float64(nil), g.Weight...), nil
}

func (g *Graph) distances(opts LengthOptions, report *LengthReport) ([]float64, error) {
	x, y, placed, err := Place(g)
	if err != nil {
		return nil, fmt.Errorf("metric distance: %w", err)
	}
	report.Placed = len(placed)
	least := g.leastLength(placed)
	lengths := make([]float64, len(g.Nbr))
	raised := 0
	for i := range g.Len() {
		for k := g.Off[i]; k < g.Off[i+1]; k++ {
			j := int(g.Nbr[k])
			a, b := min(i, j), max(i, j) // the same sum from both ends, so that they agree to the last bit
			if g.Geographic {
				lengths[k] = GreatCircle(x[a], y[a], x[b], y[b])
			} else {
				lengths[k] = exact.Hypot(x[b]-x[a], y[b]-y[a])
			}
			if floor := least(i, j); lengths[k] < floor && !opts.AllowZero {
				lengths[k] = floor
				raised++
			}
		}
	}
	report.Raised = raised / 2
	return lengths, nil
}

// leastLength gives the least length of each edge; see Lengths.
func (g *Graph) leastLength(placed []int32) func(i, j int) float64 {
	if g.Geographic {
		return func(int, int) float64 { return ShortestDistance }
	}
	if len(placed) == 0 {
		return func(int, int) float64 { return 0 }
	}
	guessed := make([]bool, g.Len())
	for _, i := range placed {
		guessed[i] = true
	}
	_, _, side := bounds(g)
	return func(i, j int) float64 {
		if guessed[i] || guessed[j] {
			return side * 1e-6
		}
		return 0
	}
}

// GreatCircle is the distance in kilometres between two points, given as longitude and
// latitude in degrees, on a sphere of EarthRadius. It is computed by the haversine
// formula, which is exact to the last digits for near points too.
func GreatCircle(lonA, latA, lonB, latB float64) float64 {
	sinLat, _ := exact.Sincos((latB - latA) / 720)
	sinLon, _ := exact.Sincos((lonB - lonA) / 720)
	_, cosA := exact.Sincos(latA / 360)
	_, cosB := exact.Sincos(latB / 360)
	h := min(1, float64(sinLat*sinLat)+float64(cosA*cosB*sinLon*sinLon))
	return 2 * EarthRadius * exact.Atan2(math.Sqrt(h), math.Sqrt(1-h))
}
