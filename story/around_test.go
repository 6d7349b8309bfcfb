package story_test

import (
	"context"
	"strings"
	"testing"

	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/network"
	"caucus.example/caucus/network/mobility"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"caucus.example/caucus/story"
)

// walk is a network of one node that goes right, and up from 4 s on.
type walk struct{ now float64 }

func (w *walk) Len() int           { return 1 }
func (w *walk) Advance(to float64) { w.now = to }
func (w *walk) Present(int) bool   { return true }
func (w *walk) Spoke(int, float64) {}
func (w *walk) Silence(int)        {}
func (w *walk) Position(int) (x, y float64) {
	return 2 * min(w.now, 4), 3 * max(0, w.now-4)
}

func (w *walk) Neighbours(_ int, _ float64, row []int32, dist []float64) ([]int32, []float64) {
	return row, dist
}

// A node that moves is told of where it does not go on as before; a line of four sends six messages a round, of which
// the first and nothing else is told. Readers of what has been picked pass over both.
func TestAround(t *testing.T) {
	algo, err := bounded.New(bounded.Default(3))
	if err != nil {
		t.Fatal(err)
	}
	still, err := network.Generate("line:4", 1)
	if err != nil {
		t.Fatal(err)
	}
	one, err := network.Generate("line:1", 1)
	if err != nil {
		t.Fatal(err)
	}
	moving := &sim.Moving{New: func() (mobility.Net, error) { return &walk{}, nil }}
	for _, c := range []struct {
		cfg  sim.Config
		want string
	}{
		{sim.Config{Graph: still}, `{"time":1,"event":"sent","number":6}`},
		{sim.Config{Graph: one, Moving: moving, Timing: sim.Asynchronous},
			`{"time":0,"event":"move","node":"A","x":0,"y":0,"dx":0,"dy":0}
{"time":1,"event":"sent"}
{"time":1,"event":"move"`},
	} {
		var all []string
		var b strings.Builder
		w := story.NewWriter(&b, true, names(), &story.Story{})
		c.cfg.MaxRounds, c.cfg.Around = 9, true
		c.cfg.Watch = func(x *story.Step) bool {
			if x.What == story.Sent || x.What == story.Move {
				w.Write(x)
				all = append(all, story.Line(x, names()))
			}
			return true
		}
		if _, err := engine.Run(context.Background(), algo, &bounded.Spec, c.cfg); err != nil {
			t.Fatal(err)
		}
		_, lines, _ := strings.Cut(b.String(), "\n")
		if !strings.HasPrefix(lines, c.want) || len(all) > 6 {
			t.Errorf("%s\n%s", lines, strings.Join(all, "\n"))
		}
		for _, text := range []string{b.String(), strings.Join(all, "\n")} {
			s, err := story.Read("t", strings.NewReader(text), func(string) (int, bool) { return 0, true })
			if err != nil || len(s.Steps) != 0 {
				t.Errorf("%s: %v, %v", text, s, err)
			}
		}
	}
}
