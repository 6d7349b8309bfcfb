package registry

import (
	"context"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/internal/wire"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
)

func TestSpecsAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range All {
		s := e.Spec
		if s.Name == "" || seen[s.Name] {
			t.Errorf("name %q is empty or taken", s.Name)
		}
		seen[s.Name] = true
		for field, text := range map[string]string{
			"title": s.Title, "family": s.Family, "source": s.Source, "elects": s.Elects, "guarantee": s.Guarantee,
			"cost": s.Cost,
		} {
			if text == "" {
				t.Errorf("%s: no %s", s.Name, field)
			}
		}
		if s.Shape != caucus.ShapeRounds && s.Shape != caucus.ShapeEvents {
			t.Errorf("%s: shape %q", s.Name, s.Shape)
		}
		for _, p := range s.Params {
			if p.Name == "" || p.Doc == "" {
				t.Errorf("%s: parameter %q has no name or no doc", s.Name, p.Name)
			}
			if _, err := s.Resolve("", map[string]string{p.Name: p.Default}); err != nil {
				t.Errorf("%s: default of %v", s.Name, err)
			}
		}
		for mode, values := range s.Faithful {
			if _, err := s.Resolve("", values); err != nil {
				t.Errorf("%s: faithful %s: %v", s.Name, mode, err)
			}
		}
		if e.Simulate == nil || e.Check == nil || e.SizeOf == nil {
			t.Errorf("%s: a driver is missing", s.Name)
		}
	}
}

func TestGet(t *testing.T) {
	for _, e := range All {
		if got, err := Get(e.Spec.Name); err != nil || got.Spec != e.Spec {
			t.Errorf("Get(%q): %v", e.Spec.Name, err)
		}
	}
	_, err := Get("bouned")
	if err == nil || !strings.HasPrefix(err.Error(), `algo: found "bouned", allowed: bounded`) ||
		!strings.HasSuffix(err.Error(), `did you mean "bounded"?`) {
		t.Errorf("error %v", err)
	}
	if _, err := Get("raft"); err == nil || strings.Contains(err.Error(), "did you mean") {
		t.Errorf("error %v", err)
	}
}

// Each algorithm for rings or any network elects node 1 on a ring of five with labelled ports: the
// smallest ID, at equal strength. Those that do not promise the least ID elect one node. (networks_test.go has the
// rest.)
func TestSimulate(t *testing.T) {
	g, err := network.Generate("ring:5", 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range All {
		if class := e.Spec.Needs.Topology; class != "" && class != caucus.AnyTopology && class != caucus.Ring {
			continue
		}
		args, err := e.Spec.Resolve("", nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := e.Simulate(context.Background(), args,
			sim.Config{Graph: g, Known: caucus.Known{Nodes: 5, Diameter: 2}, StableFor: 10, MaxRounds: 1000})
		if err != nil {
			t.Fatalf("%s: %v", e.Spec.Name, err)
		}
		if e.Spec.Family == "classic" { // terminating
			if err := elected(r, []caucus.ID{1, 2, 3, 4, 5}, e.Spec); err != nil {
				t.Errorf("%s: %v", e.Spec.Name, err)
			}
			continue
		}
		for i, o := range r.Outcomes {
			if o.Leader != 1 || (o.Role == caucus.Leader) != (i == 0) {
				t.Errorf("%s: node %d: %+v", e.Spec.Name, i+1, o)
			}
		}
	}
}

// An algorithm refuses values that its Spec alone cannot judge.
func TestMakeRefuses(t *testing.T) {
	e, err := Get("bounded")
	if err != nil {
		t.Fatal(err)
	}
	args, err := e.Spec.Resolve("paper", nil) // radius inf without heartbeat: a ghost would live for ever
	if err != nil {
		t.Fatal(err)
	}
	if r, err := e.Simulate(context.Background(), args, sim.Config{}); r != nil || err == nil ||
		!strings.HasPrefix(err.Error(), `radius: found "inf"`) {
		t.Errorf("result %v, error %v", r, err)
	}
}

func TestSizeOf(t *testing.T) {
	e, err := Get("bounded")
	if err != nil {
		t.Fatal(err)
	}
	m := bounded.Candidacy{Val: -3, Dist: 1500.25, Lead: 300, Seq: 7}
	codec, err := wire.NewCodec[bounded.Candidacy]()
	if err != nil {
		t.Fatal(err)
	}
	b, err := codec.Encode(&m)
	if err != nil {
		t.Fatal(err)
	}
	if got := e.SizeOf(&m); got != len(b) {
		t.Errorf("size %d, encoded %d", got, len(b))
	}
	if got := e.SizeOf("no message"); got != 0 {
		t.Errorf("size of a string: %d", got)
	}
}
