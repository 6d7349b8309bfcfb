package cmd

import (
	"encoding/json"
	"math"
	"path/filepath"
	"strconv"
	"testing"
)

// With 1 J a message and nothing else, a node takes as many joules as it sends and receives messages. On a line of
// three the one in the middle does so twice as often. With 1 W of idling and a fast radio it takes as many as the run
// has seconds.
func TestRunEnergy(t *testing.T) {
	for algo, middle := range map[string]float64{"prasle": 2, "minfind": 0} {
		csv := filepath.Join(t.TempDir(), "nodes.csv")
		args := []string{"run", "--algo", algo, "--topology", "line:3", "--strength", "id", "--period", "2s",
			"--energy", "send=0W,receive=0W,idle=0W,handle=1J"}
		code, out, logs := caucusRun(t, append(args, "--json")...)
		var d runDocument
		if err := json.Unmarshal([]byte(out), &d); code != exitOK || err != nil {
			t.Fatalf("exit %d: %v, %s", code, err, logs)
		}
		sum := 0.0
		for i, n := range d.Outcomes {
			if n.Joules == nil || *n.Joules != float64(*n.Sent+*n.Received) || *n.Sent == 0 {
				t.Fatalf("%s: node %s: %v J, %d sent, %d received", algo, n.Name, n.Joules, *n.Sent, *n.Received)
			}
			sum += *n.Joules
			if middle > 0 && i == 1 && *n.Joules != middle**d.Outcomes[0].Joules {
				t.Errorf("%s: the middle takes %g J, the end %g", algo, *n.Joules, *d.Outcomes[0].Joules)
			}
		}
		if d.Joules == nil || *d.Joules != sum {
			t.Errorf("%s: %v J in all, want %g", algo, d.Joules, sum)
		}
		_, text, _ := caucusRun(t, append(args, "--csv", csv)...)
		rows := readCSV(t, csv, text)
		if got, want := rows[2][len(rows[2])-1], strconv.FormatFloat(*d.Outcomes[1].Joules, 'g', -1, 64); got != want {
			t.Errorf("%s: %s J in the file, want %s", algo, got, want)
		}
	}
	_, out, _ := caucusRun(t, "run", "--algo", "prasle", "--topology", "line:3", "--period", "2s", "--json", "--energy",
		"idle=1W,handle=0J,rate=1000000Mbit/s")
	var d runDocument
	if err := json.Unmarshal([]byte(out), &d); err != nil || math.Abs(*d.Joules-3*d.Seconds) > 1e-3 {
		t.Errorf("%v: %v J in %g s", err, d.Joules, d.Seconds)
	}
}
