package sim

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"caucus.example/caucus"
	"caucus.example/caucus/fault"
)

// Over are the links that a fault of links concerns, in a network of n nodes.
func (f *Fault) Over(n int) fault.Links {
	var of []bool
	if f.Nodes != nil {
		of = make([]bool, n)
		for _, i := range f.Nodes {
			of[i] = true
		}
	}
	return f.over(of)
}

// over are its links, of the nodes that were chosen for it.
func (f *Fault) over(of []bool) fault.Links { return fault.Links{Of: of, Way: f.Way, Only: f.Links} }

// Rule is what a fault of links does, to those of its nodes.
func (f *Fault) Rule(of []bool) fault.Rule {
	r := fault.Rule{Links: f.over(of), Kind: fault.Kind(f.Kind), Rate: f.Rate,
		Time: float64(f.Rounds), Whole: true}
	if f.Kind == Latency {
		r.Rate, r.Time, r.Spread = 0, f.Value, f.Spread
	}
	return r
}

const maxPartitions = 64

// Lasts tells whether a fault of this kind lasts from At to Until.
func (k FaultKind) Lasts() bool {
	switch k {
	case Loss, Duplication, Delay, Reordering, Latency, Expiry, Partition:
		return true
	}
	return false
}

// checkFaults refuses a schedule that cannot be carried out.
func checkFaults(cfg *Config) error {
	partitions := 0
	for k := range cfg.Faults {
		f := &cfg.Faults[k]
		if err := checkFault(f, cfg.Graph.Len()); err != nil {
			err.Field = fmt.Sprintf("faults[%d].%s", k, err.Field)
			return err
		}
		if f.Kind == Partition {
			partitions++
		}
	}
	if partitions > maxPartitions {
		return caucus.Wrong("faults", fmt.Sprintf("%d partitions", partitions),
			fmt.Sprintf("at most %d", maxPartitions))
	}
	return nil
}

func checkFault(f *Fault, n int) *caucus.FieldError {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	if !(f.At >= 0) || math.IsInf(f.At, 1) {
		return caucus.Wrong("at", number(f.At), "a time >= 0, in rounds")
	}
	if f.Until != 0 && !(f.Until > f.At && f.Kind.Lasts()) {
		return caucus.Wrong("until", number(f.Until),
			"a time after the beginning, for loss, duplication, delay, reordering, expiry and partition only")
	}
	for _, i := range f.Nodes {
		if i < 0 || i >= n {
			return caucus.Wrong("nodes", strconv.Itoa(i), fmt.Sprintf("node indices from 0 to %d", n-1))
		}
	}
	if err := checkWay(f); err != nil {
		return err
	}
	if err := checkLinks(f, n); err != nil {
		return err
	}
	if f.Leaders && (f.Nodes != nil || f.Kind == Join || f.Kind == Restart || f.Kind == Heal || f.Kind == Expiry) {
		return caucus.Wrong("leaders", "true", "for faults of running nodes, and without a list of nodes")
	}
	if f.Nodes != nil && (f.Kind == Heal || f.Kind == Expiry) {
		return caucus.Wrong("nodes", fmt.Sprintf("%d nodes", len(f.Nodes)),
			"none: "+string(f.Kind)+" concerns the whole network")
	}
	if f.Values != nil && (f.Kind != Strength || len(f.Values) != n) {
		return caucus.Wrong("values", fmt.Sprintf("%d values", len(f.Values)),
			fmt.Sprintf("for strength only, one for each of %d nodes", n))
	}
	for _, v := range f.Values {
		if !validStrength(v) {
			return caucus.Wrong("values", number(v), strengthRange)
		}
	}
	return checkFigures(f)
}

// checkFigures checks what a fault says besides where and when it happens.
func checkFigures(f *Fault) *caucus.FieldError {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	switch f.Kind {
	case Loss, Duplication, Delay, Reordering:
		if !(f.Rate >= 0 && f.Rate <= 1) || f.Rate == 0 && (f.Kind == Loss || f.Kind == Reordering) {
			return caucus.Wrong("rate", number(f.Rate),
				"a probability > 0 and <= 1 (0, for all messages, with delay and duplication)")
		}
	case Latency:
		if !(f.Value >= 0 && f.Value <= MaxFaultRounds && f.Spread >= 0 && f.Spread <= f.Value) {
			return caucus.Wrong("value", number(f.Value)+"±"+number(f.Spread),
				fmt.Sprintf("from 0 to %d rounds, and a spread of at most as much", MaxFaultRounds))
		}
	case Strength, FakeLeader:
		if !validStrength(f.Value) {
			return caucus.Wrong("value", number(f.Value), strengthRange)
		}
	case Crash, Restart, Join, Leave, Expiry, Partition, Heal, Corrupt, Move:
	default:
		return caucus.Wrong("kind", string(f.Kind),
			"crash, restart, join, leave, loss, duplication, delay, reordering, latency, expiry, partition, heal, "+
				"strength, corrupt, fake-leader, move")
	}
	switch f.Kind {
	case Duplication, Delay, Reordering, Expiry:
		if f.Rounds < 1 || f.Rounds > MaxFaultRounds {
			return caucus.Wrong("rounds", strconv.Itoa(f.Rounds), fmt.Sprintf("from 1 to %d", MaxFaultRounds))
		}
	}
	return nil
}

const strengthRange = "a finite number >= 0"

func validStrength(s float64) bool { return s >= 0 && !math.IsInf(s, 1) }

// ofLinks are the kinds of faults that concern messages on links.
var ofLinks = []FaultKind{Loss, Duplication, Delay, Reordering, Latency}

func checkLinks(f *Fault, n int) *caucus.FieldError {
	if f.Links == nil {
		return nil
	}
	found := fmt.Sprintf("%d links", len(f.Links))
	if !slices.Contains(ofLinks, f.Kind) || f.Nodes != nil || f.Leaders {
		return caucus.Wrong("links", found, "for loss, duplication, delay and reordering, and without nodes or leaders")
	}
	for _, l := range f.Links {
		if min(l[0], l[1]) < 0 || max(l[0], l[1]) >= n || l[0] == l[1] {
			return caucus.Wrong("links", l, fmt.Sprintf("pairs of different node indices from 0 to %d", n-1))
		}
	}
	return nil
}

func checkWay(f *Fault) *caucus.FieldError {
	switch {
	case f.Way == fault.BothWays:
		return nil
	case f.Way != fault.Out && f.Way != fault.In:
		return caucus.Wrong("way", string(f.Way), "out, in, or nothing for both")
	case !slices.Contains(ofLinks, f.Kind) || f.Nodes == nil:
		return caucus.Wrong("way", string(f.Way), "for loss, duplication, delay and reordering of listed nodes")
	}
	return nil
}

// MaxFaultRounds bounds how many letters may be on their way at each end of an edge.
const MaxFaultRounds = 1000

// checkEventFaults refuses a schedule that a run of events cannot have.
func checkEventFaults(cfg *Config) error {
	for k := range cfg.Faults {
		f := &cfg.Faults[k]
		if err := checkFault(f, cfg.Graph.Len()); err != nil {
			err.Field = fmt.Sprintf("faults[%d].%s", k, err.Field)
			return err
		}
		if f.Kind == Expiry {
			return caucus.Wrong(fmt.Sprintf("faults[%d].kind", k), string(f.Kind),
				"all others, for an event algorithm: no message of it stays with a neighbour until it expires")
		}
	}
	return nil
}
