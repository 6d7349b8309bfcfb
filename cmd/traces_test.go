package cmd

import (
	"path/filepath"
	"strings"
	"testing"
)

// Every scenario that ships has the same trace on every machine; .ci/run carries this test out for other processors,
// too. Networks that move are watched for a minute; what has faults later than that, or rests before, runs as the file
// says.
func TestSameTraces(t *testing.T) {
	files, err := filepath.Glob("../scenarios/*.yaml")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	var list strings.Builder
	for _, file := range files {
		code, out, logs := caucusRun(t, "run", file, "--rounds", "60", "--stable-for", "0")
		if code == exitMisuse {
			code, out, logs = caucusRun(t, "run", file)
		}
		_, trace, ok := strings.Cut(out, "trace=")
		if !ok || code == exitMisuse {
			t.Errorf("%s: exit %d: %s", file, code, logs)
		}
		list.WriteString(filepath.Base(file) + " " + trace)
	}
	golden(t, "traces", list.String())
}
