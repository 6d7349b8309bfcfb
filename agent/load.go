package agent

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"caucus.example/caucus"
)

// source remembers where the fields of a configuration stand.
type source struct {
	file string
	ast  *ast.File
}

// Load reads a configuration file and resolves it. It is strict: a field that does not
// exist is an error. Errors tell file and line. What a command line says instead of the file goes into
// override, which sees the configuration before its defaults are filled in.
func Load(file string, override ...func(*Config)) (Config, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return Config{}, err
	}
	return Parse(file, data, override...)
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
		return Config{}, fmt.Errorf("%s:%d: found a second document, allowed: one", file, tree.Docs[1].Body.GetToken().Position.Line)
	}
	if err := yaml.UnmarshalWithOptions(data, &c, yaml.Strict()); err != nil {
		return Config{}, located(file, err)
	}
	c.source = &source{file, tree}
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

// wholes refuses fractions where whole numbers belong: the YAML reader would cut them off.
func (s *source) wholes() error {
	for _, field := range []string{"id", "expiry", "restart", "known.nodes", "known.diameter"} {
		path, _ := yaml.PathString("$." + field)
		if n, err := path.FilterFile(s.ast); err == nil && n != nil && n.Type() == ast.FloatType {
			return misfit(s.file, n.GetToken(), reflect.TypeFor[int]())
		}
	}
	return nil
}

// maxDepth of brackets is more than any configuration nests, and keeps the YAML reader from
// spending minutes and gigabytes.
const maxDepth = 20

// plain refuses what is not text, and brackets in brackets.
func plain(file string, data []byte) error {
	line, depth := 0, 0
	for l := range bytes.Lines(data) {
		line++
		if !utf8.Valid(l) {
			return fmt.Errorf("%s:%d: found bytes that are not UTF-8, allowed: UTF-8", file, line)
		}
		depth += bytes.Count(l, []byte("[")) + bytes.Count(l, []byte("{"))
		if depth -= bytes.Count(l, []byte("]")) + bytes.Count(l, []byte("}")); depth > maxDepth {
			return fmt.Errorf("%s:%d: found brackets %d deep, allowed: %d", file, line, depth, maxDepth)
		}
		depth = max(0, depth)
	}
	return nil
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
		return fmt.Errorf("%s:%d: %w", file, unknown.Token.Position.Line, caucus.UnknownField(unknown.Token.Value, fields()))
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

// fields lists the names of all fields, those of peers and of what is known included.
func fields() []string {
	var names []string
	for _, t := range []reflect.Type{reflect.TypeFor[Config](), reflect.TypeFor[Peer]()} {
		for i := range t.NumField() {
			if tag, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ","); tag != "" && tag != "-" && !slices.Contains(names, tag) {
				names = append(names, tag)
			}
		}
	}
	return append(names, "nodes", "diameter", "delay")
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
	within, _, _ := strings.Cut(field.Field, ".") // for what is missing there: its first line
	for _, at := range []string{field.Field, "params." + field.Field, "params." + field.Found, field.Field + "." + field.Found, within} {
		path, e := yaml.PathString("$." + at)
		if e != nil {
			continue
		}
		if node, e := path.FilterFile(c.source.ast); e == nil && node != nil {
			return fmt.Errorf("%s:%d: %w", c.source.file, node.GetToken().Position.Line, err)
		}
	}
	return fmt.Errorf("%s: %w", c.source.file, err)
}

func hostName() string {
	name, err := os.Hostname()
	if err != nil {
		return "" // then a name must be configured
	}
	return name
}
