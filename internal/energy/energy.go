// Package energy is a model of what an election costs the nodes of a sensor network: radio and processor, by documented
// figures. It knows no clock and measures nothing.
package energy

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"caucus.example/caucus"
)

// Model is what radio and processor of a node draw. A radio that neither sends nor receives is idle: it listens, all
// the time or, with a smaller figure, now and then.
type Model struct {
	Send     float64 // W, while a message is on the air
	Receive  float64 // W, while one comes in
	Idle     float64 // W, the rest of the time
	Rate     float64 // bit/s on the air, > 0
	Overhead float64 // bytes on the air besides the payload
	Handle   float64 // J of the processor for each message sent or received
}

// CC2420 is the radio of that data sheet (Texas Instruments SWRS041: at 0 dBm 17.4 mA to send and 18.8 mA to receive or
// listen, taken at 3 V; 250 kbit/s), 31 bytes of IEEE 802.15.4 and compressed UDP/IPv6 around the payload, and an
// MSP430 (1.8 mA at 3 V) that is busy for 1 ms with each message.
var CC2420 = Model{Send: 0.0522, Receive: 0.0564, Idle: 0.0564, Rate: 250_000, Overhead: 31, Handle: 5.4e-6}

// Figures lists the names of the figures of a model, as Set takes them.
var Figures = []string{"send", "receive", "idle", "rate", "overhead", "handle"}

// unit is how a figure may be written; String takes the first.
type unit struct {
	name  string
	times float64
}

var (
	powers   = []unit{{"mW", 1e-3}, {"uW", 1e-6}, {"µW", 1e-6}, {"W", 1}}
	energies = []unit{{"uJ", 1e-6}, {"µJ", 1e-6}, {"mJ", 1e-3}, {"nJ", 1e-9}, {"J", 1}}
	rates    = []unit{{"kbit/s", 1e3}, {"Mbit/s", 1e6}, {"bit/s", 1}}
	sizes    = []unit{{"B", 1}}
)

// figure gives a figure by name, its units, the greatest value and an example.
func (m *Model) figure(name string) (at *float64, units []unit, most float64, example string) {
	switch name {
	case "send":
		return &m.Send, powers, 1000, "a power from 0W to 1000W, such as 52.2mW"
	case "receive":
		return &m.Receive, powers, 1000, "a power from 0W to 1000W, such as 56.4mW"
	case "idle":
		return &m.Idle, powers, 1000, "a power from 0W to 1000W, such as 56.4mW or 20uW"
	case "rate":
		return &m.Rate, rates, 1e12, "bits per second from 1bit/s to 1e6Mbit/s, such as 250kbit/s"
	case "overhead":
		return &m.Overhead, sizes, 10_000, "bytes from 0B to 10000B, such as 31B"
	case "handle":
		return &m.Handle, energies, 1000, "an energy from 0J to 1000J, such as 5.4uJ"
	}
	return nil, nil, 0, ""
}

// Set changes a figure, given with its unit. Errors are *caucus.FieldError.
func (m *Model) Set(name, text string) error {
	at, units, most, allowed := m.figure(name)
	if at == nil {
		return caucus.NotAmong("energy", name, Figures)
	}
	wrong := caucus.Wrong("energy "+name, text, allowed)
	for _, u := range units {
		digits, is := strings.CutSuffix(text, u.name)
		if !is {
			continue
		}
		x, ok := caucus.ParseNumber(strings.TrimSpace(digits))
		if x *= u.times; !ok || !(x >= 0 && x <= most) || at == &m.Rate && x < 1 {
			return wrong
		}
		*at = x
		return nil
	}
	return wrong
}

// Parse reads a model: "cc2420", or figures that differ from it, as in "idle=20uW,rate=50kbit/s".
func Parse(text string) (Model, error) {
	m := CC2420
	if text == "cc2420" {
		return m, nil
	}
	var seen []string
	for _, pair := range strings.Split(text, ",") {
		name, value, ok := strings.Cut(strings.TrimSpace(pair), "=")
		if !ok {
			return m, caucus.Wrong("energy", text, "cc2420, or figures as in idle=20uW,rate=50kbit/s: "+
				strings.Join(Figures, ", "))
		}
		if slices.Contains(seen, name) {
			return m, caucus.Wrong("energy", text, "each figure once; "+name+" is there twice")
		}
		if err := m.Set(name, value); err != nil {
			return m, err
		}
		seen = append(seen, name)
	}
	return m, nil
}

// String writes all figures as Parse reads them.
func (m Model) String() string {
	list := make([]string, len(Figures))
	for k, name := range Figures {
		at, units, _, _ := m.figure(name)
		list[k] = name + "=" + strconv.FormatFloat(*at/units[0].times, 'g', 12, 64) + units[0].name
	}
	return strings.Join(list, ",")
}

// Use is what a node has done.
type Use struct {
	Seconds        float64 // that it ran
	Sent, Received float64 // messages
	Payload        float64 // bytes of a message, on average
}

// Joules is the energy of a node. A radio that is asked for more than it can send and receive in the time is never
// idle.
func (m Model) Joules(u Use) float64 {
	air := 8 * (u.Payload + m.Overhead) / m.Rate // seconds of a message
	sending, receiving := float64(u.Sent*air), float64(u.Received*air)
	idle := math.Max(0, u.Seconds-sending-receiving)
	return float64(sending*m.Send) + float64(receiving*m.Receive) + float64(idle*m.Idle) +
		float64((u.Sent+u.Received)*m.Handle)
}
