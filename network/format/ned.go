package format

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/scanner"

	"caucus.example/caucus"
)

var kindNED = kind{
	format: "ned", about: "network of OMNeT++ without parameters, NED", extensions: []string{".ned"},
	mark: func(s *sample) bool { return nedStart.MatchString(s.head) }, read: readNED,
}

var (
	nedStart = regexp.MustCompile(`\A(?:\s*(?://.*|#.*)?\n)*\s*(?:(?:package|import)\s[^;\n]*;|(?:network|module|simple|channel)\s+\w+[^\n{]*\s*\{)`)
	nedPlace = regexp.MustCompile(`(?:^|;)p=(-?[\d.]+),(-?[\d.]+)`)
	nedArrow = regexp.MustCompile(`<-->|-->|<--`)
	nedEnd   = regexp.MustCompile(`^(\w+)(\[\d+\])?\.`)
)

// nedNetwork is what a file says of one network.
type nedNetwork struct {
	name, base string
	line       int
	modules    []nedModule
	links      []nedLink
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

// nedReader is a scanner over a file, and what it has found.
type nedReader struct {
	d        *draft
	s        scanner.Scanner
	bad      error
	networks []*nedNetwork
}

// readNED reads a network: the submodules that have a connection are its nodes, the connections its edges, of the class
// of their channel. Modules without connections, such as configurators, are no nodes; neither is the network itself.
// What depends on parameters (vectors of a size that is no number, loops, conditions) is refused.
func readNED(d *draft, text string) error {
	r := &nedReader{d: d}
	r.s.Init(strings.NewReader(text))
	r.s.Mode = scanner.ScanIdents | scanner.ScanInts | scanner.ScanStrings | scanner.ScanComments | scanner.SkipComments
	r.s.Error = func(s *scanner.Scanner, msg string) {
		if r.bad == nil {
			r.bad = d.errorf(s.Pos().Line, "NED: %s", msg)
		}
	}
	for r.bad == nil {
		switch t := r.s.Scan(); {
		case t == scanner.EOF:
			return r.finish()
		case t == scanner.Ident && r.s.TokenText() == "network":
			if err := r.network(); err != nil {
				return err
			}
		case t == '}':
			return r.wrong("}", "a network or other declaration")
		default: // package, import, simple, module, channel, properties
			if _, err := r.statement(); err != nil {
				return err
			}
		}
	}
	return r.bad
}

func (r *nedReader) wrong(found, expected string) error {
	return r.d.errorf(r.s.Position.Line, "NED: found %q, expected %s", found, expected)
}

// statement gives the text up to the next ; or the end of a block in braces, from the token that was just scanned.
func (r *nedReader) statement() (text string, err error) {
	var b strings.Builder
	depth, line := 0, r.s.Position.Line
	for word := false; ; {
		token := r.s.TokenText()
		isWord := token != "" && (token[0] == '_' || token[0] >= '0' && token[0] <= '9' || token[0]|32 >= 'a' &&
			token[0]|32 <= 'z')
		switch {
		case token == "":
			return "", r.d.errorf(line, "NED: the statement that begins here has no end")
		case token == ";" && depth == 0:
			return b.String(), nil
		case token == "{":
			depth++
		case token == "}":
			if depth--; depth < 0 {
				return "", r.wrong("}", "; at the end of the statement")
			}
		}
		if word && isWord {
			b.WriteByte(' ')
		}
		b.WriteString(token)
		word = isWord
		if token == "}" && depth == 0 && !nedArrow.MatchString(b.String()) {
			return b.String(), nil
		}
		if r.s.Scan() == scanner.EOF && r.bad != nil {
			return "", r.bad
		}
	}
}

// network reads a declaration from its name on.
func (r *nedReader) network() error {
	n := &nedNetwork{line: r.s.Position.Line}
	var head []string
	for r.s.Scan() != '{' {
		if r.s.TokenText() == "" {
			return r.wrong("the end of the file", "{ after the name of a network")
		}
		head = append(head, r.s.TokenText())
	}
	if len(head) == 0 {
		return r.wrong("{", "the name of a network")
	}
	n.name = head[0]
	if len(head) >= 3 && head[1] == "extends" {
		n.base = strings.Join(head[2:], "")
	}
	r.networks = append(r.networks, n)
	section := "parameters"
	for {
		switch t := r.s.Scan(); {
		case t == '}':
			return nil
		case t == scanner.EOF:
			return r.d.errorf(n.line, "NED: the network %s is not closed", n.name)
		}
		if word := r.s.TokenText(); slices.Contains([]string{"parameters", "gates", "types", "submodules",
			"connections"}, word) {
			section = word
			for r.s.Scan() == scanner.Ident { // allowunconnected
			}
			if r.s.TokenText() != ":" {
				return r.wrong(r.s.TokenText(), ": after "+word)
			}
			continue
		}
		line := r.s.Position.Line
		text, err := r.statement()
		switch {
		case err != nil:
			return err
		case section == "submodules":
			err = n.module(r.d, text, line)
		case section == "connections":
			err = n.link(r.d, text, line)
		}
		if err != nil {
			return err
		}
	}
}

var nedModuleHead = regexp.MustCompile(`^(\w+)(?:\[([^\]]*)\])?:`)

// module reads name: Type { … } or name[size]: Type.
func (n *nedNetwork) module(d *draft, text string, line int) error {
	m := nedModuleHead.FindStringSubmatch(text)
	if m == nil {
		return d.errorf(line, "NED: found %.60q, expected name: Type", text)
	}
	mod := nedModule{name: m[1], count: -1, line: line}
	if m[2] != "" {
		count, err := strconv.Atoi(m[2])
		if err != nil || count < 0 || count > 1<<16 {
			return d.errorf(line, "NED: submodule %s[%s]: its number depends on a parameter; only networks that "+
				"stand as "+
				"they are written are read", m[1], m[2])
		}
		mod.count = count
	}
	if k := strings.Index(text, "@display(\""); k >= 0 {
		quoted, _, _ := strings.Cut(text[k+len("@display(\""):], "\"")
		if p := nedPlace.FindStringSubmatch(quoted); p != nil {
			mod.place = p[1:]
		}
	}
	n.modules = append(n.modules, mod)
	return nil
}

// link reads a.g <--> channel <--> b.g.
func (n *nedNetwork) link(d *draft, text string, line int) error {
	if strings.HasPrefix(text, "for ") || strings.HasPrefix(text, "for(") || strings.HasPrefix(text, "if ") ||
		strings.Contains(text, " if ") {
		return d.errorf(line, "NED: found %.40q: a connection that depends on parameters; only networks that stand "+
			"as they "+
			"are written are read", text)
	}
	parts := nedArrow.Split(text, -1)
	if len(parts) != 2 && len(parts) != 3 {
		return d.errorf(line, "NED: found %.60q, expected a connection a.gate <--> b.gate", text)
	}
	l := nedLink{line: line}
	for k, end := range []string{parts[0], parts[len(parts)-1]} {
		m := nedEnd.FindStringSubmatch(end)
		if m == nil && strings.Contains(end, ".") {
			return d.errorf(line, "NED: found %q, expected module.gate", end)
		}
		if m != nil {
			*[]*string{&l.a, &l.b}[k] = m[1] + m[2]
		}
	}
	if len(parts) == 3 {
		l.channel, _, _ = strings.Cut(parts[1], "{")
	}
	n.links = append(n.links, l)
	return nil
}

// finish takes the one network, or the one that is chosen.
func (r *nedReader) finish() error {
	names, all := []string{}, map[string]*nedNetwork{}
	for _, n := range r.networks {
		names, all[n.name] = append(names, n.name), n
	}
	d := r.d
	switch {
	case len(names) == 0:
		return d.errorf(r.s.Pos().Line, "NED: no network, only modules or channels")
	case d.o.Graph == "" && len(names) > 1:
		return fmt.Errorf("%s: %w", d.file, caucus.Wrong("graph", "", "one of the networks of this file: "+
			strings.Join(names, ", ")))
	}
	var n *nedNetwork
	for _, name := range names {
		if d.wanted(name) {
			n = all[name]
		}
	}
	if n == nil {
		return nil // said by several
	}
	d.name = n.name
	if n.base != "" {
		base := all[n.base]
		if base == nil || base == n || base.base != "" {
			return d.errorf(n.line, "NED: network %s extends %s, which is not in this file", n.name, n.base)
		}
		n.modules = append(slices.Clone(base.modules), n.modules...)
		n.links = append(slices.Clone(base.links), n.links...)
	}
	return n.draw(d)
}

// draw makes nodes of the modules that have a connection.
func (n *nedNetwork) draw(d *draft) error {
	joined, outer := map[string]int{}, 0 // modules to the number of their elements that have a connection
	elements := map[string]bool{}
	for _, l := range n.links {
		for _, end := range []string{l.a, l.b} {
			if !elements[end] {
				module, _, _ := strings.Cut(end, "[")
				joined[module]++
			}
			elements[end] = true
		}
	}
	idle := 0
	for _, m := range n.modules {
		idle += max(m.count, 1) - joined[m.name]
		for k := 0; k < max(m.count, 1) && joined[m.name] > 0; k++ {
			name := m.name
			if m.count >= 0 {
				name = fmt.Sprintf("%s[%d]", m.name, k)
			}
			if !elements[name] {
				continue
			}
			joined[m.name]--
			i, err := d.node(name, m.line)
			if err != nil {
				return err
			}
			if len(m.place) == 2 && m.count < 0 {
				d.nodeAttr(i, "x", m.place[0])
				d.nodeAttr(i, "y", m.place[1])
			}
		}
	}
	for _, l := range n.links {
		if l.a == "" || l.b == "" {
			outer++
			continue
		}
		if err := d.edgeAttr(d.link(l.a, l.b, l.line), "class", l.channel, l.line); err != nil {
			return err
		}
	}
	if idle > 0 {
		d.notef("%d submodules without a connection are no nodes", idle)
	}
	if outer > 0 {
		d.notef("%d connections to gates of the network itself are no edges", outer)
	}
	if len(d.edges) == 0 {
		return d.errorf(n.line, "NED: network %s has no connections: who hears whom by radio is not in the file",
			n.name)
	}
	return nil
}
