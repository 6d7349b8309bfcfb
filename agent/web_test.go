package agent

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

func get(t *testing.T, a *Agent, path string) (int, string) {
	t.Helper()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: patience}
	r, err := client.Get("http://" + a.HTTPAddr() + path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(body)
}

func webFleet(t *testing.T) *fleet {
	cfgs := configs(onLoopback("127.0.0.1")(t, 3), clique(3))
	for i := range cfgs {
		cfgs[i].HTTP = "127.0.0.1:0"
		cfgs[i].Expiry = 50 // a busy machine makes nobody undecided
	}
	f := launch(t, cfgs)
	agree(t, "n1", f.agents...)
	return f
}

func TestHTTP(t *testing.T) {
	f := webFleet(t)
	a := f.agents[1]

	code, body := get(t, a, "/v1/status")
	var s Status
	if err := json.Unmarshal([]byte(body), &s); err != nil || code != 200 {
		t.Fatal(code, err, body)
	}
	if s.Schema != StatusSchema || s.Name != "n2" || s.Leader != "n1" || len(s.Neighbours) != 2 ||
		!s.Neighbours[0].Live || s.Counters.Received == 0 {
		t.Errorf("status %+v", s)
	}
	code, body = get(t, a, "/v1/leader")
	var l leaderAnswer
	if err := json.Unmarshal([]byte(body), &l); err != nil || code != 200 || l.Leader != "n1" || l.Role != "follower" ||
		l.Term == 0 || l.Stale {
		t.Errorf("leader: %d %v %s", code, err, body)
	}
	if code, body = get(t, a, "/healthz"); code != 200 || body != "ok\n" {
		t.Errorf("healthz: %d %q", code, body)
	}
	if code, body = get(t, a, "/readyz"); code != 200 || body != "ok\n" {
		t.Errorf("readyz: %d %q", code, body)
	}
	if code, _ = get(t, a, "/v2/none"); code != 404 {
		t.Errorf("unknown path: %d", code)
	}
	_, body = get(t, f.agents[0], "/metrics")
	for _, want := range []string{"caucus_is_leader 1\n", `caucus_neighbours{state="live"} 2`,
		`caucus_datagrams_dropped_total{reason="oversize"} 0`, "caucus_term ", "caucus_rounds_total "} {
		if !strings.Contains(body, want) {
			t.Errorf("metrics lack %q", want)
		}
	}
	r, err := http.Post("http://"+a.HTTPAddr()+"/v1/status", "text/plain", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	http.DefaultClient.CloseIdleConnections()
	if r.StatusCode != 405 {
		t.Errorf("POST: %d", r.StatusCode)
	}
}

// A node without the neighbours that it needs to act is alive and not ready, and does not lead.
func TestNotReady(t *testing.T) {
	cfgs := configs(onLoopback("127.0.0.1")(t, 2), clique(2))
	for i := range cfgs {
		cfgs[i].HTTP, cfgs[i].MinNeighbours = "127.0.0.1:0", 1
		log := NewStream(broken{})
		log.Write([]byte("x"))
		log.Close(time.Second)
		cfgs[i].Outputs = map[string]*Stream{"log": log}
	}
	f := launch(t, cfgs)
	agree(t, "n1", f.agents...)
	f.agents[1].Kill()
	a := f.agents[0]
	await(t, "not ready", func() bool { code, _ := get(t, a, "/readyz"); return code == 503 })
	if s := a.Status(); s.Leads() || s.Leader != "n1" || !s.Short {
		t.Errorf("%v without neighbours", s.Leadership)
	}
	if _, body := get(t, a, "/readyz"); body != "short: 0 neighbours, and min-neighbours is 1\n" {
		t.Errorf("readyz: %q", body)
	}
	if code, _ := get(t, a, "/healthz"); code != 200 {
		t.Errorf("healthz: %d", code)
	}
	if _, body := get(t, a, "/metrics"); !strings.Contains(body, `caucus_unread_total{output="log"} 1`) ||
		!strings.Contains(body, `caucus_unread_total{output="watch"} `) {
		t.Error("metrics do not count what readers have not read")
	}
}

func TestHealthOfAStoppedLoop(t *testing.T) {
	f := webFleet(t)
	a := f.agents[0]
	release := make(chan struct{})
	a.commands <- func() { <-release } // the loop hangs, as if starved
	await(t, "healthz fails", func() bool { code, _ := get(t, a, "/healthz"); return code == 503 })
	close(release)
	await(t, "healthz recovers", func() bool { code, _ := get(t, a, "/healthz"); return code == 200 })
}

// streamed reads a stream of server-sent events.
func streamed(t *testing.T, a *Agent) (next func() leaderAnswer, stop func()) {
	t.Helper()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	r, err := client.Get("http://" + a.HTTPAddr() + "/v1/watch")
	if err != nil {
		t.Fatal(err)
	}
	if kind := r.Header.Get("Content-Type"); r.StatusCode != 200 || kind != "text/event-stream" {
		t.Fatal(r.StatusCode, kind)
	}
	lines := bufio.NewScanner(r.Body)
	return func() (l leaderAnswer) {
		id := ""
		for lines.Scan() {
			switch line := lines.Text(); {
			case strings.HasPrefix(line, "id: "):
				id = line
			case strings.HasPrefix(line, "data: "):
				if err := json.Unmarshal([]byte(line[6:]), &l); err != nil || id == "" {
					t.Fatal(err, id, line)
				}
				return l
			}
		}
		return l
	}, func() { r.Body.Close() }
}

func TestServerSentEvents(t *testing.T) {
	f := webFleet(t)
	next, stop := streamed(t, f.agents[1])
	defer stop()
	first := next()
	if first.Leader != "n1" || first.Term == 0 || first.Schema != "caucus.leader/1" {
		t.Errorf("the stream begins with %+v, want the present state", first)
	}
	f.agents[0].Kill()
	for l := next(); ; l = next() {
		if l.Name == "" {
			t.Fatal("the stream ended before the change")
		}
		if l.Number <= first.Number {
			t.Errorf("number %d after %d", l.Number, first.Number)
		}
		if l.Leads() {
			break
		}
	}
	f.agents[1].Kill()
	if l := next(); l.Name != "" {
		t.Errorf("%+v after the end", l)
	}
}

// A stream goes on when the time for reading a request and writing an answer is over.
func TestStreamOutlivesTimeouts(t *testing.T) {
	a := newAgent(t, Config{Name: "n1", Profile: "loopback", Listen: "127.0.0.1:0", HTTP: "127.0.0.1:0"})
	a.web.server.ReadTimeout, a.web.server.WriteTimeout = 50*time.Millisecond, 50*time.Millisecond
	ctx, cancel := context.WithCancel(context.Background())
	f := &fleet{t: t, cancel: cancel}
	t.Cleanup(f.stop)
	f.add(ctx, a)
	agree(t, "n1", a)
	next, stop := streamed(t, a)
	defer stop()
	first := next()
	time.Sleep(200 * time.Millisecond)
	a.ExceedTerm(first.Term + 10)
	if l := next(); l.Term <= first.Term {
		t.Errorf("the stream gives %+v after %+v", l, first)
	}
}

// Who holds all places loses the oldest to a newcomer, and the loop does not suffer.
func TestTooManyStreams(t *testing.T) {
	f := webFleet(t)
	a := f.agents[0]
	var nexts []func() leaderAnswer
	var stops []func()
	for range maxStreams + 1 {
		next, stop := streamed(t, a)
		if l := next(); l.Name != "n1" {
			t.Errorf("watcher %d gets %+v", len(stops), l)
		}
		nexts, stops = append(nexts, next), append(stops, stop)
	}
	if l := nexts[0](); l.Name != "" {
		t.Errorf("the oldest goes on: %+v", l)
	}
	if n := a.web.streams.size(); n != maxStreams {
		t.Errorf("%d watchers, want %d", n, maxStreams)
	}
	for _, stop := range stops {
		stop()
	}
	await(t, "places are free again", func() bool { return a.web.streams.size() == 0 })
	if s := a.Status(); s.Stale(time.Now()) {
		t.Error("the loop suffered")
	}
}

// A client that holds many places loses one, not the one that holds few.
func TestCrowd(t *testing.T) {
	var a audience
	first, _ := a.join(context.Background(), "10.0.0.1:1")
	var oldest context.Context
	for i := range maxStreams - 1 {
		ctx, _ := a.join(context.Background(), "10.0.0.2:1")
		if i == 0 {
			oldest = ctx
		}
	}
	newcomer, leave := a.join(context.Background(), "@")
	if first.Err() != nil || newcomer.Err() != nil || oldest.Err() == nil || a.size() != maxStreams {
		t.Error(first.Err(), newcomer.Err(), oldest.Err(), a.size())
	}
	leave()
	leave()
	if newcomer.Err() == nil || a.size() != maxStreams-1 {
		t.Error(newcomer.Err(), a.size())
	}
}
