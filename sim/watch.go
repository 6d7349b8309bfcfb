package sim

import (
	"caucus.example/caucus"
	"caucus.example/caucus/internal/columns"
)

// What happens in a run.
const (
	WakeUp     = "wake"    // a node starts
	Arrival    = "message" // a node receives a message
	TimerFired = "timer"   // a timer of a node goes off
	Lost       = "lost"    // a message comes to a node that is down
	Crashed    = "crash"   // a node goes down; that it starts again shows as a wake-up
	Acted      = "act"     // of a run of rounds: what the node answers is another than before
)

// Happening is one event as Config.Watch sees it. Of a run of rounds it has a time, a node, and its role, leader and
// distance only.
type Happening struct {
	Time          float64
	What          string
	Node          int
	Initiator     bool // of a wake-up: by itself, not by a message
	Port          int  // of a message: at the receiver
	From          int  // of a message: its sender
	Number        uint64
	Kind          int // of a message, as in Spec.Kinds
	Message       Dump
	Timer         int
	Before, After Dump // state of the node
	Role          caucus.Role
	Leader        caucus.ID
	Distance      float64 // of rounds: of the node from its leader; -1: it is not measured
	Sends         []Sending
}

// Sending is a message that a node puts on its way.
type Sending struct {
	Port    int
	To      int
	Number  uint64 // in the order of sending, from 1; 0: it is lost on the way
	Kind    int
	Message Dump
}

// watcher puts together what Config.Watch is told.
type watcher struct {
	cfg  *Config
	algo columns.Events
	h    Happening
	stop bool
}

func newWatcher(cfg *Config, algo columns.Events) *watcher {
	return &watcher{cfg: cfg, algo: algo}
}

func (w *watcher) stopped() bool { return w != nil && w.stop }

func (w *watcher) begin(what string, node int) {
	w.h = Happening{What: what, Node: node, Before: DumpOf(w.algo.State(node))}
}

func (w *watcher) wake(i int, initiator bool) {
	w.begin(WakeUp, i)
	w.h.Initiator = initiator
}

func (w *watcher) timer(i, timer int) {
	w.begin(TimerFired, i)
	w.h.Timer = timer
}

func (w *watcher) message(i, port int, number uint32, slot int32) {
	w.begin(Arrival, i)
	w.carries(i, port, number, slot)
}

func (w *watcher) carries(i, port int, number uint32, slot int32) {
	g := w.cfg.Graph
	w.h.Port, w.h.From, w.h.Number = port, int(g.Nbr[g.Off[i]+port]), uint64(number)+1
	w.h.Kind, w.h.Message = w.algo.Kind(slot), DumpOf(w.algo.Message(slot))
}

func (w *watcher) send(m *columns.Send, to int, number uint64) {
	w.h.Sends = append(w.h.Sends, Sending{int(m.Port), to, number, int(m.Kind), DumpOf(w.algo.Message(m.Slot))})
}

func (w *watcher) done(now float64, is seen) {
	w.h.Time, w.h.After, w.h.Role, w.h.Leader = now, DumpOf(w.algo.State(w.h.Node)), is.role, is.leader
	w.tell()
}

func (w *watcher) lost(i, port int, number uint32, slot int32, now float64) {
	w.h = Happening{What: Lost, Node: i, Time: now}
	w.carries(i, port, number, slot)
	w.tell()
}

func (w *watcher) crash(i int, now float64) {
	w.h = Happening{What: Crashed, Node: i, Time: now}
	w.tell()
}

func (w *watcher) tell() {
	h := w.h
	if !w.cfg.Watch(&h) {
		w.stop = true
	}
}
