package sweep

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caucus.example/caucus/internal/jobs"
	"caucus.example/caucus/internal/picture"
	"caucus.example/caucus/internal/scenario"
)

const charted = `version: 1
scenario: {topology: "ring:${n}", strength: id, metric: hops, stable-for: 5}
grid: {n: [8, 12], radius: [1, 2, 3]}
algorithms: [bounded, recursive]
seeds: 3
measures: [leaders, messages]
charts:
`

// A chart has a line for each value of what it leaves open, or of what it is by; a distribution rises by the runs.
func TestCharts(t *testing.T) {
	p, err := scenario.ParsePlan("s.yaml", []byte(charted+"  - {measure: leaders, over: radius}\n"+
		"  - {measure: messages, by: n, log: x}\n  - {measure: leaders, over: radius, by: [algorithm]}\n"+
		"  - {measure: messages, over: radius, by: algorithm, kind: box, where: n = 8, log: y, file: boxes.pdf}\n"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(p, Shard{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	table, err := s.Do(t.Context(), jobs.Setting{})
	if err != nil {
		t.Fatal(err)
	}
	again, err := scenario.ChartsOf(table.Plan())
	if err != nil {
		t.Fatal(err)
	}
	list, err := table.Charts("out/t.csv", again)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range list {
		names = append(names, filepath.ToSlash(c.File))
		var svg, pdf bytes.Buffer
		err := errors.Join(c.Write(&svg, "c.svg"), c.Write(&pdf, c.File))
		if err != nil || svg.Len() < 1000 || pdf.Len() < 1000 {
			t.Errorf("%s: %v", c.File, err)
		}
	}
	if want := []string{"out/t-leaders-over-radius.svg", "out/t-messages.svg", "out/t-leaders-over-radius-3.svg",
		"out/boxes.pdf"}; !slices.Equal(names, want) {
		t.Fatal(names)
	}
	// 8 nodes, both algorithms: 6 runs at each radius
	boxes := list[3].Series[0]
	if boxes.Style != picture.Boxes || boxes.Name != "bounded" || len(boxes.X) != 3 || boxes.Least[0] > boxes.Lo[0] ||
		boxes.Lo[0] > boxes.Y[0] || boxes.Hi[0] < boxes.Y[0] || boxes.Most[0] < boxes.Hi[0] ||
		list[3].Title != "messages, n = 8" {
		t.Errorf("%s: %+v", list[3].Title, boxes)
	}
	all := list[0].Series
	if len(all) != 4 || all[0].Name != "n 8, bounded" || !slices.Equal(all[0].X, []float64{1, 2, 3}) {
		t.Errorf("%+v", all)
	}
	messages := list[1].Series
	if len(messages) != 2 || messages[0].Name != "n 8" || len(messages[0].X) != 2*3*2*3 || !list[1].LogX ||
		messages[0].Y[0] != 0 || messages[0].Y[35] != 1 || !slices.IsSorted(messages[0].X) {
		t.Errorf("%+v", messages)
	}
	if both := list[2].Series; len(both) != 2 || both[1].Name != "recursive" || len(both[1].Lo) != 3 {
		t.Errorf("%+v", both)
	}
}

func TestChartsRefuse(t *testing.T) {
	for text, want := range map[string]string{
		"  - {measure: leader, over: radius}":    `measure: found "leader"`,
		"  - {measure: energy}":                  `measure: found "energy"`,
		"  - {measure: leaders, over: network}":  `over: found "network", allowed: n, radius, round`,
		"  - {measure: leaders, by: seed}":       `by: found "seed", allowed: n, radius, algorithm`,
		"  - {measure: leaders, log: z}":         `log: found "z", allowed: x, y`,
		"  - {measure: leaders, kind: box}":      `over: found "", allowed: the variable`,
		"  - {measure: leaders, kind: pie}":      `kind: found "pie"`,
		"  - {measure: leaders, file: x.jpg}":    `file: found "x.jpg"`,
		"  - {measure: leaders, file: ../x.svg}": `file: found "../x.svg"`,
		"  - {measure: leaders, where: m = 1}":   `where: found "m"`, "  - {over: n}": `measure: found ""`,
		"  leaders": `charts: found "leaders"`,
	} {
		p, err := scenario.ParsePlan("s.yaml", []byte(charted+text+"\n"))
		if err == nil {
			_, err = New(p, Shard{1, 1})
		}
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "s.yaml:") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
