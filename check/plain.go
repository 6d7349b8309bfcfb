package check

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unsafe"

	"caucus.example/caucus"
)

// Values of states and messages as text: the fields that are not zero, as "Lead.ID=3,Dist=1.5,Best[2]=7", with the
// lengths of slices as "Ports#=2" before their elements; "-" when there are none.

// plainText writes a value of numbers, and slices of them.
func plainText(v any) string {
	var words []string
	eachLeaf(reflect.ValueOf(v), "", func(path string, leaf reflect.Value) {
		if leaf.Kind() == reflect.Slice {
			words = append(words, fmt.Sprintf("%s#=%d", path, leaf.Len()))
			return
		}
		if text := leafText(leaf); !leaf.IsZero() && text != "0" && text != "-0" {
			words = append(words, path+"="+text)
		}
	})
	if words == nil {
		return "-"
	}
	return strings.Join(words, ",")
}

// eachLeaf visits the fields that hold numbers, and before its elements each slice that is not empty.
func eachLeaf(v reflect.Value, path string, visit func(path string, leaf reflect.Value)) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; name != "_" {
				eachLeaf(v.Field(i), strings.TrimPrefix(path+"."+name, "."), visit)
			}
		}
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.Len() > 0 {
			visit(path, v)
		}
		for i := range v.Len() {
			eachLeaf(v.Index(i), fmt.Sprintf("%s[%d]", path, i), visit)
		}
	default:
		visit(path, v)
	}
}

func leafText(v reflect.Value) string {
	switch {
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10)
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10)
	case v.CanFloat():
		return strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits())
	case v.Kind() == reflect.Bool:
		return strconv.FormatBool(v.Bool())
	}
	return "?" // no checker takes the type
}

// maxSlice bounds the slices that a text may ask for.
const maxSlice = 1 << 10

// readPlain reads what plainText writes into the zero value that v points to.
func readPlain(text string, v any) error {
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
			eachLeaf(top, "", func(path string, _ reflect.Value) { names = append(names, path) })
			return caucus.NotAmong("replay", name, names)
		case long && (err != nil || n > maxSlice):
			return caucus.Wrong("replay", word, fmt.Sprintf("a length of at most %d", maxSlice))
		case long:
			leaf.Set(reflect.MakeSlice(leaf.Type(), int(n), int(n)))
			continue
		}
		if err := readLeaf(value, leaf); err != nil {
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

func readLeaf(text string, v reflect.Value) error {
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
