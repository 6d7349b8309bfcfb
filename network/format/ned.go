package format

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"text/scanner"

	"caucus.example/caucus"
)

var kindNED = kind{
	format: "ned", about: "network of OMNeT++, NED, with what the file itself says of parameters",
	extensions: []string{".ned"},
	mark:       func(s *sample) bool { return nedStart.MatchString(s.head) }, read: readNED,
}

var nedStart = regexp.MustCompile(
	`\A(?:\s*(?://.*|#.*)?\n)*\s*(?:(?:package|import)\s[^;\n]*;|` +
		`(?:network|module|moduleinterface|simple|channel)\s+\w+[^\n{]*\s*\{)`)

var nedArrow = regexp.MustCompile(`<-->|-->|<--`)

// nedNetwork is what a file says of one network, or of a module that one may extend.
type nedNetwork struct {
	name, base string
	line       int
	isNetwork  bool
	params     []nedText
	modules    []nedText
	links      []nedText
}

// nedText is a statement, and of a connection the loops and conditions around it.
type nedText struct {
	text   string
	around []string
	line   int
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
// Vectors, loops and conditions are worked out from the values that the file gives parameters; what has none in it, or
// is random, is refused by its name.
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
		case t == scanner.Ident && (r.s.TokenText() == "network" || r.s.TokenText() == "module"):
			if err := r.network(r.s.TokenText() == "network"); err != nil {
				return err
			}
		case t == '}':
			return r.wrong("}", "a network or other declaration")
		default: // package, import, simple, channel, properties
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

// nedWords is a text of tokens, with blanks where words would run together.
type nedWords struct {
	strings.Builder
	word bool // the last token is a word
}

func (b *nedWords) add(token string) {
	isWord := token != "" && (token[0] == '_' || token[0] >= '0' && token[0] <= '9' || token[0]|32 >= 'a' &&
		token[0]|32 <= 'z')
	if b.word && isWord || token == "if" || token == "for" {
		b.WriteByte(' ')
	}
	b.WriteString(token)
	b.word = isWord
}

// statement gives the text up to the next ; or the end of a block in braces, from the token that was just scanned.
func (r *nedReader) statement() (text string, err error) {
	var b nedWords
	depth, line := 0, r.s.Position.Line
	for {
		token := r.s.TokenText()
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
		b.add(token)
		if token == "}" && depth == 0 && !nedArrow.MatchString(b.String()) {
			return b.String(), nil
		}
		if r.s.Scan() == scanner.EOF && r.bad != nil {
			return "", r.bad
		}
	}
}

// network reads a declaration from its name on.
func (r *nedReader) network(isNetwork bool) error {
	n := &nedNetwork{line: r.s.Position.Line, isNetwork: isNetwork}
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
	sections := map[string]*[]nedText{"parameters": &n.params, "submodules": &n.modules, "connections": &n.links,
		"gates": nil, "types": nil}
	section := "parameters"
	for {
		switch t := r.s.Scan(); {
		case t == '}':
			return nil
		case t == scanner.EOF:
			return r.d.errorf(n.line, "NED: the network %s is not closed", n.name)
		}
		word := r.s.TokenText()
		if _, ok := sections[word]; ok {
			section = word
			for r.s.Scan() == scanner.Ident { // allowunconnected
			}
			if r.s.TokenText() != ":" {
				return r.wrong(r.s.TokenText(), ": after "+word)
			}
			continue
		}
		if section == "connections" {
			if err := r.connection(&n.links, nil); err != nil {
				return err
			}
			continue
		}
		line := r.s.Position.Line
		text, err := r.statement()
		if err != nil {
			return err
		}
		if list := sections[section]; list != nil && text != "" {
			*list = append(*list, nedText{text: text, line: line})
		}
	}
}

// connection reads a connection, or loops and conditions and a block of connections, from the token just scanned.
func (r *nedReader) connection(links *[]nedText, around []string) error {
	line := r.s.Position.Line
	word := r.s.TokenText()
	if word == ";" { // behind a block
		return nil
	}
	if word != "for" && word != "if" && word != "{" {
		text, err := r.statement()
		*links = append(*links, nedText{text: text, around: around, line: line})
		return err
	}
	if len(around) > maxDepth {
		return r.d.errorf(line, "NED: blocks nest deeper than %d", maxDepth)
	}
	var head nedWords
	for ; r.s.TokenText() != "{"; r.s.Scan() {
		if t := r.s.TokenText(); t == "" || t == ";" {
			return r.wrong(t, "{ after "+head.String())
		}
		head.add(r.s.TokenText())
	}
	around = append(slices.Clone(around), head.String())
	for {
		switch t := r.s.Scan(); t {
		case '}':
			return nil
		case scanner.EOF:
			return r.d.errorf(line, "NED: the block that begins here is not closed")
		}
		if err := r.connection(links, around); err != nil {
			return err
		}
	}
}

// finish draws the networks, or the one that is chosen.
func (r *nedReader) finish() error {
	names, all := []string{}, map[string]*nedNetwork{}
	for _, n := range r.networks {
		if all[n.name] = n; n.isNetwork {
			names = append(names, n.name)
		}
	}
	if len(names) == 0 {
		return r.d.errorf(r.s.Pos().Line, "NED: no network, only modules or channels")
	}
	var work nedWork
	for _, name := range names {
		if !r.d.wanted(name) {
			continue
		}
		if err := r.d.extended(all[name], all, &work); err != nil {
			if len(names) > 1 {
				err = fmt.Errorf("%w (in network %s of %s, one of which can be chosen)", err, name,
					caucus.Cut(strings.Join(names, ", ")))
			}
			return err
		}
	}
	if work.idle > 0 {
		r.d.notef("%d submodules without a connection are no nodes", work.idle)
	}
	if work.outer > 0 {
		r.d.notef("%d connections to gates of the network itself are no edges", work.outer)
	}
	return nil
}

// extended draws a network with what it has of those that it extends.
func (d *draft) extended(n *nedNetwork, all map[string]*nedNetwork, work *nedWork) error {
	d.name = n.name
	whole := *n
	for k := 0; n.base != ""; k++ {
		base := all[n.base]
		if base == nil || k > len(all) {
			return d.errorf(n.line, "NED: network %s extends %s, which is not in this file", n.name, n.base)
		}
		whole.params = append(slices.Clone(base.params), whole.params...)
		whole.modules = append(slices.Clone(base.modules), whole.modules...)
		whole.links = append(slices.Clone(base.links), whole.links...)
		n = base
	}
	return whole.draw(d, work)
}
