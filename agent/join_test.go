package agent

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Two agents that know nothing of each other become peers while they run, are so again after a restart, and no longer
// once they have forgotten each other.
func TestJoin(t *testing.T) {
	dirs := [2]string{t.TempDir(), t.TempDir()}
	begin := func(i int) (*Agent, func()) {
		a := alone(t, func(c *Config) {
			c.Name, c.Listen, c.Profile, c.StateDir = string(rune('a'+i)), "127.0.0.1:0", "loopback", dirs[i]
		})
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { ended <- a.Run(ctx) }()
		return a, func() {
			cancel()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
	}
	await := func(a *Agent, what string, holds func(s Status) bool) {
		t.Helper()
		for began := time.Now(); !holds(a.Status()); time.Sleep(5 * time.Millisecond) {
			if time.Since(began) > 10*time.Second {
				t.Fatalf("%s: %+v", what, a.Status().Leadership)
			}
		}
	}
	a, endA := begin(0)
	b, endB := begin(1)
	if err := a.Join(b.Addr().String()); err != nil {
		t.Fatal(err)
	}
	if err := b.Join(a.Addr().String()); err != nil {
		t.Fatal(err)
	}
	together := func(s Status) bool { return s.Term > 0 && len(s.Neighbours) == 1 && s.Neighbours[0].Hears }
	await(a, "a has joined b", together)
	await(b, "b has joined a", together)
	leader := a.Status().Leader
	if b.Status().Leader != leader {
		t.Errorf("a follows %s, b %s", leader, b.Status().Leader)
	}
	endB()
	b, endB = begin(1)
	await(b, "b knows a after a restart", func(s Status) bool {
		return len(s.Neighbours) == 1 && s.Neighbours[0].Peer == a.Addr().String()
	})
	for _, wrong := range []string{"", "7400", ":7400", "x:0"} {
		if err := b.Join(wrong); err == nil || !strings.Contains(err.Error(), "peer: found") {
			t.Errorf("join %q: %v", wrong, err)
		}
	}
	if err := b.Forget("nobody"); err == nil || !strings.Contains(err.Error(), `peer: found "nobody"`) {
		t.Errorf("forget nobody: %v", err)
	}
	if err := b.Forget(a.Addr().String()); err != nil {
		t.Error(err)
	}
	await(b, "b has forgotten a", func(s Status) bool { return len(s.Neighbours) == 0 })
	endA()
	endB()
	file := filepath.Join(dirs[1], joinedFile)
	if err := os.WriteFile(file, []byte("nonsense\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readJoined(dirs[1]); err == nil || !strings.Contains(err.Error(), file+`:1: found "nonsense"`) {
		t.Errorf("a damaged file: %v", err)
	}
}
