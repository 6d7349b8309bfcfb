package sim

import (
	"cmp"
	"slices"

	"caucus.example/caucus"
)

// Region is a leader and those that follow it.
type Region struct {
	Leader  caucus.ID
	Leads   bool    // the leader runs and agrees; false for a ghost
	Members int     // nodes that name it, itself included
	Radius  float64 // greatest distance from it that a member reports; -1 when distances are not measured
}

// Regions lists the regions by rising leader ID. Outcomes that name no leader are left out.
func Regions(outcomes []caucus.Outcome) []Region {
	index := make(map[caucus.ID]int)
	var regions []Region
	for _, o := range outcomes {
		if o.Leader == caucus.None {
			continue
		}
		k, ok := index[o.Leader]
		if !ok {
			k = len(regions)
			index[o.Leader] = k
			regions = append(regions, Region{Leader: o.Leader, Radius: -1})
		}
		r := &regions[k]
		r.Members++
		r.Radius = max(r.Radius, o.Distance)
		r.Leads = r.Leads || o.Role == caucus.Leader
	}
	slices.SortFunc(regions, func(a, b Region) int { return cmp.Compare(a.Leader, b.Leader) })
	return regions
}
