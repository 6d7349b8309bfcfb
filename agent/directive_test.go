package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/internal/wire"
)

// has tells whether node i has a directive whole.
func (v *virtual) has(i int, data []byte) bool {
	d, ok := v.nodes[i].agent.Directive()
	return ok && bytes.Equal(d.Data, data)
}

func (v *virtual) publish(i int, data []byte) uint64 {
	v.t.Helper()
	version, err := v.nodes[i].agent.proclaim(data, v.now)
	if err != nil {
		v.t.Fatal(err)
	}
	return version
}

// A directive is at the far end of a line of 5 within its 4 hops and the period until the leader's round, whenever in
// it that is told: pieces are asked for in the round in which the name comes, and sent at once. One of 64 KiB is 164
// pieces of 400 bytes, of which 48 go with every question: 4 periods more on each hop if none went on before the next
// came, so 4 and 16 at most. With a fifth of all lost each hop takes some more.
func TestDirectiveReachesAll(t *testing.T) {
	const period = 100 * time.Millisecond
	long := bytes.Repeat([]byte("0123456789abcdef"), MaxDirective/16)
	for _, c := range []struct {
		data    []byte
		loss    float64
		periods int
	}{{[]byte("watch the north"), 0, 4 + 1}, {long, 0, 4 + 1 + 16}, {long, 0.2, 100}} {
		v := knowing(t, 5, lineOf(5))
		v.upAll()
		v.run(2 * time.Second)
		v.loss = c.loss
		if version := v.publish(0, c.data); version != 1 {
			t.Errorf("version %d", version)
		}
		took := v.within(time.Duration(c.periods)*period, "the far end has it", func() bool { return v.has(4, c.data) })
		t.Logf("%d bytes, loss %g: %v", len(c.data), c.loss, took)
		for k := range 50 * min(1, len(long)-len(c.data)) {
			v.run(time.Second + time.Duration(k)*period/50)
			again := fmt.Appendf(nil, "watch %d", k)
			v.publish(0, again)
			v.within(time.Duration(c.periods)*period, "again", func() bool { return v.has(4, again) })
			c.data = again
		}
		for i := range 4 {
			if !v.has(i, c.data) {
				t.Errorf("node %d lacks it", i+1)
			}
		}
	}
}

// A directive of 64 KiB in which a word has been put in, and others taken out, takes a piece or two on each hop, also
// to one that has missed datagrams; one that joins gets all of it.
func TestDirectiveSendsWhatDiffers(t *testing.T) {
	const period = 100 * time.Millisecond
	long := make([]byte, MaxDirective-100)
	for i := range long {
		long[i] = byte(i * i >> 7)
	}
	v := knowing(t, 5, lineOf(5))
	for i := range 4 {
		v.up(i)
	}
	v.run(2 * time.Second)
	v.publish(0, long)
	v.within(40*period, "the first", func() bool { return v.has(3, long) })
	pieces := map[string]int{}
	v.sent = func(p packet) {
		if e, err := v.decode(p); err == nil && e.Piece != nil && len(e.Piece.Data) > 0 {
			pieces[p.from.String()]++
		}
	}
	next := bytes.Clone(long)
	for k, edit := range []func(){
		func() { next = slices.Insert(next, 30_000, []byte("a word")...) },
		func() { next = slices.Delete(next, 10_000, 10_500) },
		func() { next = next[:40_000] },
		func() { next = append(next, long[40_000:]...) },
	} {
		edit()
		clear(pieces)
		v.publish(0, next)
		next := bytes.Clone(next)
		v.within(7*period, "the next", func() bool { return v.has(3, next) })
		v.run(5 * period)
		most := 3
		if k == 3 { // what had been cut off
			most = 2 * 64 // some are asked for while they are on their way
		}
		for from, n := range pieces {
			if n > most {
				t.Errorf("%d: %s sends %d pieces", k, from, n)
			}
		}
		if len(pieces) > 3 {
			t.Errorf("%d: pieces of %v", k, pieces)
		}
	}
	v.loss = 0.2
	other := slices.Insert(bytes.Clone(long), 50, 1, 2, 3)
	v.publish(0, other)
	v.within(60*period, "with loss", func() bool { return v.has(3, other) })
	v.up(4)
	v.within(100*period, "who joins", func() bool { return v.has(4, other) })
}

// When the leader is gone its successor goes on from the last directive that it has: nobody is told another one, and
// the next has a greater version. Who joins gets it as well; who does not lead may not publish.
func TestDirectiveOutlivesItsLeader(t *testing.T) {
	first, second := []byte("first"), []byte("second")
	v := knowing(t, 5, clique(5))
	v.kill(4)
	for i := range 4 {
		v.up(i)
	}
	v.run(2 * time.Second)
	v.publish(0, first)
	v.run(time.Second)
	v.kill(0)
	v.run(3 * time.Second)
	v.up(4)
	v.within(2*time.Second, "who joins has the first", func() bool { return v.has(4, first) })
	if _, err := v.nodes[2].agent.proclaim(second, v.now); !errors.Is(err, errNotLeader) {
		t.Errorf("a follower publishes: %v", err)
	}
	if version := v.publish(1, second); version != 2 {
		t.Errorf("version %d", version)
	}
	v.within(time.Second, "all have the second",
		func() bool { return v.has(2, second) && v.has(3, second) && v.has(4, second) })
}

// A leader that is started anew has no directive: it goes on from the newest that a member has, at any depth, and what
// it publishes then is newer still. One that has the former goes on from that, and knows the newest version.
func TestDirectiveOutlivesARestart(t *testing.T) {
	first, second, third := []byte("first"), []byte("second"), []byte("third")
	v := knowing(t, 5, lineOf(5))
	all := func(data []byte) func() bool {
		return func() bool { return v.has(0, data) && v.has(1, data) && v.has(4, data) }
	}
	v.upAll()
	v.run(2 * time.Second)
	v.publish(0, first)
	v.within(time.Second, "all have the first", all(first))
	v.kill(0)
	v.run(3 * time.Second)
	if version := v.publish(1, second); version != 2 {
		t.Errorf("version %d", version)
	}
	v.run(time.Second)
	v.kill(1)
	v.run(time.Second)
	v.up(1)
	v.up(0)
	v.within(4*time.Second, "all have the second", all(second))
	v.run(2 * time.Second)
	if version := v.publish(0, third); version != 3 {
		t.Errorf("version %d", version)
	}
	v.within(time.Second, "all have the third", all(third))
	v.run(2 * time.Second)
	wants := 0
	v.sent = func(p packet) {
		if e, err := v.decode(p); err == nil && e.Want != nil {
			wants++
		}
	}
	v.run(2 * time.Second)
	if wants > 0 {
		t.Errorf("%d questions at rest", wants)
	}
}

// Over HTTP, and for watchers, with agents that run: too long, none, not at the leader, and then one that arrives.
func TestDirectiveOverHTTP(t *testing.T) {
	c := configs(inMemory(t, 2), lineOf(2))
	var agents []*Agent
	for i := range c {
		c[i].Region, c[i].HTTP, c[i].Strength, c[i].Period = true, "127.0.0.1:0", float64(2-i), 5*time.Millisecond
		a, err := New[bounded.Candidacy, bounded.Candidacy](election(t), &bounded.Spec, c[i])
		if err != nil {
			t.Fatal(err)
		}
		go a.Run(t.Context())
		t.Cleanup(a.Kill)
		agents = append(agents, a)
	}
	for r := range agents[0].WatchRegion(t.Context()) {
		if r.Count == 2 && r.Term > 0 {
			break
		}
	}
	for _, x := range []struct {
		to     int
		data   string
		status int
	}{{0, strings.Repeat("x", MaxDirective+1), 413}, {0, "", 413}, {1, "y", 409}, {0, "z", 200}} {
		e := Endpoint{Addr: agents[x.to].HTTPAddr()}
		answer, err := e.Send(t.Context(), "/v1/directive", strings.NewReader(x.data))
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != x.status {
			t.Errorf("%d bytes to node %d: %s", len(x.data), x.to+1, answer.Status)
		}
	}
	for d := range agents[1].WatchDirective(t.Context()) {
		if string(d.Data) == "z" {
			break
		}
	}
	answer, err := http.Get("http://" + agents[1].HTTPAddr() + "/v1/directive")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var d Directive
	if err := json.NewDecoder(answer.Body).Decode(&d); err != nil || string(d.Data) != "z" ||
		d.Schema != DirectiveSchema || d.Version != 1 {
		t.Errorf("%+v, %v", d, err)
	}
}

// A neighbour that says that more is the same than there is is not believed, whatever an int holds.
func TestMoreIsTheSameThanThereIs(t *testing.T) {
	old, next := caucus.Word{Version: 1, Digest: 1}, caucus.Word{Version: 2, Digest: 2}
	const most = 1<<32 - 1
	for _, p := range []wire.Piece{{Head: 11}, {Head: 6, Tail: 5}, {Tail: most - 255}, {Head: most, Tail: most}} {
		d := directives{word: old, next: next, whole: Directive{Data: make([]byte, 10)}, data: make([]byte, 10),
			have: make([]bool, 1), missing: 1}
		p.Of, p.Word, p.Size = old, next, 10
		d.takeSame(&p)
		if d.alike != nil {
			t.Errorf("head %d, tail %d: believed", p.Head, p.Tail)
		}
	}
}
