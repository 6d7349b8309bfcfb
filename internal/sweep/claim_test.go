package sweep

import (
	"strings"
	"testing"

	"caucus.example/caucus/internal/jobs"
	"caucus.example/caucus/internal/scenario"
)

const claiming = `version: 1
scenario: {topology: "ring:${n}", ids: random, algo: as-far}
grid: {n: [4, 8]}
seeds: 5
measures: [messages, correct, stabilise, edges]
published:
`

// Claims about every run count the runs; those about means are judged point by point, as published numbers are.
func TestClaims(t *testing.T) {
	for _, c := range []struct {
		claim   string
		held    int // -1: none
		rows    int
		verdict string
		refuted bool
	}{
		{"{measure: messages, value: nodes*(nodes + 3)/2, as: bound}", 10, 1, "holds", false},
		{"{measure: messages, value: nodes, as: bound}", 0, 1, "exceeded", true},
		{"{measure: messages, value: nodes, as: bound, source: somebody}", 0, 1, "exceeded", false},
		{"{measure: correct, value: 1, as: every run}", 10, 1, "holds", false},
		{"{measure: correct, value: edges/n, as: every run, where: n = 8}", 5, 1, "holds", false},
		{"{measure: correct, value: 1, as: every run, algorithm: as-far}", 10, 1, "holds", false},
		{"{measure: correct, value: 0, as: every run}", 0, 1, "differs", true},
		{"{measure: messages, value: nodes*H(nodes) + nodes}", -1, 2, "", false},
		{"{measure: messages, value: 2, as: mean of 9}", -1, 2, "differs", true},
		{"{measure: messages, value: 2, as: approximation}", -1, 2, "", false},
		{"{measure: stabilise, after: 0, value: 2*nodes, as: bound}", 10, 1, "holds", false},
		{"{measure: stabilise, value: 2*nodes, as: bound}", -1, 0, "", false},
	} {
		table := tableOf(t, sweepOf(t, claiming+"  - "+c.claim+"\n", Shard{1, 1}), jobs.Setting{})
		s := summaryOf(t, table)
		if len(s.Claims) != c.rows || s.Refuted() != c.refuted && c.verdict != "" {
			t.Errorf("%s: %d rows, refuted %t", c.claim, len(s.Claims), s.Refuted())
			continue
		}
		for _, x := range s.Claims {
			if c.held >= 0 && (x.Held == nil || *x.Held != c.held || x.Verdict != c.verdict) || x.Runs == 0 {
				t.Errorf("%s: %+v", c.claim, x)
			}
		}
		var text strings.Builder
		if err := s.Text(&text); err != nil || c.verdict != "" && !strings.Contains(text.String(), c.verdict+"\n") {
			t.Errorf("%s: %v\n%s", c.claim, err, text.String())
		}
	}
}

func TestClaimsRefuse(t *testing.T) {
	for claim, want := range map[string]string{
		"{measure: leaders, value: 1}":                      `measure: found "leaders"`,
		"{measure: messages}":                               "a measure and a value",
		"{measure: messages, value: nodes + radius}":        `value: found "radius", allowed: nodes, seed, n, `,
		"{measure: messages, value: 2 nodes}":               "an expression such as",
		"{measure: messages, value: 1, as: fact}":           `as: found "fact"`,
		"{measure: messages, value: 1, as: mean of 0}":      `as: found "mean of 0"`,
		"{measure: messages, value: 1, algorithm: bounded}": `algorithm: found "bounded", allowed: as-far`,
		"{measure: messages, value: 1, where: m = 3}":       `where: found "m"`,
		"{measure: messages, value: 1, where: [often]}":     "comparisons such as",
		"{measure: messages, value: 1, after: soon}":        `after: found "soon"`,
		"{measure: messages, value: 1, sources: x}":         `unknown field "sources"`,
		"messages": "with a measure and a value",
	} {
		p, err := scenario.ParsePlan("s.yaml", []byte(claiming+"  - "+claim+"\n"))
		if err == nil {
			_, err = New(p, Shard{1, 1})
		}
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "s.yaml:") {
			t.Errorf("%s: %v", claim, err)
		}
	}
}
