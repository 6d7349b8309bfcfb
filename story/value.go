package story

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"caucus.example/caucus"
)

// Value is a picture of a plain value, such as a state or a message, that stays as it is while the value changes: a
// leaf, or the fields of a struct or elements of a list.
type Value struct {
	Name   string // of a field
	Leaf   any    // string, bool, int64, uint64, float32 or float64 of a leaf; nil of anything else
	Text   string // what people call it, where it has a name of its own
	Fields []Value
	list   bool
	slice  bool   // a list of any length
	plain  string // of one that was read: Plain
}

const maxDepth = 8

// ValueOf takes the picture of a value, unexported fields included. Pointers are followed.
func ValueOf(v any) Value { return valueOf(reflect.ValueOf(v), 0) }

func valueOf(v reflect.Value, depth int) (d Value) {
	if !v.IsValid() || depth > maxDepth {
		return Value{Leaf: "…"}
	}
	if v.Type() == reflect.TypeFor[caucus.Role]() {
		d.Text = caucus.Role(v.Uint()).String()
	} else if v.CanInterface() && v.Kind() != reflect.Pointer {
		if s, ok := v.Interface().(fmt.Stringer); ok {
			d.Text = s.String()
		}
	}
	switch v.Kind() {
	case reflect.Bool:
		d.Leaf = v.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		d.Leaf = v.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		d.Leaf = v.Uint()
	case reflect.Float32:
		d.Leaf = float32(v.Float())
	case reflect.Float64:
		d.Leaf = v.Float()
	case reflect.String:
		d.Leaf = v.String()
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return Value{Leaf: "nil"}
		}
		return valueOf(v.Elem(), depth+1)
	case reflect.Struct, reflect.Slice, reflect.Array, reflect.Map:
		d.fill(v, depth+1)
	default:
		d.Leaf = "…"
	}
	return d
}

// fill takes the pictures of what a value holds.
func (d *Value) fill(v reflect.Value, depth int) {
	d.slice = v.Kind() == reflect.Slice
	d.list = d.slice || v.Kind() == reflect.Array
	add := func(name string, v reflect.Value) {
		f := valueOf(v, depth)
		f.Name = name
		d.Fields = append(d.Fields, f)
	}
	switch {
	case d.list:
		for k := range v.Len() {
			add("", v.Index(k))
		}
	case v.Kind() == reflect.Struct:
		for k := range v.NumField() {
			if name := v.Type().Field(k).Name; name != "_" {
				add(name, v.Field(k))
			}
		}
	default:
		for _, key := range v.MapKeys() {
			add(valueOf(key, depth).String(), v.MapIndex(key))
		}
		slices.SortFunc(d.Fields, func(a, b Value) int { return strings.Compare(a.Name, b.Name) })
	}
}

// String writes a value as {Min:3 Role:leader}, lists as [1 2].
func (d Value) String() string {
	return d.nested(" ", func(name string) string { return name + ":" }, func(v *Value) string {
		text, ok := v.Leaf.(string)
		switch {
		case v.Text != "":
			text = v.Text
		case !ok:
			return leafText(v.Leaf, -1)
		}
		if text == "" || strings.ContainsAny(text, " {}[]\"\n\t") {
			return strconv.Quote(text)
		}
		return text
	})
}

// MarshalJSON writes a value as an object whose fields keep their order, or as an array.
func (d Value) MarshalJSON() ([]byte, error) {
	encode := func(x any) string {
		text, err := json.Marshal(x)
		if err != nil { // JSON has no infinity
			text, _ = json.Marshal(fmt.Sprint(x))
		}
		return string(text)
	}
	return []byte(d.nested(",", func(name string) string { return encode(name) + ":" }, func(v *Value) string {
		if v.Text != "" {
			return encode(v.Text)
		}
		return encode(v.Leaf)
	})), nil
}

// nested writes a value with a comma between its fields.
func (d *Value) nested(comma string, name func(string) string, leaf func(*Value) string) string {
	if d.Leaf != nil || d.Text != "" {
		return leaf(d)
	}
	var fields []string
	for k := range d.Fields {
		text := d.Fields[k].nested(comma, name, leaf)
		if !d.list {
			text = name(d.Fields[k].Name) + text
		}
		fields = append(fields, text)
	}
	if d.list {
		return "[" + strings.Join(fields, comma) + "]"
	}
	return "{" + strings.Join(fields, comma) + "}"
}

// leafText writes a leaf, numbers that are not whole with so many digits; -1: as many as they have.
func leafText(x any, digits int) string {
	switch x := x.(type) {
	case float64:
		return strconv.FormatFloat(x, 'g', digits, 64)
	case float32:
		return strconv.FormatFloat(float64(x), 'g', digits, 32)
	}
	return fmt.Sprint(x)
}

// each visits the leaves by their paths, and before its elements each slice.
func (d *Value) each(path string, visit func(path string, v *Value)) {
	if d.Leaf != nil || d.slice {
		visit(path, d)
	}
	for k := range d.Fields {
		f := &d.Fields[k]
		if d.list {
			f.each(fmt.Sprintf("%s[%d]", path, k), visit)
		} else {
			f.each(strings.TrimPrefix(path+"."+f.Name, "."), visit)
		}
	}
}

// Plain writes a value of numbers, and slices of them, in one word that Set reads: the fields that are not zero, as
// "Lead.ID=3,Dist=1.5,Best[2]=7", with the lengths of slices as "Ports#=2" before their elements; "-" if there are
// none.
func (d *Value) Plain() string {
	if d.plain != "" {
		return d.plain
	}
	var parts []string
	d.each("", func(path string, v *Value) {
		switch text := leafText(v.Leaf, -1); {
		case v.slice && len(v.Fields) > 0:
			parts = append(parts, fmt.Sprintf("%s#=%d", path, len(v.Fields)))
		case !v.slice && text != "0" && text != "-0" && text != "false":
			parts = append(parts, path+"="+text)
		}
	})
	if parts == nil {
		return "-"
	}
	return strings.Join(parts, ",")
}

// flat gives the names and the texts of the leaves; a slice is one of them.
func (d *Value) flat() (names, texts []string) {
	add := func(path string, v *Value) {
		switch {
		case v.slice:
			var items []string
			for k := range v.Fields {
				_, texts := v.Fields[k].flat()
				items = append(items, strings.Join(texts, "/"))
			}
			texts = append(texts, "["+strings.Join(items, " ")+"]")
		case leafText(v.Leaf, -1) == "-0":
			texts = append(texts, "0")
		default:
			texts = append(texts, leafText(v.Leaf, 6))
		}
		names = append(names, path)
	}
	within := "" // a slice
	d.each("", func(path string, v *Value) {
		if within == "" || !strings.HasPrefix(path, within+"[") {
			add(path, v)
			within = ""
			if v.slice {
				within = path
			}
		}
	})
	return names, texts
}

// maxSlice bounds the slices that a text may ask for.
const maxSlice = 1 << 10

// Set makes what v points to what Plain has written.
func Set(text string, v any) error {
	reflect.ValueOf(v).Elem().SetZero()
	if text == "-" {
		return nil
	}
	top := reflect.ValueOf(v).Elem()
	for _, word := range strings.Split(text, ",") {
		name, value, ok := strings.Cut(word, "=")
		if !ok {
			return caucus.Wrong("replay", word, "field=value")
		}
		path, long := strings.CutSuffix(name, "#")
		leaf, known := find(top, path)
		switch n, err := strconv.ParseUint(value, 10, 16); {
		case !known || long != (leaf.Kind() == reflect.Slice):
			var names []string
			d := ValueOf(v)
			d.each("", func(path string, _ *Value) { names = append(names, path) })
			return caucus.NotAmong("replay", name, names)
		case long && (err != nil || n > maxSlice):
			return caucus.Wrong("replay", word, fmt.Sprintf("a length of at most %d", maxSlice))
		case long:
			leaf.Set(reflect.MakeSlice(leaf.Type(), int(n), int(n)))
			continue
		}
		if err := setLeaf(value, leaf); err != nil {
			return caucus.Wrong("replay", word, name+"= and a value of "+leaf.Kind().String())
		}
	}
	return nil
}

// find gives the field, element or slice at a path so that it can be set, unexported ones too.
func find(v reflect.Value, path string) (reflect.Value, bool) {
	for path != "" {
		end := strings.IndexAny(path[1:], ".[") + 1
		if end == 0 {
			end = len(path)
		}
		part := path[:end]
		path = strings.TrimPrefix(path[end:], ".")
		index, isIndex := strings.CutPrefix(part, "[")
		switch k, err := strconv.Atoi(strings.TrimSuffix(index, "]")); {
		case isIndex && err == nil && (v.Kind() == reflect.Slice || v.Kind() == reflect.Array) && k >= 0 && k < v.Len():
			v = v.Index(k)
		case !isIndex && v.Kind() == reflect.Struct && part != "_" && v.FieldByName(part).IsValid():
			v = v.FieldByName(part)
		default:
			return v, false
		}
		v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
	}
	return v, v.Kind() != reflect.Struct && v.Kind() != reflect.Array
}

func setLeaf(text string, v reflect.Value) error {
	switch {
	case v.CanInt():
		x, err := strconv.ParseInt(text, 10, v.Type().Bits())
		v.SetInt(x)
		return err
	case v.CanUint():
		x, err := strconv.ParseUint(text, 10, v.Type().Bits())
		v.SetUint(x)
		return err
	case v.CanFloat():
		x, err := strconv.ParseFloat(text, v.Type().Bits())
		v.SetFloat(x)
		return err
	case v.Kind() == reflect.Bool:
		x, err := strconv.ParseBool(text)
		v.SetBool(x)
		return err
	}
	return fmt.Errorf("a %s", v.Kind())
}
