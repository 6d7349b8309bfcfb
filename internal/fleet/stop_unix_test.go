//go:build unix

package fleet

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"caucus.example/caucus/agent"
)

// A process that does not leave when it is told to is killed, and nothing of the fleet stays behind.
func TestStopKills(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	ready := filepath.Join(t.TempDir(), "ready")
	f, err := Start(t.Context(), Config{Agents: []agent.Config{{Name: "a"}}, Edges: [][]Edge{nil},
		Command: []string{"sh", "-c", `trap "" TERM; : > "` + ready + `"; exec sleep 60`}})
	if err != nil {
		t.Fatal(err)
	}
	for _, err := os.Stat(ready); err != nil; _, err = os.Stat(ready) {
		time.Sleep(time.Millisecond)
	}
	began := time.Now()
	f.Stop()
	if took := time.Since(began); took < leaveIn || took > leaveIn+time.Second {
		t.Errorf("it took %v, %v are for leaving", took, leaveIn)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
