package sim

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"caucus.example/caucus"
)

// Dump is a picture of a plain value, such as a state or a message, that stays as it
// is while the value changes: a leaf with a text, or the fields of a struct or elements of a list.
type Dump struct {
	Name   string // of a field
	Leaf   any    // string, bool, int64, uint64 or float64 of a leaf; nil of anything else
	Fields []Dump
	list   bool
}

const maxDepth = 8

// DumpOf takes the picture of a value, unexported fields included. Pointers are followed.
func DumpOf(v any) Dump { return dump(reflect.ValueOf(v), 0) }

func dump(v reflect.Value, depth int) (d Dump) {
	if !v.IsValid() || depth > maxDepth {
		return Dump{Leaf: "…"}
	}
	if v.Type() == reflect.TypeFor[caucus.Role]() {
		return Dump{Leaf: caucus.Role(v.Uint()).String()}
	}
	if v.CanInterface() {
		if s, ok := v.Interface().(fmt.Stringer); ok && v.Kind() != reflect.Pointer {
			return Dump{Leaf: s.String()}
		}
	}
	switch v.Kind() {
	case reflect.Bool:
		d.Leaf = v.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		d.Leaf = v.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		d.Leaf = v.Uint()
	case reflect.Float32, reflect.Float64:
		d.Leaf = v.Float()
	case reflect.String:
		d.Leaf = v.String()
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			d.Leaf = "nil"
			return d
		}
		return dump(v.Elem(), depth+1)
	case reflect.Struct:
		for k := range v.NumField() {
			if name := v.Type().Field(k).Name; name != "_" {
				f := dump(v.Field(k), depth+1)
				f.Name = name
				d.Fields = append(d.Fields, f)
			}
		}
	case reflect.Slice, reflect.Array:
		d.list = true
		for k := range v.Len() {
			d.Fields = append(d.Fields, dump(v.Index(k), depth+1))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			f := dump(v.MapIndex(key), depth+1)
			f.Name = dump(key, depth+1).String()
			d.Fields = append(d.Fields, f)
		}
		slices.SortFunc(d.Fields, func(a, b Dump) int { return strings.Compare(a.Name, b.Name) })
	default:
		d.Leaf = "…"
	}
	return d
}

// String writes a dump as {Min:3 Role:leader}, lists as [1 2].
func (d Dump) String() string {
	var b strings.Builder
	d.write(&b)
	return b.String()
}

func (d Dump) write(b *strings.Builder) {
	switch x := d.Leaf.(type) {
	case nil:
		open, end := byte('{'), byte('}')
		if d.list {
			open, end = '[', ']'
		}
		b.WriteByte(open)
		for k, f := range d.Fields {
			if k > 0 {
				b.WriteByte(' ')
			}
			if !d.list {
				b.WriteString(f.Name + ":")
			}
			f.write(b)
		}
		b.WriteByte(end)
	case float64:
		b.WriteString(strconv.FormatFloat(x, 'g', -1, 64))
	case string:
		if x == "" || strings.ContainsAny(x, " {}[]\"\n\t") {
			x = strconv.Quote(x)
		}
		b.WriteString(x)
	default:
		fmt.Fprint(b, x)
	}
}

// MarshalJSON writes a dump as an object whose fields keep their order, or as an array.
func (d Dump) MarshalJSON() ([]byte, error) {
	if x, ok := d.Leaf.(float64); ok && (x != x || x-x != 0) {
		return json.Marshal(fmt.Sprint(x)) // JSON has no infinity
	}
	if d.Leaf != nil {
		return json.Marshal(d.Leaf)
	}
	var b bytes.Buffer
	open, end := byte('{'), byte('}')
	if d.list {
		open, end = '[', ']'
	}
	b.WriteByte(open)
	for k, f := range d.Fields {
		if k > 0 {
			b.WriteByte(',')
		}
		if !d.list {
			name, _ := json.Marshal(f.Name) // a string
			b.Write(append(name, ':'))
		}
		text, err := f.MarshalJSON()
		if err != nil {
			return nil, err
		}
		b.Write(text)
	}
	b.WriteByte(end)
	return b.Bytes(), nil
}
