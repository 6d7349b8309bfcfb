// Package results is measurements as one long table of rows: how they are kept, averaged and compared, and written as
// files that other programs read.
package results

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
)

// Row is one measurement. All that an experiment says, and every file and chart of it, comes from its rows.
type Row struct {
	Series  string  // what is compared: an algorithm, a variant
	Network string  // a scenario, a generator, the kind of a topology
	N       int     // nodes
	Seed    uint64  // of the run, or its number from 1 where one seed makes all; 0: no single run
	X       float64 // what the metric is measured over: a round, a second, K; None if there is no such thing
	Metric  string
	Value   float64 // None: this run has none, as the time of what never happens
}

// None is where there is no number: an empty cell.
var None = math.NaN()

// Rows of a job as a journal keeps them.
type Rows []Row

// track is rows that follow each other and differ in X and value alone.
type track struct {
	Series  string    `json:"series"`
	Network string    `json:"network"`
	N       int       `json:"n"`
	Seed    uint64    `json:"seed,omitempty"`
	Metric  string    `json:"metric"`
	X       []numeral `json:"x,omitempty"` // none: all are None
	Value   []numeral `json:"value"`
}

// numeral is a number in JSON; null is None.
type numeral float64

// MarshalJSON writes the shortest text that is read back as the same number.
func (c numeral) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(c)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(c))
}

// UnmarshalJSON is the reverse.
func (c *numeral) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*c = numeral(None)
		return nil
	}
	return json.Unmarshal(text, (*float64)(c))
}

// MarshalJSON takes the rows of one curve together.
func (rows Rows) MarshalJSON() ([]byte, error) {
	tracks := []track{}
	var last Row
	for i, r := range rows {
		here := r
		here.X, here.Value = 0, 0
		if i == 0 || here != last {
			tracks = append(tracks, track{Series: r.Series, Network: r.Network, N: r.N, Seed: r.Seed, Metric: r.Metric})
			last = here
		}
		t := &tracks[len(tracks)-1]
		t.X, t.Value = append(t.X, numeral(r.X)), append(t.Value, numeral(r.Value))
	}
	for k := range tracks {
		nowhere := true
		for _, x := range tracks[k].X {
			nowhere = nowhere && math.IsNaN(float64(x))
		}
		if nowhere {
			tracks[k].X = nil
		}
	}
	return json.Marshal(tracks)
}

// UnmarshalJSON refuses what MarshalJSON does not write.
func (rows *Rows) UnmarshalJSON(text []byte) error {
	var tracks []track
	strict := json.NewDecoder(bytes.NewReader(text))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&tracks); err != nil {
		return err
	}
	*rows = nil
	for k, t := range tracks {
		if len(t.Value) == 0 || t.Metric == "" || t.N < 0 || len(t.X) > 0 && len(t.X) != len(t.Value) {
			return fmt.Errorf("measurement %d: found metric %q, %d nodes, %d values and %d places, "+
				"allowed: a name, 0 or more nodes, and as many places as values or none", k+1, t.Metric, t.N,
				len(t.Value), len(t.X))
		}
		for i, v := range t.Value {
			r := Row{t.Series, t.Network, t.N, t.Seed, None, t.Metric, float64(v)}
			if len(t.X) > 0 {
				r.X = float64(t.X[i])
			}
			*rows = append(*rows, r)
		}
	}
	return nil
}
