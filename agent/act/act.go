// Package act does the work that follows leadership: it tells commands, sockets and web servers what a node may do
// now, and keeps a child that runs only while the node leads.
package act

import (
	"math"
	"strconv"
	"time"
)

// What a node may do.
const (
	Lead      = "lead"      // act as the leader of its region
	Follow    = "follow"    // look to another node
	Undecided = "undecided" // neither: nothing is known, or not known any more
)

// Stance is what a node may do, and why.
type Stance struct {
	Role       string  `json:"role"`        // lead, follow or undecided
	Leader     string  `json:"leader"`      // its name, "" if undecided
	LeaderAddr string  `json:"leader_addr"` // where it speaks from, "" if that is not known
	Term       uint64  `json:"term"`
	Fence      string  `json:"fence"`  // compares as text: the greater is the later leadership
	Reason     string  `json:"reason"` // see Elected
	Strength   float64 `json:"strength"`
}

// Same tells whether there is nothing new to do.
func (s *Stance) Same(t *Stance) bool {
	return s.Role == t.Role && s.Leader == t.Leader && (s.Fence == t.Fence || s.Role == Undecided)
}

// Event is what hooks are told: the line of JSON on the standard input of a command, in a stream and in a web hook.
type Event struct {
	Schema string    `json:"schema"` // caucus.hook/1
	Time   time.Time `json:"time"`
	Group  string    `json:"group"`
	Node   string    `json:"node"`
	Stance
	Old Stance `json:"old"` // the last one that was told
}

// schema is the version of Event in JSON.
const schema = "caucus.hook/1"

// Environ gives an event as environment variables.
func (e *Event) Environ() []string {
	env := []string{"CAUCUS_GROUP=" + e.Group, "CAUCUS_NODE=" + e.Node}
	for _, x := range []struct {
		prefix string
		Stance
	}{{"CAUCUS_", e.Stance}, {"CAUCUS_OLD_", e.Old}} {
		env = append(env, x.prefix+"ROLE="+x.Role, x.prefix+"LEADER="+x.Leader, x.prefix+"LEADER_ADDR="+x.LeaderAddr,
			x.prefix+"TERM="+strconv.FormatUint(x.Term, 10), x.prefix+"FENCE="+x.Fence, x.prefix+"REASON="+x.Reason)
	}
	return env
}

// keepalived gives the arguments that its notify scripts take: type, name, state, priority.
func (e *Event) keepalived() []string {
	state := map[string]string{Lead: "MASTER", Follow: "BACKUP", Undecided: "FAULT"}[e.Role]
	if e.Reason == Left {
		state = "STOP"
	}
	return []string{"INSTANCE", e.Group, state, strconv.FormatFloat(math.Round(e.Strength), 'f', 0, 64)}
}

// Why a node may do what it may. While it leads or follows the reason is Elected, else it says why it does not.
const (
	Elected   = "elected"
	Starting  = "start"          // it has not settled yet
	NoLeader  = "no-leader"      // it hears of none
	NoTerm    = "no-term"        // it leads, but the term is not agreed yet
	TooFew    = "min-neighbours" // it leads, but with fewer neighbours than it needs
	Unleased  = "no-lease"       // it leads, but a majority has not granted it to act
	Withdrawn = "withdrawn"      // it leads, since there is nobody else, but must not act
	Unheard   = "unheard"        // nobody hears it
	Stale     = "stale"          // it has missed so many rounds that others have given it up
	Left      = "left"           // it ends: the last that is told
)
