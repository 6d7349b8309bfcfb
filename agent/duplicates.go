package agent

import (
	"fmt"
	"time"

	"caucus.example/caucus"
)

// Duplicate says that two live instances share an ID. Distinct IDs are a precondition of
// every election here (without them none can be guaranteed, whatever the algorithm), so
// results that name this ID are ambiguous. The network itself has not failed.
type Duplicate struct {
	ID     caucus.ID `json:"id"`
	Nonces [2]uint32 `json:"nonces"` // of the two instances
	Addr   string    `json:"addr"`   // where the other one speaks from; empty if it is no neighbour
	Since  time.Time `json:"since"`
}

// maxDuplicates bounds the list of reports.
const maxDuplicates = 64

// twinPatience is how many rounds, besides the expiry, a node may hear of another instance
// of itself before it is sure: after a restart that is its own past. It exceeds the longest
// heartbeat of any algorithm.
const twinPatience = 20

// twinWatch finds nodes that share an ID.
type twinWatch struct {
	seen   uint64 // Outcome.Twin
	streak int    // rounds in a row in which the algorithm saw another instance of this node
	list   []Duplicate
}

// duplicate reports a pair once.
func (a *Agent) duplicate(id caucus.ID, nonces [2]uint32, addr string, now time.Time) {
	if nonces[0] > nonces[1] {
		nonces[0], nonces[1] = nonces[1], nonces[0]
	}
	for _, d := range a.twins.list {
		if d.ID == id && d.Nonces == nonces {
			return
		}
	}
	if len(a.twins.list) >= maxDuplicates {
		return
	}
	a.twins.list = append(a.twins.list, Duplicate{id, nonces, addr, now})
	a.cfg.Logger.Error("duplicate id: two live instances share it, so election results for this id are ambiguous; "+
		"give every node its own name or id",
		"id", id, "nonces", fmt.Sprintf("%08x, %08x", nonces[0], nonces[1]), "addr", addr)
}

// seekDuplicates looks, once a round, at what the algorithm and the neighbours say.
func (a *Agent) seekDuplicates(now time.Time) {
	twin := a.twins.seen
	a.twins.streak++
	if twin == 0 {
		a.twins.streak = 0
	}
	if a.twins.streak > a.cfg.Expiry+twinPatience {
		a.duplicate(a.self.ID, [2]uint32{a.self.Nonce, uint32(twin)}, "", now)
	}
	for i := 1; i < len(a.present); i++ { // sorted by ID
		older, newer := a.present[i-1], a.present[i]
		if older.inst.ID != newer.inst.ID {
			continue
		}
		if newer.since.Before(older.since) {
			older, newer = newer, older
		}
		// A node that moved to another address is silent at the old one.
		if older.heard.Sub(newer.since) >= a.cfg.Period {
			a.duplicate(older.inst.ID, [2]uint32{older.inst.Nonce, newer.inst.Nonce},
				older.addr.String()+" and "+newer.addr.String(), now)
		}
	}
}
