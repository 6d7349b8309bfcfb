package agent

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/wire"
	"caucus.example/caucus/network"
	"caucus.example/caucus/network/format"
)

// floorGraphs are the networks on which re-election is measured. The dead leader is n1 everywhere. The names of the
// last two are dealt anew for each seed, so that the next leader is anywhere.
var floorGraphs = []struct {
	name    string
	shuffle bool
}{
	{"clique:5", false}, {"clique:30", false}, {"line:10", false}, {"ring:20", false}, {"geant2012", false},
	{"rgg:n=60,degree=6,connected", false}, {"ring:20", true}, {"rgg:n=60,degree=6,connected", true},
}

// linksOf are the edges of a network by its name; rgg is another one for every seed.
func linksOf(t testing.TB, name string, shuffle bool, seed uint64) (int, edges) {
	t.Helper()
	g, _, err := format.Open(name, seed, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return edgesOf(g, shuffle, seed)
}

func edgesOf(g *network.Graph, shuffle bool, seed uint64) (int, edges) {
	place := make([]int, g.Len())
	for i := range place {
		place[i] = i
	}
	if shuffle {
		random := caucus.NewRand(seed, "places")
		for i := range place {
			j := i + int(random.Uint64()%uint64(len(place)-i))
			place[i], place[j] = place[j], place[i]
		}
	}
	var links edges
	for i := range g.Len() {
		for _, j := range g.Neighbours(i) {
			if i < int(j) {
				links = append(links, [2]int{place[i], place[j]})
			}
		}
	}
	return g.Len(), links
}

// trial is one re-election.
type trial struct {
	named, acts float64 // periods until all name the same live leader for good, and it acts with a term that all report
	extra       int     // datagrams between the living besides those of ten ordinary periods
	bytes       float64 // payload per link and second, both directions, before
	twins       int     // reports with which a second node acted with a term that another one acted with
}

// reelected kills n1 at a random moment of its period.
func reelected(t testing.TB, v *virtual, seed uint64, loss float64) (x trial) {
	v.upAll()
	v.settle("n1", 200)
	if loss > 0 {
		v.loss = loss
		v.run(20 * time.Second) // to learn
	}
	phase := caucus.NewRand(seed, "kill")
	v.run(10*period + time.Duration(phase.Float64()*float64(period)))
	sent, bytes, dead := 0, 0, v.nodes[0].addr
	v.sent = func(p packet) {
		bytes += len(p.data)
		if p.from != dead && p.to != dead {
			sent++
		}
	}
	links := 0
	for _, c := range v.nodes {
		links += len(c.cfg.Peers)
	}
	const calm = 32 // two of nameEvery
	v.run(calm * period)
	usual := float64(sent) / calm * 10
	x.bytes = 2 * float64(bytes) / float64(links) / (calm * period).Seconds()
	v.kill(0)
	killed := v.now
	sent = 0
	last := make([]Leadership, len(v.nodes))
	for i, n := range v.nodes {
		if n.agent != nil {
			last[i] = n.agent.Status().Leadership
		}
	}
	v.seen = func(i int, l Leadership) {
		old := last[i]
		last[i] = l
		since := float64(v.now.Sub(killed)) / float64(period)
		if l.LeaderID != old.LeaderID || l.LeaderNonce != old.LeaderNonce {
			x.named = since
		}
		if l.Term != old.Term || l.Leads() != old.Leads() {
			x.acts = since
		}
		for j, o := range last {
			if l.Leads() && !old.Leads() && j != i && o.Leads() && o.Term == l.Term {
				x.twins++
			}
		}
	}
	v.run(10 * period)
	x.extra = sent - int(math.Round(usual))
	v.run(40 * period)
	x.acts = max(x.acts, x.named)
	v.seen = nil
	if loss == 0 {
		v.stands(30)
	}
	return x
}

// stands fails unless every live node follows a live leader that acts, with its term, and has done so for a while. The
// dead node may have been all that held the network together.
func (v *virtual) stands(periods float64) {
	v.t.Helper()
	for _, a := range v.alive() {
		s := a.Status()
		leads := slices.ContainsFunc(v.alive(), func(b *Agent) bool {
			l := b.Status()
			return b.self == wire.Instance{ID: s.LeaderID, Nonce: s.LeaderNonce} && l.Leads() && l.Term == s.Term
		})
		if !leads || v.now.Sub(s.Since) < time.Duration(periods)*period {
			v.t.Fatalf("%s: %v since %v", a.cfg.Name, s.Leadership, v.now.Sub(s.Since))
		}
	}
}

func median(list []float64) float64 { return quantile(list, 0.5) }

func quantile(list []float64, q float64) float64 {
	list = slices.Sorted(slices.Values(list))
	return list[min(len(list)-1, int(q*float64(len(list))))]
}

// floors are trials over some seeds.
type floors struct {
	named, acts, extra, bytes []float64
	twins                     int
}

func floor(t testing.TB, name string, shuffle bool, seeds int, loss float64) (f floors) {
	for seed := range uint64(seeds) {
		n, links := linksOf(t, name, shuffle, seed)
		x := reelected(t, newVirtual(t, seed, n, links), seed, loss)
		f.named, f.acts = append(f.named, x.named), append(f.acts, x.acts)
		f.extra, f.bytes = append(f.extra, float64(x.extra)), append(f.bytes, x.bytes)
		f.twins += x.twins
	}
	return f
}

// These are how many runs a test makes of each kind. Where datagrams are lost, times differ more.
const floorSeeds, lossySeeds = 5, 9

// The last beat of a leader that dies reaches all at about the same moment; they wait for the next one 1.25 periods,
// and for two more, and a leader leads for half a period before it acts: 3.75 periods after the last beat, which was
// half a period before the crash in the median, and a whole one or none at the ends. The rest, a quarter of a period,
// or three on the ring, is for the way.
func TestFloor(t *testing.T) {
	t.Parallel()
	for _, g := range floorGraphs {
		if g.name == "clique:30" {
			continue // takes as long as all others; see BenchmarkFloor
		}
		most := 3.5
		if g.name == "ring:20" {
			most = 4
		}
		f := floor(t, g.name, g.shuffle, floorSeeds, 0)
		if median(f.acts) > most {
			t.Errorf("%s: the next leader acts after %.1f periods, want %.1f", g.name, median(f.acts), most)
		}
		if !g.shuffle { // the simulator does not number nodes in this other way
			crashesAlike(t, g.name, 0, f.named)
		}
	}
}

// BenchmarkFloor reports what re-election takes after a crash, in virtual time: periods until all live nodes name the
// same leader for good, and until it acts with a term that all report; datagrams besides those of ten ordinary periods,
// and how often a second node acted with a number that another one acted with, in all runs.
//
//	go test -run '^$' -bench Floor -benchtime 1x ./agent
func BenchmarkFloor(b *testing.B) {
	for _, g := range floorGraphs {
		for _, loss := range []float64{0, 0.1} {
			name := fmt.Sprintf("%s/loss=%g", strings.ReplaceAll(g.name, ":", "="), loss)
			if g.shuffle {
				name = "shuffled/" + name
			}
			b.Run(name, func(b *testing.B) {
				var f floors
				for b.Loop() {
					f = floor(b, g.name, g.shuffle, 20, loss)
				}
				b.ReportMetric(median(f.named), "named")
				b.ReportMetric(quantile(f.named, .9), "named-p90")
				b.ReportMetric(median(f.acts), "acts")
				b.ReportMetric(quantile(f.acts, .9), "acts-p90")
				b.ReportMetric(median(f.extra), "extra-datagrams")
				b.ReportMetric(median(f.bytes), "bytes/link/s")
				b.ReportMetric(float64(f.twins), "same-number")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// idle gives for how many periods nobody acted, and for how many more than one node did, while something happens and
// in the 20 periods after it.
func (v *virtual) idle(what func()) (none, several float64) {
	acting, last := make([]bool, len(v.nodes)), v.now
	count := func() (n int) {
		for i, x := range v.nodes {
			if acting[i] && x.agent != nil {
				n++
			}
		}
		return n
	}
	for i, x := range v.nodes {
		acting[i] = x.agent != nil && x.agent.Status().Leads()
	}
	v.seen = func(i int, l Leadership) {
		switch since := float64(v.now.Sub(last)) / float64(period); count() {
		case 0:
			none += since
		case 1:
		default:
			several += since
		}
		acting[i], last = l.Leads(), v.now
	}
	what()
	v.run(20 * period)
	v.seen = nil
	return none, several
}

// A better node that returns, or becomes better, takes over without a moment in which nobody acts.
func TestHandover(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"clique:5", "line:10", "ring:20", "geant2012"} {
		var returned, together, raised []float64
		for seed := range uint64(10) {
			n, links := linksOf(t, name, true, seed)
			v := newVirtual(t, seed, n, links)
			v.upAll()
			v.settle("n1", 200)
			v.kill(0)
			v.run(20 * period)
			none, several := v.idle(func() { v.up(0) })
			returned, together = append(returned, none), append(together, several)
			none, _ = v.idle(func() { v.nodes[n/2].agent.SetStrength(100) })
			raised = append(raised, none)
			v.settle("", 20)
		}
		t.Logf("%-10s two act for %.2f periods after a return in the median, %.2f at the worst", name, median(together),
			quantile(together, 1))
		if r, x := quantile(returned, 1), quantile(raised, 1); r > 0 || x > 0 {
			t.Errorf("%s: nobody acts for %.2f periods after a return and %.2f after a rise", name, r, x)
		}
	}
}
