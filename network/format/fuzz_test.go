package format

import (
	"bytes"
	"strings"
	"testing"

	"caucus.example/caucus/network"
)

// FuzzRead reads arbitrary bytes as each format, or lets the content decide. What is read must be a proper simple graph
// with distinct names, which reads back from GraphML unless its names cannot be written.
func FuzzRead(f *testing.F) {
	formats := append(Formats(), "")
	number := map[Format]uint8{}
	for k, format := range formats {
		number[format] = uint8(k)
	}
	for _, c := range small {
		f.Add(number[c.want], []byte(c.text))
		f.Add(number[""], []byte(c.text))
	}
	for _, c := range malformed {
		f.Add(number[c.format], []byte(c.text))
	}
	f.Add(number[""], []byte("\xff\xfe<\x00"))
	f.Add(number[""], []byte("\x1f\x8b"))
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		g, r, err := Read(bytes.NewReader(data), "f", formats[int(which)%len(formats)], Options{})
		if err != nil {
			if g != nil || !strings.HasPrefix(err.Error(), "f:") {
				t.Fatalf("graph %v with the error %v", g, err)
			}
			return
		}
		if r.Merged.Records != r.Merged.SelfLoops+r.Merged.Repeats+g.Edges() {
			t.Fatalf("%+v, but %d edges", r.Merged, g.Edges())
		}
		if _, err := network.Names(g); err != nil {
			t.Fatal(err)
		}
		if g.Len() > 10000 {
			return
		}
		var b bytes.Buffer
		if Write(&b, g, GraphML) != nil {
			return
		}
		if again, _, err := Read(&b, "again", GraphML, Options{}); err != nil || again.Len() != g.Len() ||
			again.Edges() != g.Edges() {
			t.Fatalf("does not read back: %v", err)
		}
	})
}
