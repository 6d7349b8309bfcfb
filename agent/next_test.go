package agent

import (
	"fmt"
	"testing"
)

// byStrength has the nodes tell what they stand with, as agents of a registered algorithm that elects by it do.
func byStrength(v *virtual) *virtual {
	erased := v.proto
	v.proto = func(cfg *Config) (protocol, error) {
		cfg.byStrength = true
		return erased(cfg)
	}
	return v
}

// Each node of a line names the best of those that it can compare, the one that then leads where that is within one
// hop; withdrawn nodes are not named.
func TestNext(t *testing.T) {
	v := byStrength(newVirtual(t, 1, 4, line(4)))
	never := false
	v.nodes[1].cfg.Leads = &never
	v.upAll()
	v.settle("n1", 60)
	v.run(2 * nameEvery * period)
	named := func() (list []string) {
		for _, a := range v.alive() {
			s := a.Status()
			list = append(list, fmt.Sprint(s.Next.Name, " of ", s.Next.Among))
		}
		return list
	}
	// n1 hears n2 only, which never leads; n2 compares itself and n3; n3 and n4 are compared by both of them.
	if got, want := fmt.Sprint(named()), "[ of 1 n3 of 2 n3 of 3 n3 of 2]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if how := v.nodes[0].agent.Status().Next.How; how != nextNobody {
		t.Error(how)
	}
	v.kill(0)
	v.settle("n3", 60)
}

// A strength that changes is told within the time in which names are; a former life's does not count.
func TestNextChanges(t *testing.T) {
	v := byStrength(newVirtual(t, 2, 3, clique(3)))
	v.upAll()
	v.settle("n1", 60)
	next := func() string { return v.nodes[0].agent.Status().Next.Name }
	v.within(2*nameEvery*period, "n2 is named", func() bool { return next() == "n2" })
	if err := v.nodes[2].agent.SetStrength(9.5); err != nil {
		t.Fatal(err)
	}
	v.within(2*nameEvery*period, "n3 is named", func() bool { return next() == "n3" })
	v.kill(2)
	v.within(10*period, "n2 is named again", func() bool { return next() == "n2" })
}

// The leader of a region that is kept knows of all its members, also beyond one hop.
func TestNextInRegion(t *testing.T) {
	v := byStrength(knowing(t, 5, lineOf(5)))
	v.nodes[3].cfg.Strength = 4.5
	v.upAll()
	v.settle("n1", 100)
	v.run(40 * period)
	n := v.nodes[0].agent.Status().Next
	if n.Name != "n4" || n.Standing != 4.5 || n.Among != 4 || n.How != nextInRegion {
		t.Errorf("%+v", n)
	}
}
