package format

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

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

// FuzzOptions reads arbitrary bytes with the options that choose edges, names and columns.
func FuzzOptions(f *testing.F) {
	for _, c := range small {
		f.Add([]byte(c.text), "type=a", "vpn", "-90", "source", "weight", true)
	}
	f.Add([]byte("a,b,c\n1,2,3\n"), "c=3", "", "", "a", "c", false)
	f.Fuzz(func(t *testing.T, data []byte, where, without, gain, source, weight string, flag bool) {
		o := Options{Where: where, Without: without, MinGain: gain, Lenient: flag, Clique: flag, Weight: weight}
		if source != "" {
			o.Source, o.Target = source, "target"
		}
		g, _, err := Read(bytes.NewReader(data), "f", "", o)
		if err != nil && g != nil {
			t.Fatalf("graph %v with the error %v", g, err)
		}
		if err != nil {
			return
		}
		for _, w := range g.Weight {
			if math.IsInf(w, 0) {
				t.Fatal("an infinite weight")
			}
		}
	})
}

// FuzzNodeFile reads arbitrary bytes as the file of nodes beside a list of edges.
func FuzzNodeFile(f *testing.F) {
	f.Add("Id,Label\na,x\nb,y\n", false)
	f.Add("Id\tLabel\n\"a\"\tx\n", true)
	f.Add(`{"nodes":[{"nodeinfo":{"node_id":"a","hostname":"h","location":{"longitude":1,"latitude":2}}}]}`, true)
	path := filepath.Join(f.TempDir(), "nodes.csv") // one a process: a folder for each text took most of the time
	f.Fuzz(func(t *testing.T, text string, lenient bool) {
		if len(text) > 1<<12 {
			return
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		g, _, err := Read(strings.NewReader("a b\n"), "f", "", Options{Nodes: path, Lenient: lenient})
		if err == nil && g.Len() < 2 {
			t.Fatalf("%d nodes", g.Len())
		}
	})
}

// FuzzNumbers: what the reader of plain numbers takes, the reader of all edge lists reads the same.
func FuzzNumbers(f *testing.F) {
	f.Add([]byte("# c\n1 2\r\n2\t30\n"))
	f.Add([]byte("1 2 \n\n4294967295 0\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		p := piece{text: text}
		if p.parse(); !p.plain || len(p.ends) == 0 {
			return
		}
		g, r, err := Read(bytes.NewReader(text), "f.txt", EdgeList, Options{})
		if err != nil || r.Merged.Records != len(p.ends)/2 {
			t.Fatalf("%d records in pieces, %+v whole, %v", len(p.ends)/2, r.Merged, err)
		}
		if a, b := g.NodeName(0), strconv.FormatUint(uint64(p.ends[0]), 10); a != b {
			t.Fatalf("the first node is %s in pieces and %s whole", b, a)
		}
	})
}

// FuzzXMLInPieces: XML that comes in two pieces is what it is whole.
func FuzzXMLInPieces(f *testing.F) {
	for _, c := range small {
		if c.want == GraphML || c.want == GEXF {
			f.Add(c.text, uint16(len(c.text)/2))
		}
	}
	f.Fuzz(func(t *testing.T, text string, at uint16) {
		for _, k := range []*kind{&kindGraphML, &kindGEXF} {
			whole := &draft{kind: k, file: "f", size: len(text)}
			errWhole := k.read(whole, text)
			cut := min(int(at), len(text))
			if cut < len(text) && text[cut] >= utf8.RuneSelf || cut > 0 && text[cut-1] >= utf8.RuneSelf {
				return // a piece ends behind an ASCII character
			}
			rest := []string{text[cut:]}
			parted := &draft{kind: k, file: "f", size: len(text), more: func() (string, bool) {
				if len(rest) == 0 {
					return "", false
				}
				defer func() { rest = nil }()
				return rest[0], true
			}}
			if err := k.read(parted, text[:cut]); (err == nil) != (errWhole == nil) {
				t.Fatalf("whole: %v, in pieces: %v", errWhole, err)
			}
			if errWhole == nil && (whole.n != parted.n || len(whole.edges) != len(parted.edges)) {
				t.Fatalf("%d nodes, %d edges; in pieces %d, %d", whole.n, len(whole.edges), parted.n, len(parted.edges))
			}
		}
	})
}

// FuzzExpression works out arbitrary expressions of NED.
func FuzzExpression(f *testing.F) {
	for _, text := range []string{"(i+1)%n", "2^h-1", "i!=j && !(i<3) ? sizeof(v) : int(1.5)", "n#(1<<2)", "-2/0"} {
		f.Add(text, text)
	}
	f.Fuzz(func(t *testing.T, text, other string) {
		s := &nedScope{params: map[string]string{"n": other, "h": "n+1"}, sizes: map[string]float64{"v": 3},
			loops: map[string]float64{"i": 1, "j": 2}, known: map[string]float64{}, read: map[string][]string{}}
		if x, err := s.integer(text); err == nil && (x > 1<<31 || x < -1<<31) {
			t.Fatalf("%s is %d", text, x)
		}
	})
}
