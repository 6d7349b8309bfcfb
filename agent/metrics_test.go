package agent

import (
	"math"
	"strings"
	"testing"

	"caucus.example/caucus/agent/act"
	"caucus.example/caucus/agent/probe"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// Prometheus's own parser reads every value back, of whatever name, and its linter finds nothing to say.
func TestExposition(t *testing.T) {
	odd := "a\\b\"c\nd\xff{}"
	e := exposition{values: map[*metric][]string{}}
	for _, e.group = range []string{"x", odd} {
		e.collect(&Status{
			Leadership: Leadership{Role: "leader", Term: 3},
			Version:    odd, Strength: math.Inf(1),
			Members: 2,
			Counters: Counters{Rounds: 7, Dropped: map[string]uint64{"old": 5},
				Unread: map[string]uint64{odd: 1}},
			Neighbours: []Neighbour{{Peer: odd, Live: true, Hears: true, Loss: 0.25, Theirs: 0.5, RTT: 1e6}},
			Checks:     []probe.Result{{Name: odd, Passes: true}},
			Hooks:      &act.Counts{Runs: 3, Failures: 2, Timeouts: 1},
		})
		e.collectRegion(&Region{Distance: 2, Whole: true, Count: 5, Sum: 20, Min: 1, Max: 9,
			Histogram: []Bucket{{UpTo: 16, Count: 1}, {UpTo: 8, Count: 0}, {UpTo: 4, Count: 4}}})
	}
	var text strings.Builder
	e.writeTo(&text)
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	if len(families) != len(e.values) || len(families) < 25 {
		t.Errorf("%d families read, %d written", len(families), len(e.values))
	}
	loss := families["caucus_neighbour_loss"].GetMetric()
	if len(loss) != 2 || loss[1].GetGauge().GetValue() != 0.25 ||
		loss[1].GetLabel()[1].GetValue() != strings.ToValidUTF8(odd, "\uFFFD") {
		t.Errorf("%v", loss)
	}
	if v := families["caucus_rounds_total"].GetMetric()[0].GetCounter().GetValue(); v != 7 {
		t.Error(v)
	}
	if v := families["caucus_strength"].GetMetric()[0].GetGauge().GetValue(); !math.IsInf(v, 1) {
		t.Error(v)
	}
	h := families["caucus_region_strength"].GetMetric()[0].GetHistogram()
	if b := h.GetBucket(); h.GetSampleCount() != 5 || h.GetSampleSum() != 20 || len(b) != 4 ||
		b[0].GetUpperBound() != 4 || b[0].GetCumulativeCount() != 4 || b[2].GetCumulativeCount() != 5 {
		t.Errorf("%v", h)
	}
	problems, err := promlint.New(strings.NewReader(text.String())).Lint()
	if err != nil || len(problems) > 0 {
		t.Errorf("%v, %v", problems, err)
	}
}
