package operate

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"caucus.example/caucus/agent"
)

func TestPrintStatus(t *testing.T) {
	now := time.Unix(1000, 0)
	s := agent.Status{
		Name: "b", ID: 2, Group: "g", Metric: "hops", Period: 100 * time.Millisecond, Expiry: 3, State: "running",
		LastRound: now.Add(-time.Second),
		Leadership: agent.Leadership{Role: "follower", Leader: "a", LeaderID: 1, Term: 4, Distance: 2,
			Since: now.Add(-time.Minute)},
		Neighbours: []agent.Neighbour{
			{Peer: "c:1", Name: "c", ID: 3, Live: true, Hears: true, Heard: now.Add(-time.Millisecond), Length: 1,
				Leader: "a"},
			{Peer: "d:1", Name: "d:1", Length: -1, Refused: "algorithm: mo there, bounded here"}},
		Duplicates: []agent.Duplicate{{ID: 9, Nonces: [2]uint32{1, 2}, Addr: "1.2.3.4:5"}},
		Counters: agent.Counters{Dropped: map[string]uint64{"old": 2, "group": 1},
			Messages: agent.MessageCounters{Sent: 7, Received: 5, Lost: 1}},
	}
	var out strings.Builder
	if err := printStatus(&out, &s, now); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"follower of a, term 4, for 1m0s", "STALE", "last round 1s ago", "DUPLICATE ID",
		"instances 00000001 and 00000002 1.2.3.4:5", "never", "1ms ago", "d:1: algorithm: mo there",
		"7 sent, 5 received, 1 lost", "role=follower leader=a term=4 neighbours=1/2",
		"dropped=3 stale=true",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// What has happened at several groups is told in order of time, and so is that one of them is gone.
func TestEventsOfGroups(t *testing.T) {
	at := func(second int) time.Time { return time.Unix(int64(second), 0) }
	status := func(group string, second int) agent.Status {
		return agent.Status{Group: group, Nonce: 1, Changes: []agent.Change{{At: at(second), Role: "lead"}}}
	}
	f := follower{groups: map[string]*seen{}}
	order := func(list ...agent.Status) (text string) {
		for _, e := range f.news(list) {
			text += e.Group + " " + e.Now + ";"
		}
		return text
	}
	if got := order(status("a", 2), status("b", 1)); got != "b lead;a lead;" {
		t.Error(got)
	}
	if got := order(status("a", 3)); got != "a lead;b left;" {
		t.Error(got)
	}
	if got := order(status("a", 3)); got != "" {
		t.Error(got)
	}
}

// Changes that an agent has forgotten before it was asked again are counted; none is told twice, and of one that is
// asked for the first time nothing is missing.
func TestEventsThatAreMissed(t *testing.T) {
	f := follower{groups: map[string]*seen{}}
	told := func(nonce uint32, from, to uint64) (text string) {
		s := agent.Status{Group: "a", Nonce: nonce}
		for n := from; n <= to; n++ {
			s.Changes = append(s.Changes, agent.Change{Number: n, Role: fmt.Sprint(n)})
		}
		for _, e := range f.news([]agent.Status{s}) {
			text += e.Now + ";"
		}
		return text
	}
	for _, c := range []struct {
		nonce    uint32
		from, to uint64
		want     string
	}{
		{1, 5, 7, "7;"},
		{1, 5, 8, "8;"},
		{1, 5, 8, ""},
		{1, 20, 22, "11 changes not shown;20;21;22;"},
		{2, 1, 2, "1;2;"},
	} {
		if got := told(c.nonce, c.from, c.to); got != c.want {
			t.Errorf("%d to %d of life %d: %q, want %q", c.from, c.to, c.nonce, got, c.want)
		}
	}
}

// What a node can say of who would lead next, in words.
func TestAfterwards(t *testing.T) {
	for want, n := range map[string]agent.Next{
		"b, standing 7: the best, 3 compared": {Name: "b", Standing: 7, How: "the best", Among: 3},
		"nobody is known":                     {How: "nobody is known"},
		"-":                                   {}, // of an agent of an earlier version
	} {
		if got := afterwards(&n); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A roster that is cut says so.
func TestRegionText(t *testing.T) {
	at := time.Unix(1e9, 0)
	r := agent.Region{Leader: "a", Whole: true, Count: 30, At: at, Tags: []string{"x", "y"},
		Members: []agent.Member{{Name: "a", Strength: 2},
			{Name: "b", Addr: "10.0.0.2:7400", Distance: 1, Tags: []string{"x", "y"},
				Heard: at.Add(-2500 * time.Millisecond)}}}
	text := regionText(&r)
	for _, want := range []string{"a       0     2         -              -       -\n",
		"b       1     0         10.0.0.2:7400  2s ago  x,y\n", "and 28 more",
		"\ntags: x,y\n", "leader=a term=0 whole=true hops=0 members=30"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// Another server's page is not shown: who asks has probably taken another address than that of an agent.
func TestAnotherServerAnswers(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNotFound)
		io.WriteString(w, "<!DOCTYPE HTML>\n<html>\n")
	}))
	defer server.Close()
	addr := strings.TrimPrefix(server.URL, "http://")
	_, _, err := (&Asking{Addr: addr}).Statuses(t.Context())
	want := addr + " answers 404 Not Found: is this the http address of an agent?"
	if err == nil || err.Error() != want {
		t.Errorf("found %v, want %s", err, want)
	}
}
