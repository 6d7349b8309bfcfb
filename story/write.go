package story

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"

	"caucus.example/caucus"
)

// A story as text has a line for each step, or is all in one line with semicolons in between:
//
//	initiators 2 3               the nodes that start by themselves, of a counterexample of events
//	messages                     nodes read what has been delivered to them, and not what their neighbours say
//	begin 2 Lead=1 say Lead=3    2 holds this when everything begins, and has said if that is something else
//	hear 3 from=2 Lead=1         what 3 has heard of 2 by then, if it is not what 2 has said
//	wake 2                       2 starts
//	act 2 3                      2 and 3 run a round, at the same time
//	message 3 from=2 Kind=1      a message of 2 arrives at 3; of rounds, what 2 has said last
//	message 3 #7                 the seventh message that was sent arrives, at 3
//	timer 3 #1                   timer 1 of 3 goes off
//	tick 4                       so many ticks pass, which the simulator does not count
//	crash 2                      2 goes down
//	lost 3 from=2 Kind=1         it does not arrive
//	corrupt 3 Lead=1 say -       3 holds this from now on
//	sent 512                     of a run of rounds: so many messages in each from this one on until another is told
//	move 3 x=2 y=1 dx=0.5 dy=0   3 is there after this round, and goes on by that in each until told again
//	end 99000                    of a run: it is over, after so many messages
//	again 4                      at the end: it is as after four of these moments, and can go on like that for ever
//
// What is drawn in a step stands at its end: "draw=1/4" is the second of four results. Before a step may stand its
// time, and after it behind a bar what people want to know: state before and after, what is sent. A line that begins
// with # is a comment. JSON lines hold the same under names.
//
// Of a run of rounds there is a step for every change of an outcome, and one for every node that stops.

// Schema names the format of JSON lines.
const Schema = "caucus.trace/1"

const byMessage = "by-message" // of a wake-up that follows from one

// Names tells nodes, IDs and kinds of messages by name.
type Names struct {
	Node func(i int) string
	ID   func(caucus.ID) string
	Kind func(k int) string
	Port func(i, port int) string // the neighbour of a node at a port, from 0; nil: not known, as on networks that move
}

// Parent is the neighbour towards the leader, if the algorithm says one.
func (n *Names) Parent(x *Step) string {
	if n.Port == nil || x.Parent == 0 || x.What != Act {
		return ""
	}
	return n.Port(x.Node, int(x.Parent)-1)
}

// Names calls the nodes of a counterexample by their IDs.
func (s *Story) Names(kinds []string) Names {
	id := func(id caucus.ID) string { return strconv.FormatUint(uint64(id), 10) }
	return Names{
		Node: func(i int) string { return id(s.IDs[i]) },
		ID:   id,
		Kind: func(k int) string {
			if k >= 0 && k < len(kinds) {
				return kinds[k]
			}
			return "message"
		},
	}
}

// Script writes the story of a counterexample in one line.
func (s *Story) Script() string {
	names := s.Names(nil)
	items := s.heads(names)
	list := s.Chosen()
	for k := range list {
		x := &list[k]
		if together := k > 0 && x.What == Act && list[k-1].What == Act && x.Time == list[k-1].Time; together {
			items[len(items)-1] += " " + names.Node(x.Node)
			continue
		}
		items = append(items, x.item(names))
	}
	if s.Loop >= 0 {
		items = append(items, fmt.Sprint("again ", s.Loop))
	}
	return strings.Join(items, "; ")
}

// heads are what stands before the steps.
func (s *Story) heads(names Names) (items []string) {
	if len(s.Initiators) > 0 {
		item := "initiators"
		for _, i := range s.Initiators {
			item += " " + quote(names.Node(i))
		}
		items = append(items, item)
	}
	if s.Messages {
		items = append(items, "messages")
	}
	return items
}

// item is a step that somebody has chosen.
func (x *Step) item(names Names) string {
	text := x.What + " " + quote(names.Node(x.Node))
	switch x.What {
	case Timer:
		text += fmt.Sprint(" #", x.Timer)
	case Tick:
		return fmt.Sprint(x.What, " ", x.Timer)
	case Sent, End:
		return fmt.Sprint(x.What, " ", x.Number)
	case Move:
		text += fmt.Sprintf(" x=%g y=%g dx=%g dy=%g", x.Place.X, x.Place.Y, x.Place.DX, x.Place.DY)
	case Hear, Message, Lost:
		text += " from=" + quote(names.Node(x.From))
		if value := x.Message.value(); value != "" {
			text += " " + value
		}
	case Begin, Corrupt:
		text += " " + x.After.Plain()
		if says := x.Says.value(); says != "" && says != x.After.Plain() {
			text += " say " + says
		}
	}
	if x.Of > 1 {
		text += fmt.Sprintf(" draw=%d/%d", x.Draw, x.Of)
	}
	return text
}

// value is Plain, or nothing if there is no value.
func (d *Value) value() string {
	if d.plain == "" && d.Leaf == nil && d.Fields == nil {
		return ""
	}
	return d.Plain()
}

// Writer writes one story. The first error stays; see Err.
type Writer struct {
	w     io.Writer
	json  bool
	names Names
	err   error
}

// NewWriter begins a story, as JSON lines or as text: what is run, and what stands before the steps.
func NewWriter(w io.Writer, asJSON bool, names Names, s *Story) *Writer {
	t := &Writer{w: w, json: asJSON, names: names}
	if asJSON {
		h := header{Schema: Schema, Run: s.Run, Scenario: s.Scenario, Messages: s.Messages}
		for _, i := range s.Initiators {
			h.Initiators = append(h.Initiators, names.Node(i))
		}
		t.object(h)
		return t
	}
	for _, line := range s.Run {
		t.line("# " + line)
	}
	for _, line := range s.heads(names) {
		t.line(line)
	}
	return t
}

// WriteAll writes a story that is over.
func (s *Story) WriteAll(w io.Writer, asJSON bool, names Names) error {
	t := NewWriter(w, asJSON, names, s)
	for k := range s.Steps {
		if x := &s.Steps[k]; !s.Rounds || x.What != Wake {
			t.Write(x)
		}
	}
	switch {
	case s.Loop >= 0 && asJSON:
		t.object(footer{s.Loop})
	case s.Loop >= 0:
		t.line(fmt.Sprint("again ", s.Loop))
	}
	return t.err
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

// Write adds a step.
func (t *Writer) Write(x *Step) {
	if t.json {
		t.object(t.names.Record(x))
		return
	}
	t.line(Line(x, t.names))
}

// Line describes a step in one line of text.
func Line(x *Step, names Names) string {
	var b strings.Builder
	b.WriteString(strconv.FormatFloat(x.Time, 'g', -1, 64) + " ")
	switch {
	case x.Number > 0 && x.What != Hear && x.What != Sent && x.What != End:
		fmt.Fprintf(&b, "%s %s #%d port=%d from=%s %s %s", x.What, quote(names.Node(x.Node)), x.Number, x.Port,
			quote(names.Node(x.From)), names.Kind(x.Kind), x.Message)
		if x.Of > 1 {
			fmt.Fprintf(&b, " draw=%d/%d", x.Draw, x.Of)
		}
	default:
		b.WriteString(x.item(names))
	}
	switch x.What {
	case Wake:
		b.WriteString(map[bool]string{true: " initiator", false: " " + byMessage}[x.Initiator])
	case Act:
		fmt.Fprintf(&b, " | %s leader=%s", x.Role, quote(names.ID(x.Leader)))
		if Measured(x.Distance) {
			b.WriteString(" distance=" + strconv.FormatFloat(x.Distance, 'g', -1, 64))
		}
		if parent := names.Parent(x); parent != "" {
			b.WriteString(" parent=" + quote(parent))
		}
		if x.After.value() != "" {
			b.WriteString(" " + x.After.String())
		}
	}
	if x.Before.value() != "" {
		fmt.Fprintf(&b, " | %s -> %s", x.Before, x.After)
	}
	for k, s := range x.Sends {
		if k == 0 {
			b.WriteString(" | sends")
		} else {
			b.WriteString(",")
		}
		number := "#" + strconv.FormatUint(s.Number, 10)
		if s.Number == 0 {
			number = "(lost)"
		}
		fmt.Fprintf(&b, " %s port=%d to=%s %s %s", number, s.Port, quote(names.Node(s.To)), names.Kind(s.Kind),
			s.Message)
	}
	return b.String()
}

// Measured tells whether a distance is one, which corrupt states need not have.
func Measured(distance float64) bool { return distance >= 0 && !math.IsInf(distance, 1) }

// quote makes a name one word.
func quote(name string) string {
	odd := func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }
	if name == "" || strings.ContainsAny(name, `"\;|`) || strings.ContainsFunc(name, odd) {
		return strconv.Quote(name)
	}
	return name
}

// header and footer are the first and the last of JSON lines.
type header struct {
	Schema     string   `json:"schema"`
	Run        []string `json:"run"`
	Scenario   string   `json:"scenario,omitempty"`
	Initiators []string `json:"initiators,omitempty"`
	Messages   bool     `json:"messages,omitempty"`
}

type footer struct {
	Again int `json:"again"`
}

// Record is a step in JSON, or a row of a trace that is a table.
type Record struct {
	Time      float64  `json:"time"`
	Event     string   `json:"event"`
	Node      string   `json:"node,omitempty"`
	Initiator *bool    `json:"initiator,omitempty"`
	Timer     *int     `json:"timer,omitempty"`
	Number    uint64   `json:"number,omitempty"`
	Port      *int     `json:"port,omitempty"`
	From      *string  `json:"from,omitempty"`
	Kind      string   `json:"kind,omitempty"`
	Message   *Value   `json:"message,omitempty"`
	Before    *Value   `json:"before,omitempty"`
	After     *Value   `json:"after,omitempty"`
	Plain     string   `json:"plain,omitempty"` // what the step gives or takes, as text has it
	Says      string   `json:"says,omitempty"`  // likewise
	Draw      uint64   `json:"draw,omitempty"`
	Of        uint64   `json:"of,omitempty"`
	Role      string   `json:"role,omitempty"`
	Leader    string   `json:"leader,omitempty"`
	Distance  *float64 `json:"distance,omitempty"`
	Parent    string   `json:"parent,omitempty"`
	X         *float64 `json:"x,omitempty"`
	Y         *float64 `json:"y,omitempty"`
	DX        *float64 `json:"dx,omitempty"`
	DY        *float64 `json:"dy,omitempty"`
	Sends     []sent   `json:"sends,omitempty"`
}

type sent struct {
	Number  uint64 `json:"number"` // 0: lost on the way
	Port    int    `json:"port"`
	To      string `json:"to"`
	Kind    string `json:"kind"`
	Message Value  `json:"message"`
}

// MarshalJSON writes the story of a counterexample as one object, with all of it in one line and as JSON lines.
func (s *Story) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	if err := s.WriteAll(&b, true, s.Names(nil)); err != nil {
		return nil, err
	}
	var lines []json.RawMessage
	for _, line := range bytes.Split(bytes.TrimSpace(b.Bytes()), []byte("\n")) {
		lines = append(lines, line)
	}
	return json.Marshal(map[string]any{"network": s.Network, "script": s.Script(), "ending": s.Ending(),
		"lines": lines})
}

// Record tells a step by names.
func (n *Names) Record(x *Step) Record {
	r := Record{Time: x.Time, Event: x.What, Node: n.Node(x.Node), Draw: x.Draw, Of: x.Of, Parent: n.Parent(x)}
	switch x.What {
	case Sent, End:
		r.Node, r.Number = "", x.Number
	case Move:
		p := &x.Place
		r.X, r.Y, r.DX, r.DY = &p.X, &p.Y, &p.DX, &p.DY
	case Wake:
		r.Initiator = &x.Initiator
	case Timer, Tick:
		r.Timer = &x.Timer
	case Begin, Corrupt:
		r.Plain, r.Says = x.After.Plain(), x.Says.value()
	case Hear, Message, Lost:
		from := n.Node(x.From)
		r.From = &from
		if r.Number = x.Number; r.Number == 0 {
			r.Plain = x.Message.value()
		} else {
			r.Port, r.Kind, r.Message = &x.Port, n.Kind(x.Kind), &x.Message
		}
	}
	if x.Before.value() != "" {
		r.Before = &x.Before
	}
	if x.After.value() != "" {
		r.After = &x.After
	}
	if r.Before != nil || x.What == Act {
		r.Role, r.Leader = x.Role.String(), n.ID(x.Leader)
	}
	if x.What == Act && Measured(x.Distance) {
		r.Distance = &x.Distance
	}
	for _, s := range x.Sends {
		r.Sends = append(r.Sends, sent{s.Number, s.Port, n.Node(s.To), n.Kind(s.Kind), s.Message})
	}
	return r
}
