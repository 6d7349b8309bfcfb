package agent

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/agent/act"
	"caucus.example/caucus/agent/probe"
	"caucus.example/caucus/fault"
)

// Leadership is the result as this node sees it. Its region is the leader together with
// everybody who reports the same one.
type Leadership struct {
	// leader, follower, defeated, undecided (just booted, suspended, unheard, or alone for less than the expiry), or
	// left
	Role        string    `json:"role"`
	Leader      string    `json:"leader"`       // its name, "#id" until that is known, "" if there is none
	LeaderID    caucus.ID `json:"leader_id"`    // 0: none
	LeaderNonce uint32    `json:"leader_nonce"` // which life of the leader; 0 if the algorithm does not tell
	// 0: not agreed yet; never smaller than in an earlier report with a term, and larger than under any earlier leader
	Term     uint64  `json:"term"`
	Token    Fence   `json:"fence"`    // see Fence; all zeros without a term
	Distance float64 `json:"distance"` // to the leader, in the metric; -1 if not known
	// fewer neighbours than min-neighbours, or members than min-region: it does not act as leader
	Short     bool      `json:"short"`
	Unleased  bool      `json:"unleased"`  // it leads without the lease that it needs to act
	Withdrawn string    `json:"withdrawn"` // what keeps the node from leading; "" if nothing does
	Final     bool      `json:"final"`     // cannot change any more (terminating algorithms)
	Since     time.Time `json:"since"`     // of this role under this leader
	Number    uint64    `json:"number"`    // of changes of role, leader, its name or term so far
}

// Left is the role of a node that has announced its end: the last that is heard of it.
const Left = "left"

// Leads tells whether this node is the leader of its region, with a term, the lease, and as many neighbours and members
// as it needs to act, and is not withdrawn.
func (l Leadership) Leads() bool {
	return l.Role == caucus.Leader.String() && l.Term > 0 && !l.Short && !l.Unleased && l.Withdrawn == ""
}

// differs in what watchers are told about; the distance may tremble.
func (l *Leadership) differs(old *Leadership) bool {
	return l.Role != old.Role || l.Leader != old.Leader || l.LeaderID != old.LeaderID ||
		l.LeaderNonce != old.LeaderNonce ||
		l.Term != old.Term || l.Final != old.Final || l.Short != old.Short || l.Unleased != old.Unleased ||
		l.Withdrawn != old.Withdrawn
}

// Status is a snapshot of an agent.
type Status struct {
	Schema   string            `json:"schema"`
	Version  string            `json:"version"` // of the program
	Group    string            `json:"group"`
	Name     string            `json:"name"`
	ID       caucus.ID         `json:"id"`
	Nonce    uint32            `json:"nonce"`
	Listen   string            `json:"listen"`
	HTTP     string            `json:"http"`
	Algo     string            `json:"algo"`
	Params   map[string]string `json:"params"`
	Strength float64           `json:"strength"` // what is left of it after the checks
	Standing float64           `json:"standing"` // what the election goes by, see docs/operate.md
	Metric   string            `json:"metric"`
	Period   time.Duration     `json:"period_ns"`
	Expiry   int               `json:"expiry"`
	State    string            `json:"state"`   // starting, running, stopped
	Lacks    string            `json:"lacks"`   // what it is short of; "" if it is not
	Region   bool              `json:"region"`  // it keeps its region, see Agent.Region
	Members  int               `json:"members"` // of its region; 0 without min-region and region
	Trouble  string            `json:"trouble"` // why terms cannot be kept; "" if they can
	// why some peers cannot be found (Config.Discover); "" if they can
	Undiscovered string   `json:"undiscovered"`
	Unheard      bool     `json:"unheard"` // others are heard, but none hears this node: it does not lead
	Keys         []string `json:"keys"`    // of the group, without the secrets; the first is for sending
	// what is done with datagrams that are not sealed, in a group with keys
	Unsealed  string    `json:"unsealed"`
	Started   time.Time `json:"started"`
	LastRound time.Time `json:"last_round"`
	// when this was told, by the agent's own clock; zero in a program that asks directly
	Now time.Time `json:"now"`
	Leadership
	// where the leader speaks from; "" if that is not known, and at itself
	LeaderAddr string         `json:"leader_addr"`
	Next       Next           `json:"next"`
	Neighbours []Neighbour    `json:"neighbours"` // one for each peer
	Duplicates []Duplicate    `json:"duplicates"`
	Counters   Counters       `json:"counters"`
	Hooks      *act.Counts    `json:"hooks,omitempty"` // if there are any
	Changes    []Change       `json:"changes"`         // the last of what the node may do, the latest last
	Checks     []probe.Result `json:"checks,omitempty"`
}

// Change is a change of what the node may do, for whoever asks later.
type Change struct {
	Number uint64    `json:"number"` // of the change, counted from 1
	At     time.Time `json:"at"`
	Role   string    `json:"role"` // lead, follow or undecided, as hooks are told
	Leader string    `json:"leader"`
	Term   uint64    `json:"term"`
	Reason string    `json:"reason"`
}

// keptChanges is how many of them a node remembers.
const keptChanges = 10

// note remembers a change.
func (a *Agent) note(s *Status, now time.Time) {
	next := s.stance(now)
	c := Change{1, now, next.Role, next.Leader, next.Term, next.Reason}
	if n := len(a.changes); n > 0 {
		last := a.changes[n-1]
		if last.Role == c.Role && last.Leader == c.Leader && last.Term == c.Term && last.Reason == c.Reason {
			return
		}
		c.Number = last.Number + 1
	}
	a.changes = append(a.changes[max(0, len(a.changes)+1-keptChanges):len(a.changes):len(a.changes)], c)
}

// Neighbour is a configured peer and what is heard of it.
type Neighbour struct {
	Peer   string        `json:"peer"` // as configured
	Name   string        `json:"name"`
	ID     caucus.ID     `json:"id"` // 0: never heard
	Nonce  uint32        `json:"nonce"`
	Addr   string        `json:"addr"`     // it speaks from
	Live   bool          `json:"live"`     // heard
	Hears  bool          `json:"hears"`    // hears this node: only with both is it a neighbour
	Heard  time.Time     `json:"heard"`    // last
	Length float64       `json:"length"`   // of the edge, in the metric; -1 if not measured
	RTT    time.Duration `json:"rtt_ns"`   // 0: not measured
	Loss   float64       `json:"loss"`     // share of its datagrams that do not arrive here, smoothed
	Theirs float64       `json:"loss_out"` // share of this node's, as it says (metric etx); else -1
	Leader string        `json:"leader"`   // that it supports, if its messages tell
	Kept   string        `json:"kept"`     // with max-neighbours: chosen by this node, accepted since it chose this node, or no
	Queued int           `json:"queued"`   // messages of an event algorithm that it has not acknowledged

	Version string        `json:"version"`   // of its program; "" until it has told
	Period  time.Duration `json:"period_ns"` // that it has told
	// the difference that keeps it from taking part together with this node; "" if there is none
	Refused string `json:"refused"`
}

// Counters count since the start.
type Counters struct {
	Rounds     uint64 `json:"rounds"`
	LateRounds uint64 `json:"late_rounds"` // more than a period late
	// between rounds, so long that others may have given this node up
	Gaps          uint64            `json:"gaps"`
	Suspensions   uint64            `json:"suspensions"` // times that it, or the machine, did not run for long
	Sent          uint64            `json:"sent"`        // datagrams
	SentBytes     uint64            `json:"sent_bytes"`  // UDP payload
	SendErrors    uint64            `json:"send_errors"`
	Unsent        map[string]uint64 `json:"unsent"` // the send errors by reason
	Received      uint64            `json:"received"`
	ReceivedBytes uint64            `json:"received_bytes"`
	Dropped       map[string]uint64 `json:"dropped"` // of the received, by reason
	Unread        map[string]uint64 `json:"unread"`  // for slow readers: watch, and Config.Outputs
	LeaderChanges uint64            `json:"leader_changes"`
	Messages      MessageCounters   `json:"messages"`
	Emulated      fault.Counts      `json:"emulated"` // of the datagrams sent, those on links that are emulated
}

// StatusSchema is the version of Status in JSON.
const StatusSchema = "caucus.status/1"

// Status gives the state after the last round. It is consistent in itself and shared:
// do not change what it points to.
func (a *Agent) Status() Status {
	s := *a.status.Load()
	if r := a.hooks.Load(); r != nil {
		counts := r.Counts()
		s.Hooks = &counts
	}
	if w := a.checks.Load(); w != nil {
		s.Checks = w.Results()
	}
	select {
	case <-a.done:
		s.State = "stopped"
	default:
		a.doubted(&s)
		if s.Role == caucus.Leader.String() && s.State == "running" && !a.holdsLease(a.now()) {
			s.Unleased = true
		}
	}
	return s
}

// Stale tells whether the agent has missed so many rounds that its neighbours have given it
// up: the process was suspended, is starved or has ended. What it says of the leader is then of the past.
func (s *Status) Stale(now time.Time) bool {
	return s.State != "running" || now.Sub(s.LastRound) > time.Duration(s.Expiry)*s.Period
}

// Ready tells whether the node takes part: it runs, is settled and heard, has the neighbours that it needs to act, is
// not withdrawn, and no term is withheld because it cannot be kept.
func (s *Status) Ready(now time.Time) bool {
	return !s.Stale(now) && s.Role != caucus.Undecided.String() && !s.Short && !s.Unleased &&
		!s.Unheard && s.Withdrawn == "" && !s.withheld()
}

func (s *Status) withheld() bool { return s.Trouble != "" && s.Term == 0 }

// publish makes a new snapshot.
func (a *Agent) publish(now time.Time) {
	s := &Status{
		Schema: StatusSchema, Version: a.cfg.Program, Unheard: a.unheard, Group: a.cfg.Group, Name: a.cfg.Name,
		ID: a.self.ID, Nonce: a.self.Nonce,
		Listen: a.transport.Addr().String(), HTTP: Off, Algo: a.cfg.Algo, Params: a.cfg.Params,
		Strength: a.standing.health.Strength(math.Float64frombits(a.strength.Load())), Standing: a.local.Strength,
		Metric: a.cfg.Metric, Period: a.cfg.Period, Expiry: a.cfg.Expiry, Keys: a.cfg.Keys(), Unsealed: a.cfg.Unsealed,
		Region: a.cfg.Region, Members: a.members, Trouble: a.logbook.trouble(), Undiscovered: a.undiscovered,
		State: "starting", Started: a.started, LastRound: a.lastRun, Leadership: a.lead, LeaderAddr: a.leaderAddr(),
		Next:       a.successor(),
		Neighbours: make([]Neighbour, len(a.peers)),
		Duplicates: a.twins.list[:len(a.twins.list):len(a.twins.list)],
		Counters:   a.count,
	}
	if !a.started.IsZero() {
		s.State = "running"
	}
	if s.Short {
		s.Lacks = a.lacks(s.Role == caucus.Leader.String())
	}
	if h := a.cfg.hub; a.web != nil || h != nil {
		s.HTTP = cmp.Or(a.HTTPAddr(), h.httpAddr(), Off)
	}
	s.Counters.Dropped, s.Counters.Unsent = maps.Clone(a.count.Dropped), maps.Clone(a.count.Unsent)
	s.Counters.Emulated = a.emulated()
	s.Counters.Unread = a.unread()
	if a.events != nil {
		s.Counters.Messages = a.events.count
	}
	for i, p := range a.peers {
		n := &s.Neighbours[i]
		*n = Neighbour{
			Peer: p.Addr, Name: a.nameOf(p), ID: p.inst.ID, Nonce: p.inst.Nonce, Live: p.live, Hears: p.hears,
			Heard: p.heard, RTT: p.rtt, Loss: p.loss, Theirs: -1, Length: -1, Refused: p.refused, Kept: a.kept(p),
		}
		if p.about != nil {
			n.Version, n.Period = p.about.Program, time.Duration(p.about.Period)*time.Millisecond
		}
		if p.theirs > 0 {
			n.Theirs = 1 - p.theirs
		}
		if p.addr.IsValid() {
			n.Addr = p.addr.String()
		}
		if length, measured := p.length(&a.cfg); measured {
			n.Length = length
		}
		if a.events != nil {
			n.Queued = a.events.ports[p.slot].channel.Waiting()
		}
		if p.backs.ID == a.self.ID {
			n.Leader = a.cfg.Name
		} else if p.backs.ID != caucus.None {
			n.Leader = show(a.names.get(p.backs.ID), p.backs.ID)
		}
	}
	a.note(s, now)
	s.Changes = a.changes
	a.status.Store(s)
}

// String is one line for people.
func (l Leadership) String() string {
	if l.LeaderID == caucus.None {
		return l.Role
	}
	return fmt.Sprintf("%s of %s, term %d", l.Role, l.Leader, l.Term)
}
