package picture

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"strings"
	"testing"

	"caucus.example/caucus/algo/rings/asfar"
	"caucus.example/caucus/internal/layout"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"caucus.example/caucus/story"
)

func diagram(t *testing.T, n int, cfg sim.Config) *SpaceTime {
	g, err := network.Generate(fmt.Sprint("ring:", n), 1)
	if err != nil {
		t.Fatal(err)
	}
	d := NewSpaceTime(n)
	d.Title, d.Kinds, d.Ring = "As Far", asfar.Spec.Kinds, IsRing(g)
	d.Name = func(i int) string { return fmt.Sprint("node", i+1) }
	cfg.Graph = g
	cfg.Watch = func(h *story.Step) bool { d.Add(h); return true }
	if _, err := engine.RunEvents(context.Background(), asfar.Algorithm{}, &asfar.Spec, cfg); err != nil {
		t.Fatal(err)
	}
	return d
}

// Every message of the run has its arrow, from its sender at the time of sending to its receiver at the time of
// arrival. On the increasing ring of 3 there are 3·4/2 + 3.
func TestSpaceTimeArrows(t *testing.T) {
	d := diagram(t, 3, sim.Config{})
	if len(d.arrows) != 9 || d.end != 6 {
		t.Fatalf("%d arrows until %g, want 9 until 6", len(d.arrows), d.end)
	}
	for _, a := range d.arrows {
		if a.to != (a.from+1)%3 || a.arrived != a.sent+1 || a.lost {
			t.Errorf("arrow %+v", a)
		}
	}
	for _, format := range layout.Endings {
		var a, b bytes.Buffer
		draw := func(d *SpaceTime, b *bytes.Buffer) error { return d.Write(b, "x"+format) }
		if err := draw(d, &a); err != nil {
			t.Fatal(err)
		}
		if err := draw(diagram(t, 3, sim.Config{}), &b); err != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("%s: not the same bytes again (%v)", format, err)
		}
		if format == ".png" {
			if _, err := png.Decode(&a); err != nil {
				t.Error(err)
			}
		}
		if format != ".svg" {
			continue // texts are drawn
		}
		text := a.String()
		if got := strings.Count(text, ">node1<"); got != 2 { // its line stands above and below the others
			t.Errorf("node1 named %d times, want 2", got)
		}
		for _, word := range []string{">node3<", ">elect<", ">notify<", ">leads<", ">As Far<"} {
			if !strings.Contains(text, word) {
				t.Errorf("no %s", word)
			}
		}
	}
}

// What is lost has an arrow too: on the way, and at a node that is down. The legend tells the crosses apart.
func TestSpaceTimeLost(t *testing.T) {
	for _, fault := range []sim.Fault{{Kind: sim.Loss, Rate: 1}, {At: 0.5, Kind: sim.Crash}} {
		d := diagram(t, 4, sim.Config{Faults: []sim.Fault{fault}})
		if len(d.arrows) != 4 {
			t.Fatalf("%d arrows, want 4", len(d.arrows))
		}
		for _, a := range d.arrows {
			if !a.lost {
				t.Errorf("%s: arrow %+v is not lost", fault.Kind, a)
			}
		}
		var b bytes.Buffer
		if err := d.Write(&b, "-"); err != nil {
			t.Error(err)
		}
		crashes := fault.Kind == sim.Crash
		if text := b.String(); !strings.Contains(text, ">lost<") || strings.Contains(text, ">crashes<") != crashes {
			t.Errorf("%s: the legend does not say what its crosses are", fault.Kind)
		}
	}
}

// Of a long run the beginning is drawn, and the picture says so.
func TestSpaceTimeCut(t *testing.T) {
	d := diagram(t, 100, sim.Config{}) // 5150 messages
	var b bytes.Buffer
	if err := d.Write(&b, "-"); err != nil {
		t.Fatal(err)
	}
	if len(d.arrows) != MaxArrows || !strings.Contains(b.String(), fmt.Sprintf("the first %d messages", MaxArrows)) {
		t.Errorf("%d arrows, want %d and a remark", len(d.arrows), MaxArrows)
	}
}

func TestIsRing(t *testing.T) {
	for spec, want := range map[string]bool{"ring:3": true, "ring:9": true, "line:4": false, "grid:2x3": false,
		"clique:4": false, "star:4": false} {
		g, err := network.Generate(spec, 1)
		if err != nil {
			t.Fatal(err)
		}
		if IsRing(g) != want {
			t.Errorf("%s: %v", spec, !want)
		}
	}
}
