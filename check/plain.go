package check

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unsafe"

	"caucus"
)

// Values of states and messages as text: the fields that are not zero, as "Lead.ID=3,Dist=1.5,Best[2]=7"; "-" when all are.

// plainText writes a value that holds numbers only.
func plainText(v any) string {
	var words []string
	eachLeaf(reflect.ValueOf(v), "", func(path string, leaf reflect.Value) {
		if text := leafText(leaf); !leaf.IsZero() && text != "0" && text != "-0" {
			words = append(words, path+"="+text)
		}
	})
	if words == nil {
		return "-"
	}
	return strings.Join(words, ",")
}

func eachLeaf(v reflect.Value, path string, visit func(path string, leaf reflect.Value)) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; name != "_" {
				eachLeaf(v.Field(i), strings.TrimPrefix(path+"."+name, "."), visit)
			}
		}
	case reflect.Array:
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

// readPlain reads what plainText writes into the value that v points to.
func readPlain(text string, v any) error {
	leaves := map[string]reflect.Value{}
	var names []string
	eachLeaf(reflect.ValueOf(v).Elem(), "", func(path string, leaf reflect.Value) {
		names = append(names, path)
		leaves[path] = reflect.NewAt(leaf.Type(), unsafe.Pointer(leaf.UnsafeAddr())).Elem() // unexported ones can be set so, too
	})
	if text == "-" {
		return nil
	}
	for _, word := range strings.Split(text, ",") {
		name, value, ok := strings.Cut(word, "=")
		leaf, known := leaves[name]
		switch {
		case !ok:
			return &caucus.FieldError{Field: "replay", Found: word, Allowed: "field=value"}
		case !known:
			return caucus.NotAmong("replay", name, names)
		}
		if err := readLeaf(value, leaf); err != nil {
			return &caucus.FieldError{Field: "replay", Found: word, Allowed: name + "= and a value of " + leaf.Kind().String()}
		}
	}
	return nil
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
