package cmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An algorithm that builds a tree shows it: every node's neighbour towards the leader. Others have no such column.
func TestTree(t *testing.T) {
	for algo, want := range map[string]string{
		"mega-merger": "name,id,role,leader,distance,strength,parent\n1,1,leader,1,,2,\n" +
			"2,2,follower,1,,2,1\n3,3,follower,1,,2,1\n4,4,follower,1,,2,2\n",
		"yo-yo": "name,id,role,leader,distance,strength\n" +
			"1,1,leader,1,,2\n2,2,follower,1,,2\n3,3,follower,1,,2\n4,4,follower,1,,2\n",
	} {
		file := filepath.Join(t.TempDir(), "nodes.csv")
		code, out, logs := caucusRun(t, "run", "--algo", algo, "--topology", "grid:2x2", "--csv", file, "--json")
		if code != exitOK {
			t.Fatalf("exit %d: %s", code, logs)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if string(text) != want {
			t.Errorf("%s: got\n%swant\n%s", algo, text, want)
		}
		if got := strings.Count(out, `"parent": `); got != strings.Count(want, "parent")*3 {
			t.Errorf("%s: %d parents in JSON: %s", algo, got, out)
		}
	}
}
