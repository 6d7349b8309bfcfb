package lease

import (
	"errors"
	"testing"
	"time"

	"caucus.example/caucus"
)

// A grant of 3 s binds its holder for 3 s * 0.99 / 1.01 of its own, from when it asked; the right ends with the grant
// of the last that makes a majority.
func TestUntil(t *testing.T) {
	r := Rules{Members: []caucus.ID{1, 2, 3, 4, 5}, Size: 5, For: 3 * time.Second, Drift: 0.01}
	c := NewClaim(&r)
	first := c.Ask(10 * time.Second)
	second := c.Ask(11 * time.Second)
	c.Granted(1, second)
	c.Granted(2, first)
	c.Granted(9, second) // no member
	c.Granted(2, first)  // the same once more
	if _, ok := c.Until(); ok {
		t.Error("two of five are a majority")
	}
	c.Granted(3, second)
	until, ok := c.Until()
	if want := 12940594059 * time.Nanosecond; !ok || until != want {
		t.Errorf("%v %v, want %v: 10 s and 2.940594059", until, ok, want)
	}
	c.Granted(2, second)
	if until, _ := c.Until(); until != 13940594059*time.Nanosecond || !c.Holds(until-1) || c.Holds(until) {
		t.Errorf("renewed: %v", until)
	}
	c.Granted(4, 99) // never asked for
	c.Ask(20 * time.Second)
	c.Granted(4, second) // asked too long ago
	if until, _ := c.Until(); until != 13940594059*time.Nanosecond {
		t.Errorf("after late grants: %v", until)
	}
}

// A member promises nothing before any promise of a former life is over, then to one at a time.
func TestGranter(t *testing.T) {
	r := Rules{Size: 3, For: 3 * time.Second}
	a, b := Holder{1, 7}, Holder{1, 8} // two lives of one node are two holders
	g := NewGranter(&r, time.Second)
	for _, step := range []struct {
		at   time.Duration
		to   Holder
		want bool
	}{
		{3999 * time.Millisecond, a, false}, {4 * time.Second, a, true}, {5 * time.Second, b, false},
		{6 * time.Second, a, true},
		{8999 * time.Millisecond, b, false}, {9 * time.Second, b, true}, {9 * time.Second, a, false},
	} {
		if got := g.Grant(step.at, step.to); got != step.want {
			t.Errorf("%v at %v: %t", step.to, step.at, got)
		}
	}
}

func TestCheck(t *testing.T) {
	for field, r := range map[string]Rules{
		"size": {Size: 16, For: 1}, "members": {Size: 3, Members: []caucus.ID{1}, For: 1},
		"for":   {Size: 3, For: 2 * time.Hour},
		"drift": {Size: 3, For: 1, Drift: 0.6},
	} {
		var wrong *caucus.FieldError
		if err := r.Check(); !errors.As(err, &wrong) || wrong.Field != field {
			t.Errorf("%v, want one about %s", err, field)
		}
	}
}
