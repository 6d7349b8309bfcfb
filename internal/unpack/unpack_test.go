package unpack

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// packed writes "a b\n" in each form that can be written here; bzip2 has no writer in the library.
func packed(t *testing.T) map[string][]byte {
	all := map[string][]byte{}
	for name, open := range map[string]func(w io.Writer) (io.WriteCloser, error){
		"gzip": func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil },
		"zstd": func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) },
		"xz":   func(w io.Writer) (io.WriteCloser, error) { return xz.NewWriter(w) },
	} {
		var b bytes.Buffer
		w, err := open(&b)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, "a b\n")
		w.Close()
		all[name] = b.Bytes()
	}
	text, err := base64.StdEncoding.DecodeString("QlpoOTFBWSZTWQrk7MQAAAFRAAAQQAAwACAAIZpoM00XPF3JFOFCQCuTsxA=")
	if err != nil {
		t.Fatal(err)
	}
	all["bzip2"] = text
	all[""] = []byte("a b\n")
	return all
}

func TestReader(t *testing.T) {
	for name, data := range packed(t) {
		r, form, err := Reader(bufio.NewReader(bytes.NewReader(data)))
		if err != nil || form != name {
			t.Errorf("%s: taken for %q, %v", name, form, err)
			continue
		}
		if text, err := io.ReadAll(r); err != nil || string(text) != "a b\n" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

func TestNotRead(t *testing.T) {
	for _, f := range forms {
		_, _, err := Reader(bufio.NewReader(strings.NewReader(f.magic + "xxxx")))
		if f.open == nil && (err == nil || !strings.Contains(err.Error(), f.name)) {
			t.Errorf("%s: %v", f.name, err)
		}
	}
}

func TestInner(t *testing.T) {
	for file, want := range map[string]string{"a.gml.gz": "a.gml", "a.txt.zst": "a.txt", "a.zip": "a.zip", "a": "a"} {
		if got := Inner(file); got != want {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
}

// FuzzReader unpacks arbitrary bytes.
func FuzzReader(f *testing.F) {
	f.Add([]byte("a b\n"))
	f.Add([]byte("BZh91AY"))
	f.Add([]byte("\x28\xb5\x2f\xfd\x00\x00"))
	f.Add([]byte("\xfd7zXZ\x00\x00\x04"))
	f.Add([]byte("\x1f\x8b\x08\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, packed, err := Reader(bytes.NewReader(data))
		if err != nil {
			return
		}
		n, err := io.Copy(io.Discard, r)
		if err == nil && packed == "" && int(n) != len(data) || n > 2*maxSmall {
			t.Fatalf("%d bytes of %d, packed as %q, %v", n, len(data), packed, err)
		}
	})
}
