package agent

import (
	"cmp"

	"caucus.example/caucus"
)

// Next is who would lead next, as far as this node can know. The leader of a region that is kept (Config.Region) knows
// all of it. Elsewhere nodes hear of the best only; but neighbours tell what they stand with themselves, so that a node
// knows the best within one hop, itself included.
type Next struct {
	Name     string    `json:"name"` // "" if there is nobody to name
	ID       caucus.ID `json:"id"`
	Standing float64   `json:"standing"`
	Among    int       `json:"among"` // nodes that have been compared, the leader not counted
	How      string    `json:"how"`   // it is known, or why it is not
}

const (
	nextInRegion   = "the best of the whole region behind its leader"
	nextInOneHop   = "the best within one hop: of this node and neighbours that follow the same leader"
	nextNotOrdered = "nobody is known: the algorithm does not elect by strength"
	nextNoLeader   = "nobody is known: there is no leader to take the place of"
	nextNobody     = "nobody who may lead is known within one hop besides the leader"
	nextNobodyAll  = "nobody else in the region may lead"
)

// successor finds who would lead if the present leader were gone.
func (a *Agent) successor() (n Next) {
	leader := a.lead.LeaderID
	switch r := a.region.Load(); {
	case !a.cfg.byStrength:
		n.How = nextNotOrdered
	case leader == caucus.None:
		n.How = nextNoLeader
	case r != nil && r.Whole && leader == a.self.ID:
		for i := range r.Members {
			if m := &r.Members[i]; m.ID != leader {
				n.consider(m.ID, m.Strength)
			}
		}
		n.Among, n.How = max(0, r.Count-1), nextInRegion
		if n.ID == caucus.None {
			n.How = nextNobodyAll
		}
	default:
		if leader != a.self.ID {
			n.consider(a.self.ID, a.local.Strength)
		}
		for _, p := range a.present {
			if p.tells && p.inst.ID != leader && p.backs.ID == leader {
				n.consider(p.inst.ID, p.standing)
			}
		}
		n.How = nextInOneHop
		if n.ID == caucus.None {
			n.How = nextNobody
		}
	}
	if n.ID != caucus.None {
		n.Name = a.memberName(n.ID)
	}
	return n
}

// consider takes a node that is better than the one so far. Those that are withdrawn would not act.
func (n *Next) consider(id caucus.ID, standing float64) {
	n.Among++
	if standing < -2 {
		return
	}
	if n.ID == caucus.None || cmp.Or(cmp.Compare(standing, n.Standing), cmp.Compare(n.ID, id)) > 0 {
		n.ID, n.Standing = id, standing
	}
}
