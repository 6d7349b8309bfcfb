package format

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestXMLInPieces: a large file read in pieces is what it is read whole, with tokens, characters and line ends that
// pieces part, and one that is wrong far behind is refused at its line.
func TestXMLInPieces(t *testing.T) {
	var b strings.Builder
	b.WriteString("<graphml><key id='w' for='edge' attr.name='weight'/>\r\n<graph edgedefault='undirected'>")
	for k := range 40_000 {
		fmt.Fprintf(&b, "<node id='größe%d'><data key='label'>a &amp; b %d</data></node>\r\n<!-- %s > -->", k, k,
			strings.Repeat("é<x ", k%17))
	}
	b.WriteString("<desc>" + strings.Repeat("long ", pieceSize) + "</desc>")
	for k := range 40_000 {
		fmt.Fprintf(&b, "<edge source = 'größe%d'\n target='größe%d'><data key='w'>%d</data></edge>\n", k,
			k*7%39_999, k)
	}
	good := b.String() + "</graph></graphml>"
	path := filepath.Join(t.TempDir(), "large.graphml")
	write := func(text string) *os.File {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	got, report, ok := readXML(write(good), path, "", Options{})
	if !ok {
		t.Fatal("not read in pieces")
	}
	want, whole, err := Read(strings.NewReader(good), path, "", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(whole, report); d != "" {
		t.Error(d)
	}
	lines := strings.Count(b.String(), "\n") + 1
	for what, bad := range map[string]string{"unexpected EOF": b.String(), "closed by </graf>": b.String() + "</graf>",
		`lacks the attribute "source"`: b.String() + "<edge/></graph></graphml>"} {
		write(bad)
		_, _, err := ReadFile(path, "", Options{})
		at := fmt.Sprintf(":%d: ", lines)
		if err == nil || !strings.Contains(err.Error(), at) || !strings.Contains(err.Error(), what) {
			t.Errorf("found %v, expected line %d: %s", err, lines, what)
		}
	}
	write(b.String() + "\xff</graph></graphml>")
	if _, report, err := ReadFile(path, "", Options{}); err != nil || report.Encoding != "ISO-8859-1" {
		t.Errorf("found %q, %v, expected ISO-8859-1", report.Encoding, err)
	}
}
