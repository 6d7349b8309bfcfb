package agent

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/algo/kit/over"
	"caucus.example/caucus/algo/kit/region"
	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/internal/wire"
)

// knowing is a network of agents that know their regions. Node i has strength n-i, so that the first leads.
func knowing(t *testing.T, n int, links edges) *virtual {
	v := newVirtual(t, 5, n, links)
	v.proto = func(*Config) (protocol, error) {
		return erase(columns.OfRounds(over.New[bounded.Candidacy, bounded.Candidacy](election(t), region.Region{})))
	}
	for i, x := range v.nodes {
		x.cfg.Region, x.cfg.Strength = true, float64(n-i)
	}
	return v
}

func lineOf(n int) (links edges) {
	for i := range n - 1 {
		links = append(links, [2]int{i, i + 1})
	}
	return links
}

// roster is what the leader at node i says of its members: "name/hops", strongest first.
func (v *virtual) roster(i int) string {
	r, _ := v.nodes[i].agent.Region()
	var list []string
	for _, m := range r.Members {
		list = append(list, fmt.Sprintf("%s/%d", m.Name, m.Distance))
	}
	return strings.Join(list, " ")
}

// A line of 5 with the leader at one end. From the start there are 4 hops of election, 4 of collecting and, for names,
// one period for each card that is in the way of another: all is known within 16 periods. A node that dies is out
// within the expiry of 3 periods, its depth of 4, and 2 for phases; a region that splits has two exact rosters within
// the time that the others take to elect, the heartbeat of 3 periods and the expiry with a hop each, and the depths of
// both.
func TestRosterOfALine(t *testing.T) {
	const period = 100 * time.Millisecond
	v := knowing(t, 5, lineOf(5))
	v.nodes[4].cfg.Tags = []string{"gpu", "rack-3"}
	name := func(i int) string { return v.nodes[i].cfg.Name }
	v.upAll()
	all := fmt.Sprintf("%s/0 %s/1 %s/2 %s/3 %s/4", name(0), name(1), name(2), name(3), name(4))
	v.within(16*period, "the whole roster", func() bool { return v.roster(0) == all })
	v.run(5 * period)
	r, on := v.nodes[0].agent.Region()
	last := r.Members[4]
	if !on || !r.Whole || r.Count != 5 || r.Sum != 15 || r.Mean != 3 || r.Term == 0 ||
		last.Addr != v.nodes[4].addr.String() ||
		strings.Join(last.Tags, " ") != "gpu rack-3" || r.Age(v.now) > period {
		t.Errorf("%+v", r)
	}
	if far, _ := v.nodes[3].agent.Region(); far.Whole || far.Distance != 3 ||
		v.roster(3) != name(3)+"/3 "+name(4)+"/4" {
		t.Errorf("node 4 of the line: %+v", far)
	}
	v.kill(4)
	v.within((3+4+2)*period, "the last is out",
		func() bool { return v.roster(0) == strings.TrimSuffix(all, " "+name(4)+"/4") })
	v.up(4)
	v.within(16*period, "the last is back", func() bool { return v.roster(0) == all })
	v.cut = func(from, to int) bool { return (from < 2) != (to < 2) }
	v.within((3+3+5+1+2+2)*period, "two exact rosters", func() bool {
		return v.roster(0) == name(0)+"/0 "+name(1)+"/1" && v.roster(2) == fmt.Sprintf("%s/0 %s/1 %s/2", name(2),
			name(3), name(4))
	})
}

// In a ring of 40 all are counted and named: the 15 strongest with the figures, the others a card a period. The
// farthest stands at 20 hops, and when it leaves it is out within the expiry of 3 periods, its depth and 2 for phases.
// Tags of all are united. When half of the ring has to go the other way round, and a fifth of all datagrams is lost, it
// is all there again, though a card that is lost waits for its next turn on that hop.
func TestEveryMemberIsNamed(t *testing.T) {
	const period = 100 * time.Millisecond
	v := knowing(t, 40, append(lineOf(40), [2]int{39, 0}))
	v.nodes[20].cfg.Tags, v.nodes[30].cfg.Tags = []string{"far", "gpu"}, []string{"gpu"}
	named := func(without ...int) func() bool {
		return func() bool {
			r, _ := v.nodes[0].agent.Region()
			if r.Count != 40-len(without) || len(r.Members) != r.Count {
				return false
			}
			k := 0
			for i, x := range v.nodes {
				if slices.Contains(without, i) {
					continue
				}
				m := r.Members[k]
				if k++; m.Name != x.cfg.Name || m.Strength != float64(40-i) || i > 0 && m.Addr != x.addr.String() {
					return false
				}
			}
			return true
		}
	}
	v.upAll()
	v.within(8*time.Second, "everybody", named())
	r, _ := v.nodes[0].agent.Region()
	if got := strings.Join(r.Tags, " "); got != "far gpu" {
		t.Errorf("tags %q", got)
	}
	v.run(10 * time.Second)
	r, _ = v.nodes[0].agent.Region()
	for _, m := range r.Members {
		if ago := r.At.Sub(m.Heard); ago < 0 || ago > 20*40*period {
			t.Errorf("%s heard %v ago", m.Name, ago)
		}
	}
	v.kill(20)
	v.within((3+20+2)*period, "the farthest is out", named(20))
	v.up(20)
	v.within(8*time.Second, "it is back", named())
	v.loss = 0.2
	v.kill(35)
	v.within(time.Minute, "the others, the other way round", named(35))
	v.up(35)
	v.within(time.Minute, "everybody again", named())
}

// Who has no region says nothing of it: no node pays for what it has not asked for.
func TestNoRegionCostsNothing(t *testing.T) {
	v := newVirtual(t, 5, 3, lineOf(3))
	v.sent = func(p packet) {
		if e, err := v.decode(p); err == nil && (e.Card != nil || len(e.Body) > 32) {
			t.Fatalf("%+v", e)
		}
	}
	v.upAll()
	v.run(3 * time.Second)
	a := v.nodes[0].agent
	if _, on := a.Region(); on {
		t.Error("a region without region: true")
	}
	a.takeCard(a.peers[0], &wire.Card{To: a.self.ID, ID: 99, Name: "stranger"}, v.now)
	a.takePiece(&wire.Piece{Size: 3, Data: []byte("abc")}, v.now)
	if len(a.album.cards) > 0 || a.directives.have != nil {
		t.Errorf("what is sent to it is kept: %v, %v", a.album.cards, a.directives.have)
	}
}

// Over HTTP, and for watchers, with agents that run.
func TestRegionOverHTTP(t *testing.T) {
	c := configs(inMemory(t, 2), lineOf(2))
	ctx := t.Context()
	var agents []*Agent
	for i := range c {
		c[i].Region, c[i].HTTP, c[i].Strength, c[i].Period = i == 0 || i == 1, "127.0.0.1:0", float64(2-i),
			5*time.Millisecond
		a, err := New[bounded.Candidacy, bounded.Candidacy](election(t), &bounded.Spec, c[i])
		if err != nil {
			t.Fatal(err)
		}
		go a.Run(ctx)
		t.Cleanup(a.Kill)
		agents = append(agents, a)
	}
	for r := range agents[0].WatchRegion(ctx) {
		if r.Count == 2 && r.Members[1].Name == c[1].Name {
			break
		}
	}
	answer, err := http.Get("http://" + agents[0].HTTPAddr() + "/v1/region")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var r Region
	data, err := io.ReadAll(answer.Body)
	if err != nil || json.Unmarshal(data, &r) != nil || r.Schema != RegionSchema || r.Name != c[0].Name ||
		len(r.Members) != 2 {
		t.Errorf("%s", data)
	}
}

func TestTags(t *testing.T) {
	for wrong, c := range map[string]Config{
		"tags[1]": {Region: true, Tags: []string{"a", "b,c"}},
		"tags":    {Tags: []string{"a"}},
	} {
		_, err := c.Resolve()
		field, ok := err.(*caucus.FieldError)
		if !ok || field.Field != wrong {
			t.Errorf("%v, want one about %s", err, wrong)
		}
	}
}
