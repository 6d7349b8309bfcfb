//go:build unix

package cmd

import (
	"strings"
	"testing"

	"caucus.example/caucus/agent"
)

// A roster that is cut says so.
func TestRegionText(t *testing.T) {
	r := agent.Region{Leader: "a", Whole: true, Count: 30, Members: []agent.Member{{Name: "a", Strength: 2}, {Name: "b", Addr: "10.0.0.2:7400", Distance: 1, Tags: []string{"x", "y"}}}}
	text := regionText(&r)
	for _, want := range []string{"a       0     2         -              -\n", "b       1     0         10.0.0.2:7400  x,y\n", "and 28 more", "leader=a term=0 whole=true hops=0 members=30"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// A real agent, alone in its region.
func TestRegion(t *testing.T) {
	cmd, _, _, addr := lonely(t)
	healthy(t, addr)
	code, out, errs := caucusRun(t, "region", "--addr", addr)
	if code != exitOK || !strings.Contains(out, "leader=alone") || !strings.Contains(out, "whole=true hops=0 members=1 ") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	code, out, errs = caucusRun(t, "region", "--json", "--addr", addr)
	if code != exitOK || !strings.Contains(out, `"schema": "caucus.region/1"`) {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	ends(t, cmd)
}
