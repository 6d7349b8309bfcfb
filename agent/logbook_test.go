package agent

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/internal/columns"
)

func opened(t *testing.T, dir string) *logbook {
	t.Helper()
	b, err := openLogbook(dir)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// What has been withheld until it is on disk is on disk when it is told, whatever happens then.
func TestLogbookKeeps(t *testing.T) {
	dir := t.TempDir()
	b := opened(t, dir)
	if b.reserved.Load() != 0 {
		t.Fatalf("a new directory keeps term %d", b.reserved.Load())
	}
	if got := b.withhold(7, 7); got != 0 {
		t.Errorf("term %d is told before it is on disk", got)
	}
	done := make(chan struct{})
	var keeping sync.WaitGroup
	keeping.Go(func() { b.keep(done, func(err error) { t.Error(err) }) })
	await(t, "the term is on disk", func() bool { return b.withhold(7, 7) == 7 })
	close(done)
	keeping.Wait()
	b.close(0) // a crash
	next := opened(t, dir)
	if got := next.reserved.Load(); got != 7+logbookBlock {
		t.Errorf("term %d after a crash, want 7 and a block", got)
	}
	next.close(9) // an end in order
	last := opened(t, dir)
	defer last.close(0)
	if got := last.reserved.Load(); got != 9 {
		t.Errorf("term %d after an end in order, want 9", got)
	}
}

// A damaged file is named, with what to do, and never taken for a new one.
func TestLogbookRefuses(t *testing.T) {
	good := termLine(1234)
	for _, text := range []string{
		"", "\n", "0", good[:len(good)-1], good + good,
		strings.Replace(good, "1234", "1235", 1), strings.Replace(good, "terms 1", "terms 2", 1),
		strings.Replace(good, "1234", "-1", 1), "\x00\x00\x00\x00", strings.Repeat("x", 1<<10),
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, logbookFile)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := openLogbook(dir)
		if err == nil || !strings.Contains(err.Error(), file+" is damaged") ||
			!strings.Contains(err.Error(), "remove it if") {
			t.Errorf("%q: error %v", text, err)
		}
		if kept, _ := os.ReadFile(file); string(kept) != text {
			t.Errorf("%q was changed to %q", text, kept)
		}
	}
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, logbookFile), []byte(termLine(last)), 0o600)
	if _, err := openLogbook(dir); err == nil || !strings.Contains(err.Error(), "used up") {
		t.Errorf("error %v for the last term", err)
	}
}

// A file of terms that begins well and ends too soon, as after a crash in the middle of the write, is the new one's;
// the former is still there.
func TestLogbookAfterACrashWhileWriting(t *testing.T) {
	dir := t.TempDir()
	b := opened(t, dir)
	if err := b.write(50); err != nil {
		t.Fatal(err)
	}
	b.close(0)
	if err := os.WriteFile(filepath.Join(dir, logbookFile+".new"), []byte("caucus-te"), 0o600); err != nil {
		t.Fatal(err)
	}
	next := opened(t, dir)
	defer next.close(0)
	if next.reserved.Load() != 50 {
		t.Errorf("term %d, want 50", next.reserved.Load())
	}
}

func TestLogbookIsOneAgents(t *testing.T) {
	dir := t.TempDir()
	b := opened(t, dir)
	if _, err := openLogbook(dir); err == nil || !strings.Contains(err.Error(), "which another agent uses") {
		t.Errorf("error %v for a second agent", err)
	}
	b.close(0)
	opened(t, dir).close(0)
	for _, bad := range []string{filepath.Join(dir, "none"), filepath.Join(dir, "lock")} {
		if err := checkStateDir(bad); err == nil || !strings.Contains(err.Error(), "state-dir: found") {
			t.Errorf("%s: error %v", bad, err)
		}
	}
}

// A disk that takes nothing more leaves a node without terms beyond those that it has, not without an election.
func TestLogbookOnAFullDisk(t *testing.T) {
	dir := t.TempDir()
	v := newVirtual(t, 1, 2, line(2))
	v.upAll()
	a := v.nodes[0].agent
	if err := a.remember(opened(t, dir)); err != nil {
		t.Fatal(err)
	}
	defer func() { a.logbook.close(0) }()
	if err := os.Mkdir(filepath.Join(dir, logbookFile+".new"), 0o700); err != nil { // in the way, also for root
		t.Fatal(err)
	}
	v.run(20 * period)
	if err := a.logbook.write(a.logbook.wanted.Load()); err == nil {
		t.Fatal("written over a directory")
	}
	v.run(2 * period)
	s := a.Status()
	if s.Leads() || s.Role != "leader" || s.Term != 0 || s.Trouble == "" || s.Ready(a.lastRun) {
		t.Errorf("%v, trouble %q, ready %v", s.Leadership, s.Trouble, s.Ready(a.lastRun))
	}
	if other := v.nodes[1].agent.Status(); other.Term != 0 {
		t.Errorf("the neighbour was told term %d", other.Term)
	}
	os.Remove(filepath.Join(dir, logbookFile+".new"))
	if err := a.logbook.write(a.logbook.wanted.Load()); err != nil {
		t.Fatal(err)
	}
	v.settle("n1", 10)
	if s := a.Status(); !s.Leads() || s.Trouble != "" {
		t.Errorf("%v, trouble %q once the disk is free", s.Leadership, s.Trouble)
	}
}

// An agent that does not come up leaves its directory to the next.
func TestLogbookOfAnAgentThatFails(t *testing.T) {
	dir := t.TempDir()
	make := func(httpAddr string) (*Agent, error) {
		cfg := Config{
			Name: "a", Listen: "127.0.0.1:0", HTTP: httpAddr, StateDir: dir, Logger: slog.New(slog.DiscardHandler),
		}
		return prepare(&bounded.Spec, cfg,
			func(*Config) (protocol, error) { return erase(columns.OfRounds(election(t))) })
	}
	if _, err := make("192.0.2.1:1"); err == nil {
		t.Fatal("an address of another machine is no error")
	}
	for range 2 {
		a, err := make(Off)
		if err != nil {
			t.Fatal(err)
		}
		a.Kill()
	}
}
