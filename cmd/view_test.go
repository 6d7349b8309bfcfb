//go:build unix

package cmd

import (
	"bufio"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The page is served at the address that is printed, to those who have all of it, and Ctrl-C ends it.
func TestViewServes(t *testing.T) {
	cmd := program("view", "--listen", "127.0.0.1:0", "--lesson", "rings")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	lines := bufio.NewScanner(out)
	lines.Scan()
	at, err := url.Parse(lines.Text())
	if err != nil || at.Query().Get("lesson") != "rings" || at.Fragment == "" {
		t.Fatalf("printed %q: %v", lines.Text(), err)
	}
	for _, c := range []struct {
		path, key, host string
		status          int
		holds           string
	}{
		{"/", "", "", 200, "<title>Caucus</title>"},
		{"/app.js", "", "", 200, "caucus"},
		{"/api/begin", at.Fragment, "", 200, `"impossibility"`},
		{"/api/begin", "other", "", 403, "found no key"},
		{"/api/begin", "", "", 403, "found no key"},
		{"/", "", "evil.example", 403, "found host evil.example"},
	} {
		q, err := http.NewRequest("GET", "http://"+at.Host+c.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("Authorization", "Bearer "+c.key)
		q.Host = c.host
		answer, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode != c.status || !strings.Contains(string(body), c.holds) {
			t.Errorf("%+v: %d %.80q %v", c, answer.StatusCode, body, err)
		}
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error("Ctrl-C: ", err)
	}
}

func TestViewRefuses(t *testing.T) {
	for _, c := range []struct {
		args  []string
		holds string
	}{
		{[]string{"--listen", "0.0.0.0:7480"},
			`listen: found "0.0.0.0:7480", allowed: an address of the loopback interface`},
		{[]string{"--lesson", "ring"}, `lesson: found "ring"`},
		{[]string{"nothing.yaml"}, "nothing.yaml"},
		{[]string{"--topology", "ring:4", "--algo", "as-fra"}, `algo: found "as-fra"`},
	} {
		if code, _, logs := caucusRun(t, append([]string{"view"}, c.args...)...); code != exitMisuse ||
			!strings.Contains(logs, c.holds) {
			t.Errorf("%v: %d %s", c.args, code, logs)
		}
	}
}

// pageOf starts a verb with --view, finds the address of its page in what it prints, and gives what the page answers.
func pageOf(t *testing.T, output func(*exec.Cmd) (io.ReadCloser, error), args ...string) func(path string) string {
	t.Helper()
	cmd := program(args...)
	out, err := output(cmd)
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGINT)
		cmd.Wait()
	})
	var at *url.URL
	for lines := bufio.NewScanner(out); at == nil && lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "http://") {
			at, _ = url.Parse(lines.Text())
		}
	}
	if at == nil {
		t.Fatal("no address of a page")
	}
	go io.Copy(io.Discard, out)
	return func(path string) string {
		q, err := http.NewRequest("GET", "http://"+at.Host+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("Authorization", "Bearer "+at.Fragment)
		answer, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		line, _ := bufio.NewReader(answer.Body).ReadString('\n')
		return line
	}
}

// A run, a fleet of real agents and a sweep, when it is over as well, are shown on the same page.
func TestOtherVerbsShow(t *testing.T) {
	get := pageOf(t, (*exec.Cmd).StdoutPipe, "run", "--view", "--topology", "ring:5")
	if begin := get("/api/begin"); !strings.Contains(begin, "ring:5") {
		t.Errorf("the page begins with %.300q", begin)
	}
	get = pageOf(t, (*exec.Cmd).StderrPipe, "up", "--view", "--topology", "ring:3", "--kill", "none")
	if live := get("/api/live"); strings.Count(live, `"role"`) < 3 || !strings.Contains(live, `"name":"1"`) {
		t.Errorf("the page is told %.300q", live)
	}
	study := filepath.Join(t.TempDir(), "s.yaml")
	if err := os.WriteFile(study, []byte("version: 1\nname: s\nscenario: {topology: 'ring:6'}\n"+
		"grid: {radius: [1, 2]}\nseeds: 3\nmeasures: [leaders]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	get = pageOf(t, (*exec.Cmd).StderrPipe, "sweep", "--view", study)
	for look := ""; !strings.Contains(look, `"over":true`); look = get("/api/study?from=0") {
		time.Sleep(20 * time.Millisecond)
	}
	if run := get("/api/study/4"); !strings.Contains(run, "radius: 2") {
		t.Errorf("a run of the sweep: %.300q", run)
	}
	if err := os.WriteFile(study, []byte("version: 1\nname: s\nscenario: {algo: mega-merger}\n"+
		"grid: {topology: ['er:n=10,p=0.9', 'er:n=10,p=0.15']}\nseeds: 3\nmeasures: [messages]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	get = pageOf(t, (*exec.Cmd).StderrPipe, "sweep", "--view", study) // it stays after a run that fails
	for look := ""; !strings.Contains(look, `assumes a connected network`); look = get("/api/study?from=0") {
		time.Sleep(20 * time.Millisecond)
	}
	get = pageOf(t, (*exec.Cmd).StderrPipe, "check", "--view", "--algo", "prasle", "--faithful", "paper", "--start",
		"clean", "--faults", "crash=1", "--daemon", "synchronous", "--network", "2-3:1 strengths=1,1")
	if begin := get("/api/begin"); !strings.Contains(begin, `"recorded":2`) {
		t.Errorf("a counterexample, and the same one after the other: %.300q", begin)
	}
	if other := get("/api/recorded/1"); !strings.Contains(other, "one after the other") {
		t.Errorf("another daemon: %.300q", other)
	}
	get = pageOf(t, (*exec.Cmd).StderrPipe, "check", "--view", "--algo", "flood", "--topology", "ring:3", "--faults",
		"crash=1")
	if other := get("/api/recorded/1"); !strings.Contains(other, "what was sent first arrives first") {
		t.Errorf("another order of arrival: %.300q", other)
	}
}

// A run and a counterexample are written as pages, but not over what is there.
func TestPagesInFiles(t *testing.T) {
	folder := t.TempDir()
	for name, args := range map[string]string{
		"run.html": "run --algo as-far --topology ring:5",
		"counterexample.html": "check --algo prasle --faithful paper --start clean --faults crash=1 --daemon central " +
			"--network 2-3:1",
	} {
		file := filepath.Join(folder, name)
		list := append(strings.Fields(args), "--page", file)
		_, _, logs := caucusRun(t, list...)
		page, err := os.ReadFile(file)
		if err != nil || !strings.Contains(logs, "wrote "+file) ||
			strings.Count(string(page), `class="recorded"`) < 1 || strings.Contains(string(page), "app.js") {
			t.Errorf("%s: %v %s", args, err, logs)
		}
		if code, _, logs := caucusRun(t, list...); code != exitMisuse || !strings.Contains(logs, "--force") {
			t.Errorf("%s again: %d %s", args, code, logs)
		}
	}
	if code, _, logs := caucusRun(t, "run", "--topology", "ring:5", "--page", "x.txt"); code != exitMisuse ||
		!strings.Contains(logs, `page: found "x.txt", allowed: a file name that ends in .html, or -`) {
		t.Errorf("%d %s", code, logs)
	}
	if code, page, logs := caucusRun(t, "run", "--topology", "ring:5", "--page", "-"); code != exitOK ||
		!strings.HasPrefix(page, "<!doctype html>") || !strings.Contains(logs, "converged=true") {
		t.Errorf("%d %.80s %s", code, page, logs)
	}
	page := filepath.Join(t.TempDir(), "flood.html")
	code, _, logs := caucusRun(t, strings.Fields(
		"run --algo flood --topology ring:200 --diagram x.svg --page "+page)...)
	_, err := os.Stat(page)
	if err == nil || code != exitMisuse || !strings.Contains(logs, `diagram: found "200 nodes"`) {
		t.Errorf("a page beside a diagram that is refused: %d %s", code, logs)
	}
	for _, other := range []string{"--json", "--csv -", "--trace -"} {
		args := append([]string{"run", "--topology", "ring:5", "--page", "-"}, strings.Fields(other)...)
		if code, page, logs := caucusRun(t, args...); code != exitMisuse || page != "" {
			t.Errorf("%s: %d %.80s %s", other, code, page, logs)
		}
	}
}

// A site has no files beside it, so that what needs one is refused, and nothing is written.
func TestSiteWithoutFiles(t *testing.T) {
	folder := t.TempDir()
	file := func(name string) string { return filepath.Join(folder, name) }
	if code, _, logs := caucusRun(t, "run", "--topology", "ring:5", "--trace", file("run.jsonl")); code != exitOK {
		t.Fatal(logs)
	}
	for name, text := range map[string]string{"meet.tij": "0 1 2\n20 2 3\n", "net.txt": "1 2\n2 3\n",
		"meet.yaml": "version: 1\nalgo: waves\nmovements: meet.tij\n"} {
		if err := os.WriteFile(file(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for want, args := range map[string][]string{
		"movements: found": {file("meet.yaml")},
		"topology: found":  {"--topology", file("net.txt")},
		"export: found":    {file("run.jsonl")},
		"scenario: found":  {file("net.txt")},
	} {
		code, _, logs := caucusRun(t, append([]string{"view", "--export", file("site")}, args...)...)
		if _, err := os.Stat(file("site")); code != exitMisuse || !strings.Contains(logs, want) || err == nil {
			t.Errorf("view %v: exit %d, %s", args, code, logs)
		}
	}
}
