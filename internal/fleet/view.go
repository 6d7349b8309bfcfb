package fleet

import (
	"sort"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/agent"
)

// View is what the nodes of a fleet say, put together.
type View struct {
	ids     []caucus.ID
	lead    []agent.Leadership
	ended   []bool
	changed time.Time // last change of a leader, or end of a node
}

// Region is a leader and those who follow it.
type Region struct {
	Leader   int     // node; -1 if the leader is no node of the fleet
	Members  []int   // the leader included, in order of nodes
	Farthest float64 // -1: the algorithm measures no distance
	Term     uint64
	Since    time.Time
}

// NewView knows nothing yet of the nodes with these IDs.
func NewView(ids []caucus.ID) *View {
	v := &View{ids: ids, lead: make([]agent.Leadership, len(ids)), ended: make([]bool, len(ids))}
	return v
}

// Apply takes a change in. It tells whether the node's leader changed, or the node ended. After
// its end a node has no news.
func (v *View) Apply(c Change) bool {
	if v.ended[c.Node] {
		return false
	}
	if c.Ended {
		v.ended[c.Node] = true
		v.lead[c.Node] = agent.Leadership{}
		v.changed = c.At
		return true
	}
	old := v.lead[c.Node]
	v.lead[c.Node] = c.Lead
	if c.Lead.LeaderID == old.LeaderID && c.Lead.LeaderNonce == old.LeaderNonce {
		return false
	}
	v.changed = c.At
	return true
}

// Live counts the nodes that have not ended.
func (v *View) Live() int {
	n := 0
	for _, e := range v.ended {
		if !e {
			n++
		}
	}
	return n
}

// Lead is the leadership that a node told last.
func (v *View) Lead(node int) agent.Leadership { return v.lead[node] }

// HasEnded tells whether a node has.
func (v *View) HasEnded(node int) bool { return v.ended[node] }

// Agreed tells whether every live node follows a live node that leads.
func (v *View) Agreed() bool {
	for i, l := range v.lead {
		if v.ended[i] {
			continue
		}
		leader := v.node(l.LeaderID)
		if leader < 0 || v.ended[leader] || v.lead[leader].LeaderID != l.LeaderID ||
			v.lead[leader].Role != caucus.Leader.String() {
			return false
		}
	}
	return true
}

// Settled tells whether the nodes have agreed and no leader has changed for the given time, and
// since when.
func (v *View) Settled(now time.Time, quiet time.Duration) (since time.Time, ok bool) {
	return v.changed, !v.changed.IsZero() && v.Agreed() && now.Sub(v.changed) >= quiet
}

// Regions lists the regions, the largest first.
func (v *View) Regions() []Region {
	at := map[caucus.ID]int{}
	var list []Region
	for i, l := range v.lead {
		if v.ended[i] || l.LeaderID == caucus.None {
			continue
		}
		k, ok := at[l.LeaderID]
		if !ok {
			k = len(list)
			at[l.LeaderID] = k
			list = append(list, Region{Leader: v.node(l.LeaderID), Farthest: -1})
		}
		r := &list[k]
		r.Members = append(r.Members, i)
		r.Farthest = max(r.Farthest, l.Distance)
		r.Term = max(r.Term, l.Term)
		if i == r.Leader {
			r.Since = l.Since
		}
	}
	sort.SliceStable(list, func(a, b int) bool { return len(list[a].Members) > len(list[b].Members) })
	return list
}

func (v *View) node(id caucus.ID) int {
	for i, x := range v.ids {
		if x == id && id != caucus.None {
			return i
		}
	}
	return -1
}
