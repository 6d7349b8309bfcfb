package agent

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"caucus"
)

// source remembers where the fields of a configuration stand.
type source struct {
	file string
	ast  *ast.File
}

// Load reads a configuration file and resolves it. It is strict: a field that does not
// exist is an error. Errors tell file and line.
func Load(file string) (Config, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return Config{}, err
	}
	return Parse(file, data)
}

// Parse is Load for the contents of a file.
func Parse(file string, data []byte) (Config, error) {
	c := Config{HTTP: DefaultHTTP}
	tree, err := parser.ParseBytes(data, 0)
	if err != nil {
		return Config{}, located(file, err)
	}
	if err := yaml.UnmarshalWithOptions(data, &c, yaml.Strict()); err != nil {
		return Config{}, located(file, err)
	}
	c.source = &source{file, tree}
	if c.Metric == RTT {
		milliseconds(c.Params)
	}
	return c.Resolve()
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
	var y yaml.Error
	switch {
	case errors.As(err, &mismatch) && mismatch.Token != nil && mismatch.DstType == reflect.TypeFor[time.Duration]():
		return fmt.Errorf("%s:%d: found %q, allowed: a duration with its unit, such as 100ms", file, mismatch.Token.Position.Line, mismatch.Token.Value)
	case errors.As(err, &unknown) && unknown.Token != nil:
		name := unknown.Token.Value
		hint := ""
		if near := caucus.Nearest(name, fields()); near != "" {
			hint = fmt.Sprintf("; did you mean %q?", near)
		}
		return fmt.Errorf("%s:%d: unknown field %q%s", file, unknown.Token.Position.Line, name, hint)
	case errors.As(err, &y) && y.GetToken() != nil:
		return fmt.Errorf("%s:%d: %s", file, y.GetToken().Position.Line, y.GetMessage())
	}
	return fmt.Errorf("%s: %w", file, err)
}

// fields lists the names of all fields, those of peers included.
func fields() []string {
	var names []string
	for _, t := range []reflect.Type{reflect.TypeFor[Config](), reflect.TypeFor[Peer]()} {
		for i := range t.NumField() {
			if tag := t.Field(i).Tag.Get("yaml"); tag != "" && tag != "-" {
				names = append(names, tag)
			}
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
	for _, at := range []string{field.Field, "params." + field.Field, "params." + field.Found} {
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
