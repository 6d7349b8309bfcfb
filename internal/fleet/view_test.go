package fleet

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"caucus.example/caucus"
	"caucus.example/caucus/agent"
)

func lead(leader caucus.ID, role caucus.Role, term uint64) agent.Leadership {
	return agent.Leadership{LeaderID: leader, Role: role.String(), Term: term, Distance: float64(term)}
}

// Three nodes 10, 20, 30 settle under 10; it dies; for a while its followers still name it.
func TestView(t *testing.T) {
	v := NewView([]caucus.ID{10, 20, 30})
	at := time.Unix(100, 0)
	if _, ok := v.Settled(at, 0); ok {
		t.Error("settled before any news")
	}
	for i, l := range []agent.Leadership{lead(10, caucus.Leader, 1), lead(20, caucus.Leader, 1),
		lead(10, caucus.Follower, 1)} {
		if !v.Apply(Change{Node: i, At: at, Lead: l}) {
			t.Errorf("node %d: first leader is no change", i)
		}
	}
	if !v.Agreed() {
		t.Error("two regions, each with a leader that leads, do not agree")
	}
	if v.Apply(Change{Node: 1, At: at.Add(time.Second), Lead: lead(20, caucus.Leader, 5)}) {
		t.Error("a larger term counts as a change of leader")
	}
	v.Apply(Change{Node: 1, At: at.Add(2 * time.Second), Lead: lead(10, caucus.Follower, 1)})
	since, ok := v.Settled(at.Add(3*time.Second), time.Second)
	if !ok || !since.Equal(at.Add(2*time.Second)) {
		t.Errorf("settled %v since %v, want since the last change", ok, since)
	}
	if _, ok := v.Settled(at.Add(3*time.Second), 2*time.Second); ok {
		t.Error("settled although the last change was a second ago")
	}
	want := []Region{{Leader: 0, Members: []int{0, 1, 2}, Farthest: 1, Term: 1}}
	if diff := cmp.Diff(want, v.Regions()); diff != "" {
		t.Error(diff)
	}

	v.Apply(Change{Node: 0, At: at.Add(4 * time.Second), Ended: true})
	if v.Agreed() || v.Live() != 2 {
		t.Errorf("agreed %v, live %d after the leader's end", v.Agreed(), v.Live())
	}
	if v.Apply(Change{Node: 0, At: at.Add(5 * time.Second), Lead: lead(10, caucus.Leader, 2)}) || v.Agreed() {
		t.Error("late news of an ended node revives it")
	}
	v.Apply(Change{Node: 1, At: at.Add(6 * time.Second), Lead: lead(20, caucus.Leader, 2)})
	v.Apply(Change{Node: 2, At: at.Add(6 * time.Second), Lead: lead(20, caucus.Undecided, 2)})
	if !v.Agreed() {
		t.Error("both live nodes follow node 20, which leads")
	}
}

// A node that names a leader which itself follows somebody else has not agreed.
func TestViewChain(t *testing.T) {
	v := NewView([]caucus.ID{1, 2, 3})
	for i, l := range []agent.Leadership{lead(2, caucus.Follower, 1), lead(3, caucus.Follower, 1),
		lead(3, caucus.Leader, 1)} {
		v.Apply(Change{Node: i, Lead: l})
	}
	if v.Agreed() {
		t.Error("1 follows 2, which follows 3: agreed")
	}
}

// A node that names itself without claiming to lead, as one that gives way to its twin, leads nobody.
func TestViewWithoutClaim(t *testing.T) {
	v := NewView([]caucus.ID{1, 2})
	v.Apply(Change{Node: 0, Lead: lead(1, caucus.Follower, 1)})
	v.Apply(Change{Node: 1, Lead: lead(1, caucus.Follower, 1)})
	if v.Agreed() {
		t.Error("agreed on a node that does not lead")
	}
	v.Apply(Change{Node: 0, Lead: lead(1, caucus.Leader, 1)})
	if !v.Agreed() {
		t.Error("it leads now")
	}
}
