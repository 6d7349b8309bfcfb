package cmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What trace info says of contacts and of places, by hand: a and b meet for 20 s twice, with 60 s between; of the
// places node 0 moves 10 in 5 s and node 1 stands, always within 20 of each other.
func TestTraceInfo(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	contacts := write("c.txt", "0 a b\n20 a b\n40 c d\n100 a b\n")
	places := write("p.movements", "0 0 0 5 10 0\n0 5 5 5 5 5\n")
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"trace", "info", contacts}, []string{"tij, contacts", "3 of 2 pairs", "contact lasts  20 s",
			"40 s without any contact", "nodes=4 duration=120 records=4 contacts=3"}},
		{[]string{"trace", "info", contacts, "--contact-duration", "50s"}, []string{"50 s, of which",
			"10 s without any"}},
		{[]string{"trace", "info", places, "--range", "20"}, []string{"bonnmotion, places", "1.000 within 20",
			"2 at most"}},
		{[]string{"trace", "info", places, "--json"}, []string{`"kind": "places"`, `"duration_s": 5`}},
	} {
		code, out, said := caucusRun(t, c.args...)
		if code != 0 {
			t.Errorf("%v: exit code %d, %s", c.args, code, said)
		}
		for _, want := range c.want {
			if !strings.Contains(out, want) {
				t.Errorf("%v: %q is not in\n%s", c.args, want, out)
			}
		}
	}
	if code, _, said := caucusRun(t, "trace", "info", write("x.txt", "what is this\n")); code != 2 ||
		!strings.Contains(said, "movements-format") {
		t.Errorf("a text that is no trace: exit code %d, %s", code, said)
	}
}
