package format

import (
	"fmt"
	"regexp"
	"strings"

	"caucus.example/caucus"
)

// nedDrawing makes a graph of a network.
type nedDrawing struct {
	*nedScope
	d       *draft
	modules []nedModule
	links   []nedLink
	work    *nedWork
}

// nedWork counts over all networks of a file.
type nedWork struct {
	steps, modules int // of loops, elements of vectors
	idle, outer    int // modules and connections left out
}

type nedModule struct {
	name  string
	count int // of a vector; -1 for a single one
	place []string
	line  int
}

type nedLink struct {
	a, b, channel string // a or b is empty for a gate of the network itself
	line          int
}

// maxSteps is how often loops of a file may be gone through, and how many elements its vectors may have.
const maxSteps = 1 << 20

// unknown says that something cannot be worked out.
func (w *nedDrawing) unknown(line int, what string, err error) error {
	return w.d.errorf(line, "NED: %s: %s; only what a file says by itself is read", caucus.Cut(what), err.Error())
}

// draw works out parameters, submodules and connections, and makes nodes of the modules that have a connection.
func (n *nedNetwork) draw(d *draft, work *nedWork) error {
	w := &nedDrawing{d: d, work: work, nedScope: &nedScope{params: map[string]string{}, sizes: map[string]float64{},
		loops: map[string]float64{}, known: map[string]float64{},
		read: map[string][]string{}}}
	for _, p := range n.params {
		w.param(p)
	}
	for _, m := range n.modules {
		if err := w.module(m); err != nil {
			return err
		}
	}
	for _, l := range n.links {
		if err := w.connection(l); err != nil {
			return err
		}
	}
	if err := w.nodes(); err != nil {
		return err
	}
	before := len(d.edges)
	for _, l := range w.links {
		if l.a == "" || l.b == "" {
			work.outer++
			continue
		}
		if err := d.edgeAttr(d.link(l.a, l.b, l.line), "class", l.channel, l.line); err != nil {
			return err
		}
	}
	if len(d.edges) == before {
		return d.errorf(n.line, "NED: network %s has no connections: who hears whom by radio is not in the file",
			n.name)
	}
	return nil
}

var (
	nedParam    = regexp.MustCompile(`^(?:volatile )?(?:(?:int|double|bool|string|xml|object) ?)?(\w+)((?:@.*)?)$`)
	nedProperty = regexp.MustCompile(`@\w+(?:\[\w+\])?(?:\((?:"(?:[^"\\]|\\.)*"|[^()"])*\))?`)
	nedDefault  = regexp.MustCompile(`^default\((.*)\)$`)
)

// param takes a value of a parameter, or its default: int n @prompt("…") = default(5).
func (w *nedDrawing) param(p nedText) {
	name, value, given := strings.Cut(nedProperty.ReplaceAllString(p.text, ""), "=")
	m := nedParam.FindStringSubmatch(strings.TrimSpace(name))
	if m == nil || !given && w.params[m[1]] != "" {
		return
	}
	value = strings.TrimSpace(value)
	if inner := nedDefault.FindStringSubmatch(value); inner != nil {
		value = inner[1]
	}
	w.params[m[1]] = value
}

var (
	nedHead  = regexp.MustCompile(`^(\w+)(?:\[(.*?)\])?:`)
	nedIf    = regexp.MustCompile(`^[^{]* if ?(.+?)(?:\{.*)?$`)
	nedPlace = regexp.MustCompile(`(?:^|;)p=(-?[\d.]+),(-?[\d.]+)`)
)

// module reads name: Type { … } or name[size]: Type, each perhaps with a condition.
func (w *nedDrawing) module(t nedText) error {
	m := nedHead.FindStringSubmatch(t.text)
	if m == nil {
		return w.d.errorf(t.line, "NED: found %.60q, expected name: Type", t.text)
	}
	mod := nedModule{name: m[1], count: -1, line: t.line}
	if cond := nedIf.FindStringSubmatch(t.text[len(m[0]):]); cond != nil {
		there, err := w.value(cond[1])
		if err != nil {
			return w.unknown(t.line, "submodule "+m[1], err)
		}
		if there == 0 {
			return nil
		}
	}
	if strings.Contains(m[0], "[") {
		count, err := w.integer(m[2])
		if err == nil && (count < 0 || count > maxSteps) {
			err = fmt.Errorf("%s is %d; 0 to %d are allowed", m[2], count, maxSteps)
		}
		if err != nil {
			return w.unknown(t.line, "submodule "+m[1]+"["+m[2]+"]", err)
		}
		mod.count = count
		w.sizes[mod.name] = float64(count)
	}
	if _, quoted, ok := strings.Cut(t.text, "@display(\""); ok {
		quoted, _, _ = strings.Cut(quoted, "\"")
		if p := nedPlace.FindStringSubmatch(quoted); p != nil {
			mod.place = p[1:]
		}
	}
	w.modules = append(w.modules, mod)
	return nil
}

var (
	nedBlock  = regexp.MustCompile(`\{[^{}]*\}`)
	nedClause = regexp.MustCompile(`(?:^|[\s,])(for|if)\b`)
	nedLoop   = regexp.MustCompile(`^\s*(\w+)\s*=(.*?)\.\s*\.(.*)$`)
)

// clauses parts loops and conditions: for i=0..n-1, for j=0..m-1, if i!=j.
func clauses(text string) (all []string) {
	at := nedClause.FindAllStringSubmatchIndex(text, -1)
	for k, m := range at {
		end := len(text)
		if k+1 < len(at) {
			end = at[k+1][0]
		}
		all = append(all, strings.Trim(text[m[2]:end], " ,"))
	}
	return all
}

// connection reads a.g <--> channel <--> b.g and goes through the loops around and behind it.
func (w *nedDrawing) connection(t nedText) error {
	text := t.text
	for nedBlock.MatchString(text) { // parameters of the channel
		text = nedBlock.ReplaceAllString(text, "")
	}
	var all []string
	for _, around := range t.around {
		all = append(all, clauses(around)...)
	}
	if at := nedClause.FindStringIndex(text); at != nil {
		all = append(all, clauses(text[at[0]:])...)
		text = text[:at[0]]
	}
	parts := nedArrow.Split(text, -1)
	if len(parts) != 2 && len(parts) != 3 {
		return w.d.errorf(t.line, "NED: found %.60q, expected a connection a.gate <--> b.gate", text)
	}
	l := nedLink{a: parts[0], b: parts[len(parts)-1], line: t.line}
	if len(parts) == 3 {
		l.channel = strings.TrimSpace(parts[1])
	}
	if err := w.repeat(all, l); err != nil {
		return w.unknown(t.line, t.text, err)
	}
	return nil
}

// repeat adds a connection as often as loops and conditions say.
func (w *nedDrawing) repeat(all []string, l nedLink) (err error) {
	if w.work.steps++; w.work.steps > maxSteps {
		return fmt.Errorf("loops go on for more than %d steps", maxSteps)
	}
	if len(all) == 0 {
		if l.a, err = w.element(l.a); err == nil {
			l.b, err = w.element(l.b)
		}
		w.links = append(w.links, l)
		return err
	}
	if cond, ok := strings.CutPrefix(all[0], "if"); ok {
		yes, err := w.value(cond)
		if err != nil || yes == 0 {
			return err
		}
		return w.repeat(all[1:], l)
	}
	m := nedLoop.FindStringSubmatch(strings.TrimPrefix(all[0], "for"))
	if m == nil {
		return fmt.Errorf("found %q, expected for i=from..to", all[0])
	}
	from, err := w.integer(m[2])
	if err != nil {
		return err
	}
	to, err := w.integer(m[3])
	before, shadowed := w.loops[m[1]]
	for k := from; k <= to && err == nil; k++ {
		w.loops[m[1]] = float64(k)
		err = w.repeat(all[1:], l)
	}
	if delete(w.loops, m[1]); shadowed {
		w.loops[m[1]] = before
	}
	return err
}

// element gives the name of the module that a gate is of; "" for a gate of the network itself.
func (w *nedDrawing) element(end string) (string, error) {
	end = strings.TrimSpace(end)
	k := strings.IndexAny(end, ".[")
	if k < 0 || !strings.Contains(end[k:], ".") {
		return "", nil
	}
	if end[k] == '.' {
		return end[:k], nil
	}
	depth := 0
	for at := k; at < len(end); at++ {
		switch end[at] {
		case '[':
			depth++
		case ']':
			depth--
		}
		if depth == 0 {
			i, err := w.integer(end[k+1 : at])
			return fmt.Sprintf("%s[%d]", end[:k], i), err
		}
	}
	return "", fmt.Errorf("found %q, expected module.gate", end)
}

// nodes makes nodes of the modules that have a connection.
func (w *nedDrawing) nodes() error {
	joined := map[string]bool{}
	for _, l := range w.links {
		joined[l.a], joined[l.b] = true, true
	}
	for _, m := range w.modules {
		if w.work.modules += max(m.count, 1); w.work.modules > maxSteps {
			return w.d.errorf(m.line, "NED: more than %d submodules", maxSteps)
		}
		for k := range max(m.count, 1) {
			name := m.name
			if m.count >= 0 {
				name = fmt.Sprintf("%s[%d]", m.name, k)
			}
			if !joined[name] || m.count == 0 {
				w.work.idle += min(1, max(m.count, -m.count))
				continue
			}
			i, err := w.d.node(name, m.line)
			if err != nil {
				return err
			}
			if len(m.place) == 2 && m.count < 0 {
				w.d.nodeAttr(i, "x", m.place[0])
				w.d.nodeAttr(i, "y", m.place[1])
			}
		}
	}
	return nil
}
