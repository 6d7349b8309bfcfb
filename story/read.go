package story

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"caucus.example/caucus"
)

const maxLine = 1 << 20

// Bounds on what a text may make a program remember.
const (
	maxSteps  = 20_000_000
	maxScript = 10_000 // in one line
)

// usage is how each step is written, as errors tell it. Which of them means something depends on the algorithm's shape,
// and the simulator judges that.
var usage = map[string]string{
	Begin: "begin NODE fields [say fields]", Hear: "hear NODE from=NEIGHBOUR fields", Wake: "wake NODE",
	Act:     "act NODE ...",
	Message: "message NODE #N, or from=NEIGHBOUR [fields]", Timer: "timer NODE #N", Tick: "tick N",
	Lost: "lost NODE #N, or from=NEIGHBOUR [fields]", Crash: "crash NODE", Corrupt: "corrupt NODE fields [say fields]",
	initiators: "initiators NODE ...", messages: "messages", again: "again N, as the last",
}

// What is no step.
const (
	initiators = "initiators"
	messages   = "messages"
	again      = "again"
)

// around are the steps that tell what happens around the nodes: nobody has picked them, and nobody repeats them.
var around = []string{Sent, Move, End}

// reader puts a story together.
type reader struct {
	story Story
	node  func(name string) (int, bool)
	time  float64 // of the next step that says none
	ended bool    // by again
}

// Read reads a story, of a run or of a counterexample, as text or JSON lines. The name of the file is for errors; node
// finds a node by name.
func Read(file string, from io.Reader, node func(name string) (int, bool)) (*Story, error) {
	lines := bufio.NewScanner(from)
	lines.Buffer(make([]byte, 0, 4096), maxLine)
	r := reader{story: Story{Loop: -1, Steps: []Step{}}, node: node, time: 1}
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		where := fmt.Sprintf("%s:%d", file, n)
		err := r.take(text, where)
		if err == nil && len(r.story.Steps) > maxSteps {
			err = fmt.Errorf("more than %d events", maxSteps)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", where, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return &r.story, nil
}

// Scripted tells a story in one line from the name of a file: it begins with the word of a step, and goes on.
func Scripted(text string) bool {
	word, _, more := strings.Cut(strings.TrimSpace(text), " ")
	return more && usage[word] != ""
}

// Parse reads a story that stands in one line, as Script writes it.
func Parse(text string, node func(name string) (int, bool)) (*Story, error) {
	r := reader{story: Story{Loop: -1, Steps: []Step{}}, node: node, time: 1}
	for k, item := range strings.Split(text, ";") {
		item = strings.TrimSpace(item)
		if item == "" {
			continue
		}
		if k == maxScript {
			return nil, caucus.Wrong("replay", item, fmt.Sprintf("at most %d steps", maxScript))
		}
		if err := r.take(item, item); err != nil {
			return nil, fmt.Errorf("replay: %s: %w", caucus.Shown(item), err)
		}
	}
	return &r.story, nil
}

// take reads a line or an item.
func (r *reader) take(text, where string) error {
	if r.ended {
		return caucus.Wrong(again, text, usage[again])
	}
	if text[0] == '{' {
		return r.takeJSON(text, where)
	}
	list, err := words(text)
	if err != nil {
		return err
	}
	x := Step{Time: r.time, Where: where}
	if t, err := strconv.ParseFloat(list[0], 64); err == nil {
		if x.Time, list = t, list[1:]; !(t >= 0) || math.IsInf(t, 1) {
			return caucus.Wrong("time", t, "a finite number >= 0")
		}
	}
	if len(list) > 0 && slices.Contains(around, list[0]) {
		return nil
	}
	if len(list) == 0 || usage[list[0]] == "" {
		return caucus.NotAmong("event", strings.Join(list[:min(len(list), 1)], ""), slices.Sorted(maps.Keys(usage)))
	}
	x.What, list = list[0], list[1:]
	switch allowed := caucus.Wrong("event", caucus.Shown(text), usage[x.What]); x.What {
	case messages:
		r.story.Messages = true
		return nil
	case again, Tick:
		if len(list) != 1 {
			return allowed
		}
		if x.Timer, err = strconv.Atoi(list[0]); err != nil || x.Timer < 0 || x.Timer > 1e9 {
			return allowed
		}
	case initiators, Act:
		if len(list) == 0 {
			return allowed
		}
		return r.several(&x, list)
	default:
		if err := r.details(&x, list, allowed); err != nil {
			return err
		}
	}
	return r.add(x)
}

// several takes nodes that do the same.
func (r *reader) several(x *Step, names []string) (err error) {
	for k, name := range names {
		if x.Node, err = r.find(name); err != nil {
			return err
		}
		switch {
		case slices.Contains(names[:k], name):
			return caucus.Wrong("node", name, "each node once")
		case x.What == initiators:
			r.story.Initiators = append(r.story.Initiators, x.Node)
		default:
			r.story.Steps = append(r.story.Steps, *x)
			r.time = x.Time + 1
		}
	}
	return nil
}

// details reads the node of a step and what follows it.
func (r *reader) details(x *Step, list []string, allowed error) (err error) {
	if len(list) == 0 {
		return allowed
	}
	if x.Node, err = r.find(list[0]); err != nil {
		return err
	}
	x.Initiator = x.What == Wake && !slices.Contains(list, byMessage)
	var values []string
	for _, word := range list[1:] {
		name, value, _ := strings.Cut(word, "=")
		switch {
		case word[0] == '#' && len(values) == 0 && x.Number == 0:
			if err := x.numbered(word[1:]); err != nil {
				return err
			}
		case name == "from":
			if x.From, err = r.find(value); err != nil {
				return err
			}
			x.Port = -1 // it has a sender
		case name == "draw":
			if _, err := fmt.Sscanf(value, "%d/%d", &x.Draw, &x.Of); err != nil || x.Draw >= x.Of ||
				x.Of > math.MaxUint32 {
				return caucus.Wrong("draw", value, "draw=K/N, with K from 0 to N-1")
			}
		case x.Number == 0 && x.What != Wake && x.What != Timer: // what follows a number is for people
			values = append(values, word)
		}
	}
	said := len(values) == 3 && values[1] == "say"
	from := x.Port < 0
	x.Port = 0
	switch {
	case x.What == Timer && !slices.ContainsFunc(list[1:], func(w string) bool { return w[0] == '#' }):
		return caucus.Wrong("number", strings.Join(list[1:], " "), "# and a whole number")
	case (x.What == Message || x.What == Lost || x.What == Hear) && x.Number == 0:
		if !from || len(values) > 1 || len(values) == 0 && x.What == Hear {
			return allowed
		}
		if len(values) == 1 {
			x.Message = Value{plain: values[0]}
		}
	case x.What == Begin || x.What == Corrupt:
		if len(values) != 1 && !said {
			return allowed
		}
		x.After, x.Says = Value{plain: values[0]}, Value{plain: values[len(values)-1]}
	case len(values) > 0:
		return allowed
	}
	return nil
}

// numbered reads the number of a message or a timer.
func (x *Step) numbered(digits string) (err error) {
	if x.What == Timer {
		x.Timer, err = strconv.Atoi(digits)
	} else if x.Number, err = strconv.ParseUint(digits, 10, 64); err == nil && x.Number == 0 {
		return caucus.Wrong("number", "#"+digits, "a message number >= 1")
	}
	if err != nil {
		return caucus.Wrong("number", "#"+digits, "# and a whole number")
	}
	return nil
}

func (r *reader) find(name string) (int, error) {
	i, ok := r.node(name)
	if !ok {
		return 0, caucus.Wrong("node", name, "a node of the network")
	}
	return i, nil
}

// add takes in a step. What says no time comes one later than the last, but what nodes begin with is at time 0.
func (r *reader) add(x Step) error {
	if x.What == again {
		r.story.Loop, r.ended = x.Timer, true
		return nil
	}
	switch x.What {
	case Begin, Hear:
		x.Time = 0
	case Tick:
		r.time = x.Time
	default:
		r.time = x.Time + 1
	}
	r.story.Steps = append(r.story.Steps, x)
	return nil
}

// takeJSON reads one of JSON lines.
func (r *reader) takeJSON(text, where string) error {
	var l struct {
		header
		Again *int `json:"again"`
		Record
		Message json.RawMessage `json:"message"` // for people
		Before  json.RawMessage `json:"before"`
		After   json.RawMessage `json:"after"`
		Sends   json.RawMessage `json:"sends"`
	}
	if err := json.Unmarshal([]byte(text), &l); err != nil {
		return err
	}
	switch {
	case l.Schema != "" && l.Schema != Schema:
		return caucus.Wrong("schema", l.Schema, Schema)
	case l.Schema != "":
		r.story.Run, r.story.Messages = l.Run, l.header.Messages
		return r.several(&Step{What: initiators}, l.Initiators)
	case l.Again != nil:
		return r.take(fmt.Sprint(again, " ", *l.Again), where)
	case l.Event == initiators || l.Event == messages || strings.ContainsAny(l.Event, " |#\""):
		return caucus.NotAmong("event", l.Event, slices.Sorted(maps.Keys(usage)))
	}
	for _, fields := range []string{l.Plain, l.Says} {
		if strings.ContainsAny(fields, " |\"") || strings.HasPrefix(fields, "#") { // within a word # counts a list
			return caucus.Wrong("fields", fields, "name=value, with commas between them")
		}
	}
	// what says the same as text
	line := fmt.Sprint(l.Time, " ", l.Event)
	timer := 0
	if l.Timer != nil {
		timer = *l.Timer
	}
	switch l.Event {
	case Tick:
		return r.take(fmt.Sprint(line, " ", timer), where)
	case Timer:
		line += fmt.Sprint(" ", quote(l.Node), " #", timer)
	default:
		line += " " + quote(l.Node)
	}
	if l.Number > 0 {
		line += fmt.Sprint(" #", l.Number)
	} else if l.From != nil {
		line += " from=" + quote(*l.From)
	}
	if line += " " + l.Plain; l.Says != "" {
		line += " say " + l.Says
	}
	if l.Of > 0 {
		line += fmt.Sprintf(" draw=%d/%d", l.Draw, l.Of)
	}
	if l.Initiator != nil && !*l.Initiator {
		line += " " + byMessage
	}
	return r.take(line, where)
}

var errQuote = errors.New("a quoted name does not end")

// words takes a line apart as far as the bar; quoted words may hold anything.
func words(text string) (list []string, err error) {
	for text = strings.TrimSpace(text); text != "" && text[0] != '|'; text = strings.TrimLeft(text, " \t") {
		at := strings.IndexAny(text, " \t\"")
		switch {
		case at < 0:
			return append(list, text), nil
		case text[at] != '"':
			list, text = append(list, text[:at]), text[at:]
			continue
		}
		quoted, err := strconv.QuotedPrefix(text[at:])
		if err != nil {
			return nil, errQuote
		}
		name, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, err
		}
		list, text = append(list, text[:at]+name), text[at+len(quoted):]
	}
	return list, nil
}
