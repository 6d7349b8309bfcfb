package caucus_test

import (
	"errors"
	"math"
	"testing"

	"caucus.example/caucus"
)

type size uint16

type config struct {
	Radius float64   `param:"radius"`
	Less   bool      `param:"cmp=lt"`
	Clamp  bool      `param:"clamp"`
	Hops   int       `param:"hops"`
	Size   size      `param:"size"`
	Root   caucus.ID `param:"root"`
	Order  string    `param:"order"`
	Own    int       // no parameter
}

func configSpec() *caucus.Spec {
	return &caucus.Spec{Name: "some", Params: []caucus.Param{
		{Name: "radius", Kind: caucus.KindLength, Default: "inf", Open: true},
		{Name: "cmp", Kind: caucus.KindChoice, Default: "le", Choices: []string{"le", "lt"}},
		{Name: "clamp", Kind: caucus.KindSwitch, Default: "on"},
		{Name: "hops", Kind: caucus.KindInt, Default: "0", Max: 255},
		{Name: "size", Kind: caucus.KindChoice, Default: "2", Choices: []string{"2", "3"}},
		{Name: "root", Kind: caucus.KindInt, Default: "0", Max: 1 << 53},
		{Name: "order", Kind: caucus.KindChoice, Default: "sid", Choices: []string{"sid", "sdi"}},
	}}
}

func TestConfigure(t *testing.T) {
	given := map[string]string{"cmp": "lt", "hops": "7", "size": "3", "root": "9007199254740992", "order": "sdi"}
	for _, c := range []struct {
		given map[string]string
		want  config
	}{
		{nil, config{Radius: math.Inf(1), Clamp: true, Size: 2, Order: "sid", Own: 5}},
		{given, config{Radius: math.Inf(1), Less: true, Clamp: true, Hops: 7, Size: 3, Root: 1 << 53, Order: "sdi",
			Own: 5}},
	} {
		args, err := configSpec().Resolve("", c.given)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := caucus.Fill(config{Own: 5})(args); err != nil || got != c.want {
			t.Errorf("%v: filled %+v, %v", c.given, got, err)
		}
		got, err := caucus.Configure(func(c config) (*config, error) { c.Own = 5; return &c, nil })(args)
		if err != nil || *got != c.want {
			t.Errorf("%v: configured %+v, %v", c.given, got, err)
		}
	}
}

func TestCheck(t *testing.T) {
	good := config{Radius: 1, Size: 2, Order: "sid"}
	for _, c := range []struct {
		change func(*config)
		field  string // "": it is allowed
	}{
		{func(c *config) {}, ""},
		{func(c *config) { c.Radius, c.Hops, c.Size = math.Inf(1), 255, 3 }, ""},
		{func(c *config) { c.Radius = 0 }, "radius"},
		{func(c *config) { c.Radius = math.NaN() }, "radius"},
		{func(c *config) { c.Hops = -1 }, "hops"},
		{func(c *config) { c.Hops = 256 }, "hops"},
		{func(c *config) { c.Size = 4 }, "size"},
		{func(c *config) { c.Order = "" }, "order"},
	} {
		conf := good
		c.change(&conf)
		err := configSpec().Check(conf)
		var field *caucus.FieldError
		if c.field == "" && err != nil || c.field != "" && (!errors.As(err, &field) || field.Field != c.field) {
			t.Errorf("%+v: %v, want an error about %q", conf, err, c.field)
		}
	}
}

// A tag that names nothing and a parameter without a field are mistakes that show at once.
func TestConfigureMistakes(t *testing.T) {
	panics := func(name string, f func()) {
		defer func() {
			if recover() == nil {
				t.Errorf("%s: no panic", name)
			}
		}()
		f()
	}
	s := configSpec()
	args, err := s.Resolve("", nil)
	if err != nil {
		t.Fatal(err)
	}
	panics("a tag without parameter", func() {
		_ = s.Check(struct {
			X int `param:"radios"`
		}{})
	})
	panics("a parameter without field", func() {
		_, _ = caucus.Fill(struct {
			X int `param:"hops"`
		}{})(args)
	})
}
