package frames

import (
	"caucus.example/caucus"
	"caucus.example/caucus/internal/layout"
	"caucus.example/caucus/network"
	"caucus.example/caucus/story"
)

// nodes puts what nodes answer into the words of the page.
type nodes struct {
	graph *network.Graph
	place func(caucus.ID) int // of a node by its ID; of a ghost, none
}

// change is what the page is told of a node.
func (n *nodes) change(x *story.Step) change {
	c := change{node: uint32(x.Node), leader: -1, parent: -1, distance: float32(x.Distance), role: uint8(x.Role), up: 1}
	if x.What == story.Crash {
		c.up = 0
		return c
	}
	if x.Leader != caucus.None {
		c.leader = n.who(x.Leader)
	}
	if g := n.graph; x.Parent > 0 && g.Off[x.Node]+int(x.Parent)-1 < g.Off[x.Node+1] {
		c.parent = g.Nbr[g.Off[x.Node]+int(x.Parent)-1]
	}
	return c
}

// who is the place of a node by its ID, or below -1 that of a ghost.
func (n *nodes) who(id caucus.ID) int32 {
	if place := n.place(id); place >= 0 && place < n.graph.Len() {
		return int32(place)
	}
	return -2 - int32(id%(1<<30))
}

// pairs are the links of a network.
func pairs(g *network.Graph) (ends []int32) {
	for i := range g.Len() {
		for _, j := range g.Nbr[g.Off[i]:g.Off[i+1]] {
			if int32(i) < j {
				ends = append(ends, int32(i), j)
			}
		}
	}
	return ends
}

// lengths are those of the pairs; none if all are 1.
func lengths(g *network.Graph, all []float64) (list []float32) {
	for i := range g.Len() {
		for s := g.Off[i]; s < g.Off[i+1] && all != nil; s++ {
			if int32(i) < g.Nbr[s] {
				list = append(list, float32(all[s]))
			}
		}
	}
	return list
}

// wraps are the links that leave the picture, each at both its ends.
func wraps(g *network.Graph) (list []int32) {
	ways := layout.Wraps(g)
	for i := range g.Len() {
		for s := g.Off[i]; s < g.Off[i+1] && ways != nil; s++ {
			if w := ways[s]; w != (layout.Way{}) {
				list = append(list, int32(i), g.Nbr[s], int32(w.X), int32(w.Y))
			}
		}
	}
	return list
}

// placed says where a network stands in the picture.
type placed struct {
	// nodes at the ends of links that leave the picture, and the way in which: two, then -1 to 1 along x and y
	Wraps []int32            `json:"wraps,omitempty"`
	X     []float32          `json:"x"` // in the unit of y, which goes from 0 to 1, upwards
	Y     []float32          `json:"y"`
	Chart *layout.Projection `json:"chart,omitempty"` // of a geographic network
}

func placesOf(g *network.Graph) (p placed) {
	p.Wraps = wraps(g)
	p.X, p.Y, p.Chart = layout.Places(g)
	return p
}

type head struct {
	Scenario  string    `json:"scenario"`
	Algo      string    `json:"algo"`
	Shape     string    `json:"shape"`
	Title     string    `json:"title"`
	Names     []string  `json:"names"`
	IDs       []string  `json:"ids"`
	Strengths []float64 `json:"strengths"`
	Kinds     []string  `json:"kinds"`
	Moving    bool      `json:"moving"`
	Rooted    string    `json:"rooted,omitempty"`  // why a reader cannot put nodes elsewhere; "": he can
	Edges     []int32   `json:"edges"`             // pairs
	Lengths   []float32 `json:"lengths,omitempty"` // of these, if they are not all 1
	placed
	Rounds     int         `json:"rounds"` // at most
	Faults     []faultLine `json:"faults"`
	Initiators []int       `json:"initiators"`
	FIFO       bool        `json:"fifo"`           // messages of one link do not overtake each other
	Bound      int         `json:"bound"`          // of the messages by a theorem; 0: none
	Counted    bool        `json:"counted"`        // times are numbers of events
	Told       *telling    `json:"told,omitempty"` // of what a checker has found
}

type faultLine struct {
	At   float64 `json:"at"`
	Text string  `json:"text"`
}

// counter numbers events; what a message wakes is of the event that follows.
type counter float64

func (c *counter) next(x *story.Step) float64 {
	at := float64(*c) + 1
	if x.What != story.Wake || x.Initiator {
		*c++
	}
	return at
}

type end struct {
	Trace     string               `json:"trace"`
	Rounds    int                  `json:"rounds"`
	Settled   int                  `json:"settled"`
	Converged bool                 `json:"converged"`
	Endless   bool                 `json:"endless"` // there is no rest to come to
	Messages  int64                `json:"messages"`
	Bytes     int64                `json:"bytes"`
	Time      float64              `json:"time"`
	Kinds     []int64              `json:"kinds"`
	Charts    map[string][]float64 `json:"charts"` // by round: messages, bytes and joules until then; instability
}

// telling is what the page is told of a tale beside what nodes answer.
type telling struct {
	*story.Sheet
	Ending string   `json:"ending"` // how it goes on, and whether that is right
	On     string   `json:"on"`     // which network
	Wanted []string `json:"wanted"` // by node, where there is one right result
	Again  string   `json:"again"`
}
