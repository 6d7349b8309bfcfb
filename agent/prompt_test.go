package agent

import (
	"fmt"
	"testing"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/mo"
	"caucus.example/caucus/algo/iot/prasle"
	"caucus.example/caucus/internal/columns"
)

// promptPraSLE is PraSLE as if it were caucus.Prompt.
type promptPraSLE struct{ *prasle.Election }

func (promptPraSLE) News(s, m *prasle.Claim) bool {
	return m.Leader == s.Leader && m.Epoch == s.Epoch && m.Age < s.Age
}

// unprompted is an election whose rounds keep their phases, although they need not.
type unprompted[S, M any] struct {
	caucus.Rounds[S, M]
	caucus.Backer[M]
}

// inPhase gives an election as it is, and with phases that stay.
func inPhase[S, M any](t testing.TB, e caucus.Rounds[S, M]) (prompt, phased func(*Config) (protocol, error)) {
	t.Helper()
	if _, ok := e.(caucus.Prompt[S, M]); !ok {
		t.Fatalf("%T is not prompt", e)
	}
	return func(*Config) (protocol, error) { return erase(columns.OfRounds(e)) },
		func(*Config) (protocol, error) {
			return erase(columns.OfRounds[S, M](unprompted[S, M]{e, e.(caucus.Backer[M])}))
		}
}

// replaced is how many periods it takes until all follow n2 once n1 has died.
func replaced(t testing.TB, graph string, seed uint64, proto func(*Config) (protocol, error)) (took float64) {
	n, links := linksOf(t, graph, false, seed)
	v := newVirtual(t, seed, n, links)
	v.proto = proto
	v.upAll()
	v.settle("n1", 600)
	phase := caucus.NewRand(seed, "kill")
	v.run(10*period + time.Duration(phase.Float64()*float64(period)))
	v.kill(0)
	return float64(v.within(600*period, "the next leader", func() bool {
		var term uint64
		return agreed("n2", v.alive(), &term)
	})) / float64(period)
}

// falseChanges counts those at all nodes of a line in ten minutes at 10 % loss.
func falseChanges(t testing.TB, proto func(*Config) (protocol, error)) (changes int) {
	v := newVirtual(t, 1, 10, line(10))
	v.proto = proto
	v.upAll()
	v.settle("n1", 600)
	v.loss = 0.1
	v.run(time.Minute) // to learn
	for _, a := range v.alive() {
		changes -= int(a.count.LeaderChanges)
	}
	v.run(10 * time.Minute)
	for _, a := range v.alive() {
		changes += int(a.count.LeaderChanges)
	}
	return changes
}

// promptly holds, for each graph, how long re-elections take with phases that stay and with rounds that follow news.
type promptly struct {
	graph       string
	phased, now []float64
}

func (p promptly) String() string {
	return fmt.Sprintf("%s: %.1f / %.1f -> %.1f / %.1f periods", p.graph, median(p.phased), quantile(p.phased, 0.9),
		median(p.now), quantile(p.now, 0.9))
}

// onGraphs compares an election with itself, on graphs whose diameters it may need.
func onGraphs(t testing.TB, seeds uint64, make func(k int) (prompt, phased func(*Config) (protocol, error))) (
	list []promptly) {
	for _, graph := range []struct {
		name     string
		diameter int
	}{{"clique:5", 1}, {"line:10", 9}, {"ring:20", 19}, {"geant2012", 8}} {
		prompt, phased := make(graph.diameter)
		p := promptly{graph: graph.name}
		for seed := range seeds {
			p.phased = append(p.phased, replaced(t, graph.name, seed, phased))
			p.now = append(p.now, replaced(t, graph.name, seed, prompt))
		}
		list = append(list, p)
	}
	return list
}

// Mo with aligned rounds, and changes told at once, elects faster than with phases that stay.
func TestPromptElections(t *testing.T) {
	t.Parallel()
	for _, p := range onGraphs(t, 9, promptMo(t)) {
		t.Log(p)
		if median(p.now) > median(p.phased)-0.3 {
			t.Error(p)
		}
	}
}

func promptMo(t testing.TB) func(int) (prompt, phased func(*Config) (protocol, error)) {
	return func(int) (prompt, phased func(*Config) (protocol, error)) {
		m, err := mo.New(mo.Config{K: 2})
		if err != nil {
			t.Fatal(err)
		}
		return inPhase[mo.Bid, mo.Bid](t, m)
	}
}

// BenchmarkPrompt compares Mo so, and PraSLE, which does not have aligned rounds, since what it waits for is the age of
// claims; and how often they change their minds on a lossy line, in vain.
//
//	go test -run - -bench Prompt -benchtime 1x ./agent
func BenchmarkPrompt(b *testing.B) {
	promptPraSLE := func(k int) (prompt, phased func(*Config) (protocol, error)) {
		p, err := prasle.New(prasle.Config{K: k, Patience: 3})
		if err != nil {
			b.Fatal(err)
		}
		return inPhase[prasle.Claim, prasle.Claim](b, promptPraSLE{p})
	}
	compare := func(name string, make func(int) (prompt, phased func(*Config) (protocol, error))) {
		prompt, phased := make(9)
		said := fmt.Sprintf("%s: in 10 minutes on line:10 at 10 %% loss %d -> %d changes", name,
			falseChanges(b, phased), falseChanges(b, prompt))
		for _, p := range onGraphs(b, 9, make) {
			said += "\n" + p.String()
		}
		b.Log(said)
	}
	for b.Loop() {
		compare("mo", promptMo(b))
		compare("prasle", promptPraSLE)
	}
}
