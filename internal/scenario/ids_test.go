package scenario

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caucus.example/caucus"
)

func TestIDs(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("five.txt", "# of five nodes\n7\n3 # the second\n\n7\n0\n18446744073709551615\n")
	write("short.txt", "1\n2\n")
	write("long.txt", "1\n2\n3\n4\n5\n6\n")
	write("word.txt", "1\ntwo\n")
	resolve := func(ids, seed string) ([]caucus.ID, error) {
		s, err := Parse(filepath.Join(dir, "s.yaml"), []byte("topology: ring:5\nseed: "+seed+"\nids: "+ids))
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Resolve()
		if err != nil {
			return nil, err
		}
		return r.Config.IDs, nil
	}
	for ids, want := range map[string][]caucus.ID{
		"increasing": nil, "decreasing": {5, 4, 3, 2, 1}, "five.txt": {7, 3, 7, 0, 18446744073709551615},
	} {
		if got, err := resolve(ids, "1"); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v", ids, got, err)
		}
	}
	for ids, want := range map[string]string{
		"short.txt": "short.txt: 2 IDs for 5 nodes", "long.txt": "long.txt:6: more IDs than nodes; there are 5",
		"word.txt": `word.txt:2: id: found "two", allowed: a whole number from 1`,
		"rising":   `ids: found "rising", allowed: increasing, decreasing, random or a file that can be read`,
	} {
		if _, err := resolve(ids, "1"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", ids, err, want)
		}
	}
	one, _ := resolve("random", "1")
	again, _ := resolve("random", "1")
	other, _ := resolve("random", "3")
	sorted := slices.Sorted(slices.Values(one))
	if !slices.Equal(one, again) || slices.Equal(one, other) || !slices.Equal(sorted, []caucus.ID{1, 2, 3, 4, 5}) {
		t.Errorf("random: %v, %v, with another seed %v", one, again, other)
	}
}
