package format

import (
	"regexp"
	"strings"
)

var kindDOT = kind{
	format: DOT, about: "Graphviz DOT", extensions: []string{".dot", ".gv"}, mark: isDOT, read: readDOT,
	write: writeDOT,
}

var dotStart = regexp.MustCompile(
	`(?is)^(strict\s+)?(di)?graph\s*("(\\.|[^"\\])*"|<[^{]*>|[\w\x{80}-\x{10FFFF}.-]*)\s*\{`)

func isDOT(s *sample) bool {
	start := skipDOTComments(s.text)
	return dotStart.MatchString(start[:min(len(start), 1000)])
}

// skipDOTComments gives the text after comments as DOT writes them.
func skipDOTComments(text string) string {
	l := &dotLexer{d: &draft{}, text: text, line: 1}
	if l.blanks() != nil {
		return text
	}
	return text[l.pos:]
}

// dotReader parses DOT.
type dotReader struct {
	*dotLexer
	now    dotToken // the token to be used next
	arrow  string   // the edge operator of this kind of graph
	depth  int
	joined int // edges that statements between subgraphs stood for
}

// dotScope holds the default attributes of a graph or subgraph.
type dotScope struct {
	node, edge []field
	set        *dotSet
}

// dotSet is the nodes of a subgraph, in the order in which they are named.
type dotSet struct {
	list []int32
	has  map[int32]bool
}

func (s *dotSet) add(i int32) {
	if !s.has[i] {
		s.has[i] = true
		s.list = append(s.list, i)
	}
}

func newDotScope() *dotScope { return &dotScope{set: &dotSet{has: map[int32]bool{}}} }

// readDOT reads all graphs, or the one that is chosen. Nodes go by their DOT ID. An edge to a subgraph goes to each
// node named in it; ports are dropped; default attributes apply to what comes after them.
func readDOT(d *draft, text string) error {
	d.byID = true
	r := &dotReader{dotLexer: &dotLexer{d: d, text: text, line: 1}}
	if err := r.advance(); err != nil {
		return err
	}
	for first := true; first || r.now.kind != dotEnd; first = false {
		if err := r.graph(d); err != nil {
			return err
		}
	}
	return nil
}

// graph reads a graph; one that is not wanted goes to a draft of its own.
func (r *dotReader) graph(d *draft) error {
	name, err := r.header()
	if err != nil {
		return err
	}
	if !d.wanted(name) {
		r.d = &draft{file: d.file, o: d.o, kind: d.kind}
		defer func() { r.d = d }()
	}
	if r.arrow == "->" {
		r.d.report.Directed = true
	}
	if name != "" {
		r.d.name = name
	}
	return r.body(newDotScope())
}

func (r *dotReader) advance() (err error) {
	r.now, err = r.next()
	return err
}

func (r *dotReader) unexpected(want string) error {
	return r.d.errorf(r.now.line, "found %v, expected %s", r.now, want)
}

// header reads what stands before a graph's {, and gives its name.
func (r *dotReader) header() (name string, err error) {
	if r.now.keyword("strict") {
		if err := r.advance(); err != nil {
			return "", err
		}
	}
	switch {
	case r.now.keyword("graph"):
		r.arrow = "--"
	case r.now.keyword("digraph"):
		r.arrow = "->"
	default:
		return "", r.unexpected("graph or digraph")
	}
	if err := r.advance(); err != nil {
		return "", err
	}
	if r.now.id() {
		name = r.now.text
		return name, r.advance()
	}
	return "", nil
}

// body reads { statements }.
func (r *dotReader) body(s *dotScope) error {
	if !r.now.is("{") {
		return r.unexpected(`"{"`)
	}
	if r.depth++; r.depth > maxDepth {
		return r.d.errorf(r.now.line, "subgraphs nest deeper than %d", maxDepth)
	}
	from := r.now.line
	if err := r.advance(); err != nil {
		return err
	}
	for !r.now.is("}") {
		if r.now.kind == dotEnd {
			return r.d.errorf(r.now.line, "the { of line %d is not closed", from)
		}
		if err := r.statement(s); err != nil {
			return err
		}
		if r.now.is(";") {
			if err := r.advance(); err != nil {
				return err
			}
		}
	}
	r.depth--
	return r.advance()
}

func (r *dotReader) statement(s *dotScope) error {
	for _, what := range []string{"graph", "node", "edge"} {
		if r.now.keyword(what) {
			if err := r.advance(); err != nil {
				return err
			}
			attrs, err := r.attributes()
			if len(s.node)+len(s.edge)+len(attrs) > maxDefaults {
				return r.d.errorf(r.now.line, "more than %d default attributes", maxDefaults)
			}
			switch what {
			case "node":
				s.node = append(s.node[:len(s.node):len(s.node)], attrs...)
			case "edge":
				s.edge = append(s.edge[:len(s.edge):len(s.edge)], attrs...)
			}
			return err
		}
	}
	return r.chain(s)
}

// chain reads a node, a subgraph, an assignment, or edges a -> b -> {c d}.
func (r *dotReader) chain(s *dotScope) error {
	line := r.now.line
	first, bare, err := r.end(s)
	if err != nil || first == nil { // nil: an assignment
		return err
	}
	ends := [][]int32{first}
	for r.now.is("--") || r.now.is("->") {
		if r.now.text != r.arrow {
			return r.d.errorf(r.now.line, "found %q, but edges of this kind of graph are written %q", r.now.text,
				r.arrow)
		}
		if err := r.advance(); err != nil {
			return err
		}
		end, _, err := r.end(s)
		if err != nil {
			return err
		}
		if end == nil {
			return r.d.errorf(r.now.line, "an assignment stands where an edge must end")
		}
		ends = append(ends, end)
	}
	if len(ends) == 1 && !bare {
		return nil // a subgraph
	}
	attrs, err := r.attributes()
	if err != nil {
		return err
	}
	if len(ends) == 1 {
		r.setNode(first[0], attrs)
		return nil
	}
	return r.join(ends, append(s.edge[:len(s.edge):len(s.edge)], attrs...), line)
}

// maxJoined bounds the edges that the statements between subgraphs of a file may stand for: a quarter of a gigabyte.
const maxJoined = 1 << 22

func (r *dotReader) join(ends [][]int32, attrs []field, line int) error {
	for k := 1; k < len(ends); k++ {
		if n := len(ends[k-1]) * len(ends[k]); n > 1 {
			if r.joined += n; r.joined > maxJoined {
				return r.d.errorf(line, "edges between subgraphs stand for more than %d edges", maxJoined)
			}
		}
		for _, a := range ends[k-1] {
			for _, b := range ends[k] {
				e := r.d.edge(a, b, nan)
				for _, f := range attrs {
					if err := r.d.edgeAttr(e, f.name, f.value, f.line); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// end reads one end of an edge: the nodes that it stands for. Bare means a single node,
// not a subgraph. Nodes are nil when it was an assignment a = b.
func (r *dotReader) end(s *dotScope) (nodes []int32, bare bool, err error) {
	if r.now.is("{") || r.now.keyword("subgraph") {
		nodes, err = r.subgraph(s)
		return nodes, false, err
	}
	if !r.now.id() {
		return nil, false, r.unexpected("a node, a subgraph or }")
	}
	id := r.now
	if err := r.advance(); err != nil {
		return nil, false, err
	}
	if r.now.is("=") {
		return nil, false, r.assigned()
	}
	if err := r.ports(); err != nil {
		return nil, false, err
	}
	_, old := r.d.at.find(id.text)
	i := r.d.mention(id.text, id.line)
	if !old {
		r.setNode(i, s.node)
	}
	s.set.add(i)
	return []int32{i}, true, nil
}

// assigned reads the rest of a = b.
func (r *dotReader) assigned() error {
	if err := r.advance(); err != nil {
		return err
	}
	if !r.now.id() {
		return r.unexpected("a value")
	}
	return r.advance()
}

// ports skips up to two ports, as in a:port:ne.
func (r *dotReader) ports() error {
	for k := 0; k < 2 && r.now.is(":"); k++ {
		if err := r.advance(); err != nil {
			return err
		}
		if !r.now.id() {
			return r.unexpected("a port")
		}
		if err := r.advance(); err != nil {
			return err
		}
	}
	return nil
}

func (r *dotReader) subgraph(s *dotScope) ([]int32, error) {
	if r.now.keyword("subgraph") {
		if err := r.advance(); err != nil {
			return nil, err
		}
		if r.now.id() {
			if err := r.advance(); err != nil {
				return nil, err
			}
		}
	}
	inner := newDotScope()
	inner.node, inner.edge = s.node, s.edge
	if err := r.body(inner); err != nil {
		return nil, err
	}
	for _, i := range inner.set.list {
		s.set.add(i)
	}
	if inner.set.list == nil {
		return []int32{}, nil
	}
	return inner.set.list, nil
}

// attributes reads any number of [a=b, c=d; e].
func (r *dotReader) attributes() ([]field, error) {
	var all []field
	for r.now.is("[") {
		if err := r.advance(); err != nil {
			return nil, err
		}
		for !r.now.is("]") {
			f, err := r.attribute()
			if err != nil {
				return nil, err
			}
			all = append(all, f)
			if r.now.is(",") || r.now.is(";") {
				if err := r.advance(); err != nil {
					return nil, err
				}
			}
		}
		if err := r.advance(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (r *dotReader) attribute() (field, error) {
	if !r.now.id() {
		return field{}, r.unexpected("an attribute or ]")
	}
	f := field{r.now.text, "true", r.now.line}
	if err := r.advance(); err != nil {
		return f, err
	}
	if !r.now.is("=") {
		return f, nil
	}
	if err := r.advance(); err != nil {
		return f, err
	}
	if !r.now.id() {
		return f, r.unexpected("a value")
	}
	f.value = r.now.text
	return f, r.advance()
}

// setNode gives a node attributes; pos="x,y" becomes x and y.
func (r *dotReader) setNode(i int32, attrs []field) {
	for _, f := range attrs {
		if x, y, ok := strings.Cut(strings.TrimSuffix(f.value, "!"), ","); f.name == "pos" && ok {
			y, _, _ = strings.Cut(y, ",")
			r.d.nodeAttr(i, "x", x)
			r.d.nodeAttr(i, "y", y)
			continue
		}
		r.d.nodeAttr(i, f.name, f.value)
	}
}
