package agent

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"caucus.example/caucus"
	"caucus.example/caucus/agent/act"
	"caucus.example/caucus/agent/probe"
)

// Load reads a configuration file and resolves it. It is strict: a field that does not
// exist is an error. Errors tell file and line. What a command line says instead of the file goes into
// override, which sees the configuration before its defaults are filled in.
func Load(file string, override ...func(*Config)) (Config, error) {
	data, err := readRegular(file)
	if err != nil {
		return Config{}, err
	}
	return Parse(file, data, override...)
}

// maxFile is the greatest size of a configuration file in bytes.
const maxFile = 1 << 20

// readRegular reads a file that is one: a pipe or a device would have the agent wait, or never end.
func readRegular(file string) ([]byte, error) {
	switch info, err := os.Stat(file); {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: found %v, allowed: a regular file", file, info.Mode().Type())
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("%s: found more than %d bytes, allowed: that many", file, maxFile)
	}
	return data, err
}

// Parse is Load for the contents of a file.
func Parse(file string, data []byte, override ...func(*Config)) (Config, error) {
	if err := plain(file, data); err != nil {
		return Config{}, err
	}
	var c Config
	tree, err := parser.ParseBytes(data, 0)
	if err != nil {
		return Config{}, located(file, err)
	}
	if len(tree.Docs) > 1 && tree.Docs[1].Body != nil {
		return Config{}, fmt.Errorf("%s:%d: found a second document, allowed: one", file,
			tree.Docs[1].Body.GetToken().Position.Line)
	}
	if err := yaml.UnmarshalWithOptions(data, &c, yaml.Strict()); err != nil {
		return Config{}, located(file, err)
	}
	c.source = &source{file: file, ast: tree}
	if err := c.source.wholes(); err != nil {
		return Config{}, err
	}
	for _, change := range override {
		change(&c)
	}
	if c.HTTP == "" {
		c.HTTP = DefaultHTTP
	}
	if c.Metric == RTT {
		milliseconds(c.Params)
	}
	return c.Resolve()
}

// UnmarshalYAML reads a peer, which may be its address alone.
func (p *Peer) UnmarshalYAML(decode func(any) error) error {
	var addr string
	if decode(&addr) == nil {
		*p = Peer{Addr: addr}
		return nil
	}
	type fields Peer // without this method
	return decode((*fields)(p))
}

// at gives what stands in the file for a field; nil if nothing does.
func (s *source) at(field string) ast.Node {
	path, err := yaml.PathString("$." + field)
	if err != nil {
		return nil
	}
	node, err := path.FilterFile(s.ast)
	if err != nil {
		return nil
	}
	return node
}

// empty tells whether the file says nothing: when it is read again, that is a file that is being written rather than a
// wish for all defaults.
func (s *source) empty() bool { return len(s.ast.Docs) == 0 || s.ast.Docs[0].Body == nil }

// wholes refuses fractions where whole numbers belong: the YAML reader would cut them off.
func (s *source) wholes() error {
	for _, field := range []string{
		"id", "expiry", "restart", "known.nodes", "known.diameter", "min-neighbours", "max-neighbours",
		"min-region",
	} {
		if n := s.at(field); n != nil && n.Type() == ast.FloatType {
			return misfit(s.file, n.GetToken(), reflect.TypeFor[int]())
		}
	}
	return nil
}

// Limits that are more than any configuration needs, and keep the YAML reader from spending minutes and gigabytes.
const (
	maxDepth  = 20       // of brackets, and of list entries in list entries
	maxLine   = 64 << 10 // bytes of a line
	maxLines  = 16384
	maxIndent = 64 // blanks before the first character
)

// plain refuses what is not text, and what nests deeper than any configuration.
func plain(file string, data []byte) error {
	line, depth := 0, 0
	for l := range bytes.Lines(data) {
		line++
		wrong := unlikely(l)
		if line > maxLines {
			wrong = fmt.Sprintf("one line more, allowed: %d", maxLines)
		}
		depth += bytes.Count(l, []byte("[")) + bytes.Count(l, []byte("{"))
		if depth -= bytes.Count(l, []byte("]")) + bytes.Count(l, []byte("}")); depth > maxDepth {
			wrong = fmt.Sprintf("brackets %d deep, allowed: %d", depth, maxDepth)
		}
		if wrong != "" {
			return fmt.Errorf("%s:%d: found %s", file, line, wrong)
		}
		depth = max(0, depth)
	}
	return nil
}

// unlikely says what is wrong with a line by itself.
func unlikely(line []byte) string {
	indent := len(line) - len(bytes.TrimLeft(line, " \t"))
	switch entries := entriesIn(line); {
	case len(line) > maxLine:
		return fmt.Sprintf("a line of %d bytes, allowed: %d", len(line), maxLine)
	case entries > maxDepth:
		return fmt.Sprintf("entries %d deep, allowed: %d", entries, maxDepth)
	case indent > maxIndent && indent < len(bytes.TrimRight(line, " \t\r\n")):
		return fmt.Sprintf("%d blanks before the text, allowed: %d", indent, maxIndent)
	case !utf8.Valid(line):
		return "bytes that are not UTF-8, allowed: UTF-8"
	}
	return ""
}

// entriesIn counts the marks at the begin of a line that open something inside something.
func entriesIn(line []byte) (marks int) {
	rest := bytes.TrimLeft(line, " ")
	for len(rest) > 1 && bytes.IndexByte([]byte("-?:&!"), rest[0]) >= 0 {
		marks++
		_, rest, _ = bytes.Cut(rest, []byte(" "))
		rest = bytes.TrimLeft(rest, " ")
	}
	return marks
}

// milliseconds lets lengths be written as durations under metric rtt.
func milliseconds(params map[string]string) {
	for name, v := range params {
		if d, err := time.ParseDuration(v); err == nil && d != 0 {
			params[name] = fmt.Sprint(float64(d) / float64(time.Millisecond))
		}
	}
}

// located gives an error of the YAML reader file and line, and unknown fields the name
// that was probably meant.
func located(file string, err error) error {
	var unknown *yaml.UnknownFieldError
	var mismatch *yaml.TypeError
	var overflow *yaml.OverflowError
	var y yaml.Error
	switch {
	case errors.As(err, &mismatch) && mismatch.Token != nil:
		return misfit(file, mismatch.Token, mismatch.DstType)
	case errors.As(err, &overflow) && overflow.Token != nil:
		return misfit(file, overflow.Token, overflow.DstType)
	case errors.As(err, &unknown) && unknown.Token != nil:
		t := unknown.Token
		return fmt.Errorf("%s:%d: %w", file, t.Position.Line, caucus.UnknownField(t.Value, fieldsAt(t)))
	case errors.As(err, &y) && y.GetToken() != nil:
		return fmt.Errorf("%s:%d: %s", file, y.GetToken().Position.Line, y.GetMessage())
	}
	return fmt.Errorf("%s: %w", file, err)
}

// misfit says which kind of value a field takes.
func misfit(file string, t *token.Token, want reflect.Type) error {
	allowed := "text"
	switch kind := want.Kind(); {
	case want == reflect.TypeFor[time.Duration]():
		allowed = "a duration with its unit, such as 100ms"
	case kind == reflect.Bool:
		allowed = "true or false"
	case kind == reflect.Float64:
		allowed = "a number"
	case kind == reflect.Int:
		allowed = "a whole number"
	case kind == reflect.Uint64:
		allowed = "a whole number from 0 to 18446744073709551615"
	case kind == reflect.Slice:
		allowed = "a list, one entry for each peer"
	case kind == reflect.Map, kind == reflect.Struct:
		allowed = "fields, as in name: value"
	}
	return fmt.Errorf("%s:%d: found %q, allowed: %s", file, t.Position.Line, t.Value, allowed)
}

// nested are the fields that hold fields.
var nested = map[string]reflect.Type{
	"peers": reflect.TypeFor[Peer](), "groups": reflect.TypeFor[Config](),
	"interfaces": reflect.TypeFor[Interface](),
	"known":      reflect.TypeFor[caucus.Known](), "discover": reflect.TypeFor[Discover](),
	"checks": reflect.TypeFor[probe.Probe](),
	"lease":  reflect.TypeFor[Lease](), "on": reflect.TypeFor[act.Hooks](), "lead": reflect.TypeFor[act.Hook](),
	"follow":    reflect.TypeFor[act.Hook](),
	"undecided": reflect.TypeFor[act.Hook](), "any": reflect.TypeFor[act.Hook](),
}

// fieldsAt lists the names of the fields that may stand where one does that nobody knows.
func fieldsAt(t *token.Token) []string {
	column := t.Position.Column
	for p := t.Prev; p != nil && column > 1; p = p.Prev {
		if p.Type != token.MappingValueType || p.Prev == nil || p.Prev.Position.Column >= column {
			continue
		}
		if held := nested[p.Prev.Value]; held != nil {
			return fields(held)
		}
	}
	return fields(reflect.TypeFor[Config]())
}

// fields lists what the YAML reader calls the fields of a type.
func fields(t reflect.Type) (names []string) {
	for i := range t.NumField() {
		f := t.Field(i)
		tag, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if tag == "" && f.IsExported() {
			tag = strings.ToLower(f.Name)
		}
		if tag != "" && tag != "-" {
			names = append(names, tag)
		}
	}
	return names
}

// Locate adds file and line to an error about a field, if the configuration comes from
// a file that sets it. It serves errors that are found only when the algorithm or the
// sockets are made.
func (c *Config) Locate(err error) error {
	if err == nil || c.source == nil || strings.HasPrefix(err.Error(), c.source.file+":") {
		return err
	}
	var field *caucus.FieldError
	if !errors.As(err, &field) {
		return fmt.Errorf("%s: %w", c.source.file, err)
	}
	within, _, _ := strings.Cut(field.Field, ".")       // for what is missing there: its first line
	entry, _ := strings.CutSuffix(field.Field, ".addr") // a peer may be its address alone
	places := []string{field.Field, entry, "params." + field.Field, "params." + field.Found,
		field.Field + "." + field.Found, within}
	if part := c.source.within; part != "" {
		err = fmt.Errorf("%s: %w", part, err)
		places = append(inPart(part, places), append(places, part)...)
	}
	for _, at := range places {
		if node := c.source.at(at); node != nil {
			return fmt.Errorf("%s:%d: %w", c.source.file, node.GetToken().Position.Line, err)
		}
	}
	return fmt.Errorf("%s: %w", c.source.file, err)
}

// replaceFile has readers see the old text or the new one.
func replaceFile(file, text string) error {
	next := file + ".next"
	if err := os.WriteFile(next, []byte(text), 0o644); err != nil {
		return err
	}
	return os.Rename(next, file)
}

// inPart gives the places of fields in a part of the file.
func inPart(part string, fields []string) (places []string) {
	for _, field := range fields {
		places = append(places, part+"."+field)
	}
	return places
}

// readSecret reads a small file that others of the machine cannot read.
func readSecret(field, file string) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", field, err)
	}
	if info.Mode().Perm()&0o007 != 0 && os.PathSeparator == '/' {
		return nil, caucus.Wrong(field, fmt.Sprintf("%s with permissions %04o", file, info.Mode().Perm()),
			"0600, or 0640 for a group")
	}
	return readRegular(file)
}
