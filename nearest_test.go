package caucus_test

import (
	"testing"

	"caucus.example/caucus"
)

func TestNearest(t *testing.T) {
	list := []string{"loss", "delay", "seed", "graph-seed", "Wien", "stable-for"}
	for _, c := range []struct{ name, want string }{
		{"los", "loss"},    // one letter missing
		{"dealy", "delay"}, // two swapped
		{"sedd", "seed"},   // one replaced
		{"wien", "Wien"},   // case only
		{"graphseed", "graph-seed"},
		{"stabel-far", "stable-for"}, // 10 letters: up to 3 edits
		{"ab", ""},
		{"9", ""}, // every single letter is one edit away from it
		{"D", ""},

		{"Paris", ""},
		{"", ""},
	} {
		if got := caucus.Nearest(c.name, list); got != c.want {
			t.Errorf("Nearest(%q) = %q, want %q", c.name, got, c.want)
		}
	}
}
