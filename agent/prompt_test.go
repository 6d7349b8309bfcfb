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
func inPhase[S, M any](t *testing.T, e caucus.Rounds[S, M]) (prompt, phased func(*Config) (protocol, error)) {
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
func replaced(t *testing.T, graph string, seed uint64, proto func(*Config) (protocol, error)) (took float64) {
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
func falseChanges(t *testing.T, proto func(*Config) (protocol, error)) (changes int) {
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

// Mo with aligned rounds, and changes told at once, beside the same with phases that stay; and PraSLE, which does not
// have them, since what it waits for is the age of claims.
//
//	go test -run PromptElections -v ./agent
func TestPromptElections(t *testing.T) {
	const seeds = 9
	for _, graph := range []struct {
		name     string
		diameter int
	}{{"clique:5", 1}, {"line:10", 9}, {"ring:20", 19}, {"geant2012", 8}} {
		p, err := prasle.New(prasle.Config{K: graph.diameter, Patience: 3})
		if err != nil {
			t.Fatal(err)
		}
		m, err := mo.New(mo.Config{K: 2})
		if err != nil {
			t.Fatal(err)
		}
		compare := func(name string, prompt, phased func(*Config) (protocol, error)) {
			var before, now []float64
			for seed := range uint64(seeds) {
				before = append(before, replaced(t, graph.name, seed, phased))
				now = append(now, replaced(t, graph.name, seed, prompt))
			}
			lossy := ""
			if graph.name == "line:10" {
				lossy = fmt.Sprintf("; changes in 10 minutes at 10 %% loss %d -> %d", falseChanges(t, phased),
					falseChanges(t, prompt))
			}
			t.Logf("%s, %s: %.1f / %.1f -> %.1f / %.1f periods%s", name, graph.name, median(before),
				quantile(before, 0.9), median(now), quantile(now, 0.9), lossy)
			if name == "mo" && median(now) > median(before)-0.3 {
				t.Errorf("%s: %.1f periods, %.1f with phases that stay", graph.name, median(now), median(before))
			}
		}
		prompt, phased := inPhase[prasle.Claim, prasle.Claim](t, promptPraSLE{p})
		compare("prasle", prompt, phased)
		prompt, phased = inPhase[mo.Bid, mo.Bid](t, m)
		compare("mo", prompt, phased)
	}
}
