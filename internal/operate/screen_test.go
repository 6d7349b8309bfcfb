package operate

import (
	"slices"
	"strings"
	"testing"
)

// A terminal that is too small must not be drawn over.
func TestFit(t *testing.T) {
	table := "ab\ncdefgh\nij\nkl\n"
	for _, c := range []struct {
		width, height int
		want          []string
	}{
		{80, 10, []string{"ab", "cdefgh", "ij", "kl"}},
		{4, 10, []string{"ab", "cdef", "ij", "kl"}},
		{80, 3, []string{"ab", "cdefgh", "… 2 more"}},
	} {
		got := strings.Split(strings.TrimSuffix(fit(table, c.width, c.height), "\n"), "\n")
		if !slices.Equal(got, c.want) {
			t.Errorf("%d × %d: %q, want %q", c.width, c.height, got, c.want)
		}
	}
}
