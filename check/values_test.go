package check

import (
	"math"
	"reflect"
	"testing"
	"unsafe"
)

type nested struct {
	Name  string
	Rows  [][]int16
	Point [2]struct{ X float64 }
	Flags []bool
}

// Values are the same when an algorithm cannot tell them apart, and only then: an empty slice is not none, 0 is -0.
func TestDeepValues(t *testing.T) {
	zero := math.Copysign(0, -1)
	full := func() nested {
		return nested{Name: "a", Rows: [][]int16{{1, 2}, {}, nil}, Flags: make([]bool, 2, 9)}
	}
	with := func(change func(n *nested)) nested {
		n := full()
		change(&n)
		return n
	}
	p, err := newLexicon(reflect.TypeFor[nested]())
	if err != nil {
		t.Fatal(err)
	}
	v := full()
	first := p.number(unsafe.Pointer(&v))
	for name, c := range map[string]struct {
		v    nested
		same bool
	}{
		"a copy":          {full(), true},
		"negative zero":   {with(func(n *nested) { n.Point[1].X = zero }), true},
		"another room":    {with(func(n *nested) { n.Flags = make([]bool, 2) }), true},
		"another name":    {with(func(n *nested) { n.Name = "b" }), false},
		"another number":  {with(func(n *nested) { n.Rows[0][1] = 3 }), false},
		"another length":  {with(func(n *nested) { n.Rows[0] = n.Rows[0][:1] }), false},
		"none for empty":  {with(func(n *nested) { n.Rows[1] = nil }), false},
		"empty for none":  {with(func(n *nested) { n.Rows[2] = []int16{} }), false},
		"a switched flag": {with(func(n *nested) { n.Flags[1] = true }), false},
	} {
		if got := p.number(unsafe.Pointer(&c.v)) == first; got != c.same {
			t.Errorf("%s: same %v", name, got)
		}
	}
}

// What a value in the pool refers to is nobody else's: neither who gave it nor who gets it can change it, nor append
// into it.
func TestPoolOwns(t *testing.T) {
	p, err := newLexicon(reflect.TypeFor[nested]())
	if err != nil {
		t.Fatal(err)
	}
	mine := nested{Rows: [][]int16{{1, 2}}, Flags: make([]bool, 1, 4)}
	k := p.number(unsafe.Pointer(&mine))
	mine.Rows[0][0] = 7
	for range 2 {
		var got nested
		p.get(k, unsafe.Pointer(&got))
		if got.Rows[0][0] != 1 || cap(got.Flags) != 1 || cap(got.Rows) != 1 {
			t.Fatalf("%+v with room for %d flags", got, cap(got.Flags))
		}
		got.Rows[0][1], got.Flags[0] = 9, true
		got.Rows = append(got.Rows, nil)
	}
	same := nested{Rows: [][]int16{{1, 2}}, Flags: []bool{false}}
	if p.number(unsafe.Pointer(&same)) != k || p.count != 1 {
		t.Errorf("%d values", p.count)
	}
}

// A pointer, map or interface may lead anywhere, and for rounds so may a slice.
func TestRefusedTypes(t *testing.T) {
	if _, err := newLexicon(reflect.TypeFor[struct{ P *int }]()); err == nil {
		t.Error("a pointer")
	}
	if _, err := newLexicon(reflect.TypeFor[struct{ A []struct{ M map[int]int } }]()); err == nil {
		t.Error("a map in a slice")
	}
	if _, err := plainLayoutOf(reflect.TypeFor[struct{ S []int }]()); err == nil {
		t.Error("a slice for rounds")
	}
}
