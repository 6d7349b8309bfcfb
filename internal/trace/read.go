package trace

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"caucus.example/caucus"
	"caucus.example/caucus/sim"
)

const maxLine = 1 << 20

// maxChoices bounds what a record may make a run remember.
const maxChoices = 20_000_000

// Read reads what happened in a run, from text or JSON lines, for sim.Config.Replay. The name of the
// file is for errors; node finds a node by name.
func Read(file string, r io.Reader, node func(name string) (int, bool)) ([]sim.Choice, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 4096), maxLine)
	list := []sim.Choice{}
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		where := fmt.Sprintf("%s:%d", file, n)
		c, name, err := parse(text)
		if errors.Is(err, errHeader) {
			continue
		}
		if err == nil {
			err = valid(&c, name, node)
		}
		if err == nil && len(list) == maxChoices {
			err = fmt.Errorf("more than %d events", maxChoices)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", where, err)
		}
		c.Where = where
		list = append(list, c)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return list, nil
}

// errHeader is what the first line of JSON lines gives.
var errHeader = errors.New("header")

func parse(text string) (c sim.Choice, node string, err error) {
	if text[0] == '{' {
		return parseJSON(text)
	}
	words, err := words(text, 4)
	if err != nil {
		return c, "", err
	}
	if len(words) < 3 {
		return c, "", fmt.Errorf("found %q, allowed: time, event, node and #number", caucus.Shown(text))
	}
	if c.Time, err = strconv.ParseFloat(words[0], 64); err != nil {
		return c, "", caucus.Wrong("time", words[0], "a number")
	}
	c.What = words[1]
	if c.What == sim.WakeUp || c.What == sim.Crashed || c.What == sim.Acted {
		return c, words[2], nil
	}
	number := ""
	if len(words) > 3 {
		number = words[3]
	}
	digits, ok := strings.CutPrefix(number, "#")
	if c.What == sim.TimerFired {
		c.Timer, err = strconv.Atoi(digits)
	} else {
		c.Number, err = strconv.ParseUint(digits, 10, 64)
	}
	if err != nil || !ok {
		return c, "", caucus.Wrong("number", number, "# and a whole number")
	}
	return c, words[2], nil
}

func parseJSON(text string) (c sim.Choice, node string, err error) {
	var r struct {
		Schema string  `json:"schema"`
		Time   float64 `json:"time"`
		Event  string  `json:"event"`
		Node   string  `json:"node"`
		Number uint64  `json:"number"`
		Timer  int     `json:"timer"`
	}
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return c, "", err
	}
	switch r.Schema {
	case "":
		return sim.Choice{Time: r.Time, What: r.Event, Number: r.Number, Timer: r.Timer}, r.Node, nil
	case Schema:
		return c, "", errHeader
	}
	return c, "", caucus.Wrong("schema", r.Schema, Schema)
}

func valid(c *sim.Choice, name string, node func(string) (int, bool)) error {
	if !(c.Time >= 0) || math.IsInf(c.Time, 1) {
		return caucus.Wrong("time", c.Time, "a finite number >= 0")
	}
	switch c.What {
	case sim.WakeUp, sim.Crashed, sim.TimerFired:
	case sim.Arrival, sim.Lost:
		if c.Number == 0 {
			return caucus.Wrong("number", "0", "a message number >= 1")
		}
	default:
		return caucus.NotAmong("event", c.What, []string{sim.WakeUp, sim.Arrival, sim.TimerFired, sim.Lost, sim.Crashed})
	}
	var ok bool
	if c.Node, ok = node(name); !ok {
		return caucus.Wrong("node", name, "a node of the network")
	}
	return nil
}

// words takes the first few words off a line; quoted ones may hold anything.
func words(text string, count int) ([]string, error) {
	var list []string
	for text = strings.TrimSpace(text); text != "" && len(list) < count; text = strings.TrimLeft(text, " ") {
		if text[0] == '"' {
			quoted, err := strconv.QuotedPrefix(text)
			if err != nil {
				return nil, fmt.Errorf("a quoted name does not end")
			}
			name, err := strconv.Unquote(quoted)
			if err != nil {
				return nil, err
			}
			list, text = append(list, name), text[len(quoted):]
			continue
		}
		word, rest, _ := strings.Cut(text, " ")
		list, text = append(list, word), rest
	}
	return list, nil
}
