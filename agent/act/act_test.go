//go:build unix

package act

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"caucus.example/caucus"
)

// told runs the hooks of stances that are all there from the beginning, and gives what has become of them.
func told(h Hooks, stances ...Stance) Counts {
	c := make(chan Stance, len(stances))
	for _, s := range stances {
		c <- s
	}
	close(c)
	r := &Runner{Group: "site", Node: "pump", Logger: slog.New(slog.DiscardHandler)}
	r.Set(h)
	r.Run(c)
	return r.Counts()
}

func lines(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// A script that keepalived calls gets the same arguments; one for the shell reads its environment; both one after the
// other.
func TestWhatHooksAreTold(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	h := Hooks{
		Lead: []Hook{
			{Shell: `echo "shell $CAUCUS_ROLE $CAUCUS_TERM $CAUCUS_OLD_REASON $CAUCUS_GROUP/$CAUCUS_NODE" >> ` + log}},
		Undecided: []Hook{{Shell: `cat >> ` + log}},
		Any:       []Hook{{Run: []string{"sh", "-c", `echo "$@" >> ` + log, "notify"}, Style: "keepalived"}},
	}
	got := told(h,
		Stance{Role: Undecided, Reason: "start", Strength: 99.6},
		Stance{Role: Follow, Leader: "tank", Fence: "1", Strength: 99.6},
		Stance{Role: Follow, Leader: "tank", Fence: "1", Strength: 98},
		Stance{Role: Lead, Leader: "pump", Term: 4, Fence: "2", Strength: 3e15},
		Stance{Role: Undecided, Reason: Left})
	if want := (Counts{Runs: 7, Last: "sh -c echo \"$@\" >> " + log + " notify", Result: "ok"}); got != want {
		t.Error(cmp.Diff(want, got))
	}
	all := lines(t, log)
	var first, last Event
	for at, e := range map[int]*Event{0: &first, 5: &last} {
		if err := json.Unmarshal([]byte(all[at]), e); err != nil {
			t.Fatal(err, all)
		}
		all[at] = "event"
	}
	want := []string{"event", "INSTANCE site FAULT 100", "INSTANCE site BACKUP 100", "shell lead 4  site/pump",
		"INSTANCE site MASTER 3000000000000000", "event", "INSTANCE site STOP 0"}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Error(diff)
	}
	if first.Schema != schema || first.Reason != "start" || last.Old.Fence != "2" || last.Reason != Left {
		t.Errorf("%+v, %+v", first, last)
	}
}

// A thousand changes and a slow hook: it is called a few times, and the last time with what is true.
func TestSlowHookEndsRight(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	r := &Runner{Logger: slog.New(slog.DiscardHandler)}
	r.Set(Hooks{Any: []Hook{{Shell: `sleep 0.05; echo "$CAUCUS_ROLE $CAUCUS_FENCE" >> ` + log}}})
	c, done := make(chan Stance, 1), make(chan struct{})
	go func() {
		defer close(done)
		r.Run(c)
	}()
	for i := range 1000 {
		select {
		case <-c:
		default:
		}
		s := Stance{Role: Lead, Fence: fmt.Sprintf("%04d", i)}
		if i%2 == 1 {
			s.Role = Follow
		}
		c <- s
	}
	close(c)
	<-done
	all := lines(t, log)
	if len(all) > 10 || all[len(all)-1] != "follow 0999" {
		t.Error(all)
	}
}

// A hook that takes too long is ended with all that it has started, and the next one has its turn.
func TestHookTimesOut(t *testing.T) {
	dir := t.TempDir()
	got := told(Hooks{Any: []Hook{
		{Shell: fmt.Sprintf("sh -c 'echo $$ > %s/pid; sleep 600' & wait", dir), Timeout: 200 * time.Millisecond},
		{Shell: "echo second > " + dir + "/second"},
		{Shell: "echo why it fails; exit 3"},
	}}, Stance{Role: Lead})
	if got.Runs != 3 || got.Failures != 2 || got.Timeouts != 1 || got.Result != "exit status 3 why it fails" {
		t.Errorf("%+v", got)
	}
	lines(t, dir+"/second")
	pid := 0
	fmt.Sscan(lines(t, dir+"/pid")[0], &pid)
	for end := time.Now().Add(5 * time.Second); syscall.Kill(pid, 0) == nil; time.Sleep(10 * time.Millisecond) {
		if state, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); strings.Contains(string(state), ") Z") {
			break // killed, and nobody has looked yet
		}
		if time.Now().After(end) {
			t.Fatal("what the hook had started still runs")
		}
	}
}

// A web server that fails at first still hears of it; one that never answers does not hold up the others for longer
// than its time.
func TestWebhook(t *testing.T) {
	calls, body := 0, ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if calls++; calls == 1 {
			http.Error(w, "not yet", http.StatusServiceUnavailable)
			return
		}
		b, _ := io.ReadAll(r.Body)
		body = string(b)
	}))
	defer server.Close()
	gone := httptest.NewServer(nil)
	gone.Close()
	got := told(Hooks{Any: []Hook{{Webhook: server.URL}, {Webhook: gone.URL, Timeout: 50 * time.Millisecond}}},
		Stance{Role: Lead, Fence: "7"})
	if got.Runs != 2 || got.Failures != 1 || got.Timeouts != 1 || calls != 2 || !strings.Contains(body, `"fence":"7"`) {
		t.Errorf("%+v, %d calls, %s", got, calls, body)
	}
}

// A stream is written to where somebody reads, and costs nothing where nobody does.
func TestStreams(t *testing.T) {
	dir := t.TempDir()
	fifo, socket, plain := dir+"/fifo", dir+"/socket", dir+"/file"
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(plain, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	hooks := Hooks{Any: []Hook{{Stream: fifo}, {Stream: socket}, {Stream: plain}}}
	if got := told(hooks, Stance{Role: Lead}); got.Failures != 3 ||
		!strings.Contains(got.Result, "allowed: a FIFO or a unix socket") {
		t.Errorf("%+v", got)
	}
	reader, err := os.OpenFile(fifo, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	server, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	heard := make(chan string, 1)
	go func() {
		conn, err := server.Accept()
		if err != nil {
			heard <- err.Error()
			return
		}
		line, _ := bufio.NewReader(conn).ReadString('\n')
		heard <- line
	}()
	if got := told(hooks, Stance{Role: Lead, Fence: "8"}); got.Failures != 1 {
		t.Errorf("%+v", got)
	}
	line, _ := bufio.NewReader(reader).ReadString('\n')
	for _, l := range []string{line, <-heard} {
		if !strings.Contains(l, `"fence":"8"`) {
			t.Errorf("%q", l)
		}
	}
}

func TestCheck(t *testing.T) {
	for want, h := range map[string]Hook{
		"on.any[0]: found \"0 of":               {},
		"on.any[0]: found \"2 of":               {Shell: "x", Webhook: "http://y"},
		"on.any[0].style: found \"raft\"":       {Run: []string{"x"}, Style: "raft"},
		"on.any[0].style: found \"keepalived\"": {Shell: "x", Style: "keepalived"},
		"on.any[0].timeout: found \"1ns\"":      {Shell: "x", Timeout: 1},
		"on.any[0].webhook: found \"ftp://y\"":  {Webhook: "ftp://y"},
		"on.any[0].stream: found \"relative\"":  {Stream: "relative"},
		"on.any[0].run: found \"no program\"":   {Run: []string{""}},
	} {
		hooks := Hooks{Any: []Hook{h}}
		err := hooks.Check()
		var field *caucus.FieldError
		if !errors.As(err, &field) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	hooks := Hooks{Any: make([]Hook, maxHooks+1)}
	if hooks.Check() == nil {
		t.Error("too many are taken")
	}
}
