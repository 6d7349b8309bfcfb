package cmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a person tries first and what must be refused, by name of what was found and what is allowed.
func TestRefusedAtOnce(t *testing.T) {
	dir := t.TempDir()
	twoParts := filepath.Join(dir, "two.edgelist")
	if err := os.WriteFile(twoParts, []byte("a b\nc d\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"run /dev/zero": "allowed: a regular file",
		"check --algo yo-yo --topology " + twoParts:                 `no path from node "a" to node "c"`,
		"run --algo yo-yo --topology " + twoParts:                   `no path from node "a" to node "c"`,
		"up --algo yo-yo --topology " + twoParts:                    `no path from node "a" to node "c"`,
		"check --algo mo --topology line:3 --nodes 4":               "nothing together with --topology",
		"check --algo mo --topology line:3 --strengths 1":           "nothing together with --topology",
		"check --algo mo --metric hops":                             "nothing without --topology",
		"check --algo waves -o x.md":                                "nothing without --all",
		"check --algo waves --force":                                "nothing without --all",
		"check --all -o verdicts.txt":                               "ends in .md",
		"check --all --corrupted 1":                                 "nothing with --all",
		"run --topology ring:5 --radius 2 --param radius=3":         "together with --radius",
		"tune --topology ring:6 -o x.foo":                           "ends in .svg, .png or .pdf",
		"run --topology line:3 --fault at:3,kind:loss,links:[1->3]": "fault",
	} {
		if code, _, logs := caucusRun(t, strings.Fields(args)...); code != exitMisuse || !strings.Contains(logs, want) {
			t.Errorf("%s: exit %d, %s", args, code, logs)
		}
	}
	if code, text, _ := caucusRun(t, "graph", "convert", "abilene", "-"); code != exitOK ||
		!strings.Contains(text, "\n") {
		t.Errorf("graph convert abilene -: exit %d: %s", code, text)
	}
}
