// Package fault is a model of what a network link does to datagrams: it loses, delays,
// doubles and reorders them and lets only so many through. It reads no clock and
// opens no socket: a Link is told when a datagram is sent and says when it arrives, if it does.
//
// What it decides depends on a seed, the link and the number of the datagram on it, and on nothing
// else, so that two runs lose the same datagrams.
package fault

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/exact"
)

// Conditions of one direction of a link. The zero value is a perfect link.
type Conditions struct {
	Loss      float64       // probability that a datagram is lost
	Delay     time.Duration // that every datagram takes
	Jitter    time.Duration // up to so much more or less, uniformly; at most Delay
	Duplicate float64       // probability that a datagram arrives twice, the copy by up to Within later
	Reorder   float64       // probability that a datagram is held back by up to Within, so that others overtake it
	Within    time.Duration // see Duplicate and Reorder
	Rate      float64       // bits per second, IPv4 and UDP headers included; 0: no limit
	Seed      uint64
}

// Longest that a delay, and what may come on top of it, can be.
const Longest = time.Minute

// Names lists what can be set.
var Names = []string{"loss", "delay", "duplicate", "reorder", "within", "rate", "seed"}

// Parse reads conditions from text, as in {"loss": "20%", "delay": "10ms±5ms"}. What is not set is
// perfect; Seed is 1 and Within the given time. Errors are *caucus.FieldError.
func Parse(texts map[string]string, within time.Duration) (Conditions, error) {
	c := Conditions{Within: min(within, Longest), Seed: 1}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if err := c.set(name, strings.TrimSpace(texts[name])); err != nil {
			return Conditions{}, err
		}
	}
	return c, nil
}

func (c *Conditions) set(name, text string) error {
	ok, allowed := false, ""
	switch name {
	case "loss":
		c.Loss, ok = probability(text)
		allowed = probabilities
	case "duplicate":
		c.Duplicate, ok = probability(text)
		allowed = probabilities
	case "reorder":
		c.Reorder, ok = probability(text)
		allowed = probabilities
	case "delay":
		c.Delay, c.Jitter, ok = spread(text)
		allowed = "a time from 0s to 1m, or a time and how much it varies, which is at most as much: 10ms±5ms or " +
			"10ms+-5ms"
	case "within":
		c.Within, ok = span(text)
		ok = ok && c.Within > 0
		allowed = "a time more than 0s, at most 1m, such as 50ms"
	case "rate":
		c.Rate, ok = rate(text)
		allowed = "bits per second from 100bit/s to 1Tbit/s, such as 64kbit/s, 1.5Mbit/s or 10Mbit/s"
	case "seed":
		var err error
		c.Seed, err = strconv.ParseUint(text, 10, 64)
		ok = err == nil
		allowed = "a whole number from 0 to 18446744073709551615"
	default:
		return caucus.NotAmong("link", name, Names)
	}
	if !ok {
		return caucus.Wrong(name, text, allowed)
	}
	return nil
}

// Perfect tells whether the conditions leave every datagram as it is.
func (c *Conditions) Perfect() bool {
	return c.Loss == 0 && c.Delay == 0 && c.Duplicate == 0 && c.Reorder == 0 && c.Rate == 0
}

// String lists what is not perfect, in a form that people read.
func (c Conditions) String() string {
	if c.Perfect() {
		return "perfect"
	}
	var list []string
	add := func(set bool, name, text string) {
		if set {
			list = append(list, name+"="+text)
		}
	}
	percent := func(p float64) string { return strconv.FormatFloat(100*p, 'g', 6, 64) + "%" }
	add(c.Loss > 0, "loss", percent(c.Loss))
	delay := c.Delay.String()
	if c.Jitter > 0 {
		delay += "±" + c.Jitter.String()
	}
	add(c.Delay > 0, "delay", delay)
	add(c.Duplicate > 0, "duplicate", percent(c.Duplicate))
	add(c.Reorder > 0, "reorder", percent(c.Reorder))
	add(c.Duplicate > 0 || c.Reorder > 0, "within", c.Within.String())
	add(c.Rate > 0, "rate", strconv.FormatFloat(c.Rate, 'f', -1, 64)+"bit/s")
	add(true, "seed", fmt.Sprint(c.Seed))
	return strings.Join(list, " ")
}

// Tries is how often a message is sent again at most, but for one message in a million, until it has come over a link
// that loses this share of what is sent, more than 0 and less than 1.
func Tries(lost float64) float64 { return math.Ceil(exact.Log(1e-6) / exact.Log(lost)) }

const probabilities = "a probability from 0 to 1, such as 20% or 0.2"

func probability(text string) (float64, bool) {
	digits, percent := strings.CutSuffix(text, "%")
	x, ok := caucus.ParseNumber(digits)
	if percent {
		x /= 100
	}
	return x, ok && x >= 0 && x <= 1
}

// spread reads a time, or a time and how much it varies.
func spread(text string) (mean, jitter time.Duration, ok bool) {
	first, second, varies := strings.Cut(strings.Replace(text, "+-", "±", 1), "±")
	if mean, ok = span(strings.TrimSpace(first)); !ok || !varies {
		return mean, 0, ok
	}
	jitter, ok = span(strings.TrimSpace(second))
	return mean, jitter, ok && jitter <= mean
}

func span(text string) (time.Duration, bool) {
	d, err := time.ParseDuration(text)
	return d, err == nil && d >= 0 && d <= Longest
}

func rate(text string) (float64, bool) {
	for _, unit := range []struct {
		name string
		bits float64
	}{{"kbit/s", 1e3}, {"Mbit/s", 1e6}, {"Gbit/s", 1e9}, {"Tbit/s", 1e12}, {"bit/s", 1}} {
		if digits, is := strings.CutSuffix(text, unit.name); is {
			x, ok := caucus.ParseNumber(strings.TrimSpace(digits))
			x *= unit.bits
			return x, ok && x >= 100 && x <= 1e12
		}
	}
	return 0, false
}
