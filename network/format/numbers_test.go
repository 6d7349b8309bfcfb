package format

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNumbers: a large list of numbers is read in pieces as it is read whole, and anything else in it is seen.
func TestNumbers(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("# c\r\n7\t9\r\n")
	for k := range 110_000 {
		fmt.Fprintf(&b, "%d %d\n", (k*7919)%20_001, (k*104_729+1)%20_001)
		if k%1000 == 0 {
			fmt.Fprintf(&b, "\n%% c\n%d\t\t%d\n", 1<<24+k, k)
		}
	}
	text := b.String()
	for _, c := range []struct {
		name, text string
		quick      bool
	}{
		{"plain", text, true},
		{"no line end at the end", strings.TrimSpace(text), true},
		{"a weight", text + "1 2 3\n", false},
		{"a name", text + "a b\n", false},
		{"one number", text + "1\n", false},
		{"a zero in front", text + "01 2\n", false},
		{"a comma", text + "1,2\n", false},
		{"too large", text + "1 4294967296\n", false},
	} {
		path := filepath.Join(t.TempDir(), "a.txt")
		if err := os.WriteFile(path, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		_, _, quick := readNumbers(file, path, "", Options{})
		file.Close()
		if quick != c.quick {
			t.Errorf("%s: read in pieces: %v", c.name, quick)
		}
		g, r, err1 := ReadFile(path, "", Options{})
		h, s, err2 := Read(strings.NewReader(c.text), path, "", Options{})
		if (err1 == nil) != (err2 == nil) {
			t.Errorf("%s: %v, whole %v", c.name, err1, err2)
			continue
		}
		if err1 == nil && (picture(g) != picture(h) || fmt.Sprint(r) != fmt.Sprint(s) || g.Name != h.Name) {
			t.Errorf("%s: differs; %+v, whole %+v", c.name, r, s)
		}
	}
}
