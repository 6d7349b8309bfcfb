// Package trace writes down what happens in a run, one line for each
// event, and reads it back so that the run can be repeated in the same order.
//
// A line of text holds the time, what happened (wake, message, timer, lost, crash), the node, and #number of a
// message or of a timer; then details for people: port, sender, kind and content of the message, the state
// of the node before and after, and what it sends. Lines that begin with # are comments. JSON lines hold the same
// under names, schema caucus.trace/1.
//
// A run of rounds has a line for every change of an outcome, act, with role, leader and distance, and one for every
// node that stops. It repeats itself from the scenario and the seed, which the first lines tell.
package trace

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"

	"caucus.example/caucus"
	"caucus.example/caucus/sim"
)

// Schema names the format of JSON lines.
const Schema = "caucus.trace/1"

// Names tells nodes, IDs and kinds of messages by name.
type Names struct {
	Node func(i int) string
	ID   func(caucus.ID) string
	Kind func(k int) string
}

// Writer writes one trace. The first error stays; see Err.
type Writer struct {
	w     io.Writer
	json  bool
	names Names
	err   error
}

// NewWriter begins a trace, as JSON lines or as text, with what is run.
func NewWriter(w io.Writer, asJSON bool, names Names, run []string) *Writer {
	t := &Writer{w: w, json: asJSON, names: names}
	if asJSON {
		t.object(struct {
			Schema string   `json:"schema"`
			Run    []string `json:"run"`
		}{Schema, run})
		return t
	}
	for _, line := range run {
		t.line("# " + line)
	}
	return t
}

// Err gives the first error of writing.
func (t *Writer) Err() error { return t.err }

func (t *Writer) line(text string) {
	if t.err == nil {
		_, t.err = io.WriteString(t.w, text+"\n")
	}
}

func (t *Writer) object(v any) {
	text, err := json.Marshal(v)
	if err != nil && t.err == nil {
		t.err = err
	}
	t.line(string(text))
}

// Write adds an event.
func (t *Writer) Write(h *sim.Happening) {
	if t.json {
		t.object(t.record(h))
		return
	}
	t.line(Line(h, t.names))
}

// Line describes an event in one line of text.
func Line(h *sim.Happening, names Names) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s", strconv.FormatFloat(h.Time, 'g', -1, 64), h.What, quote(names.Node(h.Node)))
	switch h.What {
	case sim.Crashed:
		return b.String()
	case sim.WakeUp:
		if h.Initiator {
			b.WriteString(" initiator")
		} else {
			b.WriteString(" by-message")
		}
	case sim.TimerFired:
		fmt.Fprintf(&b, " #%d", h.Timer)
	case sim.Acted:
		fmt.Fprintf(&b, " %s leader=%s", h.Role, quote(names.ID(h.Leader)))
		if measured(h.Distance) {
			b.WriteString(" distance=" + strconv.FormatFloat(h.Distance, 'g', -1, 64))
		}
		return b.String()
	default:
		fmt.Fprintf(&b, " #%d port=%d from=%s %s %s", h.Number, h.Port, quote(names.Node(h.From)), names.Kind(h.Kind), h.Message)
	}
	if h.What == sim.Lost {
		return b.String()
	}
	fmt.Fprintf(&b, " | %s -> %s", h.Before, h.After)
	for k, s := range h.Sends {
		if k == 0 {
			b.WriteString(" | sends")
		} else {
			b.WriteString(",")
		}
		number := "#" + strconv.FormatUint(s.Number, 10)
		if s.Number == 0 {
			number = "(lost)"
		}
		fmt.Fprintf(&b, " %s port=%d to=%s %s %s", number, s.Port, quote(names.Node(s.To)), names.Kind(s.Kind), s.Message)
	}
	return b.String()
}

// measured tells whether a distance is one, which corrupt states need not have.
func measured(distance float64) bool { return distance >= 0 && !math.IsInf(distance, 1) }

// quote makes a name one word.
func quote(name string) string {
	if name == "" || strings.ContainsAny(name, `"\`) || strings.ContainsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }) {
		return strconv.Quote(name)
	}
	return name
}

// record is an event in JSON.
type record struct {
	Time      float64   `json:"time"`
	Event     string    `json:"event"`
	Node      string    `json:"node"`
	Initiator *bool     `json:"initiator,omitempty"`
	Timer     *int      `json:"timer,omitempty"`
	Number    uint64    `json:"number,omitempty"`
	Port      *int      `json:"port,omitempty"`
	From      *string   `json:"from,omitempty"`
	Kind      string    `json:"kind,omitempty"`
	Message   *sim.Dump `json:"message,omitempty"`
	Before    *sim.Dump `json:"before,omitempty"`
	After     *sim.Dump `json:"after,omitempty"`
	Role      string    `json:"role,omitempty"`
	Leader    string    `json:"leader,omitempty"`
	Distance  *float64  `json:"distance,omitempty"`
	Sends     []sent    `json:"sends,omitempty"`
}

type sent struct {
	Number  uint64   `json:"number"` // 0: lost on the way
	Port    int      `json:"port"`
	To      string   `json:"to"`
	Kind    string   `json:"kind"`
	Message sim.Dump `json:"message"`
}

func (t *Writer) record(h *sim.Happening) record {
	r := record{Time: h.Time, Event: h.What, Node: t.names.Node(h.Node)}
	switch h.What {
	case sim.Crashed:
		return r
	case sim.WakeUp:
		r.Initiator = &h.Initiator
	case sim.TimerFired:
		r.Timer = &h.Timer
	case sim.Acted:
		if r.Role, r.Leader = h.Role.String(), t.names.ID(h.Leader); measured(h.Distance) {
			r.Distance = &h.Distance
		}
		return r
	default:
		from := t.names.Node(h.From)
		r.Number, r.Port, r.From, r.Kind, r.Message = h.Number, &h.Port, &from, t.names.Kind(h.Kind), &h.Message
	}
	if h.What == sim.Lost {
		return r
	}
	r.Before, r.After, r.Role, r.Leader = &h.Before, &h.After, h.Role.String(), t.names.ID(h.Leader)
	for _, s := range h.Sends {
		r.Sends = append(r.Sends, sent{s.Number, s.Port, t.names.Node(s.To), t.names.Kind(s.Kind), s.Message})
	}
	return r
}
